import type { Random, Sparse } from "./LinearAlgebra.ts"

const WINDOW = 8
/** More frequent words are skipped at random (Mikolov et al. 2013). */
const OFTEN = 1e-4
const LEAST_TOGETHER = 2
/** The power of a context's frequency that counts, which dampens rare contexts (Levy, Goldberg and Dagan 2015). */
const SMOOTHING = 0.75

const thinned = (texts: ReadonlyArray<Int32Array>, counts: ReadonlyArray<number>, random: Random) => {
  const total = counts.reduce((sum, one) => sum + one, 0)
  const keep = counts.map((one) => Math.sqrt((OFTEN * total) / one))
  return texts.map((text) => text.filter((word) => random() < (keep[word] ?? 0)))
}

/** For each word the words within its window, as one list divided by `starts`. */
const neighboursOf = (texts: ReadonlyArray<Int32Array>, words: number) => {
  const starts = new Int32Array(words + 1)
  for (const text of texts)
    text.forEach((word, at) => {
      const near = Math.min(at, WINDOW) + Math.min(text.length - 1 - at, WINDOW)
      starts[word + 1] = (starts[word + 1] ?? 0) + near
    })
  for (let word = 0; word < words; word++) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0)
  const next = starts.slice()
  const near = new Int32Array(starts[words] ?? 0)
  for (const text of texts)
    text.forEach((word, at) => {
      let place = next[word] ?? 0
      for (let other = Math.max(0, at - WINDOW); other <= at + WINDOW && other < text.length; other++)
        if (other !== at) near[place++] = text[other] ?? 0
      next[word] = place
    })
  return { starts, near }
}

/** The counts of word pairs within the window, without pairs that occur once. */
const counted = (texts: ReadonlyArray<Int32Array>, words: number): Sparse => {
  const { near, starts } = neighboursOf(texts, words)
  const tally = new Int32Array(words)
  const column: Array<number> = []
  const value: Array<number> = []
  const rowStarts = new Int32Array(words + 1)
  for (let word = 0; word < words; word++) {
    const own = near.subarray(starts[word] ?? 0, starts[word + 1] ?? 0)
    for (const other of own) tally[other] = (tally[other] ?? 0) + 1
    for (const other of own) {
      const count = tally[other] ?? 0
      if (count >= LEAST_TOGETHER) {
        column.push(other)
        value.push(count)
      }
      tally[other] = 0
    }
    rowStarts[word + 1] = column.length
  }
  return {
    rows: words,
    columns: words,
    starts: rowStarts,
    column: Int32Array.from(column),
    value: Float32Array.from(value)
  }
}

/**
 * Positive pointwise mutual information of neighbouring words (Levy and Goldberg 2014): the logarithm of how much more often
 * they meet than by chance, if positive. A square sparse matrix with one row per word.
 */
export const positiveInformation = (
  texts: ReadonlyArray<Int32Array>,
  counts: ReadonlyArray<number>,
  random: Random
): Sparse => {
  const together = counted(thinned(texts, counts, random), counts.length)
  const sums = new Float64Array(together.rows)
  for (let row = 0; row < together.rows; row++)
    for (let at = together.starts[row] ?? 0; at < (together.starts[row + 1] ?? 0); at++)
      sums[row] = (sums[row] ?? 0) + (together.value[at] ?? 0)
  const smooth = sums.map((sum) => sum ** SMOOTHING)
  const total = smooth.reduce((sum, one) => sum + one, 0)
  for (let row = 0; row < together.rows; row++)
    for (let at = together.starts[row] ?? 0; at < (together.starts[row + 1] ?? 0); at++) {
      const chance = ((sums[row] ?? 0) * (smooth[together.column[at] ?? 0] ?? 0)) / total
      together.value[at] = Math.max(0, Math.log((together.value[at] ?? 0) / chance))
    }
  return together
}
