import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, Option, Stream, Tracer } from "effect"
import { library } from "../../src/Application.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { Enricher, enrichmentAfterCrashes } from "../../src/enrich/Enricher.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events, type LibraryEvent } from "../../src/library/Events.ts"
import { EnrichLink, SaveLink } from "../../src/library/SaveLink.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import {
  add,
  addAll,
  addressOf,
  cookies,
  databases,
  file,
  offline,
  one,
  players,
  setNote,
  type Text
} from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"
import { requestOf, saveAll } from "../support/saving.ts"

/** A page's text, what the model is offered for it, and its answer. */
interface Model {
  text: Text
  summary: string
  tags: ReadonlyArray<string>
  offered: ReadonlyArray<string>
  categories: ReadonlyArray<string>
  note: string
  meanwhile: Effect.Effect<void>
}
const model: Model = {
  text: one(cookies),
  summary: "",
  tags: [],
  offered: [],
  categories: [],
  note: "",
  meanwhile: Effect.void
}
const enricher = Layer.succeed(Enricher, {
  gather: (url) => Effect.sync(() => ({ ...found({ ...model.text, url: url.href }), url })),
  describeUnread: (url, hints) => Effect.succeed(enrichmentAfterCrashes(url, hints)),
  summarize: ({ url }, { categories, note, tags }) =>
    Effect.suspend(() => {
      model.offered = tags
      model.note = note
      model.categories = categories.map(({ name }) => name)
      const summary = { summary: model.summary, tags: model.tags, category: null }
      return Effect.as(model.meanwhile, found({ ...model.text, url: url.href }, { summary }))
    })
})

const withModel = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

/** Sets the page's text and the model's answer. */
const world = (text: Text, more: Partial<Model> = {}) =>
  Effect.sync(() => {
    Object.assign(model, { text, summary: "", tags: [], meanwhile: Effect.void, ...more })
  })

/** A claimed link that is no longer in the library. */
const claimed = Effect.gen(function* () {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink("new"))
  yield* links.remove([link.id])
  return link
})

const question = { url: new URL("https://example.org/new"), note: "", hints: {} }

/** The description of a link with this text and these tags of the model. */
const enrich = Effect.fnUntraced(function* (text: Text, tags: ReadonlyArray<string> = []) {
  yield* world(text, { tags })
  const describing = yield* EnrichLink
  return (yield* describing.enrich(yield* claimed, question)).found
})

/** Saves a link with this text and this answer of the model. */
const saveWith = Effect.fnUntraced(function* (text: Text, more: Partial<Model> = {}) {
  yield* world(text, more)
  const [saved = expect.unreachable()] = yield* saveAll([requestOf("https://example.org/new")])
  return saved
})

/** Counts the spans of the work by name. */
const spansOf = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const counts = new Map<string, number>()
  const inner = yield* Effect.tracer
  const counting = Tracer.make({
    span: (...about) => {
      counts.set(about[0], (counts.get(about[0]) ?? 0) + 1)
      return inner.span(...about)
    },
    context: (run, fiber) => inner.context(run, fiber)
  })
  yield* Effect.withTracer(work, counting)
  return (name: string) => counts.get(name) ?? 0
})

/** The events from now on, after a pause in which they arrive. */
const listening = Effect.gen(function* () {
  const heard: Array<LibraryEvent> = []
  const stream = yield* (yield* Events).listen
  yield* Effect.forkScoped(Stream.runForEach(stream, (event) => Effect.sync(() => void heard.push(event))))
  return { events: Effect.as(Effect.sleep("250 millis"), heard) }
})

