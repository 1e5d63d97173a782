import { describe, expect, test } from "bun:test"
import { makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { quantize } from "../../../src/search/Quantize.ts"
import { compared } from "./compared.ts"

/** Unit vectors in groups of three neighbours (xorshift32). */
const vectors = (count: number, dimensions: number) => {
  let state = 7
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 32
  }
  let centre = new Float32Array(dimensions)
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) centre = centre.map(next)
    const vector = centre.map((value) => value + 0.4 * next())
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  })
}

for (const dimensions of [17, 200])
  describe(`both kernel builds with ${dimensions} dimensions`, () => {
    const rows = vectors(900, dimensions)
    const [simd, portable] = (["simd", "portable"] as const).map((build) => {
      const matrix = makeMatrix(dimensions, build)
      rows.forEach((row, i) => {
        const { codes, scale } = quantize(row)
        matrix.set(i + 1, codes, scale)
      })
      matrix.remove(77)
      return matrix
    })
    if (simd === undefined || portable === undefined) throw new Error("two builds make two matrices")

    test("return bit-identical nearest rows, among all and among some", () => {
      const some = new Set(rows.map((_, i) => i + 1).filter((id) => id % 7 === 1))
      const mixed = rows
        .slice(0, 20)
        .map((row, i) => row.map((value, k) => value + (rows[3 * i + 1]?.[k] ?? 0)))
      for (const query of [...mixed, ...rows.slice(20, 30)]) {
        const nearest = simd.nearest(query, 25)
        expect(nearest.length).toBe(25)
        expect(portable.nearest(query, 25)).toEqual(nearest)
        expect(portable.nearest(query, 25, some)).toEqual(simd.nearest(query, 25, some))
      }
    })

    test("return the same pairs and neighbours", () => {
      for (const threshold of [0.6, 0.85]) {
        const pairs = simd.pairs(threshold, 0, simd.slots, 900)
        expect(pairs.length).toBeGreaterThan(100)
        expect(portable.pairs(threshold, 0, portable.slots, 900)).toEqual(pairs)
        expect(portable.pairs(threshold, 0, portable.slots, 1)).toEqual(
          simd.pairs(threshold, 0, simd.slots, 1)
        )
      }
      const [near, same] = [compared(simd, 4, 0.3), compared(portable, 4, 0.3)]
      const ids = rows.map((_, i) => i + 1).filter((id) => near.of(id).length > 0)
      expect(ids.length).toBe(899)
      for (const id of ids) expect(same.of(id)).toEqual(near.of(id))
    })
  })
