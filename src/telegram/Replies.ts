import type { ChangedSince } from "../domain/Change.ts"
import type { Link } from "../domain/Link.ts"
import type { ReadNote } from "../domain/Note.ts"
import type { Undone } from "../library/ChatChanges.ts"
import type { Counts } from "../library/ViewLinks.ts"
import { count, dayText } from "../shared/Format.ts"
import { button, rowsOf } from "./Buttons.ts"
import { type CardOptions, cardOf, isUnread, linkLine } from "./Card.ts"
import { commands, usageOf } from "./Commands.ts"
import { bold, type Content, code, concat, empty, type Html, italic, lines, text } from "./Content.ts"

/** Maximum number of links in a list and length of their titles, to fit the platform's 4,096 units and 100 entities. */
const MAX_LISTED = 30
const MAX_LISTED_TITLE = 100
/** Maximum length of a list of link numbers, in UTF-16 units. */
const MAX_NUMBERS = 300
/** Maximum length of a note that is shown, in UTF-16 units, so that it fits into a message with its link. */
const MAX_NOTE = 3_900
/** Link number buttons per row. */
const NUMBERS_PER_ROW = 6

/**
 * A link in a message; `created` is whether the message saved it or it already existed, and `returnedFrom` where the
 * message brought it back from.
 */
interface SavedLink {
  readonly link: Link
  readonly created: boolean
  readonly returnedFrom?: "trash" | "archive" | null
}

const savesOf = (all: ReadonlyArray<SavedLink>) =>
  all.map(({ created, link }) => ({ linkId: link.id, created }))

/** Reply for a newly saved link. */
export const savedReply = (it: Link, about: CardOptions = {}): Content => ({
  ...cardOf(it, about),
  saves: savesOf([{ link: it, created: true }])
})

const returned = {
  trash: " It was in the trash and is back.",
  archive: " It was archived and is unread again."
}

/** Reply for a link that already existed; `noteAdded` is whether the message's text was added to its note. */
export const alreadySavedReply = (
  { link: it, noteAdded, returnedFrom = null }: Omit<SavedLink, "created"> & { readonly noteAdded: boolean },
  about: CardOptions = {}
): Content => {
  const saved = `Already saved on ${dayText(it.createdAt)} as #${it.id}${noteAdded ? " — note added" : ""}.`
  const head = text(`${saved}${returnedFrom === null ? "" : returned[returnedFrom]}`)
  const card = cardOf(it, { ...about, head })
  return returnedFrom === null ? { ...card, saves: savesOf([{ link: it, created: false }]) } : card
}

const remarkOn = ({ created, returnedFrom = null }: SavedLink): string => {
  if (created) return ""
  if (returnedFrom === null) return " (already here)"
  return returnedFrom === "trash" ? " (back from the trash)" : " (unread again)"
}

const listOf = (all: ReadonlyArray<SavedLink>): Html => {
  const fresh = all.filter(({ created }) => created)
  const known = all.length - fresh.length
  const unread = fresh.filter(({ link }) => isUnread(link)).length
  const head = [
    fresh.length > 0 ? `${fresh.length} saved` : "",
    known > 0 ? `${known} already here` : "",
    unread > 0 ? `${unread} unreadable` : ""
  ]
    .filter(Boolean)
    .join(" · ")
  const items = all
    .slice(0, MAX_LISTED)
    .map((one) => concat(linkLine(one.link, MAX_LISTED_TITLE), text(remarkOn(one))))
  const unlisted = all.length - items.length
  return lines([text(head), ...items, unlisted > 0 ? italic(text(`and ${unlisted} more`)) : empty])
}

/** One reply for all links of a message; each has a button that shows its card. */
export const manyReply = (all: ReadonlyArray<SavedLink>): Content => ({
  html: listOf(all),
  buttons: rowsOf(
    all.slice(0, MAX_LISTED).map(({ link: { id } }) => button(`#${id}`, { _tag: "Show", id })),
    NUMBERS_PER_ROW
  ),
  ...(all.some(({ returnedFrom = null }) => returnedFrom !== null) ? {} : { saves: savesOf(all) })
})

/** The progress of saving a message's links. */
export const savingReply = (done: number, total: number): Html =>
  text(`⏳ Saving ${count(total, "link")}… ${done} done`)

