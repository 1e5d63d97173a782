/**
 * A text without what differs between two writings of the same words: white space and invisible characters are left out,
 * compatibility forms are unified (NFKD, UAX #15), quotation marks and dashes are those of ASCII, letters are small.
 *
 * White space is left out rather than collapsed, because the text of a page has none between two of its paragraphs, and
 * a selection in a browser has.
 */
export interface NormalizedText {
  readonly text: string
  /** Where each unit of `text` comes from in the original: the start of its character, in UTF-16 units. */
  readonly starts: Uint32Array
  /** Where that character ends. */
  readonly ends: Uint32Array
}

const punctuation: ReadonlyMap<string, string> = new Map([
  ...[..."‘’‚‛′`´"].map((mark): [string, string] => [mark, "'"]),
  ...[..."“”„‟″«»"].map((mark): [string, string] => [mark, '"']),
  ...[..."‐‑‒–—―−"].map((dash): [string, string] => [dash, "-"])
])

const SPACE = 0x20
const DELETE = 0x7f
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const BACKTICK = 0x60
/** How many units become a string at once. */
const CHUNK = 8_192

const normalizedCharacter = (character: string): string => {
  const known = punctuation.get(character)
  if (known !== undefined) return known
  const unified = character.normalize("NFKD")
  return unified.replace(/[\p{Z}\p{Cc}\p{Cf}]|\ufe0f/gu, "").toLowerCase()
}

/** Normalizes a text in linear time. */
export const normalizeWithOffsets = (text: string): NormalizedText => {
  let size = text.length + 16
  let units = new Uint16Array(size)
  let starts = new Uint32Array(size)
  let ends = new Uint32Array(size)
  let length = 0
  const known = new Map<number, string>()

  const grow = (needed: number) => {
    if (length + needed <= size) return
    size = Math.max(size * 2, length + needed)
    const [oldUnits, oldStarts, oldEnds] = [units, starts, ends]
    units = new Uint16Array(size)
    starts = new Uint32Array(size)
    ends = new Uint32Array(size)
    units.set(oldUnits)
    starts.set(oldStarts)
    ends.set(oldEnds)
  }
  const push = (unit: number, start: number, end: number) => {
    units[length] = unit
    starts[length] = start
    ends[length] = end
    length++
  }

  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    if (unit < DELETE && unit !== BACKTICK) {
      if (unit > SPACE) {
        grow(1)
        push(unit >= UPPER_A && unit <= UPPER_Z ? unit + 32 : unit, at, at + 1)
      }
      at++
      continue
    }
    const code = text.codePointAt(at) ?? 0
    const end = at + (code > 0xffff ? 2 : 1)
    let written = known.get(code)
    if (written === undefined) {
      written = normalizedCharacter(String.fromCodePoint(code))
      known.set(code, written)
    }
    grow(written.length)
    for (let i = 0; i < written.length; i++) push(written.charCodeAt(i), at, end)
    at = end
  }

  const parts: Array<string> = []
  for (let from = 0; from < length; from += CHUNK)
    parts.push(String.fromCharCode(...units.subarray(from, Math.min(from + CHUNK, length))))
  return { text: parts.join(""), starts: starts.subarray(0, length), ends: ends.subarray(0, length) }
}
