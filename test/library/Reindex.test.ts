import { beforeAll, describe, expect } from "bun:test"
import { copyFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Chunk, Clock, Effect, Layer, Option, Stream, TestClock } from "effect"
import type { Job } from "../../src/domain/Job.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { EmbedderUnavailable } from "../../src/enrich/embedding/TextEmbedder.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Events, type LibraryEvent } from "../../src/library/Events.ts"
import { Reindex } from "../../src/library/Reindex.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { VectorStore } from "../../src/store/vectors/VectorStore.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { embedderTest } from "../support/embedderTest.ts"
import {
  eventually,
  type FakeEmbedder,
  fakeEmbedder,
  libraryWith,
  nearTo,
  save,
  vectorsKept,
  waitingLinks
} from "../support/fakeEmbeddings.ts"
import { stores } from "../support/library.ts"
import { libraryPath, makePlaces } from "../support/places.ts"
import { long } from "../support/tier.ts"

const it = effectTest(Layer.empty)
const itOnTestClock = clockTest(Layer.empty)
const withEmbedder = embedderTest(effectTest)
const withEmbedderOnTestClock = embedderTest(clockTest)

/** Collects the library's events from now on. */
const listening = Effect.gen(function* () {
  const heard: Array<LibraryEvent> = []
  const stream = yield* (yield* Events).listen
  yield* Effect.forkScoped(Stream.runForEach(stream, (event) => Effect.sync(() => void heard.push(event))))
  return heard
})

/** Embeds waiting links from now on. */
const reindexing = Effect.flatMap(Reindex, ({ run }) => Effect.forkScoped(run))

const inUse = Effect.map(
  Effect.flatMap(Embeddings, (_) => _.inUse),
  (embedder) => Option.getOrUndefined(embedder)?.name
)
const waiting = Effect.flatMap(Embeddings, (_) => _.waiting)
const nothingWaits = Effect.map(waiting, (count) => count === 0)
const jobs = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<
      Pick<Job, "action" | "done" | "error" | "state" | "total"> & { readonly result: string | null }
    >`SELECT action, state, done, total,
      error, result FROM jobs ORDER BY id`
)
const lastJob = Effect.map(jobs, (all) => all.at(-1))
const jobIs = (state: Job["state"]) => Effect.map(lastJob, (job) => job?.state === state)

/** How many vectors there are of each embedder. */
const counts = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{ name: string; n: number }>`SELECT name, count(*) AS n
        FROM vectors JOIN embedders ON embedders.id = embedder_id GROUP BY name`
  ),
  (all): Record<string, number> => Object.fromEntries(all.map(({ n, name }) => [name, n]))
)

/** The titles a search of these words finds. */
const search = Effect.fnUntraced(function* (words: string) {
  const searching = yield* SearchLinks
  const terms = words.split(" ").map((text) => ({ text, kind: "word" as const, negated: false }))
  const page = yield* searching.page({ terms, filters: [], sort: "relevance", limit: 50 })
  return page.links.map((link): unknown => JSON.parse(link).title)
})

/** The name of the link's collection. */
const collectionOf = Effect.fnUntraced(function* (id: LinkId) {
  const links = yield* LinkStore
  return (yield* links.get(id)).collection?.name ?? null
})

/** The owner's collection of three links about bread. */
const baking = Effect.gen(function* () {
  const edits = yield* EditLinks
  const links = yield* Effect.all([save("Bread at home"), save("The loaf"), save("Dough by hand")])
  const ids = links.map(({ id }) => id)
  yield* edits.change(ids, { collection: "Baking" })
  return ids
})

/** Waits until a fiber sleeps for exactly this long on the test clock. */
const sleepOf = Effect.fnUntraced(function* (seconds: number) {
  const now = yield* Clock.currentTimeMillis
  yield* eventually(Effect.map(TestClock.sleeps(), Chunk.contains(now + seconds * 1_000)))
})

