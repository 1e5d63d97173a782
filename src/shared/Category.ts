import { foldLabel } from "./Tags.ts"
import { firstCharacters } from "./Text.ts"

const MAX_WORDS = 4
const MAX_LENGTH = 40

/** The category of a link for which no other category was found. */
export const UNSORTED = "unsorted"

const notAllowed = /[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}&+#.-]+/gu

/** Strips punctuation around a word that is not part of a name: `.net`, `c#` and `c++` stay, `--draft.` is `draft`. */
const bare = (word: string): string =>
  word === "&"
    ? word
    : word
        .replace(/^[^\p{L}\p{N}]*?(\.?)(?=[\p{L}\p{N}])/u, "$1")
        .replace(/[.&-]+$/u, "")
        .replace(/^[^\p{L}\p{N}]+$/u, "")

/** As many leading words as fit into `MAX_LENGTH` characters, without an `&` at either end. */
const fitting = (words: ReadonlyArray<string>): string => {
  const text = words.join(" ").replace(/^(?:& ?)+|(?: ?&)+$/g, "")
  const cut = firstCharacters(text, MAX_LENGTH)
  if (cut === text) return text
  return words.length > 1 ? fitting(words.slice(0, -1)) : bare(cut)
}

/** Lower case, letters and digits of any script with `-&+#.`, four words and 40 characters at most; null if empty. */
export const normalizeCategory = (raw: string): string | null => {
  const words = foldLabel(raw).replace(notAllowed, " ").split(" ").map(bare)
  return fitting(words.filter((word) => word !== "").slice(0, MAX_WORDS)) || null
}

const plurals = (word: string): ReadonlyArray<string> =>
  word.length < 3 ? [] : [`${word}s`, `${word}es`, word.replace(/y$/, "ies")]

const sameWord = (a: string, b: string): boolean =>
  a === b || plurals(a).includes(b) || plurals(b).includes(a)

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== "")

const sameCategory = (a: string, b: string): boolean => {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  const last = left.length - 1
  return (
    left.length === right.length &&
    left.every((word, i) => (i === last ? sameWord(word, right[i] ?? "") : word === right[i]))
  )
}

/** The existing name equal to `name`, else one that differs only by case, English plural or hyphens, else `name`. */
export const reuseCategory = (name: string, existing: ReadonlyArray<string>): string =>
  existing.includes(name) ? name : (existing.find((known) => sameCategory(known, name)) ?? name)
