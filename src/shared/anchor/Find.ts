import { characterAround } from "./Describe.ts"
import { nearestEnds, stepsOf } from "./Nearest.ts"
import { type NormalizedText, normalizeWithOffsets } from "./NormalizedText.ts"

/** A passage to find in a text: its words, what was around them, and where it was. */
export interface WantedPassage {
  readonly quote: string
  readonly prefix: string
  readonly suffix: string
  /** Where it was in UTF-16 units, if that is known. */
  readonly start?: number | null | undefined
}

/** Where a passage was found, in UTF-16 units of the text. */
export interface FoundPassage {
  readonly start: number
  readonly end: number
}

/** A text in which passages are found, prepared once for all of them. */
export interface SearchableText {
  readonly text: string
  readonly normalized: NormalizedText
  /** What is left to spend on approximate matches in this text, in steps (`stepsOf`). */
  budget: number
}

/** Maximum work of approximate matching for one text, in steps: about two seconds. What is beyond it counts as not found. */
const BUDGET = 400_000_000
/** The same for one passage: about a tenth of a second, which the longest passages need. */
const PASSAGE_BUDGET = 20_000_000

export const searchable = (text: string): SearchableText => ({
  text,
  normalized: normalizeWithOffsets(text),
  budget: BUDGET
})

const MAX_PLACES = 2_000

/** So long a passage, without white space, is accepted wherever it stands; a shorter one only with its context. */
const TELLING = 24
/** How many units of context beside a place show that it is the same: two or three words. */
const SAME_CONTEXT = 8

/** A quarter: unrelated English sentences differ in over half their letters, and an edit changes few words. */
const MAX_DIFFERENCE = 0.25
/** In a short passage one word is more than that: so many units may differ, up to this share. */
const WORD = 6
const MAX_WORD = 0.4
/** The share that may differ where nothing around the passage is the same, and the least length for this. */
const MAX_DIFFERENCE_ALONE = 0.15
const LEAST_ALONE = 60
/** A passage shorter than this is found word for word only. */
const LEAST_APPROXIMATE = 12

/** Length of the parts of a passage that are looked for word for word, to know where to compare it. */
const SEED = 12
const MAX_SEEDS = 8
const MAX_SEED_PLACES = 8

/** How many of the equally near places in one part of the text are compared: an edited end of a passage has thousands. */
const MAX_ENDS = 2

/** How many units at the end of `before` are those at the end of `text` before position `at`. */
const sameBefore = (text: string, at: number, before: string): number => {
  let same = 0
  while (same < before.length && at - same > 0 && text[at - same - 1] === before[before.length - same - 1])
    same++
  return same
}

const sameAfter = (text: string, at: number, after: string): number => {
  let same = 0
  while (same < after.length && at + same < text.length && text[at + same] === after[same]) same++
  return same
}

/** Maximum length of a part for which the runtime's search is used, which compares all of it at each place at worst. */
const MAX_NATIVE = 64

/** Returns where a long part occurs in a text, in linear time (Knuth, Morris and Pratt, SIAM J. Comput. 6(2), 1977). */
const placesOfLong = (text: string, part: string, most: number): ReadonlyArray<number> => {
  const units = Uint16Array.from({ length: part.length }, (_, at) => part.charCodeAt(at))
  /** For each length of a beginning of the part, the length of the longest shorter beginning at its end. */
  const shorter = new Uint32Array(part.length + 1)
  const places: Array<number> = []
  const next = (matched: number, unit: number) => {
    let length = matched
    while (length > 0 && units[length] !== unit) length = shorter[length] ?? 0
    return units[length] === unit ? length + 1 : 0
  }
  for (let at = 1; at < units.length; at++) shorter[at + 1] = next(shorter[at] ?? 0, units[at] ?? 0)
  for (let at = 0, matched = 0; at < text.length && places.length < most; at++) {
    matched = next(matched, text.charCodeAt(at))
    if (matched === units.length) places.push(at + 1 - units.length)
  }
  return places
}

