import type { Neighbour } from "../../src/domain/Enrichment.ts"

const DIMENSIONS = 128

const random = (seed: number) => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 31
  }
}

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Unit vectors that are near to nothing, with numbers from `first` on. */
export const noise = (count: number, first: number): ReadonlyMap<number, Float32Array> => {
  const next = random(first * 7_919 + 1)
  return new Map(
    Array.from({ length: count }, (_, i) => [first + i, unit(new Float32Array(DIMENSIONS).map(next))])
  )
}

/** Groups of unit vectors about a centre each, numbered from 1 on; two of a group have about the square of `nearness`. */
export const topics = (sizes: ReadonlyArray<number>, nearness = 0.8): ReadonlyMap<number, Float32Array> => {
  const centres = [...noise(sizes.length, 1_000_000).values()]
  const all = [
    ...noise(
      sizes.reduce((sum, size) => sum + size, 0),
      1
    )
  ]
  const topicOf = sizes.flatMap((size, topic) => Array.from({ length: size }, () => topic))
  return new Map(
    all.map(([id, own], i) => {
      const centre = centres[topicOf[i] ?? 0] ?? own
      const rest = Math.sqrt(1 - nearness ** 2)
      return [id, unit(own.map((value, k) => rest * value + nearness * (centre[k] ?? 0)))]
    })
  )
}

/** Each vector's `most` nearest others at `floor` or above, best first. */
export const neighboursAmong = (
  vectors: ReadonlyMap<number, Float32Array>,
  most: number,
  floor: number
): ReadonlyMap<number, ReadonlyArray<Neighbour>> =>
  new Map(
    [...vectors].map(([id, vector]) => {
      const others: Array<Neighbour> = []
      for (const [other, its] of vectors) {
        let similarity = 0
        for (let i = 0; i < DIMENSIONS; i++) similarity += (vector[i] ?? 0) * (its[i] ?? 0)
        if (other !== id && similarity >= floor) others.push({ id: other, similarity })
      }
      return [id, others.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, most)]
    })
  )
