import { type Matrix, makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { quantize } from "../../../src/search/Quantize.ts"

/** A deterministic generator of roughly uniform numbers from -0.5 to 0.5 (xorshift32). */
export const random = (seed: number) => {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 32
  }
}

const normalize = (vector: Float32Array) => {
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length
}

/** Unit vectors in rows of `dimensions` floats; row i has the id i + 1. */
export interface Vectors {
  readonly count: number
  readonly dimensions: number
  readonly floats: Float32Array
  readonly row: (i: number) => Float32Array
}

/** Unit vectors around `count / 50` centres, from near duplicates to loosely similar. */
export const clustered = (count: number, dimensions: number, seed = 7): Vectors => {
  const next = random(seed)
  const floats = new Float32Array(count * dimensions)
  const row = (i: number) => floats.subarray(i * dimensions, (i + 1) * dimensions)
  const centres = Array.from({ length: Math.ceil(count / 50) }, () => {
    const centre = new Float32Array(dimensions).map(next)
    normalize(centre)
    return centre
  })
  const size = 1 / Math.sqrt(dimensions / 12)
  for (let i = 0; i < count; i++) {
    const vector = row(i)
    const centre = centres[Math.floor((next() + 0.5) * centres.length)] ?? vector
    const spread = (0.3 + 1.4 * (next() + 0.5)) * size
    for (let k = 0; k < dimensions; k++) vector[k] = (centre[k] ?? 0) + spread * next()
    normalize(vector)
  }
  return { count, dimensions, floats, row }
}

/** Queries near some rows, and a few random ones. */
export const queriesFor = ({ count, dimensions, row }: Vectors, many: number) => {
  const next = random(99)
  return Array.from({ length: many }, (_, i) => {
    const query = new Float32Array(dimensions).map(next)
    normalize(query)
    if (i % 8 !== 7) {
      const near = row(Math.floor((next() + 0.5) * count))
      for (let k = 0; k < dimensions; k++) query[k] = 0.8 * (query[k] ?? 0) + (near[k] ?? 0)
      normalize(query)
    }
    return query
  })
}

/** The vectors as a matrix and as plain arrays for C. */
export const quantized = ({ count, dimensions, row }: Vectors) => {
  const matrix: Matrix = makeMatrix(dimensions)
  const codes = new Int8Array(count * dimensions)
  const scales = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    const { codes: own, scale } = quantize(row(i))
    matrix.set(i + 1, own, scale)
    codes.set(own, i * dimensions)
    scales[i] = scale
  }
  return { matrix, codes, scales }
}
