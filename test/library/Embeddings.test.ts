import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Clock, Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { unrelatedTexts } from "../../src/enrich/embedding/BuiltIn.ts"
import { EmbedderUnavailable } from "../../src/enrich/embedding/TextEmbedder.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Reader } from "../../src/search/Reader.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { embedderTest } from "../support/embedderTest.ts"
import {
  eventually,
  fakeEmbedder,
  libraryWith,
  nearTo,
  save,
  vectorsKept,
  waitingLinks
} from "../support/fakeEmbeddings.ts"
import { found, newLink } from "../support/links.ts"
import { countOf } from "../support/metrics.ts"
import { libraryPath } from "../support/places.ts"

const plain = effectTest(Layer.empty)
const it = embedderTest(effectTest)
const itOnTestClock = embedderTest(clockTest)
const itInProcess = embedderTest(effectTest, () => fakeEmbedder("a", 8, { inProcess: true }))

/** Whether the thread of an embedder that has one is awake. */
let isAwake = false
const itInThread = embedderTest(effectTest, () =>
  fakeEmbedder("a", 8, {
    isLocal: true,
    isWhole: Effect.sync(() => isAwake),
    searchThreshold: 0.1,
    searchFloor: 0.05,
    someWordsWeight: 0.2
  })
)

/** Embeds the waiting links and returns the size of each batch. */
const catchUp = Effect.gen(function* () {
  const embeddings = yield* Embeddings
  const batches: Array<number> = []
  yield* embeddings.catchUp((batch) => Effect.sync(() => void batches.push(batch.length)))
  return batches
})

const waiting = Effect.flatMap(Embeddings, (_) => _.waiting)
const inUse = Effect.flatMap(Embeddings, (_) => _.inUse)
const query = (text: string) => Effect.flatMap(Embeddings, (_) => _.embedQuery(text))

/** The similarity of a link's vector and a text's; undefined if the link has no vector. */
const likeness = Effect.fnUntraced(function* (id: number, text: string) {
  const reader = yield* Reader
  const { embedder, vector } = Option.getOrThrow(yield* query(text))
  return (yield* reader.nearest(embedder, vector, 1_000)).find((one) => one.id === id)?.similarity
})

