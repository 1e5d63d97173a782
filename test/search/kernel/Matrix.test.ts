import { describe, expect, test } from "bun:test"
import { type Comparison, helpCompare } from "../../../src/search/kernel/Comparison.ts"
import type { Build } from "../../../src/search/kernel/Kernel.ts"
import { type Matrix, makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { dot, quantize } from "../../../src/search/Quantize.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { sampleOf } from "../../support/tier.ts"
import { compared } from "./compared.ts"

// The portable build gives the same results: `Kernel.test.ts` compares the two.
const builds = sampleOf(["simd", "portable"] as const, 1)

const unit = (vector: Float32Array) => {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((value) => value / length)
}

/** Unit vectors in clusters of about twenty, so that they have neighbours. */
const vectors = (count: number, dimensions: number, seed = 1) => {
  const next = randomOf(seed)
  const anywhere = () => new Float32Array(dimensions).map(() => next() - 0.5)
  const centres = Array.from({ length: Math.ceil(count / 20) }, () => unit(anywhere()))
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(next() * centres.length)] ?? anywhere()
    const spread = 0.1 + 1.4 * next()
    const noise = unit(anywhere())
    return unit(centre.map((value, i) => value + spread * (noise[i] ?? 0)))
  })
}

const put = (matrix: Matrix, id: number, vector: Float32Array) => {
  const { codes, scale } = quantize(vector)
  matrix.set(id, codes, scale)
}

const filled = (all: ReadonlyArray<Float32Array>, build?: Build) => {
  const matrix = makeMatrix(all[0]?.length ?? 1, build)
  all.forEach((vector, i) => {
    put(matrix, i + 1, vector)
  })
  return matrix
}

const exact = (all: ReadonlyArray<Float32Array>, query: Float32Array, k: number) =>
  all
    .map((vector, i) => ({ id: i + 1, similarity: dot(vector, query) }))
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, k)

const ids = (matches: ReadonlyArray<{ readonly id: number }>) => matches.map(({ id }) => id)

/** A vector rebuilt from its codes, so that `dot` returns the similarity of the codes. */
const rounded = (vector: Float32Array) => {
  const { codes, scale } = quantize(vector)
  return Float32Array.from(codes, (code) => code * scale)
}

const pairKey = ({ a, b }: { readonly a: number; readonly b: number }) => (a < b ? `${a} ${b}` : `${b} ${a}`)

