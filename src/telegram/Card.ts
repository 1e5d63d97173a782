import { Option } from "effect"
import { awaitsSummary } from "../domain/Enrichment.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import type { CheckState } from "../domain/LinkCheck.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { shortPath } from "../shared/CollectionPath.ts"
import { durationText } from "../shared/Format.ts"
import { readableHost, readableTitle } from "../shared/HostName.ts"
import { button } from "./Buttons.ts"
import {
  type Button,
  bold,
  type Content,
  code,
  concat,
  empty,
  foldedQuote,
  type Html,
  italic,
  lines,
  link,
  text
} from "./Content.ts"

const MAX_TITLE = 140
const MAX_FACTS = 200
const MAX_SUMMARY = 1_200
const MAX_NOTE = 600
const MAX_REASON = 120
/** Maximum length of a button's URL, in UTF-16 units. */
const MAX_ADDRESS = 2_000

export type Nearest = Pick<Link, "id" | "title">

export interface CardOptions {
  /** The similar link that explains why the link was filed there. */
  readonly nearest?: Nearest | undefined
  /** Whether a page that could not be read will be retried without being asked. */
  readonly willRetry?: boolean
  /** The undo token of the change just made, for the undo button. */
  readonly undo?: string | undefined
  /** Lines above and below the card. */
  readonly head?: Html
  readonly foot?: Html
}

const number = ({ id }: Link): Html => italic(text(`#${id}`))

const titled = (it: Link, limit = MAX_TITLE): Html => link(it.url, bold(text(readableTitle(it), limit)))

export const linkLine = (it: Link, limit = MAX_TITLE): Html =>
  concat(titled(it, limit), text("  "), number(it))

/** A link's host, category, what it costs to open, and marks. */
export const detailsLine = (it: Link, limit = MAX_FACTS): Html =>
  text(
    [
      readableHost(it.host),
      it.category,
      ...(it.facts.paywall ? ["paywall"] : []),
      ...(it.facts.duration === undefined ? [] : [durationText(it.facts.duration)]),
      ...(it.favorite ? ["★"] : []),
      ...(it.shareable || it.inShared ? ["shared"] : []),
      ...(it.state === "archived" ? ["archived"] : [])
    ].join(" · "),
    limit
  )

/** Formats a tag as a Telegram hashtag, which may contain letters with their marks, digits and underscores. */
const hashtag = (tag: string) => `#${tag.replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")}`

const place = (it: Link, nearest: Nearest | undefined): Html => {
  if (it.collection === null) return empty
  const reason = nearest ?? it.filedBecause?.[0]
  const title = nearest === undefined ? empty : concat(text(" “"), text(nearest.title, 60), text("”"))
  const why = reason === undefined ? empty : concat(text(`, like #${reason.id}`), title)
  return concat(text("📁 "), text(shortPath(it.collection.name, 100)), why)
}

const labeled = (label: string, value: string, limit: number) =>
  value === "" ? empty : concat(text(label), text(value, limit))

/** The stage of a page that could not be read, or that waits for a site that is down; undefined if the browser sent it. */
const failedPage = ({ stages }: Link) =>
  stages.find(
    ({ from, reason, stage, state }) =>
      stage === "page" &&
      from === undefined &&
      (state === "failed" || (state === "waiting" && reason !== null))
  )

/** Whether the link's page could not be read. A link of an earlier version then has its host name as its title. */
export const isUnread = (it: Link): boolean =>
  it.enrichment === "partial" &&
  (failedPage(it) !== undefined || it.title === readableHost(it.host) || it.title === it.host)

/** Turns the reason of a stage, such as `404 Not Found` or `Timed out after 10 s`, into a clause. */
const clauseOf = (reason: string): string => {
  const said = reason.replace(/[.…]$/, "")
  const [, status] = /^(\d{3})\b/.exec(said) ?? []
  if (status !== undefined) return `the page answered ${status}`
  const clause = `${said.charAt(0).toLowerCase()}${said.slice(1)}`
  return clause.startsWith("timed out") ? `the page ${clause}` : clause
}

const doubts: Partial<Record<CheckState, string>> = {
  broken: "The page is gone",
  moved: "The page has moved",
  changed: "Another page is in its place"
}

/** Says that the page behind a link is gone, has moved or has changed; empty if it is where it was. */
export const checkLine = ({ check: { archived, reason, state, to } }: Link): Html => {
  const doubt = doubts[state]
  if (doubt === undefined) return empty
  const detail = to === null ? text(reason ?? "", MAX_REASON) : link(to, text(to, MAX_REASON))
  return concat(
    text(`⚠ ${doubt}`),
    reason === null && to === null ? empty : concat(text(": "), detail),
    text("."),
    archived === null ? empty : concat(text(" "), link(archived.url, text("Archived copy")))
  )
}

const unread = (it: Link, willRetry: boolean) => {
  if (!isUnread(it)) return empty
  const reason = failedPage(it)?.reason
  const sentence = `Saved, but ${reason ? clauseOf(reason) : "I couldn’t read the page"}.`
  return italic(text(`${sentence} ${willRetry && reason ? "I’ll retry; 🔄 tries now." : "🔄 tries again."}`))
}

