import { eigen } from "./Eigen.ts"
import { gram, orthonormal, product } from "./Linear.ts"
import { normal, type Random } from "./Random.ts"
import { type Dense, type Sparse, times, transposedTimes, zeros } from "./Sparse.ts"

const SPARE = 24
const ROUNDS = 3

/**
 * The rows' coordinates on a sparse matrix's strongest directions, each times the square root of its singular
 * value, by the randomized method of Halko, Martinsson and Tropp (2011) with three rounds of power iteration.
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
