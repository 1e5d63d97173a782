import { describe, expect, test } from "bun:test"
import { fastestBuild, makeKernel } from "../../../src/search/kernel/Kernel.ts"
import { attachMatrix, makeMatrix, type Pair } from "../../../src/search/kernel/Matrix.ts"
import { openMemory } from "../../../src/search/kernel/MatrixMemory.ts"
import { quantize } from "../../../src/search/Quantize.ts"

/** Unit vectors near one another in threes (xorshift32). */
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

const DIMENSIONS = 200
const rows = vectors(900, DIMENSIONS)
const queries = rows.slice(0, 20).map((row, i) => row.map((value, k) => value + (rows[3 * i + 1]?.[k] ?? 0)))

const filled = (build: "plain" | "portable") => {
  const matrix = makeMatrix(DIMENSIONS, build)
  rows.forEach((row, i) => {
    const { codes, scale } = quantize(row)
    matrix.set(i + 1, codes, scale)
  })
  matrix.remove(77)
  return matrix
}

const inOrder = (pairs: ReadonlyArray<Pair>) =>
  pairs.toSorted((one, other) => one.a - other.a || one.b - other.b)

describe("the build that is chosen", () => {
  const asked = (answers: ReadonlyArray<boolean>) => {
    const given = answers.values()
    return fastestBuild(() => given.next().value ?? false)
  }

  test("is the fastest that the engine takes, and needs no SIMD where it takes none", () => {
    expect(asked([true])).toBe("relaxed")
    expect(asked([false, true])).toBe("plain")
    expect(asked([false, false])).toBe("portable")
  })

  test("is asked for by the bytes of each kernel", async () => {
    const sizes: Array<number> = []
    fastestBuild((bytes) => sizes.push(bytes.length) === 0)
    const folder = `${import.meta.dir}/../../../src/search/kernel`
    expect(sizes).toEqual(
      ["kernel-relaxed.wasm", "kernel.wasm"].map((file) => Bun.file(`${folder}/${file}`).size)
    )
  })
})

for (const [writer, reader] of [
  ["plain", "portable"],
  ["portable", "plain"]
] as const)
  describe(`what the ${writer} build wrote, read by the ${reader} build`, () => {
    const matrix = filled(writer)
    const other = attachMatrix(matrix.share, reader)

    test("is the same rows", () => {
      for (const id of [1, 2, 500, 900]) expect(other.codes(id)).toEqual(matrix.codes(id))
      expect(other.codes(77)).toBeUndefined()
    })

    test("is as near to the last bit, among all and among some", () => {
      for (const query of queries) {
        const nearest = matrix.nearest(query, 25)
        expect(nearest.length).toBe(25)
        expect(other.nearest(query, 25)).toEqual(nearest)
        const some = new Set(rows.map((_, i) => i + 1).filter((id) => id % 7 === 1))
        expect(other.nearest(query, 25, some)).toEqual(matrix.nearest(query, 25, some))
      }
    })

    test("has the same pairs and neighbours", () => {
      for (const threshold of [0.6, 0.85]) {
        const pairs = inOrder(matrix.pairs(threshold, 0, matrix.slots))
        expect(pairs.length).toBeGreaterThan(100)
        expect(inOrder(other.pairs(threshold, 0, other.slots))).toEqual(pairs)
      }
      const neighbours = matrix.neighbours(4, 0, matrix.slots, 0.3)
      expect(neighbours.length).toBe(899)
      expect(other.neighbours(4, 0, other.slots, 0.3)).toEqual(neighbours)
    })
  })

describe("the portable kernel's exports", () => {
  const matrix = filled("plain")
  const { allocate, bytes, doubles, floats, stride, table, words } = openMemory(
    DIMENSIONS,
    matrix.share.memory
  )
  const heap = (capacity: number) => {
    const at = allocate(16 + 8 * capacity)
    words()[(at >> 2) + 1] = capacity
    floats()[(at >> 2) + 2] = Number.NEGATIVE_INFINITY
    return at
  }
  const [plain, portable] = (["plain", "portable"] as const).map((build) => {
    const kernel = makeKernel(matrix.share.memory, build)
    kernel.attach(table, stride, allocate(64 + 320 * stride * 2 + 8192))
    return kernel
  })
  if (plain === undefined || portable === undefined) throw new Error("two builds make two kernels")

  test("round a query as the plain build does, halves to even, and refuse what is not one", () => {
    const query = allocate(4 * stride)
    const prepared = (kernel: typeof plain, most: number) => {
      const at = allocate(3 * stride)
      const scale = kernel.prepare(query, at, at + 2 * stride, most)
      return { scale, bytes: bytes().slice(at, at + 3 * stride) }
    }
    const halves = Float32Array.from({ length: DIMENSIONS }, (_, i) => (i % 2 === 0 ? 0.5 : -0.5) * (i % 127))
    for (const vector of [halves.with(0, 63), ...queries, halves.with(3, Number.NaN), halves.with(3, 1e39)])
      for (const most of [63, 4095, 32767]) {
        floats().set(vector, query >> 2)
        expect(prepared(portable, most)).toEqual(prepared(plain, most))
      }
  })

  test("fill heaps entry by entry as the plain build does, and rank again what another heap holds", () => {
    const query = allocate(4 * stride)
    floats().set(queries[0] ?? [], query >> 2)
    const wide = allocate(3 * stride)
    expect(plain.prepare(query, wide, wide + 2 * stride, 4095)).toBeGreaterThan(0)
    const seen = (kernel: typeof plain) => {
      const candidates = heap(60)
      const ranked = heap(20)
      kernel.scanInOrder(0, matrix.slots, wide, candidates)
      kernel.refine(candidates, wide, ranked)
      return [
        bytes().slice(candidates, candidates + 16 + 8 * 60),
        bytes().slice(ranked, ranked + 16 + 8 * 20)
      ]
    }
    expect(seen(portable)).toEqual(seen(plain))
  })

  test("give pairs a buffer at a time, none twice and none left out", () => {
    const room = 256 * 16
    const out = allocate(room)
    const found = new Set<string>()
    let pairs = 0
    let turns = 0
    portable.packA(0, 256, 8)
    for (let next = 0; next < matrix.slots; turns++) {
      next = portable.pairs(next, matrix.slots, -2, out, out + room)
      for (let at = out; at < portable.foundUpTo(); at += 16, pairs++) {
        expect(doubles()[(at >> 3) + 1]).toBeGreaterThan(-1.01)
        found.add(`${words()[at >> 2]} ${words()[(at >> 2) + 1]}`)
      }
    }
    // All pairs of 256 rows and those with the 644 later ones, but for the dead row's.
    const among = (255 * 254) / 2
    expect(pairs).toBe(among + 255 * 644)
    expect(found.size).toBe(pairs)
    expect(turns).toBeGreaterThan(600)
    expect(portable.tested()).toBe(pairs)
    expect(portable.tested()).toBe(0)
  })

  test("look no further at pairs whose beginning says that they are far apart", () => {
    const tested = (least: number) => {
      const out = allocate(1 << 22)
      portable.packA(0, 256, 8)
      portable.pairs(0, matrix.slots, least, out, out + (1 << 22))
      return portable.tested()
    }
    expect(tested(0.9)).toBeLessThan(tested(-2) / 20)
  })
})
