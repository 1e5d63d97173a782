import type { Bags } from "./Batches.ts"
import type { Random } from "./Random.ts"
import { addScaled, type Dense, zeros } from "./Sparse.ts"

/** Texts as unit vectors, with the data to propagate gradients back to the words. */
export interface Encoded {
  /** One unit vector per text, in rows. */
  readonly units: Dense
  readonly lengths: Float32Array
  readonly word: ReadonlyArray<ReadonlyArray<number>>
  readonly weight: ReadonlyArray<ReadonlyArray<number>>
}

/**
 * Sums the rows of each text's words, with dropout, and normalizes the sums.
 */
export const encode = (
  bags: Bags,
  texts: ReadonlyArray<number>,
  rows: Dense,
  dropout: number,
  random: Random
): Encoded => {
  const units = zeros(texts.length, rows.columns)
  const lengths = new Float32Array(texts.length)
  const word: Array<Array<number>> = []
  const weight: Array<Array<number>> = []
  texts.forEach((text, at) => {
    const words: Array<number> = []
    const weights: Array<number> = []
    const target = at * rows.columns
    for (let entry = bags.starts[text] ?? 0; entry < (bags.starts[text + 1] ?? 0); entry++) {
      if (random() < dropout) continue
      const number = bags.word[entry] ?? 0
      const own = bags.weight[entry] ?? 0
      words.push(number)
      weights.push(own)
      addScaled(units.value, target, rows.value, number * rows.columns, rows.columns, own)
    }
    let sum = 1e-12
    for (let i = target; i < target + rows.columns; i++) sum += (units.value[i] ?? 0) ** 2
    lengths[at] = Math.sqrt(sum)
    for (let i = target; i < target + rows.columns; i++)
      units.value[i] = (units.value[i] ?? 0) / Math.sqrt(sum)
    word.push(words)
    weight.push(weights)
  })
  return { units, lengths, word, weight }
}

/**
 * Converts the gradient by the unit vectors to the gradient by the sums, in place: keeps only its component that changes the
 * direction.
 */
export const throughLengths = (gradient: Dense, { lengths, units }: Encoded): void => {
  const { columns, rows, value } = gradient
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    let along = 0
    for (let i = start; i < start + columns; i++) along += (value[i] ?? 0) * (units.value[i] ?? 0)
    const length = lengths[row] ?? 1
    for (let i = start; i < start + columns; i++)
      value[i] = ((value[i] ?? 0) - along * (units.value[i] ?? 0)) / length
  }
}
