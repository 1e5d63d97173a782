/**
 * Answers queries with one checkout's search, over a library that it makes of the links given: `bun engine.ts TASK`, where
 * TASK is a file with a `Task`. Writes an `Answers` to the task's `output`.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { parseQuery } from "../../../src/domain/LinkQuery.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { SearchLinks } from "../../../src/library/SearchLinks.ts"
import { typedText } from "../../../src/search/Fusion.ts"
import { Reader } from "../../../src/search/Reader.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { found } from "../../support/links.ts"
import { openLibrary } from "../realLinks.ts"

/** The ways of searching that are measured apart. */
export const ways = ["words", "meaning", "hybrid"] as const
export type Way = (typeof ways)[number]

/** A link as saved and read. */
export interface GivenLink {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly text: string
}

export interface Task {
  /** The checkout whose sources these are. */
  readonly root: string
  readonly links: ReadonlyArray<GivenLink>
  readonly queries: ReadonlyArray<string>
  readonly ways: ReadonlyArray<Way>
  readonly output: string
}

/** What one way found: for each query the addresses, best first, and the milliseconds of processor time. */
export interface Found {
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  readonly milliseconds: ReadonlyArray<number>
}

export interface Answers {
  readonly found: Partial<Record<Way, Found>>
  /** The addresses that the checkout considers to be of a link given earlier, and the address of that link. */
  readonly merged: Readonly<Record<string, string>>
}

/** Results per page. */
const SHOWN = 50
const COUNTED = 10
/** Links per transaction. */
const BATCH = 500
/** Searches before anything is timed. */
const WARM_UP = 20

/** What a saved link is made by. */
const MAKERS = [
  "migrations",
  "src/shared",
  "src/domain",
  "src/store",
  "src/library",
  "src/enrich/embedding",
  "src/search"
]

/** Names the library that this checkout makes of these links: another schema or rule gives another name. */
const nameOf = ({ links, root }: Task): string => {
  const hash = createHash("sha256")
    .update(JSON.stringify(links))
    .update(readFileSync(import.meta.path))
  for (const folder of MAKERS)
    for (const path of [...new Bun.Glob("**/*").scanSync(join(root, folder))].sort())
      hash.update(path).update(readFileSync(join(root, folder, path)))
  return hash.digest("hex").slice(0, 16)
}

/** Saves the links; returns the number of the link that has each address. */
const write = Effect.fnUntraced(function* (links: ReadonlyArray<GivenLink>) {
  const store = yield* LinkStore
  const embeddings = yield* Embeddings
  const transaction = yield* Transaction
  const save = Effect.fnUntraced(function* ({ description, tags, text, title, url }: GivenLink) {
    const address = new URL(url)
    const normalizedUrl = normalizeUrl(address)
    const { created, link } = yield* store.claim({ url, normalizedUrl, host: address.host, note: "", tags })
    if (created) {
      const written = yield* store.finish(link.id, found({ url, title, description, text }))
      if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
    }
    return [url, link.id] as const
  })
  const ids: Array<readonly [string, number]> = []
  for (let at = 0; at < links.length; at += BATCH)
    ids.push(...(yield* transaction(Effect.forEach(links.slice(at, at + BATCH), save))))
  return ids
})

/** Makes the library in the folder for temporary files, unless it is there. */
const makeLibrary = async (task: Task) => {
  const folder = join(tmpdir(), `linkbower-finding-${nameOf(task)}`)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished)
    const runtime = openLibrary(join(unfinished, "library.db"))
    const ids = await runtime.runPromise(write(task.links))
    await runtime.dispose()
    writeFileSync(join(unfinished, "ids.json"), JSON.stringify(ids))
    if (existsSync(folder)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, folder)
  }
  const ids: ReadonlyArray<readonly [string, number]> = JSON.parse(
    readFileSync(join(folder, "ids.json"), "utf8")
  )
  return { filename: join(folder, "library.db"), ids }
}

const idOf = Schema.decodeSync(Schema.parseJson(Schema.Struct({ id: Schema.Int })))

const search = (way: Way, text: string) =>
  Effect.gen(function* () {
    const query = { ...parseQuery(text, 0), sort: "relevance" as const, limit: SHOWN }
    const reader = yield* Reader
    if (way === "meaning") {
      const embedded = yield* (yield* Embeddings).embedQuery(typedText(query.terms).text)
      if (Option.isNone(embedded)) return []
      const near = yield* reader.nearest(embedded.value.embedder, embedded.value.vector, SHOWN)
      return near.map(({ id }) => Number(id))
    }
    const page = yield* way === "words"
      ? reader.rank({ query, meaning: null })
      : Effect.flatMap(SearchLinks, (links) => links.page(query))
    return page.links.map((link) => idOf(link).id)
  })

const answer = async (task: Task): Promise<Answers> => {
  const { filename, ids } = await makeLibrary(task)
  const addresses = new Map(ids.toReversed().map(([url, id]) => [id, url]))
  const merged = ids.flatMap(([url, id]): ReadonlyArray<readonly [string, string]> => {
    const first = addresses.get(id)
    return first === undefined || first === url ? [] : [[url, first]]
  })
  const runtime = openLibrary(filename)
  const results: Partial<Record<Way, Found>> = {}
  for (const way of task.ways) {
    for (const query of task.queries.slice(-WARM_UP)) await runtime.runPromise(search(way, `${query} a`))
    const lists: Array<ReadonlyArray<string>> = []
    const milliseconds: Array<number> = []
    for (const query of task.queries) {
      const before = process.cpuUsage()
      const ranked = await runtime.runPromise(search(way, query))
      const { system, user } = process.cpuUsage(before)
      milliseconds.push((system + user) / 1000)
      lists.push(ranked.slice(0, COUNTED).map((id) => addresses.get(id) ?? ""))
    }
    results[way] = { addresses: lists, milliseconds }
  }
  await runtime.dispose()
  return { found: results, merged: Object.fromEntries(merged) }
}

if (import.meta.main) {
  const task: Task = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
  writeFileSync(task.output, JSON.stringify(await answer(task)))
  process.exit()
}
