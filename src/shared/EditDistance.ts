/** Maximum number of characters compared per word; longer words differ within them. */
export const MAX_COMPARED = 40

export const FAR = 99
/** The rows of the table of errors that are in use. */
let rows: readonly [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(MAX_COMPARED + 1),
  new Uint8Array(MAX_COMPARED + 1),
  new Uint8Array(MAX_COMPARED + 1)
]

/** A known word within an array of words: its first character and its length. */
interface Slice {
  readonly letters: ArrayLike<number>
  readonly start: number
  readonly length: number
}

interface Errors {
  /** By number of characters typed: the errors that turn the known word into them. Valid until the next comparison. */
  readonly whole: Uint8Array
  /** The errors that turn the beginning of the known word that fits best into everything typed. */
  readonly begun: number
}

/**
 * Counts the errors (a letter added, missing, replaced, or two swapped: Damerau 1964, in its optimal string alignment
 * form) between a known word and every beginning of what was typed. Only beginnings whose length differs by at most
 * `most` are compared (Ukkonen 1985). Returns undefined if all have more errors than `most`.
 */
export const compare = (
  typed: ArrayLike<number>,
  { length, letters, start }: Slice,
  most: number
): Errors | undefined => {
  let [beforeLast, last, row] = rows
  let [leastBefore, begun] = [0, FAR]
  last.fill(FAR)
  for (let i = 0; i <= most && i <= typed.length; i++) last[i] = i
  if (typed.length <= most) begun = typed.length
  for (let j = 1; j <= length; j++) {
    const letter = letters[start + j - 1]
    const letterBefore = j > 1 ? letters[start + j - 2] : undefined
    const low = Math.max(0, j - most)
    const high = Math.min(typed.length, j + most)
    let least = FAR
    row.fill(FAR)
    for (let i = low; i <= high; i++) {
      let cost = (last[i] ?? FAR) + 1
      if (i > 0) {
        cost = Math.min(
          cost,
          (row[i - 1] ?? FAR) + 1,
          (last[i - 1] ?? FAR) + (typed[i - 1] === letter ? 0 : 1)
        )
        if (i > 1 && typed[i - 1] === letterBefore && typed[i - 2] === letter)
          cost = Math.min(cost, (beforeLast[i - 2] ?? FAR) + 1)
      }
      row[i] = cost
      if (cost < least) least = cost
    }
    // Two swapped letters look back two rows.
    if (least > most && leastBefore > most) return begun <= most ? { whole: row.fill(FAR), begun } : undefined
    leastBefore = least
    if (high === typed.length) begun = Math.min(begun, row[high] ?? FAR)
    const unused = beforeLast
    beforeLast = last
    last = row
    row = unused
  }
  rows = [beforeLast, last, row]
  return { whole: last, begun }
}

export const lettersOf = (word: string): ReadonlyArray<number> =>
  Array.from(word, (letter) => letter.codePointAt(0) ?? 0).slice(0, MAX_COMPARED)

/** Errors that turn `known` into a prefix of `typed`, and the letters left; undefined beyond `most` errors. */
export const typingErrors = (
  typed: string,
  known: string,
  most: number
): { readonly slips: number; readonly left: number } | undefined => {
  const [a, b] = [lettersOf(typed), lettersOf(known)]
  if (b.length > a.length + most) return undefined
  const errors = compare(a, { letters: b, start: 0, length: b.length }, most)
  let best: { slips: number; left: number } | undefined
  for (let i = 1; i <= a.length; i++) {
    const slips = errors?.whole[i] ?? FAR
    if (slips <= most && (best === undefined || slips <= best.slips)) best = { slips, left: a.length - i }
  }
  return best
}

/** Most typing errors in a word for which a known one is proposed. */
const mostErrors = ({ length }: string) => (length < 2 ? 0 : length < 4 ? 1 : length < 8 ? 2 : 3)

/** The known word that was probably meant: the only one that it begins, or the one that needs the fewest corrections. */
export const meant = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const bare = (text: string) => text.replace(/^-+/, "").toLowerCase()
  const typed = bare(word)
  if (typed === "") return undefined
  const near = known
    .map((one) => {
      const errors = typingErrors(typed, bare(one), mostErrors(typed))
      return { one, errors: errors === undefined ? Number.POSITIVE_INFINITY : errors.slips + errors.left }
    })
    .filter(({ errors }) => errors <= mostErrors(typed))
    .toSorted((a, b) => a.errors - b.errors)
  const begun = known.filter((one) => bare(one).startsWith(typed))
  return begun.length === 1 && typed.length > 1 ? begun[0] : near[0]?.one
}

/** One other letter in a short name, two in one of eight letters or more; numbers are never mistaken for each other. */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const typed = name.toLowerCase()
  const most = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2
  const digits = (text: string) => text.replace(/\D/g, "")
  return known
    .flatMap((one) => {
      const other = one.toLowerCase()
      const found = digits(typed) === digits(other) ? typingErrors(typed, other, most) : undefined
      const errors = found === undefined ? Number.POSITIVE_INFINITY : found.slips + found.left
      return errors <= most ? [{ one, errors }] : []
    })
    .toSorted((a, b) => a.errors - b.errors)[0]?.one
}
