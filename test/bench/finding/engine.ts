/**
 * Answers queries with one checkout's search, over a library that it makes of the links given: `bun engine.ts TASK ANSWERS`,
 * two files with a `Task` and its `Answers`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { parseQuery } from "../../../src/domain/LinkQuery.ts"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { SearchLinks } from "../../../src/library/SearchLinks.ts"
import { typedText } from "../../../src/search/Fusion.ts"
import { Reader } from "../../../src/search/Reader.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { found } from "../../support/links.ts"
import { embedderOf, openLibrary } from "../realLinks.ts"

/** The ways of searching that are measured apart. */
export const ways = ["words", "widened", "meaning", "hybrid"] as const
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
  readonly links: ReadonlyArray<GivenLink>
  readonly queries: ReadonlyArray<string>
  readonly ways: ReadonlyArray<Way>
  /** Whether to embed with the endpoint that the settings name, or with the encoder in this file. */
  readonly endpoint: boolean
  readonly encoder?: string | undefined
}

/** What one way found: for each query the addresses, best first, and the milliseconds of processor time. */
interface Found {
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  readonly milliseconds: ReadonlyArray<number>
}

export interface Answers {
  readonly found: Partial<Record<Way, Found>>
  /** The addresses that the checkout considers to be of a link given earlier, and the address of that link. */
  readonly merged: Readonly<Record<string, string>>
}

/** Results per page, and those that count. */
const SHOWN = 50
const COUNTED = 10
/** Links per transaction. */
const BATCH = 500
/** Searches before anything is timed. */
const WARM_UP = 20
/** A word that no link contains and that is long enough to be corrected. */
const MISTYPED = "zzqxvw"

/** Saves the links; returns the number of the link that has each address. */
const write = Effect.fnUntraced(function* (links: ReadonlyArray<GivenLink>) {
  const store = yield* LinkStore
  const embeddings = yield* Embeddings
  const transaction = yield* Transaction
  const save = Effect.fnUntraced(function* ({ article, description, tags, text, title, url }: GivenLink) {
    const address = new URL(url)
    const normalizedUrl = normalizeUrl(address)
    const { created, link } = yield* store.upsert({ url, normalizedUrl, host: address.host, note: "", tags })
    if (created) {
      const written = yield* store.finish(link.id, found({ url, title, description, text, article }))
      if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
    }
    return [url, Number(link.id)] as const
  })
  const ids: Array<readonly [string, number]> = []
  for (let at = 0; at < links.length; at += BATCH)
    ids.push(...(yield* transaction(Effect.forEach(links.slice(at, at + BATCH), save))))
  // An endpoint embeds the links after they are saved.
  yield* embeddings.catchUp(() => Effect.void)
  return ids
})

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
    const page = yield* way === "hybrid"
      ? Effect.flatMap(SearchLinks, (links) => links.page(query))
      : reader.rank({ query, meaning: null })
    return page.links.map((link): number => JSON.parse(link).id)
  })

const answer = async (
  { encoder, endpoint, links, queries, ways }: Task,
  folder: string
): Promise<Answers> => {
  const filename = join(folder, "library.db")
  const runtime = openLibrary(filename, endpoint || encoder !== undefined ? embedderOf(encoder) : undefined)
  const ids = await runtime.runPromise(write(links))
  const addresses = new Map(ids.toReversed().map(([url, id]) => [id, url]))
  const merged = ids.filter(([url, id]) => addresses.get(id) !== url)
  const results: Partial<Record<Way, Found>> = {}
  // Reads the words of the library, which no way may do without their meanings.
  await runtime.runPromise(search("widened", MISTYPED))
  const { wordMeaning } = builtIn
  for (const way of ways) {
    // No word is widened whose meaning is unknown.
    Reflect.set(builtIn, "wordMeaning", way === "words" ? () => undefined : wordMeaning)
    for (const query of queries.slice(-WARM_UP)) await runtime.runPromise(search(way, `${query} a`))
    const lists: Array<ReadonlyArray<string>> = []
    const milliseconds: Array<number> = []
    for (const query of queries) {
      const before = process.cpuUsage()
      const ranked = await runtime.runPromise(search(way, query))
      const { system, user } = process.cpuUsage(before)
      milliseconds.push((system + user) / 1000)
      lists.push(ranked.slice(0, COUNTED).map((id) => addresses.get(id) ?? ""))
    }
    results[way] = { addresses: lists, milliseconds }
  }
  await runtime.dispose()
  return {
    found: results,
    merged: Object.fromEntries(merged.map(([url, id]) => [url, addresses.get(id) ?? url]))
  }
}

if (import.meta.main) {
  const [input = "", output = ""] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), "linkbower-finding-"))
  const task: Task = JSON.parse(readFileSync(input, "utf8"))
  writeFileSync(output, JSON.stringify(await answer(task, folder)))
  rmSync(folder, { recursive: true })
  process.exit()
}
