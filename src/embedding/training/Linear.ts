import { addScaled, type Dense, zeros } from "./Sparse.ts"

/**
 * The product of a matrix's transpose with itself, in 64-bit floats: square, a row a column of the matrix.
 */
export const gram = ({ columns, rows, value }: Dense): Float64Array => {
  const result = new Float64Array(columns * columns)
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < columns; i++) {
      const factor = value[row * columns + i] ?? 0
      const target = i * columns
      const source = row * columns
      for (let j = i; j < columns; j++)
        result[target + j] = (result[target + j] ?? 0) + factor * (value[source + j] ?? 0)
    }
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < i; j++) result[i * columns + j] = result[j * columns + i] ?? 0
  return result
}

/** The upper triangle R with RᵀR = the matrix, which must be positive (Cholesky). */
const triangle = (matrix: Float64Array, size: number): Float64Array => {
  const r = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = i; j < size; j++) {
      let sum = matrix[i * size + j] ?? 0
      for (let k = 0; k < i; k++) sum -= (r[k * size + i] ?? 0) * (r[k * size + j] ?? 0)
      r[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (r[i * size + i] ?? 1)
    }
  return r
}

/** Columns at right angles, of length 1, that span what the matrix's columns span (QR by way of Cholesky). */
export const orthonormal = (matrix: Dense): Dense => {
  const { columns, rows, value } = matrix
  const r = triangle(gram(matrix), columns)
  const result = zeros(rows, columns)
  const own = new Float64Array(columns)
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) own[i] = value[row * columns + i] ?? 0
    for (let i = 0; i < columns; i++) {
      const solved = (own[i] ?? 0) / (r[i * columns + i] ?? 1)
      own[i] = solved
      for (let j = i + 1; j < columns; j++) own[j] = (own[j] ?? 0) - solved * (r[i * columns + j] ?? 0)
    }
    result.value.set(own, row * columns)
  }
  return result
}

/** The product of two dense matrices. */
export const product = (a: Dense, b: Dense): Dense => {
  const result = zeros(a.rows, b.columns)
  for (let row = 0; row < a.rows; row++)
    for (let i = 0; i < a.columns; i++) {
      const factor = a.value[row * a.columns + i] ?? 0
      addScaled(result.value, row * b.columns, b.value, i * b.columns, b.columns, factor)
    }
  return result
}
