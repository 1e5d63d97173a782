import { batch } from "@preact/signals"
import type { Link } from "./api.ts"
import { leaveCard, moveInCard } from "./cardInput.ts"
import { focusSearch, focusSidebarFilter } from "./components/focus.ts"
import { openExternal } from "./externalLink.ts"
import { close, dialog, open } from "./state/dialogs.ts"
import { toggleDensity } from "./state/display.ts"
import { peekLink } from "./state/entities.ts"
import { pause, readingJob, readPages, refreshAll, refreshLink, start, unreadPages } from "./state/jobs.ts"
import { lazyParts, readerParts, withParts } from "./state/lazy.ts"
import { listing, showsTrash, trash } from "./state/list.ts"
import { nextTheme } from "./state/preferences.ts"
import { everything, type Filters, navigate, readerHref, route, show } from "./state/route.ts"
import {
  clearSelection,
  current,
  move,
  select,
  selected,
  selecting,
  selectRange,
  startSelecting,
  targets,
  toggle
} from "./state/selection.ts"

/** A command of the palette and the keyboard. */
export interface Command {
  readonly name: string
  readonly group: "Reader" | "Move" | "Links" | "Go to" | "Library"
  /**
   * Its shortcuts: keys as in `KeyboardEvent.key`, letters in lower case, with `Shift+` before a letter or a named key
   * and `Mod+` for Ctrl or Cmd; a space separates two keys pressed one after the other.
   */
  readonly keys?: ReadonlyArray<string>
  /** Runs the command; returns false if there was nothing to do, so that the browser handles the key. */
  readonly run: () => unknown
  /** Whether the command is available now; always if absent. */
  readonly isAvailable?: () => boolean
  /** Whether it is useful from a key only; the palette omits it. */
  readonly keyOnly?: true
  /** Whether it repeats while its key is held, as movement does. */
  readonly repeats?: true
}

type Ids = ReadonlyArray<number>

const inLibrary = () => route.value.page === "library"

const shown = (): Ids => (inLibrary() ? (listing.value?.ids ?? []) : [])

/** The link whose kept page is read. */
const readLink = (): number | undefined => (route.value.page === "read" ? route.value.id : undefined)

/** The links that a command applies to: those of the list, or the one that is read. */
const targetLinks = (): Ids => {
  const read = readLink()
  if (read !== undefined) return peekLink(read) === undefined ? [] : [read]
  return inLibrary() ? targets() : []
}

const withTargets = (run: (ids: Ids) => unknown) => ({
  isAvailable: () => targetLinks().length > 0,
  run: () => run(targetLinks())
})

/** The current link of keyboard navigation, if it is in the shown list. */
const currentLink = (): number | undefined => shown().find((id) => id === current.value)

const withLink = (find: () => number | undefined) => (run: (id: number) => unknown) => ({
  isAvailable: () => find() !== undefined,
  run: () => {
    const id = find()
    return id !== undefined && run(id)
  }
})

/** A command for the current link of the list. */
const withListed = withLink(currentLink)

/** A command for the current link of the list, or for the one that is read. */
const withCurrent = withLink(() => readLink() ?? currentLink())

const goTo = (id: number | undefined): boolean => {
  if (id === undefined) return false
  current.value = id
  return true
}

const step = (by: number) => () => inLibrary() && move(by)

const isKept = (id: number | undefined) => {
  const link = id === undefined ? undefined : peekLink(id)
  return link?.kept === true && link.deletedAt === undefined
}

/** A command for the page that is read. */
const inReader = (run: (parts: NonNullable<typeof readerParts.value>) => unknown) => ({
  isAvailable: () => readLink() !== undefined,
  run: () => {
    const parts = readerParts.peek()
    return parts !== null && run(parts)
  }
})

/** Moves by this many links and extends the selection to the link reached. */
const extend = (by: number) => () =>
  inLibrary() &&
  batch(() => {
    const before = currentLink()
    if (before !== undefined && !selected.value.has(before)) selectRange(before)
    const moved = move(by)
    const after = currentLink()
    if (after !== undefined && !selected.value.has(after)) selectRange(after)
    return moved
  })

const openLink = (id: number) => {
  const link = peekLink(id)
  if (link !== undefined) openExternal(link.url)
}

const inTrash = () => route.value.page === "library" && showsTrash(route.value.filters)

/** The state that all links have; undefined if they differ. */
const stateOf = (ids: Ids) => {
  const [first, ...others] = new Set(ids.map((id) => peekLink(id)?.state))
  return others.length === 0 ? first : undefined
}

const moveTo = (ids: Ids, state: Link["state"]) =>
  !inTrash() && withParts(({ linkChanges }) => linkChanges.setState(ids, state))

/** Whether there is something to undo or redo; unknown until the history is loaded. */
const canUndo = () => lazyParts.value?.history.done.value.length !== 0
const canRedo = () => lazyParts.value?.history.undone.value.length !== 0
const undo = () => withParts(({ history }) => history.undo())
const redo = () => withParts(({ history }) => history.redo())

