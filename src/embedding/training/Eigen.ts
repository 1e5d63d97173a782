const SWEEPS = 12
const SMALL = 1e-11

const turn = (matrix: Float64Array, size: number, p: number, q: number, c: number, s: number): void => {
  for (let k = 0; k < size; k++) {
    const x = matrix[p * size + k] ?? 0
    const y = matrix[q * size + k] ?? 0
    matrix[p * size + k] = c * x - s * y
    matrix[q * size + k] = s * x + c * y
  }
}

const turnColumns = (
  matrix: Float64Array,
  size: number,
  p: number,
  q: number,
  c: number,
  s: number
): void => {
  for (let k = 0; k < size; k++) {
    const x = matrix[k * size + p] ?? 0
    const y = matrix[k * size + q] ?? 0
    matrix[k * size + p] = c * x - s * y
    matrix[k * size + q] = s * x + c * y
  }
}

/**
 * The eigenvalues of a symmetric matrix, the greatest first, and its eigenvectors, a row each (Jacobi's
 * rotations).
 */
export const eigen = (symmetric: Float64Array, size: number) => {
  const matrix = symmetric.slice()
  const vectors = new Float64Array(size * size)
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        const off = matrix[p * size + q] ?? 0
        const high = matrix[p * size + p] ?? 0
        const low = matrix[q * size + q] ?? 0
        if (Math.abs(off) <= SMALL * Math.sqrt(Math.abs(high * low))) continue
        const theta = (low - high) / (2 * off)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        turnColumns(matrix, size, p, q, c, t * c)
        turn(matrix, size, p, q, c, t * c)
        turn(vectors, size, p, q, c, t * c)
      }
  const order = Array.from({ length: size }, (_, i) => i).sort(
    (a, b) => (matrix[b * size + b] ?? 0) - (matrix[a * size + a] ?? 0)
  )
  return {
    values: order.map((i) => matrix[i * size + i] ?? 0),
    vectors: order.map((i) => vectors.slice(i * size, (i + 1) * size))
  }
}
