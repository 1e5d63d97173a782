/** The longest note kept, in UTF-16 units. */
export const MAX_NOTE = 20_000

/** Adds `more` to `note` on a line of its own, once: a line that is there already is not repeated. */
export const joinNotes = (note: string, more: string): string => {
  const added = more.trim()
  if (added === "" || `\n${note.trim()}\n`.includes(`\n${added}\n`)) return note
  return (note === "" ? added : `${note}\n${added}`).slice(0, MAX_NOTE)
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
  return [...parts.slice(0, at), ...(now === "" ? [] : [now]), ...parts.slice(at + old.length)].join("\n")
}