const retitle = Effect.fnUntraced(function* (id: number, title: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE links SET title = ${title} WHERE id = ${id}`
})

describe("the vector of a saved link", () => {
  for (const [maker, test] of Object.entries({ "an endpoint": it, "this process": itInProcess })) {
    test(`is written in the transaction that finishes the link, by ${maker}`, function* () {
      const sql = yield* SqlClient.SqlClient
      const seen: Array<unknown> = []
      const settle = vectorsKept.pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.tap((all) => Effect.sync(() => void seen.push(all))),
        Effect.asVoid,
        Effect.orDie
      )
      const { id } = yield* save("Bread", () => settle)
      expect(seen).toEqual([[{ id, name: "a", dimensions: 8 }]])
      expect(yield* vectorsKept).toEqual([{ id, name: "a", dimensions: 8 }])
      expect(yield* waiting).toBe(0)
    })

    test(`is rolled back with that transaction, by ${maker}`, function* () {
      const links = yield* LinkStore
      const settle = () => Effect.fail(new StoreUnavailable({ reason: "full" }))
      const error = yield* Effect.flip(save("Bread", settle))
      expect(error._tag).toBe("StoreUnavailable")
      expect(yield* vectorsKept).toEqual([])
      expect(yield* links.count).toBe(1)
      expect(yield* waiting).toBe(0)
      // The link is still pending: it is finished and embedded when it is saved again.
      const { id } = yield* save("Bread")
      expect(yield* vectorsKept).toEqual([{ id, name: "a", dimensions: 8 }])
    })
  }

  it("represents the link's text", function* () {
    const bread = yield* save("How to shape a loaf")
    const guitar = yield* save("Guitar for beginners")
    expect(yield* likeness(bread.id, "dough")).toBeCloseTo(1, 3)
    expect(yield* likeness(guitar.id, "dough")).toBeCloseTo(0, 3)
    expect(yield* nearTo("chords")).toEqual([guitar.id])
  })

  for (const [maker, test, sent] of [
    ["an endpoint", it, "\nrust"],
    ["this process", itInProcess, "\n.health rust .money\nremember this"],
    ["another thread", itInThread, "\n.health rust .money\nremember this"]
  ] as const)
    test(`is made by ${maker} of the tags and the note that may leave the library`, function* (embedder) {
      const links = yield* LinkStore
      const embeddings = yield* Embeddings
      const tags = [".health", "rust", ".money"]
      const claim = (path: string) =>
        links.upsert(newLink(path, { tags: tags.slice(0, 1), note: "remember this" }))
      const summary = { summary: "", tags, category: null }
      // On a save, on a later change, and in the background.
      const { link } = yield* claim("a")
      const written = Option.getOrThrow(yield* links.finish(link.id, found({ title: "Bread" }, { summary })))
      yield* embeddings.writeVector(written, yield* embeddings.embedForSave(embeddings.textOf(written)))
      yield* embeddings.writeVector({ ...written, title: "Loaf" }, Option.none())
      yield* links.finish((yield* claim("b")).link.id, found({ title: "Dough" }, { summary }))
      yield* catchUp
      const texts = embedder.asked.flat().filter((text) => /Bread|Loaf|Dough/.test(text))
      expect(new Set(texts.map((text) => text.replace(/Bread|Loaf|Dough/, "")))).toEqual(new Set([sent]))
      expect(texts.some((text) => text.startsWith("Dough"))).toBe(true)
      expect(yield* waiting).toBe(0)
    })

  it("is missing while the embedder is down, though the link is saved", function* (embedder) {
    embedder.turn("down")
    const link = yield* save("Bread")
    expect([link.title, link.enrichment]).toEqual(["Bread", "complete"])
    expect(yield* vectorsKept).toEqual([])
    expect(yield* waiting).toBe(1)
    expect(yield* inUse).toEqual(Option.none())
    embedder.turn("up")
    expect(yield* catchUp).toEqual([1])
    expect((yield* vectorsKept).map(({ id }) => id)).toEqual([link.id])
    expect(yield* waiting).toBe(0)
  })

  it("is never made of an outdated text", function* () {
    const links = yield* LinkStore
    const embeddings = yield* Embeddings
    const [id = expect.unreachable()] = yield* waitingLinks(["Bread"])
    const link = yield* links.get(id)
    yield* embeddings.writeVector(link, yield* embeddings.embedForSave("Guitar"))
    expect(yield* vectorsKept).toEqual([])
    expect(yield* waiting).toBe(1)
    yield* embeddings.writeVector(link, yield* embeddings.embedForSave("Bread"))
    expect(yield* likeness(id, "bread")).toBeCloseTo(1, 3)
    expect(yield* waiting).toBe(0)
  })

  itInProcess("is made again at once of the current text by an embedder in the process", function* () {
    const links = yield* LinkStore
    const embeddings = yield* Embeddings
    const [id = expect.unreachable()] = yield* waitingLinks(["Bread"])
    yield* embeddings.writeVector(yield* links.get(id), yield* embeddings.embedForSave("Guitar"))
    expect(yield* likeness(id, "bread")).toBeCloseTo(1, 3)
    expect(yield* waiting).toBe(0)
  })

  it("is deleted with the link", function* () {
    const edits = yield* EditLinks
    const bread = yield* save("Bread")
    const loaf = yield* save("Loaf")
    expect(yield* nearTo("dough")).toHaveLength(2)
    yield* edits.remove([bread.id])
    expect(yield* nearTo("dough")).toEqual([loaf.id])
    expect((yield* vectorsKept).map(({ id }) => id)).toEqual([loaf.id])
  })
})

describe("catching up", () => {
  it("embeds waiting links in batches of 64, in order", function* (embedder) {
    yield* waitingLinks(Array.from({ length: 130 }, (_, i) => `Bread ${i}`))
    embedder.asked.length = 0
    expect(yield* catchUp).toEqual([64, 64, 2])
    const texts = embedder.asked.filter(({ length }) => length > 1).flat()
    expect(texts).toEqual(Array.from({ length: 130 }, (_, i) => `Bread ${i}`))
    expect(yield* vectorsKept).toHaveLength(130)
    expect(yield* catchUp).toEqual([])
  })

  it("keeps finished batches when the embedder fails, and continues after them", function* (embedder) {
    yield* waitingLinks(Array.from({ length: 70 }, (_, i) => `Bread ${i}`))
    embedder.before = (texts) =>
      texts.includes("Bread 64") ? new EmbedderUnavailable({ reason: "enough", refused: false }) : Effect.void
    expect((yield* Effect.flip(catchUp)).reason).toBe("enough")
    expect(yield* vectorsKept).toHaveLength(64)
    expect(yield* waiting).toBe(6)
    embedder.turn("up")
    expect(yield* catchUp).toEqual([6])
    expect(yield* vectorsKept).toHaveLength(70)
  })

  it("embeds a link again if its text changes meanwhile", function* (embedder) {
    const sql = yield* SqlClient.SqlClient
    const [id = expect.unreachable()] = yield* waitingLinks(["Bread"])
    embedder.before = (texts) =>
      texts.includes("Bread")
        ? retitle(id, "Guitar").pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.orDie)
        : Effect.void
    yield* catchUp
    expect(yield* waiting).toBe(0)
    expect(yield* likeness(id, "guitar")).toBeCloseTo(1, 3)
  })

  it("skips only the text that the embedder rejects", function* (embedder) {
    const [poison = expect.unreachable(), ...others] = yield* waitingLinks([
      "Poison",
      ...Array.from({ length: 80 }, (_, i) => `Bread ${i}`)
    ])
    embedder.before = (texts) =>
      texts.includes("Poison") ? new EmbedderUnavailable({ reason: "refused", refused: true }) : Effect.void
    yield* catchUp
    const kept = (yield* vectorsKept).map(({ id }) => id)
    expect(kept).toEqual(others)
    expect(kept).not.toContain(poison)
    expect(yield* waiting).toBe(1)
  })

  it("keeps a link's vector when the embedder rejects its new text", function* (embedder) {
    const edits = yield* EditLinks
    const { id } = yield* save("Bread")
    yield* edits.change([id], { title: "Poison" })
    embedder.before = (texts) =>
      texts.includes("Poison") ? new EmbedderUnavailable({ reason: "refused", refused: true }) : Effect.void
    yield* catchUp
    expect(yield* likeness(id, "bread")).toBeCloseTo(1, 3)
    expect(yield* waiting).toBe(1)
  })

  it("skips a link that is deleted meanwhile", function* (embedder) {
    const links = yield* LinkStore
    const [gone = expect.unreachable(), stays = expect.unreachable()] = yield* waitingLinks([
      "Bread",
      "Guitar"
    ])
    embedder.before = (texts) => (texts.includes("Bread") ? Effect.orDie(links.remove([gone])) : Effect.void)
    yield* catchUp
    expect((yield* vectorsKept).map(({ id }) => id)).toEqual([stays])
    expect(yield* waiting).toBe(0)
  })

  it("embeds a link again after an edit of its title, but not of other fields", function* (embedder) {
    const edits = yield* EditLinks
    const { id } = yield* save("Bread")
    expect(yield* likeness(id, "bread")).toBeCloseTo(1, 3)
    yield* edits.change([id], { favorite: true })
    yield* edits.change([id], { collection: "Baking" })
    expect(yield* waiting).toBe(0)
    yield* edits.change([id], { title: "Guitar" })
    expect(yield* waiting).toBe(1)
    yield* catchUp
    expect(embedder.asked.at(-1)).toEqual(["Guitar"])
    expect(yield* likeness(id, "bread")).toBeCloseTo(0, 3)
    expect(yield* likeness(id, "guitar")).toBeCloseTo(1, 3)
    expect(yield* vectorsKept).toHaveLength(1)
  })
})

describe("the embedder in use", () => {
  it("is unknown until an endpoint has embedded the first link", function* () {
    expect(yield* inUse).toEqual(Option.none())
    expect(yield* query("bread")).toEqual(Option.none())
    yield* save("Bread")
    expect(Option.map(yield* inUse, ({ dimensions, name }) => ({ dimensions, name }))).toEqual(
      Option.some({ name: "a", dimensions: 8 })
    )
  })

  itInProcess("is known from the start if it runs in the process", function* () {
    expect(Option.map(yield* inUse, ({ name }) => name)).toEqual(Option.some("a"))
    expect(Option.isSome(yield* query("bread"))).toBe(true)
  })

  /** Vectors with a cosine of 0.36 between any two texts, and of 1 within each of the first `pairs` pairs. */
  const spread = (pairs: number) => (texts: ReadonlyArray<string>) =>
    texts.map((text) => {
      const place = unrelatedTexts.indexOf(text)
      const vector = new Float32Array(unrelatedTexts.length + 1)
      vector[0] = 0.6
      vector[1 + (place < 2 * pairs ? place - (place % 2) : place)] = 0.8
      return vector
    })
  const unmeasured = (pairs: number) => () =>
    fakeEmbedder("a", unrelatedTexts.length + 1, { threshold: Option.none(), vectors: spread(pairs) })

  embedderTest(effectTest, unmeasured(0))(
    "uses the similarity of unrelated texts as its threshold if they are equally similar",
    function* (embedder) {
      yield* save("Bread")
      expect(Option.getOrThrow(yield* inUse).threshold).toBeCloseTo(0.36, 5)
      expect(embedder.asked.filter(({ length }) => length > 1)).toEqual([unrelatedTexts])
    }
  )

  embedderTest(effectTest, unmeasured(1))(
    "raises the threshold by standard deviations if the similarities differ",
    function* () {
      yield* save("Bread")
      // Of the 276 pairs of 24 texts, one has the cosine 1.
      const share = 1 / 276
      const mean = 0.36 + 0.64 * share
      const deviation = 0.64 * Math.sqrt(share * (1 - share))
      expect(Option.getOrThrow(yield* inUse).threshold).toBeCloseTo(mean + 4.86 * deviation, 5)
    }
  )

  embedderTest(effectTest, () =>
    fakeEmbedder("a", 8, {
      threshold: Option.none(),
      vectors: (texts) =>
        texts.map((_, i) => Float32Array.from({ length: 8 }, (_, at) => (at === i % 2 ? 1 : 0)))
    })
  )("has a threshold of at most 0.95", function* () {
    yield* save("Bread")
    expect(Option.getOrThrow(yield* inUse).threshold).toBeCloseTo(0.95, 5)
  })

  it("is not measured if its threshold is known", function* (embedder) {
    yield* save("Bread")
    expect(Option.getOrThrow(yield* inUse).threshold).toBe(0.5)
    expect(embedder.asked.flat()).toEqual(["Bread"])
  })

  plain("is measured once, not at every start", function* () {
    const file = yield* libraryPath
    const first = unmeasured(1)()
    const measured = yield* Effect.zipRight(save("Bread"), inUse).pipe(
      Effect.provide(libraryWith(first, file))
    )
    const second = unmeasured(1)()
    const later = yield* Effect.zipRight(save("Guitar"), inUse).pipe(
      Effect.provide(libraryWith(second, file))
    )
    expect(first.asked).toContainEqual(unrelatedTexts)
    for (const text of unrelatedTexts) expect(second.asked.flat()).not.toContain(text)
    expect(later).toEqual(measured)
  })

  plain("starts over if its vectors change their length", function* () {
    const file = yield* libraryPath
    yield* Effect.all([save("Bread"), save("Guitar")]).pipe(
      Effect.provide(libraryWith(fakeEmbedder("a", 8), file))
    )
    yield* Effect.gen(function* () {
      const { id } = yield* save("Loaf")
      yield* catchUp
      expect(yield* vectorsKept).toEqual([1, 2, id].map((id) => ({ id, name: "a", dimensions: 6 })))
      expect(Option.getOrThrow(yield* inUse).dimensions).toBe(6)
      expect((yield* nearTo("dough")).toSorted()).toEqual([1, id])
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT name, dimensions FROM embedders`).toEqual([{ name: "a", dimensions: 6 }])
    }).pipe(Effect.provide(libraryWith(fakeEmbedder("a", 6), file)))
  })
})

