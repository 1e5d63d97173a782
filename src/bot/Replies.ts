import type { Link } from "../domain/Link.ts"
import type { Filed } from "../library/Filing.ts"
import { bold, code, concat, empty, foldedQuote, type Html, italic, lines, link, text } from "./Html.ts"

const MAX_TITLE = 140
const MAX_SUMMARY = 1_200
const MAX_NOTE = 600

/** A list shows this many links, with titles this long: what the platform's 4,096 units and 100 entities have room for. */
const MAX_LISTED = 30
const MAX_LISTED_TITLE = 100

const number = ({ id }: Link) => italic(text(`#${id}`))
const title = (it: Link, limit = MAX_TITLE) => link(it.url, bold(text(it.title, limit)))
/** Telegram's hashtags hold letters with their marks, digits and underscores. */
const hashtag = (tag: string) => `#${tag.replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")}`

/** Why the link was put where it is, for the person to see whether it is right. */
const reason = ({ because, collection }: Filed): Html =>
  italic(text(`Filed into ${collection.name}, like ${because.map(({ id }) => `#${id}`).join(", ")}.`, 200))

const facts = (it: Link): Html =>
  text([it.host, it.category, it.collection?.name].filter(Boolean).join(" · "), 200)

const card = (it: Link): ReadonlyArray<Html> => [
  concat(title(it), text("  "), number(it)),
  facts(it),
  foldedQuote(text(it.summary || it.description, MAX_SUMMARY)),
  text(it.tags.map(hashtag).join(" "), 400),
  it.note === "" ? empty : text(`📝 ${it.note}`, MAX_NOTE)
]

/** A page that could not be read is saved under its host name alone. */
const unread = (it: Link) =>
  it.enrichment === "partial" && it.title === it.host
    ? italic(text("The page could not be read; the link is saved all the same."))
    : empty

/** The day of an ISO time, such as `3 Mar 2026`. */
const day = (iso: string) =>
  new Date(iso).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC"
  })

/** A link the message has just saved. */
export const savedReply = (it: Link, filed?: Filed): Html =>
  lines([
    concat(text("Saved "), number(it)),
    ...card(it),
    filed === undefined ? empty : reason(filed),
    unread(it)
  ])

/** A link that was there before; what the message says has been added to its note. */
export const alreadySavedReply = (it: Link, noteAdded: boolean): Html =>
  lines([
    concat(
      text(`Already saved on ${day(it.createdAt)} as `),
      number(it),
      text(noteAdded ? ", note added." : ".")
    ),
    ...card(it)
  ])

/** One answer for all of a message's links. */
export const manyReply = (all: ReadonlyArray<{ readonly link: Link; readonly created: boolean }>): Html => {
  const fresh = all.filter(({ created }) => created).length
  const known = all.length - fresh
  const head = [fresh > 0 ? `${fresh} saved` : "", known > 0 ? `${known} already here` : ""]
    .filter(Boolean)
    .join(" · ")
  const items = all
    .slice(0, MAX_LISTED)
    .map(({ created, link: it }) =>
      concat(title(it, MAX_LISTED_TITLE), text("  "), number(it), text(created ? "" : " (already here)"))
    )
  const unlisted = all.length - items.length
  return lines([text(head), ...items, unlisted > 0 ? italic(text(`and ${unlisted} more`)) : empty])
}

/** The best matches for a message that holds no link, and how to save one. */
export const searchReply = (words: string, found: ReadonlyArray<Link>, total: number): Html => {
  const how = italic(text("To save a link, send it here."))
  if (found.length === 0)
    return lines([concat(text("Nothing found for "), code(text(words, 200)), text(".")), how])
  const head = concat(
    text(`${total} ${total === 1 ? "match" : "matches"} for `),
    code(text(words, 200)),
    text(":")
  )
  const items = found.map((it) => lines([concat(title(it), text("  "), number(it)), facts(it)]))
  return lines([head, ...items, how], "\n\n")
}

/** An edited message has changed what its links' notes say. */
export const noteReply = (it: Link): Html =>
  lines([concat(text("Note changed: "), title(it), text("  "), number(it))])

export type HintReason = "no-link" | "not-http" | "unsupported" | "no-such-message"

const hints: Record<HintReason, string> = {
  "no-link": "There is no link in this message. Send me one to save it, or a few words to search for.",
  "not-http": "Only http and https links can be saved.",
  unsupported: "I save links. Send me one, with a note if you like.",
  "no-such-message": "I do not know which link that message is about. Send me the link and the note together."
}

export const hintReply = (reason: HintReason): Html => text(hints[reason])

export const helpReply: Html = lines(
  [
    bold(text("Linkbower")),
    text(
      "Send me a link and I keep it: I read the page, sum it up, tag it and file it. What you write beside the link becomes its note. Several links in one message are fine."
    ),
    text("Send me words without a link and I search your library."),
    text(
      "Answer one of my messages to add to that link’s note; edit your own message to change the note it made."
    ),
    concat(
      code(text("/organize")),
      text(" files what is in no collection, "),
      code(text("/recategorize")),
      text(" finds every category anew, "),
      code(text("/dupes")),
      text(" finds links that are saved twice.")
    ),
    concat(code(text("/save")), text(" and a link saves it, "), code(text("/help")), text(" shows this."))
  ],
  "\n\n"
)
