import { type Dense, zeros } from "./Sparse.ts"

/** The product of a matrix and another's transpose: every row of one with every row of the other. */
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

/** Adds to each row's softmax of `scores` to `into`; by columns when `transposed`. Returns the mean loss. */
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
 * The contrastive loss of a batch (van den Oord, Li and Vinyals 2018), each side asking for its partner among
 * all of the other side, and its gradient by the cosines. Two texts of one group are not held against each
 * other.
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

/** A matrix with its rows as columns. */
export const transposed = ({ columns, rows, value }: Dense): Dense => {
  const result = zeros(columns, rows)
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) result.value[j * rows + i] = value[i * columns + j] ?? 0
  return result
}