describe("links waiting for an embedder", () => {
  withEmbedderOnTestClock("get their vectors and are filed once it is back", function* (embedder) {
    const links = yield* LinkStore
    yield* reindexing
    yield* baking
    embedder.turn("down")
    const { collection, id } = yield* save("Sourdough bread")
    const other = yield* save("Guitar chords")
    expect(collection).toBeNull()
    expect((yield* vectorsKept).map((one) => one.id)).not.toContain(id)
    const heard = yield* listening
    yield* sleepOf(30)
    embedder.turn("up")
    yield* TestClock.adjust("30 seconds")
    yield* eventually(nothingWaits)
    yield* eventually(Effect.map(collectionOf(id), (name) => name === "Baking"))
    expect(yield* collectionOf(other.id)).toBeNull()
    expect((yield* vectorsKept).map((one) => one.id)).toContain(id)
    expect(yield* nearTo("chords")).toEqual([other.id])
    // Events of the earlier saves arrive late on this clock.
    const changed = () =>
      heard.flatMap((event) => (event.type === "link" && event.change === "changed" ? [event] : []))
    yield* eventually(Effect.sync(() => changed().some(({ ids }) => ids.includes(id))))
    expect(changed()).toContainEqual({
      ...{ type: "link", change: "changed" },
      ...{ ids: [id], links: [yield* links.get(id)] }
    })
    // Few links need no job.
    expect(yield* jobs).toEqual([])
  })

  withEmbedderOnTestClock("are retried after growing pauses of at most ten minutes", function* (embedder) {
    yield* reindexing
    embedder.turn("down")
    yield* save("Bread")
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      yield* sleepOf(seconds)
      const tries = embedder.asked.length
      yield* TestClock.adjust(seconds * 1_000 - 1)
      expect(embedder.asked).toHaveLength(tries)
      yield* TestClock.adjust(1)
      yield* eventually(Effect.sync(() => embedder.asked.length === tries + 1))
    }
    expect(yield* waiting).toBe(1)
  })

  itOnTestClock(
    "are retried once the library can be written",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      const disk = { isFull: true }
      const vectors = Layer.effect(
        VectorStore,
        Effect.map(VectorStore, (store) => ({
          ...store,
          write: (...about: Parameters<typeof store.write>) =>
            Effect.suspend(() =>
              disk.isFull ? new StoreUnavailable({ reason: "full" }) : store.write(...about)
            )
        }))
      )
      return Effect.gen(function* () {
        yield* waitingLinks(["Bread"])
        yield* reindexing
        yield* sleepOf(30)
        expect(yield* vectorsKept).toEqual([])
        disk.isFull = false
        yield* TestClock.adjust("30 seconds")
        yield* eventually(nothingWaits)
        expect(yield* vectorsKept).toHaveLength(1)
      }).pipe(
        Effect.provide(libraryWith(embedder, undefined, embedder, Layer.provideMerge(vectors, stores())))
      )
    })
  )

  withEmbedder("are not filed if they had a vector before", function* () {
    const edits = yield* EditLinks
    yield* reindexing
    const embeddings = yield* Embeddings
    yield* baking
    const { id } = yield* save("Guitar chords")
    yield* edits.change([id], { title: "Bread" })
    const [fresh = expect.unreachable()] = yield* waitingLinks(["Loaf"])
    yield* embeddings.wake
    // It comes after the other one in the queue.
    yield* eventually(Effect.map(collectionOf(fresh), (name) => name === "Baking"))
    expect(yield* nearTo("dough")).toContain(id)
    expect(yield* nearTo("guitar")).toEqual([])
    expect(yield* collectionOf(id)).toBeNull()
  })

  long(withEmbedder)("are a job from 200 links on, whose start and end are published", function* () {
    const heard = yield* listening
    yield* waitingLinks(Array.from({ length: 200 }, (_, i) => `Bread ${i}`))
    yield* reindexing
    yield* eventually(jobIs("done"))
    expect(yield* jobs).toEqual([
      { action: "reindex", state: "done", done: 200, total: 200, error: null, result: '{"embedded":200}' }
    ])
    yield* eventually(
      Effect.sync(() => heard.some((event) => event.type === "job" && event.job.state === "done"))
    )
    const steps = heard.flatMap((event) => (event.type === "job" ? [event.job] : []))
    expect(steps.map(({ action }) => action)).toEqual(steps.map(() => "reindex"))
    expect(steps[0]).toMatchObject({ state: "running", done: 0, total: 200 })
    expect(steps.at(-1)).toMatchObject({ state: "done", done: 200, total: 200 })
  })

  long(withEmbedder)("are embedded without a job below 200 links", function* () {
    yield* waitingLinks(Array.from({ length: 199 }, (_, i) => `Bread ${i}`))
    yield* reindexing
    yield* eventually(nothingWaits)
    expect(yield* counts).toEqual({ a: 199 })
    expect(yield* jobs).toEqual([])
  })
})

