import { type Reading, readings, type ShownTitle } from "./TitleWords.ts"

/** A title is long enough to be known by what is left of it: by its characters, or by its words. */
const LONG = 15
const SOME_WORDS = 3
/** A word this short says little: all of a site's pages may be called `Docs`. */
const SHORT = 7
/** What is left of a title that ends in dots, as a share of it. */
const LEFT = 0.4
/** Without dots, so many characters are left within a word, and so many at the end of one, with this share. */
const LEFT_IN_WORD = 20
const LEFT_AT_WORD = 50
const SURELY_LEFT = 0.7
/** What says which of several a title is: a number, maybe in Roman letters, or a word that goes with one. */
const ofPart =
  /\p{N}|^.?\p{L}{0,2}(?: |$)|(?:^| )(?:part|volume|vol|chapter|episode|season|series|lesson|week|day|edition|[ivx]+)(?: |$)/u
/** Words shorter than this are not taken for each other's misspelling. */
const SPELLED = 5

const written = (words: ReadonlyArray<string>): string => words.join(" ")

const isLong = (words: ReadonlyArray<string>): boolean =>
  words.length >= SOME_WORDS || written(words).length >= LONG

/** Whether one word is the other with a letter wrong, missing, too many or in its neighbour's place, but not the first. */
const isMisspelled = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < SPELLED || long.length - short.length > 1 || a[0] !== b[0]) return false
  // In a script without spaces a letter is a word, and a number is another one with any digit.
  if (!/^[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+$/v.test(a + b))
    return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return short.slice(at + 1) === long.slice(at + 1) || (swapped && short.slice(at + 2) === long.slice(at + 2))
}

/** Whether the words are the same in the same order, but for one that is misspelled in a title long enough. */
const sameWords = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (written(a).replaceAll(" ", "") === written(b).replaceAll(" ", "")) return true
  if (a.length !== b.length || a.length < SOME_WORDS) return false
  const apart = a.flatMap((word, i) => (word === b[i] ? [] : [[word, b[i] ?? ""] as const]))
  return apart.length === 1 && apart.every(([one, other]) => isMisspelled(one, other))
}

/** Whether `short` is what is left of `long` when it is cut off, maybe within a word. */
const isCutOff = (short: Reading, long: Reading): boolean => {
  const [kept, whole] = [written(short.words), written(long.words)]
  const rest = whole.slice(kept.length)
  const share = kept.length / whole.length
  if (rest === "" || !whole.startsWith(kept)) return false
  if (short.isCut) return share >= LEFT && kept.length >= LONG
  // Without dots it may as well be another title.
  if (share < SURELY_LEFT || ofPart.test(rest)) return false
  return kept.length >= (rest.startsWith(" ") ? LEFT_AT_WORD : LEFT_IN_WORD)
}

/** Whether what was left out of each reading does not tell the pages apart. */
const mayCompare = (a: Reading, b: Reading, sameHost: boolean): boolean => {
  const left = [a.without, b.without].filter((one) => one !== "nothing")
  if (left.length === 0) return !sameHost || a.words.length > 1 || written(a.words).length > SHORT
  if (!isLong(a.words) || !isLong(b.words)) return false
  // On one site, a part that only one of them has may say which page it is, unless it stands where site names do.
  return !sameHost || (left.length === 1 && left[0] === "a part after a bar")
}

/**
 * Whether two titles are one, but for case, accents, punctuation, a misspelling, a site's name at either end, or a cut.
 * Titles that differ in a number, a part or any other word are two.
 */
export const sameTitle = (first: ShownTitle, second: ShownTitle): boolean => {
  const sameHost = first.host === second.host
  const others = readings(second)
  return readings(first).some((a) =>
    others.some(
      (b) => mayCompare(a, b, sameHost) && (sameWords(a.words, b.words) || isCutOff(a, b) || isCutOff(b, a))
    )
  )
}
