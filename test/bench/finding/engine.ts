/**
 * Answers queries with one checkout's search, over a library that it makes of the links given: `bun engine.ts TASK`, where
 * TASK is a file with a `Task`. Writes an `Answers` to the task's `output`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Option, Schema } from "effect"
import { library } from "../../../src/Application.ts"
import { parseQuery } from "../../../src/domain/LinkQuery.ts"
import { Embedder } from "../../../src/enrich/embedding/Embedder.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { SearchLinks } from "../../../src/library/SearchLinks.ts"
import { typedText } from "../../../src/search/Fusion.ts"
import { Reader } from "../../../src/search/Reader.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { silentEnricher } from "../../support/fakeEnricher.ts"
import { storesAt } from "../../support/library.ts"
import { found } from "../../support/links.ts"
import { openLibrary } from "../realLinks.ts"
import { cached } from "./cache.ts"

/** The ways of searching that are measured apart. */
export const ways = ["words", "meaning", "hybrid"] as const
type Way = (typeof ways)[number]

/** A link as saved and read. */
export interface GivenLink {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  /** The page's readable text, and the same as HTML. */
  readonly text: string
  readonly article: string
}

export interface Task {
  /** The checkout whose sources these are. */
  readonly root: string
  readonly links: ReadonlyArray<GivenLink>
  readonly queries: ReadonlyArray<string>
  readonly ways: ReadonlyArray<Way>
  /** Whether to embed with the endpoint that the settings name. */
  readonly endpoint: boolean
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

/** The library over a database, with the embedder that the settings select, or the built-in one. */
const open = (filename: string, { endpoint }: Task) =>
  endpoint
    ? ManagedRuntime.make(
        Layer.provideMerge(
          library,
          Layer.mergeAll(storesAt(filename), silentEnricher, Layer.orDie(Embedder.layer))
        )
      )
    : openLibrary(filename)

/** Saves the links; returns the number of the link that has each address. */
const write = Effect.fnUntraced(function* (links: ReadonlyArray<GivenLink>) {
  const store = yield* LinkStore
  const embeddings = yield* Embeddings
  const transaction = yield* Transaction
  const save = Effect.fnUntraced(function* ({ article, description, tags, text, title, url }: GivenLink) {
    const address = new URL(url)
    const normalizedUrl = normalizeUrl(address)
    const { created, link } = yield* store.claim({ url, normalizedUrl, host: address.host, note: "", tags })
    if (created) {
      const written = yield* store.finish(link.id, found({ url, title, description, text, article }))
      if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
    }
    return [url, link.id] as const
  })
  const ids: Array<readonly [string, number]> = []
  for (let at = 0; at < links.length; at += BATCH)
    ids.push(...(yield* transaction(Effect.forEach(links.slice(at, at + BATCH), save))))
  return ids
})

/** Makes the library, unless an earlier run has made the same; returns its file and the number of each address. */
const makeLibrary = async (task: Task) => {
  const settings = task.endpoint ? [Bun.env["EMBEDDINGS_URL"], Bun.env["EMBEDDINGS_MODEL"]] : []
  const input = JSON.stringify([task.links, settings, readFileSync(import.meta.path, "utf8")])
  const folder = await cached({ root: task.root, folders: MAKERS, input }, async (unfinished) => {
    const runtime = open(join(unfinished, "library.db"), task)
    const ids = await runtime.runPromise(write(task.links))
    // An endpoint embeds the links after they are saved.
    await runtime.runPromise(
      Effect.flatMap(Embeddings, (embeddings) => embeddings.catchUp(() => Effect.void))
    )
    await runtime.dispose()
    writeFileSync(join(unfinished, "ids.json"), JSON.stringify(ids))
  })
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
  const runtime = open(filename, task)
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
