import { Database } from "bun:sqlite"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { stem, wordsIn } from "../../src/organize/Words.ts"
import { dataFolder } from "../../src/store/DataFolder.ts"
import { until } from "../support/service.ts"
import { meanwhile, read, sizes, table } from "./harness.ts"
import { makeLinks } from "./realLinks.ts"
import { fileIn, libraryOf, withService } from "./services.ts"

interface Result {
  readonly filed?: number
  readonly collections?: number
  readonly moves?: ReadonlyArray<{ readonly id: number; readonly to: string }>
  readonly groups?: ReadonlyArray<unknown>
}

/** The share of moved links that went to a collection with a majority from their section. */
const purityOf = ({ moves = [] }: Result, made: ReturnType<typeof makeLinks>) => {
  const sectionOf = (id: number) => `${made[id - 1]?.of.list} ${made[id - 1]?.of.section}`
  let pure = 0
  for (const group of Map.groupBy(moves, ({ to }) => to).values()) {
    const sections = Map.groupBy(group, ({ id }) => sectionOf(id))
    pure += Math.max(...[...sections.values()].map((links) => links.length))
  }
  return pure / Math.max(1, moves.length)
}

/** The share of moved links' collections whose name shares a word with the section that most of their links are from. */
const namesMet = ({ moves = [] }: Result, made: ReturnType<typeof makeLinks>) => {
  const stemsOf = (text: string) => wordsIn(text.replaceAll("-", " ")).map(stem)
  const groups = [...Map.groupBy(moves, ({ to }) => to)]
  const met = groups.filter(([name, links]) => {
    const sections = [...Map.groupBy(links, ({ id }) => made[id - 1]?.of.section ?? "")]
    const [mostly = ""] = sections.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
    return stemsOf(name).some((word) => stemsOf(mostly).includes(word))
  })
  return met.length / Math.max(1, groups.length)
}

/** How long embedding a whole library may take, in seconds: a guard against hanging. */
const EMBEDDING_TIMEOUT = 14_400

/** Waits until every link has a vector of the encoder, which replaces those of the table. */
const embedded = async (folder: string) => {
  const database = new Database(fileIn(folder), { readonly: true })
  const left = database.query<{ left: number }, []>(
    `SELECT count(*) AS left FROM links WHERE NOT EXISTS (
      SELECT 1 FROM vectors WHERE link_id = links.id AND embedder_id > 1)`
  )
  await until(() => left.get()?.left === 0, EMBEDDING_TIMEOUT)
  database.close()
}

/**
 * *Organize* and *Duplicates* over whole libraries: duration, purity, and how long other requests wait meanwhile.
 * `ENCODER` is the encoder's file, if the vectors are to be those with it.
 */
export const organize = async () => {
  const encoder = Bun.env["ENCODER"]
  for (const size of sizes(10_000, 100_000)) {
    const made = makeLinks(size)
    const folder = await libraryOf(size)
    if (encoder !== undefined) copyFileSync(encoder, dataFolder(join(folder, "data")).encoder)
    await withService({ folder }, async ({ base, client, get }) => {
      if (encoder !== undefined) await embedded(folder)
      for (let turn = 0; turn < 100; turn++) await get(`/links?limit=20&q=word${turn}`)
      for (const action of ["dupes", "organize"]) {
        const requests = {
          health: () => read(`${base}/healthz`),
          page: () => get("/links?limit=20"),
          search: () => get("/links?limit=20&q=editor")
        }
        const { took, value, waits } = await meanwhile(requests, async () => {
          const job = await client.start({ action })
          return client.ended(job.id, 1_800)
        })
        const result: Result = value.result ?? {}
        const outcome =
          action === "dupes"
            ? `${result.groups?.length} groups`
            : `${result.filed} filed into ${result.collections} collections, purity ${purityOf(result, made).toFixed(2)}, names met ${namesMet(result, made).toFixed(2)}`
        console.log(`\n${action} over ${size} links: ${(took / 1_000).toFixed(1)} s, ${outcome}; meanwhile`)
        table([...waits].map(([request, own]) => ({ request, ...own.row() })))
      }
    })
  }
}
