import { MAX_NOTE } from "../shared/Limits.ts"
import { cutText } from "../shared/Text.ts"

/** Cuts a note to at most `MAX_NOTE` UTF-16 units, without splitting a character. */
export const cutNote = (note: string): string => (note.length <= MAX_NOTE ? note : cutText(note, MAX_NOTE))

/** Appends `more` to `note` on a new line, unless the note already contains it. */
export const joinNotes = (note: string, more: string): string => {
  const added = more.trim()
  if (added === "" || `\n${note.trim()}\n`.includes(`\n${added}\n`)) return note
  return cutNote(note === "" ? added : `${note}\n${added}`)
}

/** Replaces one message's old text (`before`) in a note by its new text, and keeps every other line. */
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
