import { Database } from "bun:sqlite"
import { join } from "node:path"
import { memoryOf } from "./footprint.ts"
import { median, ms, percentile, report } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const SIZE = 100_000
const SHARED_EVERY = 20
const WORDS = 60
const FIELDS = ["title", "tags", "summary", "description", "url"]

/** Shares every twentieth link and prints the duration, with its copy, words and trigrams. */
const share = (file: string) => {
  const database = new Database(file)
  database.run("PRAGMA synchronous = FULL")
  const start = performance.now()
  const { changes } = database.run(`UPDATE links SET shareable = 1 WHERE id % ${SHARED_EVERY} = 0`)
  const took = performance.now() - start
  const check = performance.now()
  database
    .query(
      `SELECT (SELECT count(*) FROM (SELECT * FROM shared_links EXCEPT SELECT * FROM public_links))
        + (SELECT count(*) FROM public_links WHERE id NOT IN (SELECT id FROM links WHERE shareable = 1))`
    )
    .get()
  console.log(
    `${changes} links shared in one change in ${ms(took)}; comparing them at a start takes ${ms(performance.now() - check)}`
  )
  database.close()
}

/** Words of the shared links, grouped by the share of links that contain them. */
const wordsOf = (database: Database) => {
  const counts = new Map<string, number>()
  const rows = database
    .query<{ said: string }, []>("SELECT title || ' ' || description AS said FROM public_links")
    .all()
  for (const { said } of rows)
    for (const word of new Set(said.toLowerCase().match(/[a-z]{5,}/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const between = (least: number, most: number) => {
    const words = [...counts].flatMap(([word, held]) =>
      held > 1 && held >= least * rows.length && held < most * rows.length ? [word] : []
    )
    return words.filter((_, at) => at % Math.max(1, Math.floor(words.length / WORDS)) === 0).slice(0, WORDS)
  }
  return { rare: between(0, 0.002), some: between(0.005, 0.03), common: between(0.03, 1) }
}

const swapped = (word: string) => word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4)

/**
 * The cost of public searches over 100,000 links of which 5,000 are shared, against a scan of the shared links, and the
 * effect of an attack on the owner's searches.
 */
export const publicSearch = async () => {
  const { folder } = await makeLibrary(SIZE)
  const file = join(folder, "data", "library.db")
  share(file)
  const service = await startContestant({}, folder)
  const idle = await memoryOf(service.pid, "RssAnon")
  const database = new Database(file, { readonly: true })
  const waiting = database.query<{ n: number }, []>("SELECT count(*) AS n FROM public_embedding_queue")
  while ((waiting.get()?.n ?? 0) > 0) await Bun.sleep(200)
  const like = database.query(
    `SELECT count(*), max(id) FROM public_links WHERE ${FIELDS.map((field) => `${field} LIKE ?1`).join(" OR ")}`
  )
  let client = 0
  const timed = async (path: string, headers: Record<string, string>) => {
    const start = performance.now()
    const answer = await fetch(service.base + path, { headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return performance.now() - start
  }
  const searchFor = (q: string) =>
    timed(`/list/api/links?q=${encodeURIComponent(q)}`, {
      "x-forwarded-for": `198.${18 + Math.floor(client / 60_000)}.${Math.floor(client / 250) % 240}.${client++ % 250}`
    })
  const { common, rare, some } = wordsOf(database)
  const first = await searchFor(rare[0] ?? "")
  console.log(
    `the first public search, which starts the thread: ${ms(first)}; private memory ${idle.toFixed(0)} MB before, ${(await memoryOf(service.pid, "RssAnon")).toFixed(0)} MB after`
  )
  for (let turn = 0; turn < 3; turn++)
    for (const word of [...rare, ...some, ...common]) await searchFor(`${word} ${turn}`)
  const kinds: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["a rare word", rare],
    ["a word in 0.5 to 3 %", some],
    ["a common word", common],
    ["a mistyped word", some.map(swapped)],
    ["a word of private links only", some.map((word) => `${word}xq`)]
  ]
  for (const [kind, words] of kinds) {
    const searches: Array<number> = []
    const scans: Array<number> = []
    for (const word of words) {
      searches.push(await searchFor(word))
      const start = performance.now()
      like.all(`%${word}%`)
      scans.push(performance.now() - start)
    }
    report(
      `public search, ${kind} / LIKE over the shared links`,
      median(searches) / median(scans),
      { most: 5 },
      `p50 ${ms(median(searches))}, p99 ${ms(percentile(searches, 0.99))} / ${ms(median(scans))}`
    )
  }

  const headers = { "cf-access-jwt-assertion": await service.world.gateway.token() }
  const owner = (n: number) => timed(`/dashboard/api/links?limit=20&q=${some[n % some.length]}${n}`, headers)
  const alone: Array<number> = []
  for (let n = 0; n < 150; n++) alone.push(await owner(n))
  let attacking = true
  const attacks: Array<number> = []
  const attack = async () => {
    for (let n = 0; attacking; n++)
      attacks.push(
        await searchFor(
          [...rare, ...some]
            .map((word, at) => swapped(word) + ((n + at) % 7))
            .join(" ")
            .slice(0, 990)
        )
      )
  }
  const attackers = [attack(), attack()]
  const beside: Array<number> = []
  for (let n = 1_000; n < 1_150; n++) beside.push(await owner(n))
  attacking = false
  await Promise.all(attackers)
  report(
    "the owner's search beside two strangers who send 110 mistyped words / alone",
    median(beside) / median(alone),
    { most: 2.5 },
    `p50 ${ms(median(beside))}, p99 ${ms(percentile(beside, 0.99))} / p50 ${ms(median(alone))}, p99 ${ms(percentile(alone, 0.99))}; an attack took p50 ${ms(median(attacks))}, at most ${ms(Math.max(...attacks))}`
  )
  database.close()
  await service.stop()
}