describe("a matrix", () => {
  for (const dimensions of sampleOf([15, 16, 17, 256, 300, 384, 512, 1024], 4))
    test(`returns the exact best 20 within its best 60 with ${dimensions} dimensions`, () => {
      const all = vectors(500, dimensions, dimensions)
      const matrix = filled(all)
      for (const query of [...all.slice(0, 5), ...vectors(5, dimensions, 99)]) {
        const near = new Set(ids(matrix.nearest(query, 60)))
        expect(ids(exact(all, query, 20)).filter((id) => !near.has(id))).toEqual([])
      }
    })

  test("ranks by sign with one dimension", () => {
    const matrix = filled([1, -1, 1].map((value) => Float32Array.of(value)))
    expect(ids(matrix.nearest(Float32Array.of(1), 3))).toEqual([1, 3, 2])
    expect(matrix.nearest(Float32Array.of(1), 3).map(({ similarity }) => Math.round(similarity))).toEqual([
      1, 1, -1
    ])
  })

  test("returns at most k rows by cosine similarity", () => {
    const all = vectors(50, 384)
    const matrix = filled(all)
    const query = all[7] ?? new Float32Array()
    const found = matrix.nearest(query, 500)
    expect(found.length).toBe(50)
    expect(found[0]?.id).toBe(8)
    for (const { id, similarity } of found)
      expect(similarity).toBeCloseTo(dot(query, all[id - 1] ?? query), 2)
    expect(found.map(({ similarity }) => similarity)).toEqual(
      found.map(({ similarity }) => similarity).sort((a, b) => b - a)
    )
    expect(matrix.nearest(query, 0)).toEqual([])
    expect(ids(matrix.nearest(query, 3))).toEqual(ids(found.slice(0, 3)))
  })

  for (const threshold of [0.9, 0.7, 0.4])
    test(`returns the pairs of an exhaustive search from ${threshold}, whole or in ranges`, () => {
      const all = vectors(700, 100, 5)
      const matrix = filled(all)
      const codes = all.map(rounded)
      matrix.remove(13)
      const naive: Array<string> = []
      for (let a = 0; a < all.length; a++)
        for (let b = a + 1; b < all.length; b++)
          if (a !== 12 && b !== 12 && dot(codes[a] ?? query0, codes[b] ?? query0) >= threshold + 1e-6)
            naive.push(`${a + 1} ${b + 1}`)
      expect(naive.length).toBeGreaterThan(100)
      const whole = matrix.pairs(threshold, 0, matrix.slots, all.length)
      const found = new Set(whole.map(pairKey))
      expect(found.size).toBe(whole.length)
      expect(naive.filter((pair) => !found.has(pair))).toEqual([])
      for (const { a, b, similarity } of whole) {
        expect(similarity).toBeGreaterThanOrEqual(threshold)
        expect(similarity).toBeCloseTo(dot(codes[a - 1] ?? query0, codes[b - 1] ?? query0), 5)
      }
      const ranges = [0, 1, 100, 103, 420, 690].flatMap((from, i, edges) =>
        matrix.pairs(threshold, from, edges[i + 1] ?? matrix.slots, all.length)
      )
      expect(ranges.map(pairKey).sort()).toEqual([...found].sort())
    })

  for (const build of builds)
    test(`overlooks few near rows with a filter, and reports no others, in the ${build} build`, () => {
      // Most of the length is in the first half, as in real vectors.
      const all = vectors(1_000, 256, 4).map((one) => unit(one.map((value, i) => (i < 128 ? 2 : 1) * value)))
      const matrix = filled(all, build)
      const rowsWith = (large?: number) => {
        const near = compared(matrix, 8, 0.4, large === undefined ? {} : { large })
        return all.map((_, i) => ({ id: i + 1, matches: near.of(i + 1) }))
      }
      const filtered = new Map(rowsWith(0).map(({ id, matches }) => [id, matches]))
      const near = rowsWith().flatMap(({ id, matches }) => matches.map((match) => ({ id, match })))
      expect(near.length).toBeGreaterThan(3_000)
      const kept = near.filter(({ id, match }) => filtered.get(id)?.some((one) => one.id === match.id))
      expect(kept.length / near.length).toBeGreaterThan(0.99)
      const codes = all.map(rounded)
      for (const [id, matches] of filtered)
        for (const match of matches)
          expect(match.similarity).toBeCloseTo(dot(codes[id - 1] ?? query0, codes[match.id - 1] ?? query0), 5)
    })

  test("finds the nearest other rows of each row, each pair compared once", () => {
    for (const count of [1, 2, 127, 128, 129, 700]) {
      const all = vectors(count, 96, 8)
      const matrix = filled(all)
      const gone = count > 2 ? 2 : 0
      matrix.remove(gone)
      const codes = all.map(rounded)
      const similarities = codes.map((one) => codes.map((other) => dot(one, other)))
      for (const [k, floor] of [
        [5, -1],
        [5, 0.4],
        [1, 0.2],
        [1_000, 0.2]
      ] as const) {
        const near = compared(matrix, k, floor)
        expect(near.of(gone)).toEqual([])
        for (const id of all.map((_, i) => i + 1).filter((id) => id !== gone)) {
          const matches = near.of(id)
          const naive = (similarities[id - 1] ?? []).filter(
            (similarity, i) => i + 1 !== id && i + 1 !== gone && similarity >= floor
          )
          const nearest = naive.sort((a, b) => b - a).slice(0, k)
          expect(matches.length).toBe(nearest.length)
          const errors = matches.map(({ similarity }, i) => Math.abs(similarity - (nearest[i] ?? Number.NaN)))
          expect(Math.max(0, ...errors)).toBeLessThan(1e-5)
          for (const match of matches)
            expect(similarities[id - 1]?.[match.id - 1]).toBeCloseTo(match.similarity, 5)
        }
      }
      // The memory behind the rows is theirs again.
      put(matrix, 5_000, vectors(1, 96, 9)[0] ?? query0)
      expect(matrix.size).toBe(count > 2 ? count : count + 1)
    }
    expect(compared(makeMatrix(16), 5, 0).of(1)).toEqual([])
  })

  for (const build of builds)
    test(`finds the same with the help of other threads, in the ${build} build`, () => {
      const matrix = filled(vectors(3_000, 32, 6), build)
      const alone = compared(matrix, 8, 0.4, { large: 0 })
      const found = (near: typeof alone) => Array.from({ length: 3_000 }, (_, i) => near.of(i + 1))
      const expected = found(alone)
      const helpers: Array<Generator<number, void>> = []
      const share = (comparison: Comparison) => {
        helpers.push(helpCompare(comparison), helpCompare(comparison))
      }
      const own = matrix.compareAll(8, 0.4, { large: 0, share })
      let turns = 0
      let step = own.next()
      for (; !step.done; step = own.next())
        for (const [i, helper] of helpers.entries())
          for (let turn = 0; turn < (turns + i) % 4; turn++) if (!helper.next().done) turns++
      expect(turns).toBeGreaterThan(30)
      expect(found(step.value)).toEqual(expected)
    })
})

