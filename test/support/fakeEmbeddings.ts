import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { library } from "../../src/Application.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { EmbedderUnavailable, type TextEmbedder } from "../../src/enrich/embedding/TextEmbedder.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Reader } from "../../src/search/Reader.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { fakeEnricher } from "./fakeEnricher.ts"
import { stores, storesAt } from "./library.ts"
import { found, newLink } from "./links.ts"
import { loopback } from "./loopback.ts"
import { requestOf, type Settle, saveAll } from "./saving.ts"

const Body = Schema.Struct({
  model: Schema.optional(Schema.String),
  input: Schema.Array(Schema.String),
  encoding_format: Schema.optional(Schema.String)
})

/** A request as the endpoint saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: typeof Body.Type
}

/** What the endpoint says to a request for these texts. */
export type Reply = (texts: ReadonlyArray<string>, request: Request) => Response | Promise<Response>

/** A vector of three numbers that tells texts apart, and is not of length 1. */
export const vectorOf = (text: string): ReadonlyArray<number> => [3, text.length, text.charCodeAt(0) || 0]

/** The answer of OpenAI's interface with these vectors, in their order. */
export const vectors = (all: ReadonlyArray<unknown>) =>
  Response.json({
    object: "list",
    model: "m",
    data: all.map((embedding, index) => ({ object: "embedding", index, embedding }))
  })

/** Answers as it should. */
export const well: Reply = (texts) => vectors(texts.map(vectorOf))

/** A failure that repeats what was sent along, as some servers do. */
export const failing =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (_texts, request) =>
    Response.json(
      { error: { message: `no to ${request.headers.get("authorization")} at ${request.url}` } },
      { status, headers }
    )

/** An embeddings endpoint that answers with each of `replies` in turn, and with the last one from then on. */
export const fakeEmbeddings = (...replies: ReadonlyArray<Reply>) => {
  const seen: Array<Seen> = []
  return loopback(async (request) => {
    const body = Schema.decodeUnknownSync(Body)(await request.clone().json())
    const { pathname, search } = new URL(request.url)
    seen.push({ method: request.method, path: pathname + search, headers: request.headers, body })
    return (replies[seen.length - 1] ?? replies.at(-1) ?? well)(body.input, request)
  }).pipe(Effect.map((url) => ({ url, seen })))
}

/** Words that mean the same to a fake embedder, a direction each. */
const MEANINGS = [
  ["bread", "loaf", "dough"],
  ["guitar", "chords", "strings"],
  ["sqlite", "database", "query"],
  ["tomatoes", "balcony", "garden"]
]

/** How often a text says each of the meanings, as a unit vector; the last number is for what says none of them. */
const meaningOf = (text: string, dimensions: number): Float32Array => {
  const words = text.toLowerCase().split(/[^a-z]+/)
  const counts = new Array<number>(dimensions).fill(0)
  for (const [i, meaning] of MEANINGS.entries())
    counts[i % (dimensions - 1)] = words.filter((word) => meaning.includes(word)).length
  if (!counts.some((count) => count > 0)) counts[dimensions - 1] = 1
  const length = Math.hypot(...counts)
  return Float32Array.from(counts, (count) => count / length)
}

type Checked = Effect.Effect<void, EmbedderUnavailable>

