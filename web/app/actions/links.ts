import { count } from "../../../src/shared/Format.ts"
import { api, type Link } from "../api.ts"
import { asMarkdown, asMarkdownLink, asUrls, copyText, withoutProperties } from "../copyText.ts"
import { openExternal } from "../externalLink.ts"
import { allHave, deleteLinks, named, setFavorite, setShareable } from "../state/changes.ts"
import { editInDetail, enterDetail, toggleDetail } from "../state/detail.ts"
import { ask, open } from "../state/dialogs.ts"
import { peekLink } from "../state/entities.ts"
import { restoreLinks, setState } from "../state/linkChanges.ts"
import { showsTrash } from "../state/list.ts"
import { copyableLinks } from "../state/matching.ts"
import { currentFilters, navigate, readerHref, route, show } from "../state/route.ts"
import {
  clearSelection,
  currentLink,
  selected,
  selecting,
  selectRange,
  shown,
  startSelecting,
  targets,
  toggle
} from "../state/selection.ts"
import { refreshAll, refreshLink } from "../state/startJobs.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { type Ids, type LinkAction, register, registerOnLinks } from "./registry.ts"

const readLink = (): Ids => {
  const now = route.value
  return now.page === "read" && peekLink(now.id) !== undefined ? [now.id] : []
}

/** The link of the keyboard, in the list or in the reader. */
const focused = (): Ids => {
  const id = currentLink()
  return id === undefined ? readLink() : [id]
}

/** The selected links, or else the one of the keyboard. */
const targetsHere = (): Ids => (route.value.page === "library" ? targets() : readLink())

const isTrashed = ([first]: Ids): boolean => {
  const link = first === undefined ? undefined : peekLink(first)
  return link === undefined ? showsTrash(currentFilters()) : link.deletedAt !== undefined
}

const inLibrary = (ids: Ids) => !isTrashed(ids)
const haveState = (ids: Ids, state: Link["state"]) => ids.every((id) => peekLink(id)?.state === state)

type Given = Omit<LinkAction, "applies"> & Partial<Pick<LinkAction, "applies">>

/** An action on links in the library that works with the selection. */
const onLinks = ({ applies = () => true, ...action }: Given): void =>
  registerOnLinks({ ...action, applies: (ids) => inLibrary(ids) && applies(ids) }, targetsHere)

type GivenSingle = Omit<Given, "applies" | "perform"> & {
  readonly applies?: (link: Link) => boolean
  readonly perform: (id: number, link: Link) => unknown
}

/** An action on one link, in the library or in the trash. */
const onLink = ({ applies = () => true, perform, ...action }: GivenSingle): void => {
  const linkIn = ([id]: Ids) => (id === undefined ? undefined : peekLink(id))
  registerOnLinks(
    {
      ...action,
      isSingle: true,
      applies: (ids) => {
        const link = linkIn(ids)
        return link !== undefined && applies(link)
      },
      perform: (ids) => {
        const link = linkIn(ids)
        return link !== undefined && perform(link.id, link)
      }
    },
    focused
  )
}

const isKept = ({ deletedAt, kept }: Link) => kept && deletedAt === undefined

onLink({
  name: "Open",
  section: "open",
  icon: "external",
  keys: ["o", "Enter"],
  isLocal: true,
  perform: (_, { url }) => openExternal(url)
})
onLink({
  name: "Read here",
  section: "open",
  icon: "read",
  keys: ["v"],
  isLocal: true,
  // The reader shows it already.
  applies: (link) => isKept(link) && route.value.page !== "read",
  perform: (id) => navigate(readerHref(id))
})
onLink({
  name: "Details",
  section: "open",
  icon: "cards",
  keys: ["Space"],
  isLocal: true,
  applies: () => route.value.page === "library",
  perform: toggleDetail
})

onLinks({
  name: "Favorite",
  isTool: true,
  section: "mark",
  icon: "star",
  keys: ["f"],
  applies: (ids) => !allHave("favorite", ids),
  perform: (ids) => void setFavorite(ids, true)
})
onLinks({
  name: "Remove from favorites",
  short: "Unfavorite",
  isTool: true,
  isReverse: true,
  section: "mark",
  icon: "star",
  keys: ["f"],
  applies: (ids) => allHave("favorite", ids),
  perform: (ids) => void setFavorite(ids, false)
})
onLinks({
  name: "Share on the public list",
  short: "Share",
  section: "mark",
  icon: "share",
  keys: ["s"],
  applies: (ids) => !allHave("shareable", ids),
  perform: (ids) => void setShareable(ids, true)
})
onLinks({
  name: "Make private",
  isReverse: true,
  section: "mark",
  icon: "share",
  keys: ["s"],
  applies: (ids) => allHave("shareable", ids),
  perform: (ids) => void setShareable(ids, false)
})

onLinks({
  name: "Mark as unread",
  section: "state",
  icon: "unread",
  keys: ["u"],
  applies: (ids) => !haveState(ids, "unread"),
  perform: (ids) => void setState(ids, "unread")
})
onLinks({
  name: "Mark as read",
  section: "state",
  icon: "check",
  keys: ["u"],
  applies: (ids) => !haveState(ids, "read") && !haveState(ids, "archived"),
  perform: (ids) => void setState(ids, "read")
})
onLinks({
  name: "Archive",
  isTool: true,
  section: "state",
  icon: "archive",
  keys: ["y"],
  applies: (ids) => !haveState(ids, "archived"),
  perform: (ids) => void setState(ids, "archived")
})
onLinks({
  name: "Take out of the archive",
  isTool: true,
  isReverse: true,
  section: "state",
  icon: "archive",
  keys: ["y"],
  applies: (ids) => haveState(ids, "archived"),
  perform: (ids) => void setState(ids, "read")
})

