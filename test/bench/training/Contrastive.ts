import type { Batch } from "./Batches.ts"
import { type Encoded, encode, throughLengths } from "./Encoded.ts"
import { product } from "./LinearAlgebra.ts"
import type { Random } from "./Random.ts"
import { addScaled, type Dense, zeros } from "./Sparse.ts"

/** The product of a matrix and the transpose of another. */
const rowProducts = (a: Dense, b: Dense): Dense => {
  const result = zeros(a.rows, b.rows)
  const { columns } = a
  const x = a.value
  const y = b.value
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j += 4) {
      let p = 0
      let q = 0
      let r = 0
      let s = 0
      const from = i * columns
      const to = j * columns
      for (let k = 0; k < columns; k++) {
        const own = x[from + k] ?? 0
        p += own * (y[to + k] ?? 0)
        q += own * (y[to + columns + k] ?? 0)
        r += own * (y[to + 2 * columns + k] ?? 0)
        s += own * (y[to + 3 * columns + k] ?? 0)
      }
      const at = i * b.rows + j
      result.value[at] = p
      if (j + 1 < b.rows) result.value[at + 1] = q
      if (j + 2 < b.rows) result.value[at + 2] = r
      if (j + 3 < b.rows) result.value[at + 3] = s
    }
  return result
}

/** Adds the softmax of each row of `scores` to `into`, or of each column if `transposed`. Returns the mean loss. */
const addSoftmax = (into: Dense, scores: Dense, transposed: boolean): number => {
  const size = scores.rows
  const own = transposed ? size : 1
  const next = transposed ? 1 : size
  let loss = 0
  for (let i = 0; i < size; i++) {
    let highest = Number.NEGATIVE_INFINITY
    for (let j = 0; j < size; j++) highest = Math.max(highest, scores.value[i * next + j * own] ?? 0)
    let sum = 0
    for (let j = 0; j < size; j++) sum += Math.exp((scores.value[i * next + j * own] ?? 0) - highest)
    for (let j = 0; j < size; j++) {
      const at = i * next + j * own
      into.value[at] = (into.value[at] ?? 0) + Math.exp((scores.value[at] ?? 0) - highest) / sum
    }
    loss += Math.log(sum) + highest - (scores.value[i * next + i * own] ?? 0)
  }
  return loss / size
}

/**
 * The contrastive loss of a batch in both directions (van den Oord, Li and Vinyals 2018) and its gradient by the cosines.
 * Texts of the same group are not used as negatives of each other.
 */
export const contrast = (left: Dense, right: Dense, group: ReadonlyArray<number>, temperature: number) => {
  const size = left.rows
  const scores = rowProducts(left, right)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const at = i * size + j
      const isSame = i !== j && group[i] === group[j]
      scores.value[at] = isSame ? -1e4 : (scores.value[at] ?? 0) / temperature
    }
  const gradient = zeros(size, size)
  const loss = (addSoftmax(gradient, scores, false) + addSoftmax(gradient, scores, true)) / 2
  for (let i = 0; i < size; i++) gradient.value[i * size + i] = (gradient.value[i * size + i] ?? 0) - 2
  for (let at = 0; at < gradient.value.length; at++)
    gradient.value[at] = (gradient.value[at] ?? 0) / (2 * temperature)
  return { gradient, loss }
}

/** The transpose of a matrix. */
export const transposed = ({ columns, rows, value }: Dense): Dense => {
  const result = zeros(columns, rows)
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) result.value[j * rows + i] = value[i * columns + j] ?? 0
  return result
}

/**
 * The training schedule: the steps, the initial learning rate (a tenth of it at the end) and the temperature of the softmax.
 */
export interface Schedule {
  readonly steps: number
  readonly rate: number
  readonly temperature: number
  readonly dropout: number
}

/** The gradients of a batch by the rows of its words, one row per word in the order of `words`. */
const byWords = (
  sides: ReadonlyArray<{ readonly encoded: Encoded; readonly gradient: Dense }>,
  columns: number
) => {
  const places = new Map<number, number>()
  for (const { encoded } of sides)
    for (const words of encoded.word)
      for (const word of words) if (!places.has(word)) places.set(word, places.size)
  const sums = zeros(places.size, columns)
  for (const { encoded, gradient } of sides)
    encoded.word.forEach((words, text) => {
      words.forEach((word, at) => {
        const target = (places.get(word) ?? 0) * columns
        const weight = encoded.weight[text]?.[at] ?? 0
        addScaled(sums.value, target, gradient.value, text * columns, columns, weight)
      })
    })
  return { words: [...places.keys()], sums }
}

/**
 * One step of Adagrad (Duchi, Hazan and Singer 2011) with one rate per row, from the mean square of its gradients.
 */
const update = (
  rows: Dense,
  squares: Float32Array,
  { sums, words }: ReturnType<typeof byWords>,
  rate: number
): void => {
  const { columns } = rows
  words.forEach((word, at) => {
    let square = 0
    for (let i = at * columns; i < (at + 1) * columns; i++) square += (sums.value[i] ?? 0) ** 2
    const all = (squares[word] ?? 0) + square / columns
    squares[word] = all
    addScaled(rows.value, word * columns, sums.value, at * columns, columns, -rate / Math.sqrt(all))
  })
}

/**
 * Trains the words' rows in place, so that matching texts get similar vectors and other texts of a batch do not. Calls
 * `report` with the mean loss at intervals.
 */
export const train = (
  rows: Dense,
  next: () => Batch,
  schedule: Schedule,
  random: Random,
  report: (step: number, loss: number) => void
): void => {
  const squares = new Float32Array(rows.rows).fill(1e-6)
  let losses = 0
  for (let step = 0; step < schedule.steps; step++) {
    const batch = next()
    const left = encode(batch.leftBags, batch.left, rows, schedule.dropout, random)
    const right = encode(batch.rightBags, batch.right, rows, schedule.dropout, random)
    const { gradient, loss } = contrast(left.units, right.units, batch.group, schedule.temperature)
    const byLeft = product(gradient, right.units)
    const byRight = product(transposed(gradient), left.units)
    throughLengths(byLeft, left)
    throughLengths(byRight, right)
    const sides = [
      { encoded: left, gradient: byLeft },
      { encoded: right, gradient: byRight }
    ]
    update(rows, squares, byWords(sides, rows.columns), schedule.rate * (1 - (0.9 * step) / schedule.steps))
    losses += loss
    if (step % 200 === 199) {
      report(step + 1, losses / 200)
      losses = 0
    }
  }
}
