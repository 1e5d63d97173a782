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
