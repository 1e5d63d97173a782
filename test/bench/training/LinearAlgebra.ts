/** A deterministic uniform generator over [0, 1) (Mulberry32). */
export type Random = () => number

export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A draw from the normal distribution of mean 0 and variance 1 (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Draws an index in proportion to its weight. */
export const weighted = (weights: ReadonlyArray<number>, random: Random): (() => number) => {
  const sums = new Float64Array(weights.length)
  let total = 0
  weights.forEach((weight, at) => {
    total += weight
    sums[at] = total
  })
  return () => {
    const wanted = random() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** A sparse matrix in rows: row r has the columns and values from `starts[r]` up to `starts[r + 1]`. */
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

/** Adds `weight` times the row of `from` at `source` to the row of `into` at `target`. */
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

/** The product of a sparse matrix, or of its transpose, and a dense matrix. */
const multiply = (a: Sparse, b: Dense, isTransposed: boolean): Dense => {
  const { columns } = b
  const result = zeros(isTransposed ? a.columns : a.rows, columns)
  for (let row = 0; row < a.rows; row++)
    for (let at = a.starts[row] ?? 0; at < (a.starts[row + 1] ?? 0); at++) {
      const column = a.column[at] ?? 0
      const [to, from] = isTransposed ? [column, row] : [row, column]
      addScaled(result.value, to * columns, b.value, from * columns, columns, a.value[at] ?? 0)
    }
  return result
}
export const times = (a: Sparse, b: Dense): Dense => multiply(a, b, false)
export const transposedTimes = (a: Sparse, b: Dense): Dense => multiply(a, b, true)

/** The product of a matrix's transpose with the matrix, in 64-bit floats. */
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

/** The upper triangular R with RᵀR = the matrix, which must be positive definite (Cholesky). */
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

/** An orthonormal basis of the matrix's columns (Cholesky QR). */
const orthonormal = (matrix: Dense): Dense => {
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

const SWEEPS = 12
const SMALL = 1e-11

/** Rotates two rows of a matrix, or two columns: entry k of the two is at `first + k * step` and `second + k * step`. */
const turn = (
  matrix: Float64Array,
  [first, second, step]: readonly [number, number, number],
  [c, s]: readonly [number, number]
) => {
  const size = Math.sqrt(matrix.length)
  for (let k = 0; k < size; k++) {
    const x = matrix[first + k * step] ?? 0
    const y = matrix[second + k * step] ?? 0
    matrix[first + k * step] = c * x - s * y
    matrix[second + k * step] = s * x + c * y
  }
}

/** The eigenvalues of a symmetric matrix, largest first, and its eigenvectors in rows (Jacobi rotations). */
const eigen = (symmetric: Float64Array, size: number) => {
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
        turn(matrix, [p, q, size], [c, t * c])
        turn(matrix, [p * size, q * size, 1], [c, t * c])
        turn(vectors, [p * size, q * size, 1], [c, t * c])
      }
  const order = Array.from({ length: size }, (_, i) => i).sort(
    (a, b) => (matrix[b * size + b] ?? 0) - (matrix[a * size + a] ?? 0)
  )
  return {
    values: order.map((i) => matrix[i * size + i] ?? 0),
    vectors: order.map((i) => vectors.slice(i * size, (i + 1) * size))
  }
}

const SPARE = 24
const ROUNDS = 3

/**
 * The coordinates of a sparse matrix's rows in its strongest directions, times the square roots of their singular values, by
 * the randomized method of Halko, Martinsson and Tropp (2011) with three power iterations.
 */
export const strongest = (matrix: Sparse, dimensions: number, random: Random): Dense => {
  const wide = dimensions + SPARE
  const start = zeros(matrix.columns, wide)
  for (let i = 0; i < start.value.length; i++) start.value[i] = normal(random)
  let basis = start
  for (let round = 0; round < ROUNDS; round++) {
    basis = orthonormal(times(matrix, basis))
    basis = orthonormal(transposedTimes(matrix, basis))
  }
  const image = times(matrix, basis)
  const { values, vectors } = eigen(gram(image), wide)
  // The eigenvalues are squared singular values; U times the root of S is the image times V over the root.
  const turned = zeros(wide, dimensions)
  for (let to = 0; to < dimensions; to++)
    for (let from = 0; from < wide; from++)
      turned.value[from * dimensions + to] =
        (vectors[to]?.[from] ?? 0) / Math.max(values[to] ?? 0, 1e-12) ** 0.25
  return product(image, turned)
}