const view = (name: string, keys: ReadonlyArray<string>, filters: Filters): Command => ({
  name,
  group: "Go to",
  keys,
  run: () => show(filters)
})

/** All commands with a key or in the palette, in display order. */
export const commands: ReadonlyArray<Command> = [
  {
    name: "Highlight what is selected",
    group: "Reader",
    keys: ["h"],
    ...inReader(({ highlightSelection }) => highlightSelection())
  },
  {
    name: "Contents of the page",
    group: "Reader",
    keys: ["i"],
    ...inReader(({ toggleContents }) => toggleContents())
  },
  { name: "Larger text", group: "Reader", keys: ["+", "="], ...inReader(({ changeSize }) => changeSize(1)) },
  { name: "Smaller text", group: "Reader", keys: ["-"], ...inReader(({ changeSize }) => changeSize(-1)) },
  {
    name: "Scroll down",
    group: "Reader",
    keys: ["j"],
    keyOnly: true,
    repeats: true,
    ...inReader(({ scrollReader }) => scrollReader(1, "lines"))
  },
  {
    name: "Scroll up",
    group: "Reader",
    keys: ["k"],
    keyOnly: true,
    repeats: true,
    ...inReader(({ scrollReader }) => scrollReader(-1, "lines"))
  },
  {
    name: "Next screen",
    group: "Reader",
    keys: ["Space"],
    keyOnly: true,
    repeats: true,
    ...inReader(({ scrollReader }) => scrollReader(1, "screen"))
  },
  {
    name: "Previous screen",
    group: "Reader",
    keys: ["Shift+Space"],
    keyOnly: true,
    repeats: true,
    ...inReader(({ scrollReader }) => scrollReader(-1, "screen"))
  },
  {
    name: "Next unread page",
    group: "Reader",
    keys: ["n"],
    ...inReader(({ openNext }) => {
      const id = readLink()
      return id !== undefined && openNext(id)
    })
  },
  {
    name: "Listen, or pause",
    group: "Reader",
    keys: ["l"],
    ...inReader(({ toggleListening }) => toggleListening())
  },
  {
    name: "Print the page",
    group: "Reader",
    keys: ["Mod+p"],
    ...inReader(({ printArticle }) => printArticle())
  },
  {
    name: "Leave the page",
    group: "Reader",
    keys: ["Escape"],
    keyOnly: true,
    ...inReader(({ leaveReader }) => leaveReader())
  },

  { name: "Next link", group: "Move", keys: ["j", "ArrowDown"], keyOnly: true, run: step(1) },
  { name: "Previous link", group: "Move", keys: ["k", "ArrowUp"], keyOnly: true, run: step(-1) },
  { name: "First link", group: "Move", keys: ["g g"], keyOnly: true, run: () => goTo(shown()[0]) },
  { name: "Last link", group: "Move", keys: ["Shift+g"], keyOnly: true, run: () => goTo(shown().at(-1)) },
  {
    name: "Into the link: its buttons, then its labels",
    group: "Move",
    keys: ["ArrowRight", "F2"],
    keyOnly: true,
    run: () => moveInCard(1)
  },
  {
    name: "The same, from the end",
    group: "Move",
    keys: ["ArrowLeft"],
    keyOnly: true,
    run: () => moveInCard(-1)
  },

  { name: "Open", group: "Links", keys: ["o", "Enter"], ...withCurrent(openLink) },
  {
    name: "Read here",
    group: "Links",
    keys: ["v"],
    isAvailable: () => isKept(currentLink()),
    run: () => {
      const id = currentLink()
      return id !== undefined && navigate(readerHref(id))
    }
  },
  {
    name: "Details",
    group: "Links",
    keys: ["Space"],
    keyOnly: true,
    ...withListed((id) => withParts(({ detail }) => detail.toggleDetail(id)))
  },
  {
    name: "Toggle favorite",
    group: "Links",
    keys: ["f"],
    ...withTargets((ids) =>
      withParts(({ changes }) => changes.setFavorite(ids, !changes.allHave("favorite", ids)))
    )
  },
  {
    name: "Share or make private",
    group: "Links",
    keys: ["s"],
    ...withTargets((ids) =>
      withParts(({ changes }) => changes.setShareable(ids, !changes.allHave("shareable", ids)))
    )
  },
  {
    name: "File in…",
    group: "Links",
    keys: ["m"],
    ...withTargets((ids) => open({ kind: "collection", ids }))
  },
  {
    name: "Category…",
    group: "Links",
    keys: ["c"],
    ...withTargets((ids) => open({ kind: "category", ids }))
  },
  { name: "Edit…", group: "Links", keys: ["e"], ...withCurrent((id) => open({ kind: "edit", id })) },
  {
    name: "Refresh",
    group: "Links",
    keys: ["r"],
    ...withTargets((ids) =>
      ids.length === 1 && ids[0] !== undefined ? refreshLink(ids[0]) : refreshAll(ids)
    )
  },
  { name: "Show similar links", group: "Links", ...withCurrent((like) => show({ q: "", like })) },
  { name: "Tags…", group: "Links", keys: ["t"], ...withTargets((ids) => open({ kind: "tags", ids })) },
  {
    name: "Mark as unread or read",
    group: "Links",
    keys: ["u"],
    ...withTargets((ids) => moveTo(ids, stateOf(ids) === "unread" ? "read" : "unread"))
  },
  {
    name: "Archive, or take out of the archive",
    group: "Links",
    keys: ["y"],
    ...withTargets((ids) => moveTo(ids, stateOf(ids) === "archived" ? "read" : "archived"))
  },
  {
    name: "Delete",
    group: "Links",
    keys: ["#", "Delete"],
    ...withTargets((ids) =>
      inTrash() ? open({ kind: "deleteForever", ids }) : withParts(({ changes }) => changes.deleteLinks(ids))
    )
  },
  {
    name: "Details, and into them",
    group: "Links",
    keys: ["d"],
    ...withListed((id) => withParts(({ detail }) => detail.enterDetail(id)))
  },
  { name: "Toggle selection", group: "Links", keys: ["x"], ...withListed(toggle) },
  {
    name: "Select up to here",
    group: "Links",
    keys: ["Shift+x"],
    keyOnly: true,
    ...withListed(selectRange)
  },
  {
    name: "Extend the selection down",
    group: "Links",
    keys: ["Shift+ArrowDown"],
    keyOnly: true,
    run: extend(1)
  },
  {
    name: "Extend the selection up",
    group: "Links",
    keys: ["Shift+ArrowUp"],
    keyOnly: true,
    run: extend(-1)
  },
  {
    name: "Select all loaded",
    group: "Links",
    keys: ["Mod+a"],
    isAvailable: () => shown().length > 0,
    run: () => select(shown())
  },
  {
    name: "Select links",
    group: "Links",
    isAvailable: () => shown().length > 0 && !selecting.value,
    run: startSelecting
  },
  {
    name: "Clear the selection",
    group: "Links",
    isAvailable: () => selected.value.size > 0 || selecting.value,
    run: clearSelection
  },
  {
    name: "Leave the link’s buttons, then clear the selection",
    group: "Move",
    keys: ["Escape"],
    keyOnly: true,
    run: () => leaveCard() || clearSelection()
  },

  view("All links", ["g a"], everything),
  view("Unfiled links", ["g i"], { q: "", collection: "none" }),
  view("Favorites", ["g f"], { q: "", favorite: true }),
  view("Shared links", ["g s"], { q: "", shareable: true }),
  view("Unread links", ["g u"], { q: "is:unread" }),
  view("Archive", ["g y"], { q: "is:archived" }),
  view("Trash", ["g t"], trash),
  { name: "Find duplicates", group: "Go to", run: () => navigate("/dashboard/duplicates") },
  { name: "Statistics", group: "Go to", run: () => navigate("/dashboard/statistics") },
  { name: "Settings and help", group: "Go to", run: () => navigate("/dashboard/settings") },
  { name: "Sign out", group: "Go to", run: () => void withParts(({ session }) => session.signOut()) },

  { name: "Search", group: "Library", keys: ["/"], keyOnly: true, run: focusSearch },
  { name: "Filter the sidebar", group: "Library", keys: ["Shift+f"], keyOnly: true, run: focusSidebarFilter },
  {
    name: "Commands",
    group: "Library",
    keys: ["Mod+k"],
    keyOnly: true,
    run: () => (dialog.value?.kind === "palette" ? close() : open({ kind: "palette" }))
  },
  { name: "Add a link…", group: "Library", keys: ["a"], run: () => open({ kind: "add" }) },
  { name: "Undo", group: "Library", keys: ["Mod+z", "z"], isAvailable: canUndo, run: undo },
  {
    name: "Redo",
    group: "Library",
    keys: ["Mod+Shift+z", "Mod+y", "Shift+z"],
    isAvailable: canRedo,
    run: redo
  },
  { name: "Changes made here…", group: "Library", keys: ["h"], run: () => open({ kind: "history" }) },
  { name: "Import a file…", group: "Library", run: () => open({ kind: "import" }) },
  { name: "Export as JSON, HTML or CSV…", group: "Library", run: () => open({ kind: "export" }) },
  {
    name: "Read the pages of imported links",
    group: "Library",
    isAvailable: () => unreadPages.value > 0 && readingJob.value === undefined,
    run: readPages
  },
  {
    name: "Pause reading pages",
    group: "Library",
    isAvailable: () => readingJob.value !== undefined,
    run: () => pause("read")
  },
  { name: "Organize…", group: "Library", run: () => open({ kind: "organize" }) },
  { name: "Recategorize…", group: "Library", run: () => open({ kind: "recategorize" }) },
  {
    name: "Refresh the summaries of other models",
    group: "Library",
    run: () => void start({ action: "refresh", otherModel: true })
  },
  { name: "Cards or rows", group: "Library", keys: ["Shift+d"], run: toggleDensity },
  { name: "Theme: system, light or dark", group: "Library", run: nextTheme },
  { name: "Keyboard shortcuts", group: "Library", keys: ["?"], run: () => open({ kind: "shortcuts" }) }
]
