import { describe, expect } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Chunk, Clock, Effect, Layer, Option, type Scope, Stream, TestClock } from "effect"
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

/** Hundreds of links, and a start or two, on a machine that is busy with other tests. */
const PATIENCE = 20_000

type Body<E> = Effect.Effect<void, E, Scope.Scope>
const it = <E>(name: string, body: Body<E>) => effectTest(Layer.empty)(name, body, PATIENCE)
const itOnTestClock = <E>(name: string, body: Body<E>) => clockTest(Layer.empty)(name, body, PATIENCE)

/** A new folder's file for a database, for as long as the scope lasts. */
const databaseFile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "linkbower-reindex-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
).pipe(Effect.map((folder) => join(folder, "library.db")))

/** What happens in the library from now on. */
const listening = Effect.gen(function* () {
  const heard: Array<LibraryEvent> = []
  const stream = yield* (yield* Events).listen
  yield* Effect.forkScoped(Stream.runForEach(stream, (event) => Effect.sync(() => void heard.push(event))))
  return heard
})

/** Embeds whatever waits, from now on. */
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

/** The collection's name of the link now. */
const collectionOf = Effect.fnUntraced(function* (id: LinkId) {
  const links = yield* LinkStore
  return (yield* links.get(id)).collection?.name ?? null
})

/** The owner's collection of three links about bread. */
const baking = Effect.gen(function* () {
  const edits = yield* EditLinks
  const links = yield* Effect.all([save("Bread at home"), save("The loaf"), save("Dough by hand")])
  const ids = links.map(({ id }) => id)
  yield* edits.change(ids, ["collection"], { collection: "Baking", collectionByHand: true })
  return ids
})

/** Waits until somebody has begun to sleep for exactly so many seconds of the test clock. */
const sleepOf = Effect.fnUntraced(function* (seconds: number) {
  const now = yield* Clock.currentTimeMillis
  yield* eventually(Effect.map(TestClock.sleeps(), Chunk.contains(now + seconds * 1_000)))
})

describe("links that wait for an embedder", () => {
  itOnTestClock(
    "get their vectors once it is back, and are filed then",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      return Effect.gen(function* () {
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
        // The saves before are told late on this clock.
        const changed = () =>
          heard.flatMap((event) => (event.type === "link" && event.change === "changed" ? [event] : []))
        yield* eventually(Effect.sync(() => changed().some(({ ids }) => ids.includes(id))))
        expect(changed()).toContainEqual({
          ...{ type: "link", change: "changed" },
          ...{ ids: [id], links: [yield* links.get(id)] }
        })
        // Few links are no job.
        expect(yield* jobs).toEqual([])
      }).pipe(Effect.provide(libraryWith(embedder)))
    })
  )

  itOnTestClock(
    "are tried for after growing pauses, of ten minutes at most",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      return Effect.gen(function* () {
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
      }).pipe(Effect.provide(libraryWith(embedder)))
    })
  )

  itOnTestClock(
    "are tried again once the library can be written",
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

  it(
    "are not filed when they had a vector before and only say something else now",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      return Effect.gen(function* () {
        const edits = yield* EditLinks
        yield* reindexing
        const embeddings = yield* Embeddings
        yield* baking
        const { id } = yield* save("Guitar chords")
        yield* edits.change([id], ["title"], { title: "Bread", titleByHand: true })
        const [fresh = expect.unreachable()] = yield* waitingLinks(["Loaf"])
        yield* embeddings.wake
        // It stands behind the other one in the queue.
        yield* eventually(Effect.map(collectionOf(fresh), (name) => name === "Baking"))
        expect(yield* nearTo("dough")).toContain(id)
        expect(yield* nearTo("guitar")).toEqual([])
        expect(yield* collectionOf(id)).toBeNull()
      }).pipe(Effect.provide(libraryWith(embedder)))
    })
  )

  it(
    "are a job from 200 on, whose begin and end are announced",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      return Effect.gen(function* () {
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
      }).pipe(Effect.provide(libraryWith(embedder)))
    })
  )

  it(
    "are no job below 200",
    Effect.suspend(() => {
      const embedder = fakeEmbedder("a", 8)
      return Effect.gen(function* () {
        yield* waitingLinks(Array.from({ length: 199 }, (_, i) => `Bread ${i}`))
        yield* reindexing
        yield* eventually(nothingWaits)
        expect(yield* counts).toEqual({ a: 199 })
        expect(yield* jobs).toEqual([])
      }).pipe(Effect.provide(libraryWith(embedder)))
    })
  )
})

