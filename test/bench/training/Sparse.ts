/**
 * A sparse matrix in rows: row r has the columns and values from `starts[r]` up to `starts[r + 1]`.
 */
export interface Sparse {
  readonly rows: number
  readonly columns: number
  readonly starts: Int32Array
  readonly column: Int32Array
  readonly value: Float32Array
}

/** A dense matrix in rows. */
export interface Dense {
  readonly rows: number
  readonly columns: number
  readonly value: Float32Array
}

/** A dense matrix of zeros. */
export const zeros = (rows: number, columns: number): Dense => ({
  rows,
  columns,
  value: new Float32Array(rows * columns)
})

/**
 * Adds `weight` times the row of `from` at `source` to the row of `into` at `target`.
 */
export const addScaled = (
  into: Float32Array,
  target: number,
  from: Float32Array,
  source: number,
  length: number,
  weight: number
): void => {
  for (let i = 0; i < length; i++)
    into[target + i] = (into[target + i] ?? 0) + (from[source + i] ?? 0) * weight
}

/** The product of a sparse and a dense matrix. */
export const times = (a: Sparse, b: Dense): Dense => {
  const result = zeros(a.rows, b.columns)
  const { columns } = b
  for (let row = 0; row < a.rows; row++)
    for (let at = a.starts[row] ?? 0; at < (a.starts[row + 1] ?? 0); at++)
      addScaled(
        result.value,
        row * columns,
        b.value,
        (a.column[at] ?? 0) * columns,
        columns,
        a.value[at] ?? 0
      )
  return result
}

/** The product of a sparse matrix's transpose and a dense matrix. */
export const transposedTimes = (a: Sparse, b: Dense): Dense => {
  const result = zeros(a.columns, b.columns)
  const { columns } = b
  for (let row = 0; row < a.rows; row++)
    for (let at = a.starts[row] ?? 0; at < (a.starts[row + 1] ?? 0); at++)
      addScaled(
        result.value,
        (a.column[at] ?? 0) * columns,
        b.value,
        row * columns,
        columns,
        a.value[at] ?? 0
      )
  return result
}
