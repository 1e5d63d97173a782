import { ptr } from "bun:ffi"
import { dot, quantize } from "../../../src/search/Quantize.ts"
import { interleaved, ms, report } from "../measure.ts"
import { clustered, quantized, queriesFor, type Vectors } from "./data.ts"
import { native } from "./native.ts"
import { floatsInSqlite, type Search, sqliteVec, usearch } from "./peers.ts"

/**
 * Times the top 20 of a query, with all contestants in turn: `bun test/bench/vectors/scan.ts [--million]`. Loads the peers
 * from `node_modules` of the folder in `VECTOR_PEERS`; compiles C with gcc.
 */

const WANTED = 20
const CANDIDATES = 60

const best = (scored: Array<{ readonly id: number; readonly score: number }>, k: number) =>
  scored
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
    .map(({ id }) => id)

/** Scans all rows in float32 and keeps the best in a short sorted list; `product` multiplies two rows. */
const inJavaScript =
  (
    { count, dimensions, floats }: Vectors,
    product: (floats: Float32Array, at: number, query: Float32Array) => number
  ) =>
  (query: Float32Array, k: number) => {
    const kept: Array<{ readonly id: number; readonly score: number }> = []
    let floor = Number.NEGATIVE_INFINITY
    for (let i = 0; i < count; i++) {
      const score = product(floats, i * dimensions, query)
      if (kept.length === k && score <= floor) continue
      let at = kept.length
      while (at > 0 && (kept[at - 1]?.score ?? score) < score) at--
      kept.splice(at, 0, { id: i + 1, score })
      if (kept.length > k) kept.pop()
      floor = kept.at(-1)?.score ?? floor
    }
    return kept.map(({ id }) => id)
  }

const naive = (floats: Float32Array, at: number, query: Float32Array) => {
  let sum = 0
  for (let k = 0; k < query.length; k++) sum += (floats[at + k] ?? 0) * (query[k] ?? 0)
  return sum
}

const unrolled = (floats: Float32Array, at: number, query: Float32Array) => {
  let x = 0
  let y = 0
  let z = 0
  let w = 0
  for (let k = 0; k < query.length; k += 4) {
    x += (floats[at + k] ?? 0) * (query[k] ?? 0)
    y += (floats[at + k + 1] ?? 0) * (query[k + 1] ?? 0)
    z += (floats[at + k + 2] ?? 0) * (query[k + 2] ?? 0)
    w += (floats[at + k + 3] ?? 0) * (query[k + 3] ?? 0)
  }
  return x + y + z + w
}

const c = native()

const inC = (
  { codes, scales }: ReturnType<typeof quantized>,
  { count, dimensions }: Vectors,
  scan: typeof c.nearest
): Search => {
  const rows = ptr(codes)
  const factors = ptr(scales)
  return (query, k) => {
    const slots = new Int32Array(k)
    scan(
      rows,
      factors,
      count,
      dimensions,
      ptr(quantize(query).codes),
      k,
      ptr(slots),
      ptr(new Float32Array(k))
    )
    return Array.from(slots, (slot) => slot + 1)
  }
}

const run = async (count: number, dimensions: number, rounds: number) => {
  const vectors = clustered(count, dimensions)
  const ours = quantized(vectors)
  const stored = floatsInSqlite(vectors)
  const candidates = (query: Float32Array) => ours.matrix.nearest(query, CANDIDATES).map(({ id }) => id)
  const searches: Record<string, Search | undefined> = {
    "C int8": inC(ours, vectors, c.nearest),
    "C int8, four streams": inC(ours, vectors, c.nearest_streams),
    "ours, codes only": (query, k) => ours.matrix.nearest(query, k).map(({ id }) => id),
    "ours + rescore": (query, k) =>
      best(
        candidates(query).map((id) => ({ id, score: dot(query, vectors.row(id - 1)) })),
        k
      ),
    "ours + rescore from SQLite": (query, k) =>
      best(
        stored(candidates(query)).map(({ id, vector }) => ({ id, score: dot(query, vector) })),
        k
      ),
    "JavaScript naive": inJavaScript(vectors, naive),
    "JavaScript unrolled": inJavaScript(vectors, unrolled),
    "sqlite-vec": sqliteVec(vectors),
    "usearch exact": await usearch(vectors)
  }
  const installed = Object.entries(searches).flatMap(([name, search]) =>
    search === undefined ? [] : [{ name, search }]
  )
  const queries = queriesFor(vectors, Math.min(3 * rounds, 60))
  const exact = queries.map((query) => new Set(inJavaScript(vectors, unrolled)(query, WANTED)))
  const recall = (search: Search) => {
    let hits = 0
    queries.forEach((query, i) => {
      for (const id of search(query, WANTED)) if (exact[i]?.has(id)) hits++
    })
    return hits / (WANTED * queries.length)
  }
  const recalls = new Map(installed.map(({ name, search }) => [name, recall(search)]))
  const turns = new Map<string, number>()
  const times = await interleaved(
    installed.map(({ name, search }) => ({
      name,
      run: () => {
        const turn = turns.get(name) ?? 0
        turns.set(name, turn + 1)
        return search(queries[turn % queries.length] ?? new Float32Array(dimensions), WANTED)
      }
    })),
    rounds,
    // Three in a row: the others have evicted the rows of the first from the caches.
    { block: 3, warmUp: Math.min(20, rounds) }
  )
  const base = times.get("C int8") ?? Number.NaN
  console.log(`\n${count.toLocaleString("en")} x ${dimensions}, top ${WANTED}; C is ${c.kind()}`)
  for (const name of Object.keys(searches)) {
    const time = times.get(name)
    console.log(
      time === undefined
        ? `  ${name.padEnd(28)} not installed`
        : `  ${name.padEnd(28)} ${ms(time).padStart(10)}  ${(time / base).toFixed(2).padStart(7)} x C  recall ${(recalls.get(name) ?? 0).toFixed(4)}`
    )
  }
  const rescored = times.get("ours + rescore") ?? Number.NaN
  if (count >= 100_000)
    report("top 20 over C int8", rescored / base, { most: count > 100_000 ? 1.8 : 1.3 }, ms(rescored))
  const peer = times.get("sqlite-vec")
  if (peer !== undefined) report("sqlite-vec over top 20", peer / rescored, { least: 18 }, ms(peer))
}

for (const dimensions of [384, 512]) {
  await run(10_000, dimensions, 100)
  await run(100_000, dimensions, 30)
  if (process.argv.includes("--million")) await run(1_000_000, dimensions, 6)
}
