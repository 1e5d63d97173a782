import type { Dense, Random } from "./LinearAlgebra.ts"

const CENTRES = 256
const SAMPLE = 16_000
const ROUNDS = 8

/** The centre nearest to a part of a row. */
const nearest = (centres: Float32Array, size: number, value: Float32Array, at: number): number => {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let centre = 0; centre < CENTRES; centre++) {
    let distance = 0
    for (let i = 0; i < size; i++) {
      const difference = (centres[centre * size + i] ?? 0) - (value[at + i] ?? 0)
      distance += difference * difference
    }
    if (distance < least) {
      least = distance
      best = centre
    }
  }
  return best
}

/**
 * Each row's direction as one of 256 centres for each of its parts, found by k-means (Lloyd 1982) on a sample, and the
 * scale by which the centres come nearest to the row.
 */
export const productCodes = ({ columns, rows, value }: Dense, parts: number, random: Random) => {
  const size = columns / parts
  const units = value.slice()
  const lengths = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    const own = units.subarray(row * columns, (row + 1) * columns)
    const length = Math.hypot(...own) + 1e-12
    lengths[row] = length
    for (let i = 0; i < columns; i++) own[i] = (own[i] ?? 0) / length
  }
  const sample = Int32Array.from({ length: Math.min(SAMPLE, rows) }, () => Math.floor(random() * rows))
  const centres = new Float32Array(CENTRES * columns)
  const codes = new Uint8Array(rows * parts)
  for (let part = 0; part < parts; part++) {
    const own = new Float32Array(CENTRES * size)
    for (let centre = 0; centre < CENTRES; centre++) {
      const from = (sample[Math.floor(random() * sample.length)] ?? 0) * columns + part * size
      own.set(units.subarray(from, from + size), centre * size)
    }
    for (let round = 0; round < ROUNDS; round++) {
      const sums = new Float64Array(CENTRES * size)
      const counts = new Int32Array(CENTRES)
      for (const row of sample) {
        const from = row * columns + part * size
        const centre = nearest(own, size, units, from)
        counts[centre] = (counts[centre] ?? 0) + 1
        for (let i = 0; i < size; i++)
          sums[centre * size + i] = (sums[centre * size + i] ?? 0) + (units[from + i] ?? 0)
      }
      for (let at = 0; at < own.length; at++) {
        const count = counts[Math.floor(at / size)] ?? 0
        if (count > 0) own[at] = (sums[at] ?? 0) / count
      }
    }
    centres.set(own, part * CENTRES * size)
    for (let row = 0; row < rows; row++)
      codes[row * parts + part] = nearest(own, size, units, row * columns + part * size)
  }
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    let [along, square] = [0, 1e-12]
    for (let i = 0; i < columns; i++) {
      const part = Math.floor(i / size)
      const centre = centres[(part * CENTRES + (codes[row * parts + part] ?? 0)) * size + (i % size)] ?? 0
      along += centre * (units[row * columns + i] ?? 0)
      square += centre * centre
    }
    scales[row] = ((lengths[row] ?? 0) * along) / square
  }
  return { centres, codes, scales }
}
