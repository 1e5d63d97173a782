/** A combining mark that every full-text index ignores within a word. */
const IGNORED = "\u0301"

const range = (first: number, last: number): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at))

/** Marks that may be left out: vowel points of Arabic and Hebrew, the tatweel, dots of Indic letters. */
const marks: ReadonlyArray<string> = [
  ...["\u0640", "\u0670", "\u05bf", "\u05c1", "\u05c2", "\u05c7"],
  ...[...range(0x64b, 0x655), ...range(0x5b0, 0x5bd)],
  ...["\u093c", "\u09bc", "\u0a3c", "\u0abc", "\u0b3c", "\u0cbc"]
]

const marked: ReadonlyArray<string> = [
  ...range(0x622, 0x626),
  ...[...range(0x958, 0x95f), "\u0929", "\u0931", "\u0934"],
  ...["\u09dc", "\u09dd", "\u09df", "\u0a33", "\u0a36", ...range(0xa59, 0xa5b), "\u0a5e", "\u0b5c", "\u0b5d"]
]

/** Nasals of Devanagari before another consonant, which are also written as a dot above the letter before. */
const nasals = ["\u0919", "\u091e", "\u0923", "\u0928", "\u092e"].map((letter) => `${letter}\u094d`)

/** In the order of replacement, each as long as its replacement, so that positions stay; the indexes fold the same. */
export const foldings: ReadonlyArray<readonly [written: string, folded: string]> = [
  ...marked.map((letter) => [letter, letter.normalize("NFD").charAt(0)] as const),
  ["\u0671", "\u0627"],
  ["\u0901", "\u0902"],
  ...nasals.map((nasal) => [nasal, `\u0902${IGNORED}`] as const),
  ...marks.map((mark) => [mark, IGNORED] as const)
]

const replacements = new Map(foldings)
const anyOf = new RegExp(foldings.map(([written]) => written).join("|"), "g")
const mayDiffer = /[\u05b0-\u0cbc]/

/** Unifies the spellings of words in Arabic, Hebrew and Indic scripts, without changing positions. */
export const foldScripts = (text: string): string =>
  mayDiffer.test(text) ? text.replace(anyOf, (written) => replacements.get(written) ?? written) : text

/** The same without the marks that the indexes ignore, so that positions change. */
export const withoutMarks = (text: string): string => foldScripts(text).replaceAll(IGNORED, "")

/** Returns, for each position in `withoutMarks` of a text, the position in the text. */
export const markedPositions = (text: string): ReadonlyArray<number> => {
  const folded = foldScripts(text)
  return Array.from({ length: folded.length }, (_, at) => at).filter((at) => folded[at] !== IGNORED)
}
