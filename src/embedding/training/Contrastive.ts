import type { Batch } from "./Batches.ts"
import { type Encoded, encode, throughLengths } from "./Encoded.ts"
import { product } from "./Linear.ts"
import { contrast, transposed } from "./Loss.ts"
import type { Random } from "./Random.ts"
import { addScaled, type Dense, zeros } from "./Sparse.ts"

/**
 * How the training goes: the steps, the rate at the start (a tenth of it at the end), and the softmax's
 * temperature.
 */
export interface Schedule {
  readonly steps: number
  readonly rate: number
  readonly temperature: number
  readonly dropout: number
}

/** The gradients by the rows of the words that a batch has: a row a word, in the order of `words`. */
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
 * One step of Adagrad (Duchi, Hazan and Singer 2011) with one rate a row, from the mean square of its
 * gradients.
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
 * Moves the words' rows, in place, so that texts that belong together point the same way and the others of
 * their batch do not. `report` hears the mean loss now and then.
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
