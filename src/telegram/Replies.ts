import { Option } from "effect"
import type { ChangedSince } from "../domain/Change.ts"
import type { ChatChange } from "../domain/ChatChange.ts"
import type { Link } from "../domain/Link.ts"
import { addToNote, type ReadNote } from "../domain/Note.ts"
import type { ChangedLink, Undoable, Undone } from "../library/ChatChanges.ts"
import type { Counts } from "../library/LinkQueries.ts"
import { count, dayText, grouped } from "../shared/Format.ts"
import { ADDRESS_TOO_LONG } from "../shared/GivenAddress.ts"
import { MAX_NOTE } from "../shared/Limits.ts"
import { returnedSentences } from "../shared/Returned.ts"
import { oneLine, shortened } from "../shared/Text.ts"
import { button, rowsOf } from "./Buttons.ts"
import { type CardOptions, cardOf, isUnread, linkLine } from "./Card.ts"
import { changeName, undoneSentence } from "./ChangeNames.ts"
import { commandMeantBy, commandsOf, groups, usageOf } from "./Commands.ts"
import { bold, type Content, code, concat, empty, type Html, italic, lines, text } from "./Content.ts"
import type { HintReason } from "./Update.ts"

/** Maximum number of links in a list and length of their titles, to fit the platform's 4,096 units and 100 entities. */
const MAX_LISTED = 30
const MAX_LISTED_TITLE = 100
/** Maximum length of a list of link numbers, in UTF-16 units. */
const MAX_NUMBERS = 300
/** At most 3,900 UTF-16 units, before white space if possible, so that a link fits beside it. */
const notePart = /\S.{0,3899}(?=\s|$)|\S.{0,3899}(?![\udc00-\udfff])/gs
const NUMBERS_PER_ROW = 6

/** `created`: the message saved it; `returnedFrom`: where the message brought it back from. */
interface SavedLink {
  readonly link: Link
  readonly created: boolean
  readonly returnedFrom?: keyof typeof returnedSentences | null
  /** Whether the note of the link had no room for the message's text. */
  readonly isNoteFull?: boolean
}

const savesOf = (all: ReadonlyArray<SavedLink>) =>
  all.map(({ created, link }) => ({ linkId: link.id, created }))

/** Reply for a newly saved link; every failure of a first reading is retried. */
export const savedReply = (it: Link, about: CardOptions = {}): Content => ({
  ...cardOf(it, { ...about, willRetry: true }),
  saves: savesOf([{ link: it, created: true }])
})

/** The same in a list of links. */
const returnedRemarks: Readonly<Record<keyof typeof returnedSentences, string>> = {
  trash: " (back from the trash)",
  unshared: " (back from the trash, no longer shared)",
  archive: " (unread again)"
}

/** Why a text was not added to a note. */
const FULL = `A note holds at most ${grouped(MAX_NOTE)} characters; shorten it first.`

/** A link saved this many milliseconds ago was saved just now. */
const JUST_NOW_MS = 120_000

/** When a link was saved, as part of a sentence. */
const savedWhen = ({ createdAt }: Link, now: number) =>
  Math.abs(now - Date.parse(createdAt)) < JUST_NOW_MS ? "just now" : `on ${dayText(createdAt)}`

/** `noteAdded`: the message's text was added; `now` is in milliseconds since 1970. */
export const alreadySavedReply = (
  {
    isNoteFull = false,
    link: it,
    noteAdded,
    returnedFrom = null
  }: Omit<SavedLink, "created"> & { readonly noteAdded: boolean },
  now: number,
  about: CardOptions = {}
): Content => {
  const saved = `Already saved ${savedWhen(it, now)} as #${it.id}${noteAdded ? " — note added" : ""}.`
  const full = isNoteFull ? ` Your text was not added. ${FULL}` : ""
  const head = text(`${saved}${returnedFrom === null ? "" : ` ${returnedSentences[returnedFrom]}`}${full}`)
  const card = cardOf(it, { ...about, head })
  return returnedFrom === null ? { ...card, saves: savesOf([{ link: it, created: false }]) } : card
}