const placesOf = (text: string, part: string, most: number): ReadonlyArray<number> => {
  if (part.length > MAX_NATIVE) return placesOfLong(text, part, most)
  const places: Array<number> = []
  if (part === "") return places
  for (let at = text.indexOf(part); at !== -1 && places.length < most; at = text.indexOf(part, at + 1))
    places.push(at)
  return places
}

interface Wanted {
  readonly quote: string
  readonly prefix: string
  readonly suffix: string
  /** Where it was in the normalized text, as far as that is known. */
  readonly near: number | undefined
}

/** A place in the normalized text; `context` is how much of what was around the passage is around it too. */
interface Candidate {
  readonly start: number
  readonly end: number
  readonly errors: number
  readonly context: number
}

const candidateAt = (text: string, wanted: Wanted, start: number, end: number, errors = 0): Candidate => ({
  start,
  end,
  errors,
  context: sameBefore(text, start, wanted.prefix) + sameAfter(text, end, wanted.suffix)
})

/** Whether the first is the better place: fewer errors, then more of the context, then nearer to where it was. */
const isBetter = (one: Candidate, other: Candidate | undefined, near: number | undefined): boolean => {
  if (other === undefined) return true
  // Context counts like letters of the passage: an edited passage in its place is better than a similar one elsewhere.
  const [score, otherScore] = [one.context - 2 * one.errors, other.context - 2 * other.errors]
  if (score !== otherScore) return score > otherScore
  return near !== undefined && Math.abs(one.start - near) < Math.abs(other.start - near)
}

/** How much context there can be: nothing is known of a passage from a file that has none. */
const hasContext = ({ prefix, suffix }: Wanted) => prefix.length + suffix.length > 0

const findExact = (text: string, wanted: Wanted): Candidate | undefined => {
  const { near, prefix, quote, suffix } = wanted
  const full = prefix.length + suffix.length
  let best: Candidate | undefined
  const places = placesOf(text, quote, MAX_PLACES)
  for (const start of places) {
    const candidate = candidateAt(text, wanted, start, start + quote.length)
    if (isBetter(candidate, best, near)) best = candidate
  }
  if (best === undefined) return undefined
  const isSame =
    quote.length >= TELLING ||
    best.context >= Math.min(SAME_CONTEXT, full) ||
    // The beginning or the end of the text is a context too.
    (best.start === 0 && prefix === "") ||
    (best.end === text.length && suffix === "")
  // Without any context, every place is as good as another, but a word or two may stand anywhere.
  return isSame && (hasContext(wanted) || places.length === 1 || quote.length >= LEAST_APPROXIMATE)
    ? best
    : undefined
}