describe("describing a link", () => {
  withModel("replaces tags with equivalent ones in use", function* () {
    yield* add(one(databases, 0), { tags: ["postgresql", "databases", "k8s"] })
    const { summary } = yield* enrich(one(databases, 1), ["postgres", "database", "kubernetes", "indexing"])
    expect(summary.tags).toEqual(["postgresql", "databases", "k8s", "indexing"])
  })

  withModel("replaces equivalent tags with the most used one", function* () {
    yield* add(one(cookies, 0), { tags: ["recipe"] })
    yield* add(one(cookies, 1), { tags: ["recipes"] })
    yield* add(one(cookies, 2), { tags: ["recipes"] })
    expect((yield* enrich(one(cookies, 3), ["recipe", "recipes"])).summary.tags).toEqual(["recipes"])
  })

  withModel("keeps the model's tags for the first link", function* () {
    expect((yield* enrich(one(cookies), ["baking", "sweet-things"])).summary.tags).toEqual([
      "baking",
      "sweet-things"
    ])
  })

  withModel(
    "offers the model the neighbours' tags first, then the other tags in use, each once",
    function* () {
      yield* addAll(players, { tags: ["self-hosted", "music"] })
      yield* add(one(databases, 0), { tags: ["sql", "self-hosted"] })
      yield* addAll(cookies.slice(0, 2), { tags: ["baking"] })
      yield* enrich(one(cookies, 2))
      expect(model.offered[0]).toBe("baking")
      expect(model.offered.toSorted()).toEqual(["baking", "music", "self-hosted", "sql"])
      yield* enrich(one(databases, 1))
      expect(model.offered.slice(0, 2)).toEqual(["sql", "self-hosted"])
    }
  )

  withModel("never offers private tags to the model or gives them to a link", function* () {
    yield* addAll(cookies.slice(0, 3), { tags: [".health", ".diet"] })
    yield* addAll(players, { tags: [".friends", "music"] })
    const { summary } = yield* enrich(one(cookies, 3), ["health", "diets", "friend", "songs"])
    expect(model.offered).toEqual(["music"])
    expect(summary.tags).toEqual(["health", "diets", "friend", "songs"])
  })

  withModel("offers sixty tags even if the nearest and most used ones are private", function* () {
    const hidden = Array.from({ length: 80 }, (_, i) => `.hidden-${i}`)
    yield* addAll(cookies.slice(1), { tags: hidden })
    yield* add(one(players), { tags: Array.from({ length: 70 }, (_, i) => `tag-${i}`) })
    yield* enrich(one(cookies))
    expect(model.offered.length).toBe(60)
    expect(model.offered.filter((tag) => tag.includes("hidden"))).toEqual([])
  })

  withModel("offers at most sixty tags, and the categories in use", function* () {
    for (const [index, text] of [...databases, ...players].entries())
      yield* add(text, {
        tags: Array.from({ length: 9 }, (_, i) => `tag-${index}-${i}`),
        category: index < 5 ? "software" : "music"
      })
    yield* add(one(cookies, 0), { tags: ["baking"], category: "recipes" })
    yield* enrich(one(cookies, 1))
    expect(model.offered.length).toBe(60)
    expect(model.offered[0]).toBe("baking")
    expect(model.categories).toEqual(["software", "music", "recipes"])
  })

  withModel("offers nothing for the first link of a library", function* () {
    yield* enrich(one(cookies))
    expect([model.offered, model.categories]).toEqual([[], []])
  })

  withModel("is given the note of a private link, and of no public one", function* () {
    const [describing, links, edit] = [yield* EnrichLink, yield* LinkStore, yield* EditLinks]
    const id = yield* add(one(cookies))
    const noteFor = Effect.fnUntraced(function* () {
      yield* describing.enrich(yield* links.get(id), { ...question, note: "For Ada's birthday" })
      return model.note
    })
    expect(yield* noteFor()).toBe("For Ada's birthday")
    yield* edit.change([id], { shareable: true })
    expect(yield* noteFor()).toBe("")
    yield* edit.change([id], { shareable: false })
    yield* file([id], "Baking")
    expect(yield* noteFor()).toBe("For Ada's birthday")
    yield* (yield* EditCollections).edit(1, { shareable: true })
    expect(yield* noteFor()).toBe("")
  })

  withModel("writes nothing about a link deleted while it was described", function* () {
    const describing = yield* EnrichLink
    const links = yield* LinkStore
    const id = yield* add(one(cookies))
    yield* world(one(cookies))
    const description = yield* describing.enrich(yield* links.get(id), question)
    yield* links.remove([id])
    expect(yield* describing.write(id, description)).toEqual(Option.none())
    expect(yield* links.count).toBe(0)
  })
})

