/** A word of a text in folded form, with its position. */
export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

const WORD = /[\p{L}\p{N}]+/gu

/** Folds text for comparison: lower case, without accents. */
const folded = (text: string) => text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "")

/** The words of a text in order; `DATA_DIR` and `cf-access` are two words each. */
export const wordsOf = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(WORD)].map((match) => ({
    word: folded(match[0]),
    start: match.index,
    end: match.index + match[0].length
  }))

/**
 * Whether one word becomes the other with at most `limit` insertions, deletions, replacements or swaps of adjacent
 * letters (optimal string alignment distance).
 */
export const isNear = (one: string, other: string, limit: number): boolean => {
  if (Math.abs(one.length - other.length) > limit) return false
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      now[column] = Math.min(
        (now[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : limit + 1
      )
    }
    if (Math.min(...now) > limit) return false
    before = last
    last = now
  }
  return (last[other.length] ?? 0) <= limit
}
