import {
  countGrams,
  fnv1a,
  LONGEST_GRAM,
  SHORTEST_GRAM,
  withBoundaryMarks
} from "../../../src/enrich/embedding/WordTable.ts"
import { type Dense, type Sparse, times, transposedTimes, zeros } from "./LinearAlgebra.ts"

const PENALTY = 0.02
const ROUNDS = 30
const FITTED = /^[\0-\x7f]{3,}$/

/** The buckets of each word's 3- to 5-grams, as shares that sum to 1; empty for a short or non-ASCII word. */
const bucketsOf = (words: ReadonlyArray<string>, buckets: number): Sparse => {
  const starts = new Int32Array(words.length + 1)
  const column: Array<number> = []
  const value: Array<number> = []
  words.forEach((word, row) => {
    const text = withBoundaryMarks(word)
    if (FITTED.test(word))
      for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++)
        for (let start = 0; start + size <= text.length; start++) {
          column.push(fnv1a(text, start, start + size) % buckets)
          value.push(1 / countGrams(text.length))
        }
    starts[row + 1] = column.length
  })
  return {
    rows: words.length,
    columns: buckets,
    starts,
    column: Int32Array.from(column),
    value: Float32Array.from(value)
  }
}

/** The squared length of each column. */
const squares = ({ columns, value }: Dense): Float64Array => {
  const sums = new Float64Array(columns)
  for (let at = 0; at < value.length; at++)
    sums[at % columns] = (sums[at % columns] ?? 0) + (value[at] ?? 0) ** 2
  return sums
}

const columnProducts = (a: Dense, b: Dense): Float64Array => {
  const sums = new Float64Array(a.columns)
  for (let at = 0; at < a.value.length; at++)
    sums[at % a.columns] = (sums[at % a.columns] ?? 0) + (a.value[at] ?? 0) * (b.value[at] ?? 0)
  return sums
}

/**
 * Rows for subword buckets whose mean over a word's n-grams approximates the word's row: ridge regression, each column by
 * conjugate gradients (Hestenes and Stiefel 1952).
 */
export const fitSubwords = (words: ReadonlyArray<string>, rows: Dense, buckets: number): Dense => {
  const shares = bucketsOf(words, buckets)
  const { columns } = rows
  const fitted = zeros(buckets, columns)
  const rest = transposedTimes(shares, rows)
  const direction: Dense = { ...rest, value: rest.value.slice() }
  let before = squares(rest)
  for (let round = 0; round < ROUNDS; round++) {
    const image = transposedTimes(shares, times(shares, direction))
    for (let at = 0; at < image.value.length; at++)
      image.value[at] = (image.value[at] ?? 0) + PENALTY * (direction.value[at] ?? 0)
    const along = columnProducts(direction, image)
    const step = before.map((square, column) => square / ((along[column] ?? 0) + 1e-12))
    for (let at = 0; at < fitted.value.length; at++) {
      const own = step[at % columns] ?? 0
      fitted.value[at] = (fitted.value[at] ?? 0) + own * (direction.value[at] ?? 0)
      rest.value[at] = (rest.value[at] ?? 0) - own * (image.value[at] ?? 0)
    }
    const after = squares(rest)
    for (let at = 0; at < fitted.value.length; at++) {
      const ratio = (after[at % columns] ?? 0) / ((before[at % columns] ?? 0) + 1e-12)
      direction.value[at] = (rest.value[at] ?? 0) + ratio * (direction.value[at] ?? 0)
    }
    before = after
  }
  return fitted
}