const remarkOn = ({ created, isNoteFull = false, link, returnedFrom = null }: SavedLink): string => {
  if (created) return isUnread(link) ? " (unreadable)" : ""
  const remark = returnedFrom === null ? " (already here)" : returnedRemarks[returnedFrom]
  return isNoteFull ? `${remark} (its note is full)` : remark
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

export const savingReply = (done: number, total: number): Html =>
  text(`⏳ Saving ${count(total, "link")}… ${done} done`)

/** Maximum length of an added note that is repeated, in UTF-16 units. */
const MAX_ADDED = 200

/** Says that a text was added to the note of a link, or that the note has it already or has no room for it. */
export const noteAddedReply = (before: Link, now: Link, added: string): Html => {
  const said = text(`“${shortened(oneLine(added), MAX_ADDED)}”`)
  if (addToNote(now.note, added).isFull)
    return concat(text(`Not added to #${now.id}: `), said, text(`. ${FULL}`))
  return before.note === now.note
    ? concat(text(`The note of #${now.id} already says `), said, text("."))
    : concat(text(`📝 Added to #${now.id}: `), said)
}

export const highlightedReply = ({ link, undo }: ChangedLink, quote: string): Content => ({
  html: concat(text(`🖍 Highlighted in #${link.id}: `), text(`“${shortened(oneLine(quote), MAX_ADDED)}”`)),
  buttons: [
    [
      button(`#${link.id}`, { _tag: "Show", id: link.id }),
      ...Option.match(undo, {
        onNone: () => [],
        onSome: (token) => [button("Undo", { _tag: "UndoChange", token })]
      })
    ]
  ]
})

/** Says what a note and its tags have added to a link; hashtags alone are answered with the link's card. */
export const notedReply = (before: Link, now: Link, { note, tags }: ReadNote): Content => {
  const hashtags = tags.map((tag) => `#${tag.replaceAll("-", "_")}`).join(" ")
  if (note === "" && tags.length > 0) return cardOf(now, { head: text(`Tagged ${hashtags}.`) })
  const added = noteAddedReply(before, now, note)
  return { html: tags.length === 0 ? added : concat(added, text(` ${hashtags}`)) }
}

const numbersOf = (ids: ReadonlyArray<number>) => ids.map((id) => `#${id}`).join(", ")

/** Names the links with a new note from an edited message, and the links whose notes were full; empty without either. */
export const notesChangedReply = (changed: ReadonlyArray<Link>, full: ReadonlyArray<number>): Html =>
  lines([
    changed.length === 0
      ? empty
      : text(`📝 Note updated: ${numbersOf(changed.map(({ id }) => id))}`, MAX_NUMBERS),
    full.length === 0
      ? empty
      : concat(text(`Note not updated: ${numbersOf(full)}`, MAX_NUMBERS), text(`. ${FULL}`))
  ])

export const noteOf = (it: Link): readonly [Content, ...ReadonlyArray<Content>] => {
  const line = linkLine(it, MAX_LISTED_TITLE)
  const [first, ...more] = it.note.match(notePart) ?? []
  if (first === undefined)
    return [{ html: concat(line, text(` has no note. Add one: /note ${it.id} worth another look`)) }]
  return [{ html: lines([line, text(first)]) }, ...more.map((part) => ({ html: text(part) }))]
}

export const undoneReply = (undone: Undone): Content => {
  const { link } = undone
  return {
    html: text(undoneSentence(undone)),
    ...(link === undefined ? {} : { buttons: [[button(`#${link.id}`, { _tag: "Show", id: link.id })]] })
  }
}

/** Says why the last change cannot be undone, and offers to undo the one before it. */
export const finalReply = (change: ChatChange, before: Option.Option<Undoable>): Content => {
  const name = changeName(change)
  const why =
    change.kind === "remove"
      ? `${name.charAt(0).toUpperCase()}${name.slice(1)} can’t be undone.`
      : change.kind === "trash" || change.kind === "merge"
        ? `Can’t undo ${name}: the trash no longer has the link.`
        : `Can’t undo ${name}: the link was deleted.`
  return Option.match(before, {
    onNone: () => ({ html: text(why) }),
    onSome: ({ change: earlier, token }) => ({
      html: lines([
        text(why),
        text(`Undo the change before it${earlier === undefined ? "" : ` (${changeName(earlier)})`}?`)
      ]),
      buttons: [[button("Undo it", { _tag: "UndoChange", token })]]
    })
  })
}

/** Says which later changes an undo would overwrite, and offers to overwrite them. */
export const changedSinceReply = ({ message, ofImport }: ChangedSince, token: string): Content => ({
  html: text(message),
  buttons: [[button(ofImport ? "Take back the rest" : "Undo anyway", { _tag: "UndoAnyway", token })]]
})

const hints: Record<HintReason, string> = {
  "no-link": "There’s no link in this message. Send a link to save it, or a few words to search.",
  "nothing-to-save": "Send the link after it: /save https://example.org",
  "too-long": `I can’t save this. ${ADDRESS_TOO_LONG}`,
  "not-http": "I can only save http and https links.",
  unsupported: "I can’t save this. Send a link, with a note if you like."
}

/** Says why a message could not be used, or asks whether to save the links that are named by `offers` buttons. */
export const hintReply = (reason: HintReason, offers = 0): Html => {
  if (offers === 0) return text(hints[reason])
  return text(offers === 1 ? "Should I save this?" : "Which of these should I save?")
}

/** How to save a link, added to search results. */
export const howToSave: Html = italic(text("To save a link, send it here."))

export const linksIgnored: Html = italic(
  text("Links in a command aren’t saved. To save one, send it without the command.")
)

export const welcomeReply: Html = lines(
  [
    bold(text("Linkbower")),
    text(
      "Send me a link and I’ll save it: I read the page, summarize it, tag it and file it. The text around the link becomes its note. Send words without a link to search your library."
    ),
    text("/help lists what I do.")
  ],
  "\n\n"
)

/** A button leads to all commands. `name` is the bot's name if inline mode is on. */
export const helpReply = (name: Option.Option<string>): Content => ({
  html: lines(
    [
      "Send a link to save it. The text around it becomes its note, #hashtags become tags.",
      "Send words to search, or #12 to see link 12.",
      "Press the buttons under a card, or reply to it: with text for its note, or with a command, such as /move Databases.",
      "Edit your message to change the note it made. /undo takes back the last change.",
      "/recent and /unread list links, /organize files them, /stats counts them.",
      Option.match(name, {
        onNone: () => "Send a file from a browser or another link manager to import it.",
        onSome: (bot) => `In any chat, type @${bot} and a few words to send one of your links.`
      })
    ].map((line) => text(line))
  ),
  buttons: [[button("All commands", { _tag: "AllCommands" })]]
})

export const commandsReply: Html = lines(
  groups.map((group) =>
    lines([
      bold(text(group)),
      ...commandsOf(group).map((one) => text(`${usageOf(one)} – ${one.description}`))
    ])
  ),
  "\n\n"
)

/** Maximum length of an unknown command's name that is repeated, in UTF-16 units; Telegram's own limit is 32. */
const MAX_COMMAND = 32

/** Commands that people try, and the part of the dashboard that does it. */
const onDashboard = new Map([
  ["settings", "/settings"],
  ["setup", "/settings"],
  ["config", "/settings"],
  ["signin", ""],
  ["login", ""],
  ["dashboard", ""],
  ["signout", ""],
  ["logout", ""]
])

/** Names the command that was probably meant, or the dashboard at `address`. */
export const unknownCommandReply = (name: string, address: string): Html => {
  const part = onDashboard.get(name.toLowerCase())
  return part === undefined
    ? text(
        `I don’t know /${shortened(name, MAX_COMMAND)}. ${Option.match(commandMeantBy(name), {
          onNone: () => "/help lists what I do.",
          onSome: (meant) => `Did you mean /${meant}?`
        })}`
      )
    : text(`That’s in the dashboard: ${address}/dashboard${part}`)
}

export const statsReply = (library: Counts): Html =>
  lines([
    bold(text(count(library.links, "link"))),
    text(`★ ${count(library.favorites, "favorite")} · 🌐 ${grouped(library.shared)} shared`),
    text(
      `📁 ${count(library.collections, "collection")} · ${count(library.categories, "category", "categories")} · ${grouped(library.unfiled)} unfiled`
    ),
    text(
      `${grouped(library.states.unread)} unread · ${grouped(library.states.archived)} archived · ${grouped(library.trash)} in the trash`
    ),
    text(
      `Saved this week: ${grouped(library.savedThisWeek)} · this month: ${grouped(library.savedThisMonth)}`
    ),
    text(`Pages not fetched yet: ${grouped(library.pagesToRead)}`)
  ])

export const importReply: Html = concat(
  text(
    "Send me a file of links: an export from a browser or another bookmark manager, a CSV table or a text file. I’ll say what’s in it first, and import it when you press Import. I can take files of up to 20 MB; import larger ones in the dashboard, or run "
  ),
  code(text("linkbower import")),
  text(".")
)