const query0 = new Float32Array()

test("no product overflows with the largest codes", () => {
  for (const build of builds)
    for (const dimensions of [384, 1024, 4096]) {
      const vector = new Float32Array(dimensions).fill(-1 / Math.sqrt(dimensions))
      const matrix = filled([vector, vector.map((value) => -value)], build)
      expect(matrix.nearest(vector, 2).map(({ similarity }) => similarity.toFixed(3))).toEqual([
        "1.000",
        "-1.000"
      ])
      expect(matrix.pairs(-1.001, 0, 2, 1)[0]?.similarity).toBeCloseTo(-1, 5)
    }
})

for (const build of builds)
  describe(`the rows of the ${build} matrix`, () => {
    const [a = query0, b = query0, c = query0, d = query0] = vectors(4, 32, 3)

    test("are added, replaced and removed", () => {
      const matrix = filled([a, b], build)
      expect([matrix.size, matrix.vector(3)]).toEqual([2, undefined])
      put(matrix, 1, c)
      expect(matrix.size).toBe(2)
      expect(matrix.nearest(c, 1)[0]?.id).toBe(1)
      expect(matrix.vector(1)).toEqual(rounded(c))
      matrix.remove(1)
      matrix.remove(1)
      expect([matrix.size, matrix.vector(1)]).toEqual([1, undefined])
      expect(ids(matrix.nearest(c, 9))).toEqual([2])
      expect(ids(matrix.nearest(c, 9, new Set([1, 2])))).toEqual([2])
    })

    test("reuse the slots of removed rows", () => {
      const matrix = filled([a, b, c], build)
      matrix.remove(2)
      matrix.remove(1)
      put(matrix, 70, d)
      put(matrix, 71, a)
      expect([matrix.slots, matrix.size]).toEqual([3, 3])
      put(matrix, 72, b)
      expect(matrix.slots).toBe(4)
      expect(ids(matrix.nearest(d, 9)).sort()).toEqual([3, 70, 71, 72])
    })

    test("never match if they are zero", () => {
      const matrix = filled([a, new Float32Array(32), b], build)
      expect([matrix.size, matrix.vector(2)]).toEqual([3, new Float32Array(32)])
      expect(ids(matrix.nearest(a, 9)).sort()).toEqual([1, 3])
      expect(ids(matrix.nearest(a, 9, new Set([2])))).toEqual([])
      expect(matrix.pairs(-1, 0, 3, 9).map(pairKey)).toEqual(["1 3"])
      const near = compared(matrix, 2, -1)
      expect([1, 2, 3].map((id) => ids(near.of(id)))).toEqual([[3], [], [1]])
      put(matrix, 2, a)
      expect(ids(matrix.nearest(a, 9)).sort()).toEqual([1, 2, 3])
    })

    test("keep their most similar pairs within the limit", () => {
      const matrix = filled(vectors(700, 16), build)
      const all = matrix.pairs(-1, 0, matrix.slots, 700)
      expect(all).toHaveLength((700 * 699) / 2)
      const kept = Map.groupBy(matrix.pairs(-1, 0, matrix.slots, 40), ({ a }) => a)
      for (const [a, row] of Map.groupBy(all, ({ a }) => a)) {
        const best = row.map(({ similarity }) => similarity).sort((x, y) => y - x)
        const similarities = (kept.get(a) ?? []).map(({ similarity }) => similarity)
        expect(similarities.toSorted((x, y) => y - x)).toEqual(best.slice(0, 40))
      }
    })

    test("match no zero or non-finite query", () => {
      const matrix = filled([a], build)
      expect(matrix.nearest(new Float32Array(32), 5)).toEqual([])
      expect(matrix.nearest(a.with(3, Number.NaN), 5)).toEqual([])
      expect(makeMatrix(32, build).nearest(a, 5)).toEqual([])
    })

    test("must have the dimensions of the matrix", () => {
      const matrix = makeMatrix(32, build)
      expect(() => matrix.set(1, new Int8Array(31), 1)).toThrow("31")
      expect(() => matrix.nearest(new Float32Array(33), 1)).toThrow("33")
      expect(() => makeMatrix(0)).toThrow("0")
    })

    test("survive a growth of the memory", () => {
      const dimensions = 1_024
      const matrix = makeMatrix(dimensions, build)
      const vectorOf = (id: number) =>
        new Float32Array(dimensions).with(id % dimensions, 1).with((5 * id + (id >> 10)) % dimensions, 0.5)
      // 9.6 MB: the memory grows twice.
      for (let id = 1; id <= 9_400; id++) put(matrix, id, vectorOf(id))
      expect([matrix.size, matrix.slots]).toEqual([9_400, 9_400])
      for (const id of [1, 4_000, 9_400]) {
        expect(matrix.vector(id)).toEqual(rounded(vectorOf(id)))
        expect(ids(matrix.nearest(vectorOf(id), 20))).toContain(id)
        expect(ids(matrix.nearest(vectorOf(id), 1, new Set([5, id, 9_401])))).toEqual([id])
      }
    })
  })

describe("a search among ids", () => {
  const all = vectors(3000, 64, 11)
  const matrix = filled(all)
  const query = all[50] ?? query0
  const among = (accept: (id: number) => boolean) =>
    exact(all.map(rounded), query, 3000)
      .filter(({ id }) => accept(id))
      .slice(0, 10)

  for (const [name, accept] of [
    ["nearly all", (id: number) => id !== 51],
    ["half", (id: number) => id % 2 === 0],
    ["few", (id: number) => id % 500 === 0],
    ["none", () => false]
  ] as const)
    test(`returns the best of ${name}`, () => {
      const set = new Set(all.map((_, i) => i + 1).filter(accept))
      expect(ids(matrix.nearest(query, 10, set))).toEqual(ids(among(accept)))
    })

  test("ignores unknown ids", () => {
    expect(ids(matrix.nearest(query, 5, new Set([51, 9_999])))).toEqual([51])
  })
})