/** Says that the card will be edited. */
const awaited = (it: Link) =>
  awaitsSummary(it) ? italic(text("The model is still writing the summary.")) : empty

const card = (it: Link, { foot = empty, head = empty, nearest, willRetry = false }: CardOptions): Html =>
  lines([
    head,
    linkLine(it),
    detailsLine(it),
    foldedQuote(text(it.summary || it.description, MAX_SUMMARY)),
    place(it, nearest),
    labeled("🏷 ", it.tags.map(hashtag).join(" "), 400),
    labeled("📝 ", it.note, MAX_NOTE),
    it.note.length > MAX_NOTE ? concat(text("The whole note: "), code(text(`/note ${it.id}`))) : empty,
    doubts[it.check.state] === undefined ? unread(it, willRetry) : checkLine(it),
    awaited(it),
    foot
  ])

/** The address as the platform opens it; undefined if it would reject the whole message: its host has no dot. */
export const openableAddress = (address: string): string | undefined =>
  Option.getOrUndefined(
    Option.flatMap(parseWebUrl(address), ({ hostname, href }) =>
      hostname.includes(".") && href.length <= MAX_ADDRESS ? Option.some(href) : Option.none()
    )
  )

const openButton = (address: string): ReadonlyArray<Button> => {
  const url = openableAddress(address)
  return url === undefined ? [] : [{ label: "Open ↗", url }]
}

/** Whether the link was filed by itself, not by the owner. */
const wasFiled = ({ collection, filedBecause }: Link) => collection !== null && filedBecause !== null

const stateButtons = ({ id, state }: Link): ReadonlyArray<Button> => [
  state === "unread"
    ? button("✓ Mark read", { _tag: "State", id, state: "read" })
    : button("○ Mark unread", { _tag: "State", id, state: "unread" }),
  state === "archived"
    ? button("🗄 Unarchive", { _tag: "State", id, state: "read" })
    : button("🗄 Archive", { _tag: "State", id, state: "archived" })
]

const cardButtons = (it: Link, undo: string | undefined): ReadonlyArray<ReadonlyArray<Button>> => {
  const { favorite, id, shareable, url } = it
  return [
    [
      button(favorite ? "★ Unfavorite" : "☆ Favorite", { _tag: "Favorite", id, on: !favorite }),
      button(shareable ? "🌐 Unshare" : "🌐 Share", { _tag: "Share", id, on: !shareable }),
      button("📁 Collection", { _tag: "Collections", id, page: 0 })
    ],
    [
      button("🏷 Tags", { _tag: "Tags", id }),
      button("🔄 Refresh", { _tag: "Refresh", id }),
      button("🗑 Delete", { _tag: "Delete", id })
    ],
    [
      ...openButton(url),
      ...(it.kept ? [button("📖 Read here", { _tag: "Read", id })] : []),
      button("Similar", { _tag: "Similar", id })
    ],
    stateButtons(it),
    ...[
      [
        ...(wasFiled(it) ? [button("✗ Not here", { _tag: "Refuse", id })] : []),
        ...(undo === undefined ? [] : [button("↩ Undo", { _tag: "Undo", id, token: undo })])
      ]
    ].filter((row) => row.length > 0)
  ]
}

export const cardOf = (it: Link, about: CardOptions = {}): Content => ({
  html: card(it, about),
  buttons: cardButtons(it, about.undo),
  card: it.id,
  ...(awaitsSummary(it) ? { awaits: it.id } : {})
})

/** A link's card with buttons to choose from, which stay when the summary comes. */
export const cardWithChoices = (
  it: Link,
  buttons: NonNullable<Content["buttons"]>,
  about: CardOptions = {}
): Content => ({ html: card(it, about), buttons, card: it.id })

export const trashedCard = (id: LinkId): Content => ({
  html: text(`#${id} was moved to the trash.`),
  card: id,
  isTrashed: true
})

export const deletedCard = (id: LinkId): Content => ({ html: text(`#${id} was deleted for good.`) })

/** Says that a link is in the trash; `undo` is the token of the move there, if it has just been made. */
export const trashedReply = (it: Link, undo?: string): Content => ({
  html: concat(text(undo === undefined ? "In the trash: " : "Moved to the trash: "), linkLine(it)),
  card: it.id,
  isTrashed: true,
  buttons: [
    [
      undo === undefined
        ? button("↩ Restore", { _tag: "Restore", id: it.id, fromList: false })
        : button("↩ Undo", { _tag: "Undo", id: it.id, token: undo }),
      button("Delete forever", { _tag: "AskForGood", id: it.id })
    ]
  ]
})

export const deleteQuestion = (it: Link): Content => ({
  html: concat(text("Delete "), linkLine(it), text(" forever? This can’t be undone.")),
  buttons: [
    [
      button("🗑 Delete forever", { _tag: "DeleteForGood", id: it.id }),
      button("Cancel", { _tag: it.deletedAt === undefined ? "Card" : "Trashed", id: it.id })
    ]
  ]
})