/** An embedder that remembers what it was asked; `before` may hold it up, make it fail, or change the world meanwhile. */
export const fakeEmbedder = (
  name: string,
  dimensions: number,
  more: Partial<
    Pick<
      TextEmbedder,
      | "inProcess"
      | "isLocal"
      | "isWhole"
      | "searchFloor"
      | "searchThreshold"
      | "someWordsWeight"
      | "threshold"
    >
  > & {
    readonly vectors?: (texts: ReadonlyArray<string>) => ReadonlyArray<Float32Array>
  } = {}
) => {
  const asked: Array<ReadonlyArray<string>> = []
  const up = (_texts: ReadonlyArray<string>): Checked => Effect.void
  const fake = {
    name,
    inProcess: more.inProcess ?? false,
    isLocal: more.isLocal ?? more.inProcess ?? false,
    ...(more.isWhole === undefined ? {} : { isWhole: more.isWhole }),
    ...(more.searchThreshold === undefined ? {} : { searchThreshold: more.searchThreshold }),
    ...(more.searchFloor === undefined ? {} : { searchFloor: more.searchFloor }),
    ...(more.someWordsWeight === undefined ? {} : { someWordsWeight: more.someWordsWeight }),
    dimensions: Option.none<number>(),
    threshold: more.threshold ?? Option.some(0.5),
    asked,
    before: up,
    /** From now on it cannot be reached, or can again. */
    turn: (state: "up" | "down") => {
      fake.before =
        state === "up"
          ? up
          : () => new EmbedderUnavailable({ reason: "the fake one is down", refused: false })
    },
    embed: (texts: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        asked.push(texts)
        return Effect.map(
          fake.before(texts),
          () => more.vectors?.(texts) ?? texts.map((text) => meaningOf(text, dimensions))
        )
      })
  }
  return fake
}
export type FakeEmbedder = ReturnType<typeof fakeEmbedder>

/** Finds a page's title in its address (`?t=`). */
const titlesFromAddresses = fakeEnricher(({ url }) =>
  Effect.succeed(found({ url: url.href, title: url.searchParams.get("t") ?? url.hostname }))
)

/**
 * The whole library over one database, with this embedder; `earlier` is one that can still be asked, and `data` stands in
 * for the stores.
 */
export const libraryWith = (
  current: TextEmbedder,
  filename?: string,
  earlier: TextEmbedder = current,
  data = filename === undefined ? stores() : storesAt(filename)
) => {
  const named = (name: string) => Option.fromNullable([current, earlier].find((one) => one.name === name))
  return library.pipe(
    Layer.provide(Layer.succeed(Embedder, { current, named })),
    Layer.provideMerge(Layer.merge(data, titlesFromAddresses))
  )
}

/** Saves a page of this title as the chat and the extension do. */
export const save = Effect.fnUntraced(function* (title: string, settle?: Settle) {
  const request = requestOf(`https://example.org/?t=${encodeURIComponent(title)}`)
  const [saved] = yield* saveAll([request], { settle })
  return saved?.link ?? (yield* Effect.dieMessage("nothing was saved"))
})

/** Links of these titles that wait for their vectors. */
export const waitingLinks = Effect.fnUntraced(function* (titles: ReadonlyArray<string>) {
  const links = yield* LinkStore
  const transaction = yield* Transaction
  return yield* transaction(
    Effect.forEach(titles, (title, i) =>
      Effect.gen(function* () {
        const { link } = yield* links.upsert(newLink(`${i}-${title.replaceAll(" ", "-")}`))
        yield* links.finish(link.id, found({ title }))
        return link.id
      })
    )
  )
})

/** The vectors there are: whose they are, and which embedder made them. */
export const vectorsKept = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ id: number; name: string; dimensions: number }>`SELECT link_id AS id, name, dimensions
      FROM vectors JOIN embedders ON embedders.id = embedder_id ORDER BY name, link_id`
)

/** The links nearest to what a text means to whoever answers searches, as far as they belong together. */
export const nearTo = Effect.fnUntraced(function* (text: string) {
  const embeddings = yield* Embeddings
  const reader = yield* Reader
  const words = yield* embeddings.embedQuery(text)
  if (Option.isNone(words)) return []
  const { embedder, vector } = words.value
  const near = yield* reader.nearest(embedder, vector, 1_000)
  return near.filter(({ similarity }) => similarity >= embedder.threshold).map(({ id }) => id)
})

/** Waits, in real time, until a condition holds. */
export const eventually = Effect.fnUntraced(function* <E, R>(condition: Effect.Effect<boolean, E, R>) {
  const deadline = performance.now() + 120_000
  while (!(yield* condition)) {
    if (performance.now() > deadline)
      return yield* Effect.dieMessage("the condition did not hold within two minutes")
    yield* Effect.promise(() => Bun.sleep(2))
  }
})
