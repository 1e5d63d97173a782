import { singular } from "../../domain/English.ts"

/** How much of a text is read, in UTF-16 units and in tokens; more adds no meaning and would take unbounded time. */
const MAX_UNITS = 40_000
const MAX_TOKENS = 2_000
/** Longer runs are addresses, keys or noise. */
const MAX_WORD = 40
const MAX_PARTS = 6

/** Scripts without spaces between words, and Hangul, whose words take endings; their tokens are character bigrams. */
const UNSPACED = [
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc",
  "\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}"
].join("")
const RUN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:\+\+|#)?/gu
const IN_UNSPACED = new RegExp(`[${UNSPACED}]`, "u")
const UNSPACED_OR_NOT = new RegExp(`[${UNSPACED}\\p{M}]+|[^${UNSPACED}]+`, "gu")
const OUTSIDE_ASCII = /[^\0-\x7f]/
const PART_BORDER = /(?<=[a-z0-9])(?=[A-Z])/

const named: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"]
])

/** Unicode normalization does not decompose these letters. */
const unaccented: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  ς: "σ"
}

const fold = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßæœøđðłıς]/g, (letter) => unaccented[letter] ?? letter)

const plain = (raw: string): string => {
  const lower = raw.toLowerCase()
  const last = lower.charCodeAt(lower.length - 1)
  const isMarked = last === 0x23 || last === 0x2b
  const word = isMarked ? (named.get(lower) ?? lower.replace(/[+#]+$/, "")) : lower
  return singular(OUTSIDE_ASCII.test(word) ? fold(word) : word)
}

const pushBigrams = (run: string, into: Array<string>): void => {
  const letters = [...run]
  if (letters.length === 1) into.push(run)
  for (let i = 0; i + 1 < letters.length; i++) into.push(`${letters[i]}${letters[i + 1]}`)
}

const pushWord = (raw: string, into: Array<string>): void => {
  if (raw.length > MAX_WORD) return
  into.push(plain(raw))
  const parts = raw.split(PART_BORDER)
  if (parts.length < 2 || parts.length > MAX_PARTS) return
  for (const part of parts) if (part.length > 2) into.push(plain(part))
}

/** Returns 2,000 words at most: NFKC, lower case, no accents, singular. The parts of a camelCase word follow it. */
export const tokens = (text: string): ReadonlyArray<string> => {
  const cut = text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text
  const isAscii = !OUTSIDE_ASCII.test(cut)
  const found: Array<string> = []
  for (const [run] of (isAscii ? cut : cut.normalize("NFKC")).matchAll(RUN)) {
    if (found.length >= MAX_TOKENS) break
    if (isAscii || !IN_UNSPACED.test(run)) pushWord(run, found)
    else
      for (const part of run.match(UNSPACED_OR_NOT) ?? [])
        if (IN_UNSPACED.test(part)) pushBigrams(part, found)
        else pushWord(part, found)
  }
  return found.length > MAX_TOKENS ? found.slice(0, MAX_TOKENS) : found
}
