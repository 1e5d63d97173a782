import { dlopen, ptr } from "bun:ffi"
import { join } from "node:path"
import { makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { dot, quantize } from "../../../src/search/Quantize.ts"
import { interleaved, newFolder, report, reportTimes, sizeOf, sizes } from "../harness.ts"
import { seeded } from "../training/LinearAlgebra.ts"

const WANTED = 20
const CANDIDATES = 60
/** Rows whose pairs are compared, in blocks of so many; more pairs than any row has at 0.8. */
const COMPARED = 30_000
const BLOCK = 256
const MOST_PAIRS = 500

/** A deterministic generator of numbers from -0.5 to 0.5. */
const random = (seed: number) => {
  const next = seeded(seed)
  return () => next() - 0.5
}

const normalize = (vector: Float32Array) => {
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length
  return vector
}

/** Unit vectors around `count / 50` centres, from near duplicates to loosely similar, also as codes; row i has id i + 1. */
const clustered = (count: number, dimensions: number) => {
  const next = random(7)
  const floats = new Float32Array(count * dimensions)
  const row = (i: number) => floats.subarray(i * dimensions, (i + 1) * dimensions)
  const centres = Array.from({ length: Math.ceil(count / 50) }, () =>
    normalize(new Float32Array(dimensions).map(next))
  )
  const matrix = makeMatrix(dimensions)
  const codes = new Int8Array(count * dimensions)
  const scales = new Float32Array(count)
  const size = 1 / Math.sqrt(dimensions / 12)
  for (let i = 0; i < count; i++) {
    const vector = row(i)
    const centre = centres[Math.floor((next() + 0.5) * centres.length)] ?? vector
    const spread = (0.3 + 1.4 * (next() + 0.5)) * size
    for (let k = 0; k < dimensions; k++) vector[k] = (centre[k] ?? 0) + spread * next()
    normalize(vector)
    const { codes: own, scale } = quantize(vector)
    matrix.set(i + 1, own, scale)
    codes.set(own, i * dimensions)
    scales[i] = scale
  }
  return { count, dimensions, row, matrix, codes, scales }
}
type Vectors = ReturnType<typeof clustered>

/** Queries near some rows, and a few random ones. */
const queriesFor = ({ count, dimensions, row }: Vectors, many: number) => {
  const next = random(99)
  return Array.from({ length: many }, (_, i) => {
    const query = normalize(new Float32Array(dimensions).map(next))
    if (i % 8 === 7) return query
    const near = row(Math.floor((next() + 0.5) * count))
    return normalize(query.map((value, k) => 0.8 * value + (near[k] ?? 0)))
  })
}

/** Compiles `scan.c` for this processor and loads it. */
const native = () => {
  const library = join(newFolder(), "scan.so")
  const command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", join(import.meta.dir, "scan.c")]
  const built = Bun.spawnSync([...command, "-o", library])
  if (!built.success) throw new Error(built.stderr.toString())
  return dlopen(library, {
    kind: { args: [], returns: "cstring" },
    nearest: { args: ["ptr", "ptr", "i32", "i32", "ptr", "i32", "ptr", "ptr"], returns: "void" },
    pairs: { args: ["ptr", "ptr", "i32", "i32", "f32"], returns: "i64" }
  }).symbols
}

/** The ids of the rows with the best products, best first. */
const bestOf = (ids: ReadonlyArray<number>, row: Vectors["row"], query: Float32Array) =>
  ids
    .map((id) => ({ id, score: dot(query, row(id - 1)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, WANTED)
    .map(({ id }) => id)

const nearest = async (c: ReturnType<typeof native>, count: number, dimensions: number, rounds: number) => {
  const vectors = clustered(count, dimensions)
  const { codes, matrix, row, scales } = vectors
  const all = Array.from({ length: count }, (_, i) => i + 1)
  const inC = (query: Float32Array) => {
    const slots = new Int32Array(WANTED)
    const own = ptr(quantize(query).codes)
    const scores = ptr(new Float32Array(WANTED))
    c.nearest(ptr(codes), ptr(scales), count, dimensions, own, WANTED, ptr(slots), scores)
  }
  const ours = (query: Float32Array) =>
    bestOf(
      matrix.nearest(query, CANDIDATES).map(({ id }) => id),
      row,
      query
    )
  const queries = queriesFor(vectors, Math.min(3 * rounds, 60))
  let hits = 0
  for (const query of queries) {
    const exact = new Set(bestOf(all, row, query))
    hits += ours(query).filter((id) => exact.has(id)).length
  }
  const recall = hits / (WANTED * queries.length)
  const inTurn = (search: (query: Float32Array) => unknown) => {
    let turn = 0
    return () => search(queries[turn++ % queries.length] ?? new Float32Array(dimensions))
  }
  // Three in a row: the other has evicted the rows of the first from the caches.
  const of = await interleaved({ c: inTurn(inC), ours: inTurn(ours) }, rounds, { block: 3 })
  const what = `top ${WANTED} of ${count} x ${dimensions} / C int8 (${c.kind()})`
  reportTimes(what, of("ours"), of("c"), count > 100_000 ? 1.8 : 1.3)
  report("its recall", recall, { least: 0.999 }, "")
}

const pairs = async (c: ReturnType<typeof native>, count: number, dimensions: number) => {
  const { codes, matrix, scales } = clustered(count, dimensions)
  for (const threshold of [0.8, 0.5]) {
    let found = 0
    const ours = () => {
      found = 0
      for (let from = 0; from < matrix.slots; from += BLOCK)
        found += matrix.pairs(threshold, from, from + BLOCK, MOST_PAIRS).length
    }
    const inC = () => c.pairs(ptr(codes), ptr(scales), count, dimensions, threshold)
    const of = await interleaved({ c: inC, ours }, 5, { warmUp: 1 })
    const what = `all pairs of ${count} x ${dimensions} at ${threshold} / one-core C`
    reportTimes(what, of("ours"), of("c"), 1.05, `; ${found} pairs`)
  }
}

/** The kernel against C on one core: the top 20 of a query with its recall, and all pairs. C is compiled with gcc. */
export const vectors = async () => {
  const c = native()
  for (const dimensions of [384, 512])
    for (const count of sizes(10_000, 100_000, 1_000_000))
      await nearest(c, count, dimensions, count > 100_000 ? 6 : count > 10_000 ? 30 : 100)
  await pairs(c, sizeOf(COMPARED), 512)
}
