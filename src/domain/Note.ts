/** The longest note kept, in UTF-16 units. */
export const MAX_NOTE = 20_000

/** As much of a note as is kept: whole characters, at most `MAX_NOTE` UTF-16 units. */
export const cutNote = (note: string): string =>
  note.length <= MAX_NOTE ? note : note.slice(0, MAX_NOTE).replace(/[\ud800-\udbff]$/, "")

/** Adds `more` to `note` on a line of its own, once: a line that is there already is not repeated. */
export const joinNotes = (note: string, more: string): string => {
  const added = more.trim()
  if (added === "" || `\n${note.trim()}\n`.includes(`\n${added}\n`)) return note
  return cutNote(note === "" ? added : `${note}\n${added}`)
}

/** Replaces what one message said (`before`) by what it says now, keeping every other line of the note. */
export const replaceNote = (note: string, before: string, now: string): string => {
  if (before === now) return note
  if (before === "") return joinNotes(note, now)
  if (note === before) return now
  const parts = note.split("\n")
  const old = before.split("\n")
  const at = parts.findIndex((_, index) => old.every((line, offset) => parts[index + offset] === line))
  if (at === -1) return note
  return cutNote(
    [...parts.slice(0, at), ...(now === "" ? [] : [now]), ...parts.slice(at + old.length)].join("\n")
  )
}

/** The most of a page's readable text that is kept, in UTF-16 units. */
export const MAX_PAGE_TEXT = 32_768

/** Controls and formats a reader cannot see, bidirectional overrides among them; the joiners that scripts need stay. */
const unseen = /[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv

/** Text from outside as one clean line of at most `limit` UTF-16 units: no controls, white space collapsed, no half characters. */
export const plainText = (raw: string, limit: number): string =>
  raw
    .replace(unseen, "")
    .replace(/\s+/g, " ")
    .trimStart()
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()
    .toWellFormed()
