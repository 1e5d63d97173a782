/** The owner's search and a stranger's, over HTTP and at growing sizes, against a LIKE scan of the same fields. */
import { Database } from "bun:sqlite"
import {
  meanwhile,
  median,
  memoryOf,
  ms,
  percentile,
  read,
  report,
  reportTimes,
  roundsOf,
  sizeOf,
  sizes,
  timed
} from "./harness.ts"
import { type Contestant, fileIn, libraryOf, withService } from "./services.ts"

/** Different words of each kind, searched once each, so that no result is cached. */
const WORDS = 40

/** Kinds of words by the least and the largest share of links that contain them. */
type Kinds = Readonly<Record<string, readonly [least: number, most: number]>>

/** Words of each kind as they are written in some texts, spread over all of them. */
const wordsOf = (texts: Iterable<string>, kinds: Kinds) => {
  const links = new Map<string, number>()
  let size = 0
  for (const text of texts) {
    size++
    for (const word of new Set(text.toLowerCase().match(/[a-z]{5,}/g)))
      links.set(word, (links.get(word) ?? 0) + 1)
  }
  const all = [...links].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return new Map(
    Object.entries(kinds).map(([kind, [least, most]]) => {
      const words = all.filter(([, held]) => held > 1 && held >= least * size && held < most * size)
      const step = Math.max(1, Math.floor(words.length / WORDS))
      return [kind, words.flatMap(([word], at) => (at % step === 0 ? [word] : [])).slice(0, WORDS)]
    })
  )
}

const textsIn = function* (database: Database, table: string, ...fields: ReadonlyArray<string>) {
  const rows = database.query<{ said: string }, []>(
    `SELECT ${fields.join(" || ' ' || ")} AS said FROM ${table}`
  )
  for (const { said } of rows.iterate()) yield said
}

/** Scans these fields of a table for a word. */
const scanOf = (database: Database, table: string, ...fields: ReadonlyArray<string>) => {
  database.run("PRAGMA mmap_size = 1073741824")
  const like = database.query(
    `SELECT count(*), max(id) FROM ${table} WHERE ${fields.map((field) => `${field} LIKE ?1`).join(" OR ")}`
  )
  return (word: string) => like.all(`%${word}%`)
}

/** Searches for each word once and scans for it, in turns; reports the ratio of the medians. */
const compare = async (
  what: string,
  words: ReadonlyArray<string>,
  search: (word: string) => Promise<unknown>,
  scan: (word: string) => unknown,
  most: number,
  more = ""
) => {
  const [searches, scans]: [Array<number>, Array<number>] = [[], []]
  for (const word of words) {
    searches.push((await timed(() => search(word))).took)
    scans.push((await timed(() => scan(word))).took)
  }
  if (words.length > 0)
    report(
      what,
      median(searches) / median(scans),
      { most },
      `p50 ${ms(median(searches))}, p99 ${ms(percentile(searches, 0.99))} / ${ms(median(scans))}${more}`
    )
}

const searchOf =
  ({ get }: Contestant) =>
  (word: string) =>
    get(`/links?limit=20&q=${encodeURIComponent(word)}`)

const atSize = async (size: number) => {
  const folder = await libraryOf(size)
  const database = new Database(fileIn(folder))
  const words = wordsOf(textsIn(database, "links", "title", "description", "text"), {
    "a rare word": [0, 0.001],
    "a word in 1 %": [0.005, 0.02],
    "a word in 5 to 10 %": [0.05, 0.1],
    "a very common word": [0.3, 1]
  })
  words.set("two letters", [...new Set([...words.values()].flat().map((word) => word.slice(0, 2)))])
  const fields = ["title", "tags", "note", "summary", "description", "url", "text"]
  const scan = scanOf(database, "links", ...fields)
  await withService({ folder }, async (service) => {
    const search = searchOf(service)
    for (let turn = 0; turn < roundsOf(10); turn++)
      for (const word of [...words.values()].flat()) await search(`${word}${turn}`)
    for (const [kind, some] of words) {
      // Every fourth word is searched for to see how long another request waits for it.
      const { of } = await meanwhile(
        { other: () => read(`${service.base}/healthz`) },
        async () => {
          for (const word of some.filter((_, at) => at % 4 === 3)) await search(word)
        },
        0
      )
      await compare(
        `${size} links, ${kind}, the whole search over HTTP / LIKE scan`,
        some.filter((_, at) => at % 4 !== 3),
        search,
        scan,
        1 / 25,
        `; another request waited ${ms(Math.max(0, ...of("other").times))} at most`
      )
    }
  })
  database.close()
}

export const search = async () => {
  for (const size of sizes(1_000, 10_000, 100_000)) await atSize(size)
}

const swapped = (word: string) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4)

/**
 * Public searches over a library of which every twentieth link is shared, and what an attack does to the owner's
 * searches.
 */
export const publicSearch = async () => {
  const size = sizeOf(100_000)
  const folder = await libraryOf(size)
  const database = new Database(fileIn(folder))
  database.run("UPDATE links SET shareable = 1 WHERE id % 20 = 0")
  const words = wordsOf(textsIn(database, "public_links", "title", "description"), {
    "a rare word": [0, 0.002],
    "a word in 0.5 to 3 %": [0.005, 0.03],
    "a common word": [0.03, 1]
  })
  const [rare = [], some = []] = words.values()
  words.set("a mistyped word", some.map(swapped))
  const unknown = some.map((word) => `${word}xq`)
  words.set("a word of private links only", unknown)
  const scan = scanOf(database, "public_links", "title", "tags", "summary", "description", "url")
  await withService({ folder }, async (service) => {
    const waiting = database.query<{ n: number }, []>("SELECT count(*) AS n FROM public_embedding_queue")
    while ((waiting.get()?.n ?? 0) > 0) await Bun.sleep(200)
    const before = memoryOf(service.pid)
    let client = 0
    const searchFor = (q: string) =>
      read(`${service.base}/list/api/links?q=${encodeURIComponent(q)}`, {
        "x-forwarded-for": `198.${18 + Math.floor(client / 60_000)}.${Math.floor(client / 250) % 240}.${client++ % 250}`
      })
    const first = await timed(() => searchFor("first"))
    const grown = memoryOf(service.pid) - before
    console.log(`the first public search starts the thread: ${ms(first.took)}, ${grown.toFixed(0)} MB`)
    for (let turn = 0; turn < roundsOf(3); turn++)
      for (const word of [...words.values()].flat()) await searchFor(`${word} ${turn}`)
    for (const [kind, of] of words)
      await compare(`public search, ${kind} / LIKE over the shared links`, of, searchFor, scan, 5)

    const search = searchOf(service)
    const owner = async (from: number) => {
      const times: Array<number> = []
      for (let n = from; n < from + 150; n++)
        times.push((await timed(() => search(`${some[n % some.length]}${n}`))).took)
      return times
    }
    const alone = await owner(0)
    const attack = () =>
      searchFor(
        [...rare, ...some]
          .map((word, at) => swapped(word) + ((client + at) % 7))
          .join(" ")
          .slice(0, 990)
      )
    const { of, value: beside } = await meanwhile({ one: attack, other: attack }, () => owner(1_000), 0)
    reportTimes(
      "the owner's search beside two strangers who send 110 mistyped words / alone",
      median(beside),
      median(alone),
      2.5,
      `; p99 ${ms(percentile(beside, 0.99))} / ${ms(percentile(alone, 0.99))}; an attack took p50 ${ms(median(of("one").times))}`
    )
  })
  database.close()
}
