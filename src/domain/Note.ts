import { MAX_NOTE } from "../shared/Limits.ts"
import { MAX_TAGS, normalizeTag } from "../shared/Tags.ts"
import { oneLine } from "../shared/Text.ts"

/** Appends `more` to `note` on a new line, unless the note already contains it. The result may exceed `MAX_NOTE`. */
export const joinNotes = (note: string, more: string): string => {
  const added = more.trim()
  if (added === "" || `\n${note.trim()}\n`.includes(`\n${added}\n`)) return note
  return note === "" ? added : `${note}\n${added}`
}

/** A note that something was to be written in. */
export interface WrittenNote {
  readonly note: string
  /** Whether it had no room for that, and stayed as it was. */
  readonly isFull: boolean
}

/** Writes `after` in place of a note, unless it is longer than `most` and longer than before. */
const withRoom = (before: string, after: string, most = MAX_NOTE): WrittenNote =>
  after.length > most && after.length > before.length
    ? { note: before, isFull: true }
    : { note: after, isFull: false }

/** Appends `more` to a note as `joinNotes` does, if all of it fits into `most`. */
export const addToNote = (note: string, more: string, most?: number): WrittenNote =>
  withRoom(note, joinNotes(note, more), most)

/** Replaces one message's old text (`before`) in a note by its new text, if it fits, and keeps every other line. */
export const replaceNote = (note: string, before: string, now: string): WrittenNote => {
  if (before === now) return { note, isFull: false }
  if (before === "") return addToNote(note, now)
  if (note === before) return withRoom(note, now)
  const parts = note.split("\n")
  const old = before.split("\n")
  const at = parts.findIndex((_, index) => old.every((line, offset) => parts[index + offset] === line))
  if (at === -1) return { note, isFull: false }
  const rest = [...parts.slice(0, at), ...(now === "" ? [] : [now]), ...parts.slice(at + old.length)]
  return withRoom(note, rest.join("\n"))
}

export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Maximum length of a hashtag, as in Telegram. */
const MAX_HASHTAG = 256

/** As Telegram marks it (TDLib's `match_hashtags`); marks count as letters, for vowels of scripts such as Devanagari. */
const hashtag =
  /(?<![\p{L}\p{M}\p{Nd}_\u200c&])#[\p{L}\p{M}\p{Nd}_\u200c\u00b7]+(?![\p{L}\p{M}\p{Nd}_\u200c\u00b7]*#)/gu

/** Addresses, with or without a scheme: their fragments are not hashtags. */
const address =
  /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.)\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?[/?#]\S*/giu

/** Where the hashtags of a text are: not in its addresses, and not of digits only. */
export const hashtagsIn = (text: string): ReadonlyArray<TextRange> => {
  if (!text.includes("#")) return []
  const addresses = [...text.matchAll(address)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length
  }))
  return [...text.matchAll(hashtag)]
    .filter(({ 0: found }) => found.length <= MAX_HASHTAG + 1 && /\p{L}/u.test(found))
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
    .filter((tag) => !addresses.some(({ end, start }) => start <= tag.start && tag.start < end))
}

const brackets = ["()", "[]", "<>"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)

/** Joins the pieces around a removed range: drops brackets that are now empty, and the space before punctuation. */
const rejoin = (before: string, after: string): string => {
  let [left, right] = [before, after]
  while (brackets.some(([open, close]) => left.endsWith(open) && right.startsWith(close))) {
    left = left.slice(0, -1).trimEnd()
    right = right.slice(1).trimStart()
  }
  const touching = left === "" || /^[,;:.!?)\]>]/.test(right) || "([<".includes(left.slice(-1))
  return touching ? left + right : `${left} ${right}`
}

/** Strips the punctuation that stood between a removed range and the rest of the line; a closing bracket stays. */
const withoutLeadingStray = (line: string): string =>
  line
    .replace(/^(?:[,;:()-]+(?: |$))+/, "")
    .replace(/^[,;:)]+/, "")
    .trim()

const withoutTrailingStray = (line: string): string =>
  line
    .replace(/(?: [,;:(-]+)+$/, "")
    .replace(/[,;:(]+$/, "")
    .trim()

export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** What is left of a line, from the pieces around the ranges removed from it. */
const lineOf = (pieces: ReadonlyArray<string>): string => {
  const said = pieces.map(oneLine)
  const joined = said.filter((piece) => piece !== "").reduce(rejoin, "")
  // A dash before words is a list's, not the range's.
  const led = hasWords(said[0] ?? "") ? joined : withoutLeadingStray(joined)
  return hasWords(said.at(-1) ?? "") ? led : withoutTrailingStray(led)
}

const lineBreak = /\r\n?|[\n\u2028\u2029]/g

/** Trims the lines of a text at their ends, keeps at most one empty line in a row, and none at the start or the end. */
export const tidyNote = (text: string): string =>
  text
    .replace(lineBreak, "\n")
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** Cuts ranges out; a line with nothing else goes, and the rest is joined without the punctuation between. */
export const withoutRanges = (text: string, ranges: ReadonlyArray<TextRange>): string => {
  const waiting = ranges.filter(({ end, start }) => start < end).toSorted((a, b) => a.start - b.start)
  const lines: Array<string> = []
  let [at, next] = [0, 0]
  for (const line of text.split(/(?<=\n)/)) {
    const [start, end] = [at, at + line.length]
    at = end
    const pieces: Array<string> = []
    let [from, isCut] = [start, false]
    for (; next < waiting.length; next++) {
      const range = waiting[next]
      if (range === undefined || range.start >= end) break
      isCut ||= range.end > start
      if (range.start >= from) pieces.push(text.slice(from, range.start))
      from = Math.max(from, Math.min(range.end, end))
      // The range goes on in the next line.
      if (range.end > end) break
    }
    if (!isCut) lines.push(line.replace(/\n$/, ""))
    else {
      pieces.push(text.slice(from, end))
      const left = lineOf(pieces)
      if (left !== "") lines.push(left)
    }
  }
  return tidyNote(lines.join("\n"))
}

/** A note and the tags that its hashtags give, in normal form. */
export interface ReadNote {
  readonly note: string
  readonly tags: ReadonlyArray<string>
}

/** At most `MAX_TAGS` hashtags become tags; one beyond them stays in the note, so that nothing is lost. */
export const noteAround = (
  text: string,
  hashtags: ReadonlyArray<TextRange>,
  cut: ReadonlyArray<TextRange> = []
): ReadNote => {
  const tags = new Set<string>()
  const taken = hashtags.filter(({ end, start }) => {
    const tag = normalizeTag(text.slice(start, end))
    if (tag !== "" && tags.size < MAX_TAGS) tags.add(tag)
    return tags.has(tag)
  })
  return { note: withoutRanges(text, [...taken, ...cut]), tags: [...tags] }
}

/** Whether a position is in a quoted line, which begins with `>`: these are not the owner's words. */
const isQuoted = (text: string, at: number): boolean =>
  /^\s*>/.test(text.slice(text.lastIndexOf("\n", at) + 1, at))

/** Hashtags become tags, line breaks stay, and so do quoted lines as they are. */
export const readNote = (text: string): ReadNote =>
  noteAround(
    text,
    hashtagsIn(text).filter(({ start }) => !isQuoted(text, start))
  )