onLinks({
  name: "File in a collection…",
  short: "File in…",
  isTool: true,
  section: "file",
  icon: "folder",
  keys: ["m"],
  perform: (ids) => open({ kind: "collection", ids })
})
onLinks({
  name: "Tags…",
  section: "file",
  icon: "tag",
  keys: ["t"],
  perform: (ids) => open({ kind: "tags", ids })
})
onLinks({
  name: "Category…",
  section: "file",
  icon: "all",
  keys: ["c"],
  perform: (ids) => open({ kind: "category", ids })
})
onLink({
  name: "Edit",
  section: "file",
  icon: "edit",
  keys: ["e"],
  applies: ({ deletedAt }) => deletedAt === undefined,
  perform: (id) => editInDetail(id)
})

onLinks({
  name: "Read the page again",
  short: "Refresh",
  section: "page",
  icon: "refresh",
  keys: ["r"],
  perform: (ids) => void (ids.length === 1 && ids[0] !== undefined ? refreshLink(ids[0]) : refreshAll(ids))
})
onLink({
  name: "Show similar links",
  section: "page",
  icon: "similar",
  applies: ({ deletedAt }) => deletedAt === undefined,
  perform: (like) => show({ q: "", like })
})

/** Copies text about links, which some of it may have to be asked for. */
const copy = async (
  ids: Ids,
  textOf: (links: ReturnType<typeof copyableLinks>) => string | Promise<string>
) => {
  const links = copyableLinks(ids)
  try {
    await copyText(await textOf(links))
    tell(links.length === 1 ? "Copied." : `Copied ${count(links.length, "link")}.`)
  } catch (error) {
    tellFailure("Not copied.", error)
  }
}

/** A link, and the text of its page if that is kept. */
const markdownOf = async (id: number): Promise<string> => {
  const link = peekLink(id)
  if (link === undefined) return asMarkdown(copyableLinks([id]))
  const text = isKept(link) ? withoutProperties(await api.pageMarkdown(id)) : ""
  return text === "" ? asMarkdownLink(link) : `${asMarkdownLink(link)}\n\n${text}`
}

for (const { icon, name, short, textOf } of [
  { name: "Copy the address", short: "As plain addresses", icon: "copy", textOf: asUrls },
  { name: "Copy as Markdown", short: "As a Markdown list", icon: "text", textOf: asMarkdown }
] as const)
  registerOnLinks(
    {
      name,
      short,
      section: "copy",
      icon,
      isLocal: true,
      applies: () => true,
      perform: (ids) =>
        void copy(ids, (links) => {
          const [link] = links
          if (link === undefined || links.length > 1) return textOf(links)
          return textOf === asUrls ? link.url : markdownOf(link.id)
        })
    },
    targetsHere
  )

onLink({
  name: "Share this page…",
  section: "copy",
  icon: "link",
  applies: isKept,
  perform: (id) => open({ kind: "sharePage", id })
})

registerOnLinks(
  {
    name: "Restore",
    section: "remove",
    icon: "undo",
    isTool: true,
    applies: isTrashed,
    perform: (ids) => void restoreLinks(ids)
  },
  targets
)
registerOnLinks(
  {
    name: "Delete forever…",
    section: "remove",
    icon: "trash",
    isTool: true,
    isDangerous: true,
    keys: ["#", "Delete"],
    applies: isTrashed,
    perform: (ids) => open({ kind: "deleteForever", ids })
  },
  targets
)
onLinks({
  name: "Delete…",
  section: "remove",
  icon: "trash",
  isDangerous: true,
  keys: ["#", "Delete"],
  perform: (ids) =>
    ask({
      title: `Move ${named(ids)} to the trash?`,
      text: `${ids.length === 1 ? "It stays" : "They stay"} there for 30 days, and can be restored until then.`,
      confirm: "Move to trash",
      run: () => void deleteLinks(ids)
    })
})

const ofCurrent = (perform: (id: number) => unknown) => ({
  isAvailable: () => currentLink() !== undefined,
  perform: () => {
    const id = currentLink()
    return id !== undefined && perform(id)
  }
})

register(
  { name: "Into the details", group: "Links", keys: ["d"], keyOnly: true, ...ofCurrent(enterDetail) },
  { name: "Select", group: "Selection", keys: ["x"], ...ofCurrent(toggle) },
  {
    name: "Select up to here",
    group: "Selection",
    keys: ["Shift+x"],
    keyOnly: true,
    ...ofCurrent(selectRange)
  },
  {
    name: "Select links",
    group: "Selection",
    isAvailable: () => shown().length > 0 && !selecting.value,
    perform: startSelecting
  },
  {
    name: "Clear the selection",
    group: "Selection",
    icon: "close",
    isAvailable: () => selected.value.size > 0 || selecting.value,
    perform: clearSelection
  }
)
