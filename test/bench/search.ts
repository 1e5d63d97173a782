import { Database } from "bun:sqlite"
import { cpSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median, ms, percentile, report } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const SIZES = [1_000, 10_000, 100_000]
/** Different words of each kind, searched once each, so that no result is cached. */
const WORDS = 40
const FIELDS = ["title", "tags", "note", "summary", "description", "url", "text"]

type Kind = readonly [name: string, least: number, most: number]
/** Kinds of words by the share of links that contain them. */
const kinds: ReadonlyArray<Kind> = [
  ["a rare word", 0, 0.001],
  ["a word in 1 %", 0.005, 0.02],
  ["a word in 5 to 10 %", 0.05, 0.1],
  ["a very common word", 0.3, 1]
]

const spread = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / WORDS)) === 0).slice(0, WORDS)

/** Words of each kind as written in the links, and prefixes of two letters. */
const wordsOf = (
  database: Database,
  size: number
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const links = new Map<string, number>()
  const rows = database.query<{ all: string }, []>(
    "SELECT title || ' ' || description || ' ' || text AS 'all' FROM links"
  )
  for (const row of rows.iterate())
    for (const word of new Set(row.all.toLowerCase().match(/[a-z]{4,}/g)))
      links.set(word, (links.get(word) ?? 0) + 1)
  const all = [...links].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...kinds.map(
      ([name, least, most]) =>
        [
          name,
          spread(
            all
              .filter(([, held]) => held > 1 && held >= least * size && held < most * size)
              .map(([word]) => word)
          )
        ] as const
    ),
    ["two letters", spread([...new Set(all.map(([word]) => word.slice(0, 2)))])]
  ]
}

/** Puts every hundredth link into collection 1. */
const fileSome = (folder: string) => {
  const database = new Database(join(folder, "data", "library.db"))
  database.run("INSERT OR IGNORE INTO collections (id, name, created_at) VALUES (1, 'Some', '')")
  database.run("UPDATE links SET collection_id = 1 WHERE id % 100 = 0 AND collection_id IS NULL")
  database.close()
}

/** Goal 3 at one size: every kind of word over HTTP against a LIKE scan of the same fields. */
const atSize = async (size: number, folder: string) => {
  fileSome(folder)
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
  const searchFor = (word: string, more = "") =>
    get(`/dashboard/api/links?limit=20&q=${encodeURIComponent(word)}${more}`)
  /** The longest wait of another request during a search for `word`. */
  const waitDuring = async (word: string) => {
    let searching = true
    let longest = 0
    const others = (async () => {
      while (searching) longest = Math.max(longest, await get("/healthz"))
    })()
    await searchFor(word)
    searching = false
    await others
    return longest
  }
  const words = wordsOf(database, size)
  // Warms up compiled code.
  for (let turn = 0; turn < 10; turn++)
    for (const [, some] of words) for (const word of some) await searchFor(`${word}${turn}`)
  for (const [kind, some] of words) {
    const searches: Array<number> = []
    const scans: Array<number> = []
    const waits: Array<number> = []
    for (const [at, word] of some.entries()) {
      if (at % 4 === 3) {
        waits.push(await waitDuring(word))
        continue
      }
      searches.push(await searchFor(word))
      const start = performance.now()
      like.all(`%${word}%`)
      scans.push(performance.now() - start)
    }
    if (some.length === 0) continue
    report(
      `${size} links, ${kind}, the whole search over HTTP / LIKE scan`,
      median(searches) / median(scans),
      { most: 1 / 25 },
      `p50 ${ms(median(searches))}, p99 ${ms(percentile(searches, 0.99))} / ${ms(median(scans))}; another request waited ${ms(Math.max(0, ...waits))} at most`
    )
  }
  const common = words.find(([kind]) => kind === "a very common word")?.[1] ?? []
  const [everywhere, inOne]: [Array<number>, Array<number>] = [[], []]
  // Pairs, because the words themselves have been searched for.
  for (const [at, word] of common.entries()) {
    const pair = `${word} ${common[(at + 1) % common.length]}`
    everywhere.push(await searchFor(pair))
    inOne.push(await searchFor(pair, "&collection=1"))
  }
  report(
    `${size} links, very common words in a collection of 1 % / in the whole library`,
    median(inOne) / median(everywhere),
    { most: 1.5 },
    `${ms(median(inOne))} / ${ms(median(everywhere))}`
  )
  database.close()
  await service.stop()
}

/**
 * Hybrid search over HTTP at growing sizes of the library. `SEARCH_LIBRARY` names a library to reuse, of the largest
 * size, which then is the only one.
 */
export const search = async () => {
  const reused = process.env["SEARCH_LIBRARY"]
  if (reused !== undefined) {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
    cpSync(reused, folder, { recursive: true })
    return atSize(SIZES.at(-1) ?? 0, folder)
  }
  for (const size of SIZES) await atSize(size, (await makeLibrary(size)).folder)
}