/** Says that the notes of these links have changed. */
export const noteReply = (all: ReadonlyArray<Link>): Html => {
  const [only, ...more] = all
  return concat(
    text("Note changed: "),
    only === undefined || more.length > 0
      ? text(all.map(({ id }) => `#${id}`).join(", "), MAX_NUMBERS)
      : linkLine(only, MAX_LISTED_TITLE)
  )
}

/** Says what a message has added to a link: a note, or tags alone. */
export const notedReply = (link: Link, { note, tags }: ReadNote): Content =>
  note === "" && tags.length > 0
    ? cardOf(link, { head: text(`Tagged ${tags.map((tag) => `#${tag.replaceAll("-", "_")}`).join(" ")}.`) })
    : { html: noteReply([link]) }

/** A link's note, or how to add one. */
export const noteOf = (it: Link): Html =>
  it.note === ""
    ? concat(
        linkLine(it, MAX_LISTED_TITLE),
        text(` has no note. Add one: /note ${it.id} worth another look.`)
      )
    : lines([linkLine(it, MAX_LISTED_TITLE), text(it.note, MAX_NOTE)])

/** Says that a change was undone: names the link if there is exactly one, otherwise gives the number of links. */
export const undoneReply = ({ deleted, ids, link }: Undone): Html => {
  if (deleted.length > 0) return text(`Undone: ${count(deleted.length, "link")} back in the trash.`)
  return link === undefined
    ? text(`Undone: ${count(ids.length, "link")} restored.`)
    : concat(text("Undone: "), linkLine(link, MAX_LISTED_TITLE))
}

/** Says which later changes an undo would overwrite, and offers to overwrite them. */
export const changedSinceReply = ({ message }: ChangedSince, token: string): Content => ({
  html: text(message),
  buttons: [[button("Undo anyway", { _tag: "UndoAnyway", token })]]
})

/** Why a message cannot be used. */
type HintReason = "no-link" | "not-http" | "unsupported"

const hints: Record<HintReason, string> = {
  "no-link": "I found no link in this message. Send me one to save it, or a few words to search.",
  "not-http": "Only http and https links can be saved.",
  unsupported: "I save links. Send me one, with a note if you like."
}

/** Says why a message could not be used. */
export const hintReply = (reason: HintReason): Html => text(hints[reason])

/** How to save a link, added to search results. */
export const howToSave: Html = italic(text("To save a link, send it here."))

/** Added to the reply to a command that contains unused links. */
export const linksIgnored: Html = italic(
  text("Links in a command aren’t saved. To save one, send it without the command.")
)

/** A short welcome. */
export const welcomeReply: Html = lines(
  [
    bold(text("Linkbower")),
    text(
      "Send me a link and I’ll save it: I read the page, summarize it, tag it and file it. The text around the link becomes its note. Send words without a link to search your library."
    ),
    concat(code(text("/help")), text(" shows everything I understand."))
  ],
  "\n\n"
)

/** Everything the bot understands. */
export const helpReply: Html = lines(
  [
    bold(text("Linkbower")),
    text(
      "Send me a link, or several in one message. The text around them becomes their note, and #hashtags become tags. Send words without a link to search your library."
    ),
    text(
      "Reply to a link’s card, or to the message that saved it, to add to its note. Edit your own message to change the note it made."
    ),
    lines(commands.map((one) => concat(code(text(usageOf(one))), text(` ${one.description}`)))),
    text("When you reply to a link’s card, you can leave out #id: /move Databases.")
  ],
  "\n\n"
)

/** The library in numbers. */
export const statsReply = (library: Counts): Html =>
  lines([
    bold(text(count(library.links, "link"))),
    text(`★ ${count(library.favorites, "favorite")} · 🌐 ${library.shared} shared`),
    text(
      `📁 ${count(library.collections, "collection")} · ${count(library.categories, "category", "categories")} · ${library.unfiled} unfiled`
    ),
    text(
      `${library.states.unread} unread · ${library.states.archived} archived · ${library.trash} in the trash`
    ),
    text(`Saved this week: ${library.savedThisWeek} · this month: ${library.savedThisMonth}`),
    text(`Pages not read yet: ${library.pagesToRead}`)
  ])
