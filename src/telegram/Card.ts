import { Option } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { button } from "./Buttons.ts"
import type { Button } from "./Chat.ts"
import {
  bold,
  type Content,
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
/** The longest address a button opens, in UTF-16 units. */
const MAX_ADDRESS = 2_000

/** The link that decided where another was filed. */
export interface Nearest {
  readonly id: LinkId
  readonly title: string
  readonly similarity: number
}

/** What a card says beside the link itself. */
export interface About {
  /** Why the link was filed where it is. */
  readonly nearest?: Nearest | undefined
  /** The token of a change just made, which a button takes back. */
  readonly undo?: string | undefined
  /** Lines above and below. */
  readonly head?: Html
  readonly foot?: Html
}

/** A link's number, as the chat names it. */
const number = ({ id }: Link): Html => italic(text(`#${id}`))

/** A link's title, which opens it. */
const titled = (it: Link, limit = MAX_TITLE): Html => link(it.url, bold(text(it.title, limit)))

/** A link in one line. */
export const named = (it: Link, limit = MAX_TITLE): Html => concat(titled(it, limit), text("  "), number(it))

/** Where a link comes from, what it is about, and how it is marked. */
export const facts = (it: Link, limit = MAX_FACTS): Html =>
  text(
    [it.host, it.category, it.favorite ? "★" : "☆", ...(it.shareable ? ["shared"] : [])].join(" · "),
    limit
  )

/** Telegram's hashtags hold letters with their marks, digits and underscores. */
const hashtag = (tag: string) => `#${tag.replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")}`

const place = (it: Link, nearest: Nearest | undefined): Html => {
  if (it.collection === null) return empty
  const why =
    nearest === undefined
      ? empty
      : italic(
          concat(
            text(` (filed: like #${nearest.id} “`),
            text(nearest.title, 60),
            text(`”, ${nearest.similarity.toFixed(2)})`)
          )
        )
  return concat(text("📁 "), text(it.collection.name, 100), why)
}

const labelled = (label: string, said: string, limit: number) =>
  said === "" ? empty : concat(text(label), text(said, limit))

/** A page that could not be read is saved under its host name alone. */
export const isUnread = ({ enrichment, host, title }: Link): boolean =>
  enrichment === "partial" && title === host

const unread = (it: Link) =>
  isUnread(it)
    ? italic(text("The page could not be read; the link is saved all the same. 🔄 tries again."))
    : empty

/** Everything the chat shows of a link. */
const card = (it: Link, { foot = empty, head = empty, nearest }: About): Html =>
  lines([
    head,
    named(it),
    facts(it),
    foldedQuote(text(it.summary || it.description, MAX_SUMMARY)),
    place(it, nearest),
    labelled("🏷 ", it.tags.map(hashtag).join(" "), 400),
    labelled("📝 ", it.note, MAX_NOTE),
    unread(it),
    foot
  ])

/** The platform opens addresses whose host has a dot; it refuses a message with another. */
const opens = (address: string): ReadonlyArray<Button> =>
  Option.match(parseWebUrl(address), {
    onNone: () => [],
    onSome: ({ hostname, href }) =>
      hostname.includes(".") && href.length <= MAX_ADDRESS ? [{ label: "Open ↗", url: href }] : []
  })

const cardButtons = (it: Link, undo: string | undefined): ReadonlyArray<ReadonlyArray<Button>> => {
  const { favorite, id, shareable, url } = it
  return [
    [
      button(favorite ? "★ Favorite" : "☆ Favorite", { _tag: "Favorite", id, on: !favorite }),
      button(shareable ? "🌐 Shared" : "🌐 Share", { _tag: "Share", id, on: !shareable }),
      button("📁 Collection", { _tag: "Collections", id, page: 0 })
    ],
    [
      button("🔄 Refresh", { _tag: "Refresh", id }),
      button("🗑 Delete", { _tag: "Delete", id }),
      ...opens(url),
      button("Similar", { _tag: "Similar", id })
    ],
    ...(undo === undefined ? [] : [[button("↩ Undo", { _tag: "Undo", id, token: undo })]])
  ]
}

/** A link's card with its buttons. */
export const cardOf = (it: Link, about: About = {}): Content => ({
  html: card(it, about),
  buttons: cardButtons(it, about.undo)
})

/** Asks whether the link is to be deleted. */
export const deletion = (it: Link): Content => ({
  html: concat(text("Delete "), named(it), text(" for good?")),
  buttons: [
    [button("🗑 Delete", { _tag: "DeleteForGood", id: it.id }), button("Keep", { _tag: "Card", id: it.id })]
  ]
})