describe("a save's neighbours", () => {
  withModel(
    "are looked up once for the model, the category and the collection, with few statements",
    function* () {
      yield* file(yield* addAll(cookies.slice(0, 3), { tags: ["baking"], category: "recipes" }), "Baking")
      const spans = yield* spansOf(
        saveWith(one(cookies, 3), { summary: "How to bake them.", tags: ["peanut-butter"] })
      )
      expect(model.offered).toEqual(["baking"])
      expect({
        scans: spans("VectorIndex.nearest"),
        profiles: spans("FilingStore.places"),
        embedded: spans("Embeddings.embedForSave")
      }).toEqual({ scans: 1, profiles: 1, embedded: 2 })
      expect(spans("sql.execute")).toBeLessThanOrEqual(24)
    }
  )

  withModel("are embedded once if the model does not change the text", function* () {
    yield* file(yield* addAll(cookies.slice(0, 3)), "Baking")
    const spans = yield* spansOf(saveWith(one(cookies, 3)))
    expect([spans("VectorIndex.nearest"), spans("Embeddings.embedForSave")]).toEqual([1, 1])
  })

  withModel("are compared again after the model extends the text", function* () {
    yield* file(yield* addAll(cookies.slice(0, 3)), "Baking")
    yield* file(yield* addAll(databases.slice(0, 3)), "Databases")
    const blank = { title: "Notes", description: "" }
    expect((yield* saveWith(blank)).link.collection).toBeNull()
    const { description } = one(cookies, 0)
    const summary = `${description}. ${one(cookies, 1).description}.`
    const spans = yield* spansOf(
      Effect.gen(function* () {
        yield* world(blank, { summary })
        const [saved] = yield* saveAll([requestOf("https://example.org/other")])
        expect(saved?.link.collection?.name).toBe("Baking")
      })
    )
    expect(spans("VectorIndex.nearest")).toBe(1)
  })

  withModel("do not file a link if they leave the collection meanwhile", function* () {
    const edits = yield* EditLinks
    const baking = yield* addAll(cookies.slice(0, 3))
    yield* file(baking, "Baking")
    const taken = edits.change(baking, { collection: null })
    const { filed, link } = yield* saveWith(one(cookies, 3), {
      meanwhile: Effect.asVoid(Effect.orDie(taken))
    })
    expect([link.collection, filed]).toEqual([null, Option.none()])
  })

  withModel("do not file a link if they are deleted meanwhile", function* () {
    const links = yield* LinkStore
    const baking = yield* addAll(cookies.slice(0, 3))
    yield* file(baking, "Baking")
    const { link } = yield* saveWith(one(cookies, 3), {
      summary: "How to bake them.",
      meanwhile: Effect.orDie(links.remove(baking))
    })
    expect(link.collection).toBeNull()
  })
})

const known = libraryTest(offline())