/** Five links about bread among many about guitars. */
const TITLES = [
  ...Array.from({ length: 5 }, (_, i) => `Bread ${i}`),
  ...Array.from({ length: 225 }, (_, i) => `Guitar ${i}`)
]
const COUNT = TITLES.length

const original = makePlaces("reindex").place().file

/** Makes a library whose links all have a vector of the embedder "a" of 8 dimensions. */
const makeOriginal = Effect.gen(function* () {
  yield* waitingLinks(TITLES)
  yield* reindexing
  yield* eventually(jobIs("done"))
  expect(yield* counts).toEqual({ a: COUNT })
  expect(yield* inUse).toBe("a")
}).pipe(Effect.scoped, Effect.provide(libraryWith(fakeEmbedder("a", 8), original)))

beforeAll(() => Effect.runPromise(makeOriginal))

/** The path of a copy of that library, which is removed with the scope. */
const copyOfOriginal = Effect.tap(libraryPath, (file) => Effect.sync(() => copyFileSync(original, file)))

/** Lets "b" embed this many batches and no more; a single text is a query or a save. */
const afterBatches = (b: FakeEmbedder, batches: number) => {
  let passed = 0
  b.before = (texts) => (texts.length > 1 && ++passed > batches ? Effect.never : Effect.void)
}

const bread = TITLES.slice(0, 5)