/** Five links about bread among many about guitars. */
const TITLES = [
  ...Array.from({ length: 5 }, (_, i) => `Bread ${i}`),
  ...Array.from({ length: 225 }, (_, i) => `Guitar ${i}`)
]
const COUNT = TITLES.length

/** A library whose links all have a vector of the embedder "a" of 8 dimensions. */
const madeWith = (a: FakeEmbedder, file: string) =>
  Effect.gen(function* () {
    yield* waitingLinks(TITLES)
    yield* reindexing
    yield* eventually(jobIs("done"))
    expect(yield* counts).toEqual({ a: COUNT })
    expect(yield* inUse).toBe("a")
  }).pipe(Effect.scoped, Effect.provide(libraryWith(a, file)))

/** Lets "b" embed so many batches of links, and no more; what is short is a query or a link saved. */
const afterBatches = (b: FakeEmbedder, batches: number) => {
  let passed = 0
  b.before = (texts) => (texts.length > 1 && ++passed > batches ? Effect.never : Effect.void)
}

const bread = TITLES.slice(0, 5)

describe("a change of embedder", () => {
  it(
    "embeds every link anew in a job, while the vectors there are answer searches",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8, { inProcess: true })
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* madeWith(a, file)
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
        // No link holds the word: meaning alone finds them.
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
  )

  it(
    "files a link that is saved meanwhile by the vectors that answer",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8, { inProcess: true })
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* Effect.scoped(Effect.provide(baking, libraryWith(a, file)))
      yield* Effect.gen(function* () {
        expect(yield* inUse).toBe("a")
        const { id } = yield* save("Another loaf")
        expect(yield* collectionOf(id)).toBe("Baking")
      }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    })
  )

  it(
    "finds a link that is saved meanwhile, before and after",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8, { inProcess: true })
      const b = fakeEmbedder("b", 6)
      yield* madeWith(a, file)
      afterBatches(b, 1)
      yield* Effect.gen(function* () {
        yield* reindexing
        yield* eventually(Effect.map(counts, ({ b }) => b === 64))
        const { id } = yield* save("Tomatoes")
        expect(yield* inUse).toBe("a")
        expect(yield* nearTo("balcony")).toEqual([id])
        expect((yield* vectorsKept).filter((one) => one.id === id).map(({ name }) => name)).toEqual([
          "a",
          "b"
        ])
      }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
      b.turn("up")
      yield* Effect.gen(function* () {
        yield* reindexing
        yield* eventually(Effect.map(inUse, (name) => name === "b"))
        expect(yield* nearTo("garden")).toHaveLength(1)
        expect(yield* counts).toEqual({ b: COUNT + 1 })
      }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file, a)))
    })
  )

  it(
    "leaves a link its old vector where the new embedder refuses its text, until it accepts it",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8, { inProcess: true })
      const b = fakeEmbedder("b", 6)
      yield* madeWith(a, file)
      b.before = (texts) =>
        texts.includes("Bread 0")
          ? new EmbedderUnavailable({ reason: "it is too long", refused: true })
          : Effect.void
      yield* Effect.gen(function* () {
        yield* reindexing
        yield* eventually(Effect.map(counts, ({ a, b }) => a === 1 && b === COUNT - 1))
        expect(yield* inUse).toBe("b")
        const store = yield* VectorStore
        // It is no new link, which would be filed once it is embedded.
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
  )

  it(
    "goes on after a restart where it was cut off",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8, { inProcess: true })
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* madeWith(a, file)
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
  )

  it(
    "lets the new vectors answer from the start where the earlier embedder can no longer be asked",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* madeWith(fakeEmbedder("a", 8), file)
      afterBatches(b, 1)
      yield* Effect.gen(function* () {
        expect(yield* inUse).toBe("b")
        yield* reindexing
        yield* eventually(Effect.map(counts, (found) => found["b"] === 64))
        expect(yield* nearTo("dough")).toHaveLength(5)
      }).pipe(Effect.scoped, Effect.provide(libraryWith(b, file)))
    })
  )

  itOnTestClock(
    "is a job that fails with a reason while the new embedder is down, and another once it is back",
    Effect.gen(function* () {
      const file = yield* databaseFile
      const a = fakeEmbedder("a", 8)
      const b = fakeEmbedder("b", 6, { inProcess: true })
      yield* madeWith(a, file)
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
    })
  )
})
