import { Database } from "bun:sqlite"
import { join } from "node:path"
import { median, ms, report } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const SIZES = [1_000, 10_000, 100_000]
/** Different words of a kind, each asked once, so that no answer is remembered. */
const WORDS = 40
const FIELDS = ["title", "tags", "note", "summary", "description", "url", "text"]

type Kind = readonly [name: string, least: number, most: number]
/** Kinds of words by the share of links that hold them. */
const kinds: ReadonlyArray<Kind> = [
  ["rare", 0, 0.001],
  ["1 %", 0.005, 0.02],
  ["5 to 10 %", 0.05, 0.1],
  ["very common", 0.3, 1]
]

const spread = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / WORDS)) === 0).slice(0, WORDS)

/** Words of each kind from the index itself, and beginnings of two letters. */
const wordsOf = (
  database: Database,
  size: number
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const all = database
    .query<{ term: string; doc: number }, []>("SELECT term, doc FROM links_words WHERE doc > 1")
    .all()
    .filter(({ term }) => /^[a-z]{3,}$/.test(term))
  const prefixes = [...new Set(all.map(({ term }) => term.slice(0, 2)))]
  return [
    ...kinds.map(
      ([name, least, most]) =>
        [
          name,
          spread(all.filter(({ doc }) => doc >= least * size && doc < most * size).map(({ term }) => term))
        ] as const
    ),
    ["two letters", spread(prefixes)]
  ]
}

const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** Goal 3 at one size: every kind of word over HTTP against the LIKE scan of the same fields of the same database. */
export const atSize = async (size: number, folder: string) => {
  const service = await startContestant({}, folder)
  const database = new Database(join(folder, "data", "library.db"), { readonly: true })
  database.run("PRAGMA mmap_size = 1073741824")
  const like = database.query(
    `SELECT count(*), max(id) FROM links WHERE ${FIELDS.map((field) => `${field} LIKE ?1`).join(" OR ")}`
  )
  const headers = { "cf-access-jwt-assertion": await service.world.gateway.token() }
  const get = async (path: string) => {
    const start = performance.now()
    await (await fetch(service.base + path, { headers })).arrayBuffer()
    return performance.now() - start
  }
  let waited = 0
  /** A search, and the longest another request waited meanwhile. */
  const searchFor = async (word: string) => {
    let searching = true
    const others = (async () => {
      while (searching) waited = Math.max(waited, await get("/healthz"))
    })()
    const took = await get(`/dashboard/api/links?limit=20&q=${encodeURIComponent(word)}`)
    searching = false
    await others
    return took
  }
  await get("/dashboard/api/links?limit=20&q=warm")
  for (const [kind, words] of wordsOf(database, size)) {
    const searches: Array<number> = []
    const scans: Array<number> = []
    waited = 0
    for (const word of words) {
      searches.push(await searchFor(word))
      const start = performance.now()
      like.all(`%${word}%`)
      scans.push(performance.now() - start)
    }
    if (words.length === 0) continue
    report(
      `${size} links, a ${kind} word, the whole search over HTTP / LIKE scan`,
      median(searches) / median(scans),
      { most: 1 / 25 },
      `p50 ${ms(median(searches))}, p99 ${ms(percentile(searches, 0.99))} / ${ms(median(scans))}; another request waited ${ms(waited)} at most`
    )
  }
  database.close()
  await service.stop()
}

/** Hybrid search over HTTP as the library grows. */
export const search = async () => {
  for (const size of SIZES) await atSize(size, (await makeLibrary(size)).folder)
}
