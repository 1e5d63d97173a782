import type { Neighbour } from "../../../src/domain/Enrichment.ts"
import type { Listed } from "./libraries.ts"

/** The dot product of two vectors of equal length. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The `most` nearest other links of each link from `floor`, best first, by exhaustive search. */
export const nearestOthers = (
  links: ReadonlyArray<Pick<Listed, "id" | "vector">>,
  most: number,
  floor: number
): ReadonlyMap<number, ReadonlyArray<Neighbour>> => {
  const near = new Map<number, Array<Neighbour>>(links.map(({ id }) => [id, []]))
  links.forEach((one, i) => {
    for (let j = i + 1; j < links.length; j++) {
      const other = links[j]
      if (other === undefined) continue
      const similarity = dot(one.vector, other.vector)
      if (similarity < floor) continue
      near.get(one.id)?.push({ id: other.id, similarity })
      near.get(other.id)?.push({ id: one.id, similarity })
    }
  })
  return new Map(
    [...near].map(([id, all]) => [id, all.sort((a, b) => b.similarity - a.similarity).slice(0, most)])
  )
}