describe("a change of embedder", () => {
  it("embeds every link again in a job, while the old vectors answer searches", function* () {
    const file = yield* copyOfOriginal
    const a = fakeEmbedder("a", 8, { inProcess: true })
    const b = fakeEmbedder("b", 6, { inProcess: true })
    const { promise: gone, resolve: go } = Promise.withResolvers<void>()
    let batches = 0
    b.before = (texts) => (texts.length > 1 && ++batches > 1 ? Effect.promise(() => gone) : Effect.void)
    yield* Effect.gen(function* () {
      expect(yield* inUse).toBe("a")
      expect(yield* waiting).toBe(COUNT)
      yield* reindexing
      yield* eventually(Effect.map(lastJob, (job) => job?.done === 64))
      expect(yield* lastJob).toMatchObject({ action: "reindex", state: "running", done: 64, total: COUNT })
      expect(yield* counts).toEqual({ a: COUNT, b: 64 })
      expect(yield* inUse).toBe("a")
      // No link contains the word, so only meaning finds them.
      expect((yield* search("dough")).toSorted()).toEqual(bread)
      expect(a.asked.at(-1)).toEqual(["dough"])
      expect(b.asked).not.toContainEqual(["dough"])
      go()
      yield* eventually(jobIs("done"))
      expect(yield* lastJob).toMatchObject({
        action: "reindex",
        done: COUNT,
        total: COUNT,
        result: `{"embedded":${COUNT}}`
      })
      expect(yield* inUse).toBe("b")
      expect(yield* counts).toEqual({ b: COUNT })
      expect(new Set((yield* vectorsKept).map(({ dimensions }) => dimensions))).toEqual(new Set([6]))
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT name FROM embedders`).toEqual([{ name: "b" }])
      expect(yield* sql`SELECT count(*) AS n FROM vector_floats`).toEqual([{ n: COUNT }])
      expect((yield* search("dough")).toSorted()).toEqual(bread)
      expect(b.asked.at(-1)).toEqual(["dough"])
      expect(yield* waiting).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
  })

  it("files a link saved meanwhile by the old vectors", function* () {
    const file = yield* libraryPath
    const a = fakeEmbedder("a", 8, { inProcess: true })
    const b = fakeEmbedder("b", 6, { inProcess: true })
    yield* Effect.scoped(Effect.provide(baking, libraryWith(a, file)))
    yield* Effect.gen(function* () {
      expect(yield* inUse).toBe("a")
      const { id } = yield* save("Another loaf")
      expect(yield* collectionOf(id)).toBe("Baking")
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
  })

  it("finds a link saved meanwhile, before and after the change", function* () {
    const file = yield* copyOfOriginal
    const a = fakeEmbedder("a", 8, { inProcess: true })
    const b = fakeEmbedder("b", 6)
    afterBatches(b, 1)
    yield* Effect.gen(function* () {
      yield* reindexing
      yield* eventually(Effect.map(counts, ({ b }) => b === 64))
      const { id } = yield* save("Tomatoes")
      expect(yield* inUse).toBe("a")
      expect(yield* nearTo("balcony")).toEqual([id])
      expect((yield* vectorsKept).filter((one) => one.id === id).map(({ name }) => name)).toEqual(["a", "b"])
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    b.turn("up")
    yield* Effect.gen(function* () {
      yield* reindexing
      yield* eventually(Effect.map(inUse, (name) => name === "b"))
      expect(yield* nearTo("garden")).toHaveLength(1)
      expect(yield* counts).toEqual({ b: COUNT + 1 })
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
  })

  it("keeps a link's old vector until the new embedder accepts its text", function* () {
    const file = yield* copyOfOriginal
    const a = fakeEmbedder("a", 8, { inProcess: true })
    const b = fakeEmbedder("b", 6)
    b.before = (texts) =>
      texts.includes("Bread 0")
        ? new EmbedderUnavailable({ reason: "it is too long", refused: true })
        : Effect.void
    yield* Effect.gen(function* () {
      yield* reindexing
      yield* eventually(Effect.map(counts, ({ a, b }) => a === 1 && b === COUNT - 1))
      expect(yield* inUse).toBe("b")
      const store = yield* VectorStore
      // Only a new link would be filed once it is embedded.
      expect(yield* store.waiting(10, 0)).toMatchObject([{ title: "Bread 0", fresh: false }])
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    b.turn("up")
    yield* Effect.gen(function* () {
      expect(yield* inUse).toBe("b")
      yield* reindexing
      yield* eventually(Effect.map(counts, ({ a, b }) => a === undefined && b === COUNT))
      expect(yield* waiting).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
  })

  it("continues after a restart", function* () {
    const file = yield* copyOfOriginal
    const a = fakeEmbedder("a", 8, { inProcess: true })
    const b = fakeEmbedder("b", 6, { inProcess: true })
    afterBatches(b, 2)
    yield* Effect.gen(function* () {
      yield* reindexing
      yield* eventually(Effect.map(counts, ({ b }) => b === 128))
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    b.turn("up")
    b.asked.length = 0
    yield* Effect.gen(function* () {
      expect((yield* lastJob)?.state).toBe("interrupted")
      expect(yield* inUse).toBe("a")
      expect(yield* waiting).toBe(COUNT - 128)
      yield* reindexing
      yield* eventually(Effect.map(inUse, (name) => name === "b"))
      expect(b.asked.filter(({ length }) => length > 1).flat()).toEqual(TITLES.slice(128))
      expect(yield* counts).toEqual({ b: COUNT })
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
  })

  it("searches the new vectors from the start if the old embedder is unavailable", function* () {
    const file = yield* copyOfOriginal
    const b = fakeEmbedder("b", 6, { inProcess: true })
    afterBatches(b, 1)
    yield* Effect.gen(function* () {
      expect(yield* inUse).toBe("b")
      yield* reindexing
      yield* eventually(Effect.map(counts, (found) => found["b"] === 64))
      expect(yield* nearTo("dough")).toHaveLength(5)
    }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file)))
  })

  itOnTestClock(
    "fails its job with a reason while the new embedder is down, and starts another once it is back",
    function* () {
      const file = yield* copyOfOriginal
      const a = fakeEmbedder("a", 8)
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* Effect.gen(function* () {
        b.turn("down")
        yield* reindexing
        yield* eventually(jobIs("failed"))
        expect((yield* lastJob)?.error).toBe(
          "Some links are waiting for their vectors: the fake one is down."
        )
        expect(yield* inUse).toBe("a")
        expect(yield* nearTo("dough")).toHaveLength(5)
        yield* sleepOf(30)
        b.turn("up")
        yield* TestClock.adjust("30 seconds")
        yield* eventually(Effect.map(inUse, (name) => name === "b"))
        yield* eventually(jobIs("done"))
        expect((yield* jobs).map(({ state }) => state)).toEqual(["done", "failed", "done"])
        expect(yield* counts).toEqual({ b: COUNT })
      }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    }
  )
})