describe("a save's steps", () => {
  known("publish links after the commit, and none after a rollback", function* () {
    const heard = yield* listening
    const settle = () => Effect.fail(new StoreUnavailable({ reason: "full" }))
    yield* Effect.flip(saveAll([requestOf(addressOf(one(cookies)))], { settle }))
    expect(yield* heard.events).toEqual([])
    const [saved] = yield* saveAll([requestOf(addressOf(one(cookies)))])
    expect(saved).toMatchObject({ created: false, link: { title: one(cookies).title } })
    expect(yield* heard.events).toMatchObject([{ type: "link", change: "saved", ids: [saved?.link.id] }])
  })

  known(
    "skip new and known links that the owner deletes while pages are read, and publish none of them",
    function* () {
      const [links, saving] = [yield* LinkStore, yield* SaveLink]
      const old = yield* add(one(cookies))
      const heard = yield* listening
      const requests = [one(cookies), one(databases), one(players)].map((text) => requestOf(addressOf(text)))
      const claims = yield* saving.upsert(requests)
      expect(claims.map(({ created }) => created)).toEqual([false, true, true])
      const drafts = yield* saving.enrich(claims, { reEnrich: false, skipReading: false })
      yield* links.remove([old, ...claims.slice(1, 2).map(({ link }) => link.id)])
      const saved = yield* saving.finish(drafts, "chat")
      expect(saved.map(({ link }) => link.title)).toEqual([one(players).title])
      expect(yield* links.count).toBe(1)
      expect(yield* heard.events).toMatchObject([{ ids: saved.map(({ link }) => link.id) }])
    }
  )

  known("return a known link in its final state", function* () {
    const [saving, edits] = [yield* SaveLink, yield* EditLinks]
    const id = yield* add(one(cookies))
    const claims = yield* saving.upsert([requestOf(addressOf(one(cookies)))])
    yield* edits.change([id], { title: "My cookies" })
    const drafts = yield* saving.enrich(claims, { reEnrich: true, skipReading: false })
    const [saved] = yield* saving.finish(drafts, "capture")
    expect(saved).toMatchObject({ created: false, link: { title: "My cookies" } })
    expect(Option.isSome(saved?.found ?? Option.none())).toBe(true)
  })

  known("claim an arrival's links once, and never a deleted one again", function* () {
    const [links, saving, inbox] = [yield* LinkStore, yield* SaveLink, yield* InboxStore]
    const { id } = yield* inbox.keep({ source: "chat", key: "1", payload: "{}" })
    const request = requestOf(addressOf(one(cookies)), { note: "for later" })
    const claim = saving.upsert([request], { id, first: 0 })
    const [first = expect.unreachable()] = yield* claim
    expect([first.created, first.isFresh, first.link.note]).toEqual([true, true, "for later"])
    yield* setNote(first.link.id, "")
    const [again] = yield* claim
    expect(again).toMatchObject({ created: false, isFresh: false, link: { note: "" } })
    yield* links.remove([first.link.id])
    expect(yield* claim).toEqual([])
    expect(yield* links.count).toBe(0)
  })
})

/** Weak references to the results for the pages. */
const readings: Array<WeakRef<Enrichment["page"]>> = []
let gate: Deferred.Deferred<void> | undefined

const gatedEnricher = fakeEnricher(({ url }) =>
  Effect.gen(function* () {
    if (gate !== undefined) yield* Deferred.await(gate)
    const reading = found({ url: url.href, title: url.href, text: `${url.href} `.repeat(500) })
    readings.push(new WeakRef(reading.page))
    return reading
  })
)
const gated = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), gatedEnricher)))

const save = (path: string) => saveAll([requestOf(`https://example.org/${path}`)], { reEnrich: true })

describe("reading a page for a save", () => {
  gated("happens once for concurrent saves, and again for a later one", function* () {
    readings.length = 0
    gate = yield* Deferred.make<void>()
    const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.fork(save("same")))
    yield* Effect.sleep("50 millis")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.joinAll(fibers)
    gate = undefined
    expect(readings.length).toBe(1)
    yield* save("same")
    expect(readings.length).toBe(2)
  })

  gated("keeps no text in memory after its last save", function* () {
    readings.length = 0
    for (let n = 0; n < 40; n++) yield* save(`page-${n}`)
    expect(readings.length).toBe(40)
    // Some may stay on the stack, which the collector scans conservatively.
    const left = () => readings.filter((reading) => reading.deref() !== undefined).length
    for (let turn = 0; turn < 20 && left() >= 10; turn++) {
      yield* Effect.sleep("10 millis")
      Bun.gc(true)
    }
    expect(left()).toBeLessThan(10)
  })
})