describe("the vector of a search", () => {
  it("is cached", function* (embedder) {
    yield* save("Bread")
    embedder.asked.length = 0
    const first = yield* query("loaf")
    expect(Option.map(first, ({ embedder, text }) => [embedder.name, text])).toEqual(
      Option.some(["a", "loaf"])
    )
    expect(yield* query("loaf")).toEqual(first)
    yield* query("guitar")
    expect(embedder.asked).toEqual([["loaf"], ["guitar"]])
  })

  itInThread("is not cached while it is only a part, and has a threshold of its own", function* (embedder) {
    yield* save("Bread")
    embedder.asked.length = 0
    isAwake = false
    yield* query("loaf")
    isAwake = true
    yield* query("loaf")
    const whole = Option.getOrThrow(yield* query("loaf"))
    expect(embedder.asked).toEqual([["loaf"], ["loaf"]])
    const { searchFloor, searchThreshold, someWordsWeight } = yield* Embeddings
    expect(searchThreshold(whole.embedder)).toBe(0.1)
    expect(searchFloor(whole.embedder)).toBe(0.05)
    expect(someWordsWeight({ ...whole, vector: Float32Array.of(1, 0) })).toBe(0.2)
    expect(someWordsWeight({ ...whole, vector: Float32Array.of(0, 1) })).toBe(1)
  })

  itOnTestClock(
    "is missing when the embedder fails, and requested again a moment later",
    function* (embedder) {
      yield* save("Bread")
      embedder.asked.length = 0
      embedder.turn("down")
      expect(yield* query("loaf")).toEqual(Option.none())
      embedder.turn("up")
      yield* TestClock.adjust("1 millis")
      expect(Option.isSome(yield* query("loaf"))).toBe(true)
      expect(embedder.asked).toEqual([["loaf"], ["loaf"]])
    }
  )

  embedderTest(effectTest, () =>
    fakeEmbedder("a", 8, {
      vectors: (texts) => texts.map((text) => Float32Array.of(1, ...(text === "loaf" ? [0] : [0, 0])))
    })
  )("is missing when its length differs from that of the links' vectors", function* () {
    yield* save("Bread")
    expect(Option.isSome(yield* query("bread"))).toBe(true)
    expect(yield* query("loaf")).toEqual(Option.none())
  })

  itOnTestClock("has a timeout of its own for each search of the same words", function* (embedder) {
    yield* save("Bread")
    embedder.before = () => Effect.never
    const first = yield* Effect.fork(query("loaf"))
    yield* TestClock.adjust("1 second")
    const second = yield* Effect.fork(query("loaf"))
    yield* TestClock.adjust("3 seconds")
    expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toEqual([Option.none(), Option.none()])
  })

  itOnTestClock(
    "delays a save by five seconds at most; the link gets its vector later",
    function* (embedder) {
      embedder.before = () => Effect.never
      const saving = yield* Effect.fork(save("Bread"))
      yield* TestClock.adjust("7 seconds")
      const { id } = yield* Fiber.join(saving)
      expect(yield* vectorsKept).toEqual([])
      embedder.turn("up")
      yield* catchUp
      expect((yield* vectorsKept).map((one) => one.id)).toEqual([id])
    }
  )

  itOnTestClock("is missing when the embedder hangs for two seconds", function* (embedder) {
    yield* save("Bread")
    embedder.before = () => Effect.never
    const asking = yield* Effect.fork(query("loaf"))
    yield* eventually(Effect.sync(() => embedder.asked.at(-1)?.[0] === "loaf"))
    yield* TestClock.adjust("1999 millis")
    expect(yield* Fiber.poll(asking)).toEqual(Option.none())
    yield* TestClock.adjust("1 millis")
    expect(yield* Fiber.join(asking)).toEqual(Option.none())
    embedder.turn("up")
    expect(Option.isSome(yield* query("loaf"))).toBe(true)
  })

  itOnTestClock("is awaited until that timeout", function* (embedder) {
    yield* save("Bread")
    const answer = yield* Deferred.make<void>()
    embedder.before = () => Deferred.await(answer)
    const asking = yield* Effect.fork(query("loaf"))
    yield* eventually(Effect.sync(() => embedder.asked.at(-1)?.[0] === "loaf"))
    yield* TestClock.adjust("1999 millis")
    yield* Deferred.succeed(answer, undefined)
    expect(Option.map(yield* Fiber.join(asking), ({ text }) => text)).toEqual(Option.some("loaf"))
    expect(yield* Clock.currentTimeMillis).toBe(1_999)
  })

  itOnTestClock("is not awaited while the embedder keeps failing", function* (embedder) {
    yield* save("Bread")
    embedder.asked.length = 0
    embedder.before = () => Effect.never
    const failures = () => countOf("linkbower_embedding_failures_total", { purpose: "search" })
    const before = failures()
    for (const words of ["loaf", "dough", "chords"]) {
      const asking = yield* Effect.fork(query(words))
      yield* eventually(Effect.sync(() => embedder.asked.at(-1)?.[0] === words))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(asking)).toEqual(Option.none())
    }
    expect(failures() - before).toBe(3)

    // The clock stands still, so neither waits for the embedder.
    expect(yield* query("strings")).toEqual(Option.none())
    expect((yield* save("Loaf")).enrichment).toBe("complete")
    expect(embedder.asked).toHaveLength(3)

    yield* TestClock.adjust("30 seconds")
    embedder.turn("up")
    expect(Option.isSome(yield* query("strings"))).toBe(true)
    expect(Option.isSome(yield* query("loaf"))).toBe(true)
  })

  it("is still requested after the embedder rejects texts", function* (embedder) {
    yield* save("Bread")
    embedder.before = (texts) =>
      texts.includes("loaf") ? Effect.void : new EmbedderUnavailable({ reason: "too long", refused: true })
    for (const words of ["a", "b", "c", "d"]) expect(yield* query(words)).toEqual(Option.none())
    expect(Option.isSome(yield* query("loaf"))).toBe(true)
  })
})