/** Returns the parts of the text in which the passage may be, in order and without overlaps. */
const windowsOf = (text: string, { near, prefix, quote, suffix }: Wanted, slack: number) => {
  const starts: Array<number> = near === undefined ? [] : [near]
  const before = prefix.slice(-SEED)
  if (before.length === SEED)
    starts.push(...placesOf(text, before, MAX_SEED_PLACES).map((at) => at + before.length))
  const after = suffix.slice(0, SEED)
  if (after.length === SEED)
    starts.push(...placesOf(text, after, MAX_SEED_PLACES).map((at) => at - quote.length))
  const size = Math.min(SEED, Math.floor(quote.length / 3))
  const seeds = Math.min(MAX_SEEDS, Math.floor(quote.length / size))
  for (let i = 0; i < seeds; i++) {
    const offset = Math.floor((i * (quote.length - size)) / Math.max(1, seeds - 1))
    const part = quote.slice(offset, offset + size)
    starts.push(...placesOf(text, part, MAX_SEED_PLACES).map((at) => at - offset))
  }
  const windows: Array<{ readonly from: number; readonly to: number }> = []
  for (const start of starts.sort((a, b) => a - b)) {
    const from = Math.max(0, start - slack)
    const to = Math.min(text.length, start + quote.length + slack)
    const last = windows.at(-1)
    if (from >= to) continue
    if (last !== undefined && from <= last.to)
      windows[windows.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else windows.push({ from, to })
  }
  return windows
}

const reversed = (text: string) => text.split("").reverse().join("")

/** Returns the likeliest ends of the passage: those before the same following text, or near the passage's old place. */
const likelyEnds = (text: string, ends: ReadonlyArray<number>, { near, quote, suffix }: Wanted) => {
  const known = near === undefined ? 0 : near + quote.length
  return ends
    .map((end) => ({ end, same: sameAfter(text, end, suffix), far: Math.abs(end - known) }))
    .sort((one, other) => other.same - one.same || one.far - other.far)
    .slice(0, MAX_ENDS)
}

/** Finds the passage where it was edited: with the fewest differences in the places where parts of it are. */
const findEdited = (searched: SearchableText, wanted: Wanted): Candidate | undefined => {
  const { text } = searched.normalized
  const { near, quote } = wanted
  if (quote.length < LEAST_APPROXIMATE) return undefined
  const word = Math.min(WORD, quote.length * MAX_WORD)
  const most = Math.floor(Math.max(quote.length * MAX_DIFFERENCE, word))
  const backwards = reversed(quote)
  let best: Candidate | undefined
  let left = PASSAGE_BUDGET
  for (const { from, to } of windowsOf(text, wanted, most + SEED)) {
    const cost = stepsOf(to - from + MAX_ENDS * (quote.length + most), quote.length)
    if (cost > left || cost > searched.budget) break
    left -= cost
    searched.budget -= cost
    const { ends, errors } = nearestEnds(text.slice(from, to), quote, most)
    const all = ends.map((end) => from + end)
    for (const { end } of likelyEnds(text, all, wanted)) {
      // The start is the end of the passage read backwards.
      const before = reversed(text.slice(Math.max(from, end - quote.length - errors), end))
      const start = end - Math.max(0, ...nearestEnds(before, backwards, errors).ends)
      const candidate = candidateAt(text, wanted, start, end, errors)
      const isSame =
        candidate.context >= SAME_CONTEXT ||
        (quote.length >= LEAST_ALONE && errors <= quote.length * MAX_DIFFERENCE_ALONE)
      if (isSame && isBetter(candidate, best, near)) best = candidate
    }
  }
  return best
}

const normalizedPosition = ({ starts }: NormalizedText, at: number): number => {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Finds a passage in a text that may have changed since: word for word in the place with the most of its context, or with
 * differences (`MAX_DIFFERENCE`) by Myers' algorithm ("A fast bit-vector algorithm for approximate string matching",
 * JACM 46(3), 1999) in the places where parts of it or of its context are. White space,
 * case and typographic variants never count. Returns undefined if the text does not have it.
 */
export const findPassage = (searched: SearchableText, passage: WantedPassage): FoundPassage | undefined => {
  const { normalized, text } = searched
  const { prefix, quote, start, suffix } = passage
  // The usual case, without any search: nothing has changed.
  if (start != null && text.startsWith(quote, start) && quote !== "") {
    const end = start + quote.length
    const isWhole =
      text.slice(Math.max(0, start - prefix.length), start) === prefix &&
      text.slice(end, end + suffix.length) === suffix
    if (isWhole && prefix.length + suffix.length > 0) return { start, end }
  }
  const wanted: Wanted = {
    quote: normalizeWithOffsets(quote).text,
    prefix: normalizeWithOffsets(prefix).text,
    suffix: normalizeWithOffsets(suffix).text,
    near: start == null ? undefined : normalizedPosition(normalized, start)
  }
  if (wanted.quote === "") return undefined
  const found = findExact(normalized.text, wanted) ?? findEdited(searched, wanted)
  if (found === undefined || found.end <= found.start) return undefined
  const end = normalized.ends[found.end - 1] ?? 0
  return { start: normalized.starts[found.start] ?? 0, end: characterAround(text, end)[1] }
}
