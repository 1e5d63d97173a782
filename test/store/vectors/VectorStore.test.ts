import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { quantize } from "../../../src/search/Quantize.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { VectorStore } from "../../../src/store/vectors/VectorStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { found, newLink } from "../../support/links.ts"

const it = libraryTest(stores())

/** Saves a finished link, which waits for its vector. */
const save = (path: string, title = path) =>
  Effect.gen(function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink(path))
    yield* links.finish(link.id, found({ title }))
    return link.id
  })

const vector = (linkId: number, values: ReadonlyArray<number>, place: number | null = null) => {
  const floats = Float32Array.from(values)
  return { linkId, place, floats, ...quantize(floats) }
}

const embedder = (name = "test", dimensions = 3) =>
  Effect.flatMap(VectorStore, (store) => store.addEmbedder({ name, dimensions, threshold: 0.5 }))

const queue = Effect.gen(function* () {
  const store = yield* VectorStore
  return (yield* store.waiting(1_000, 0)).map(({ id }) => id)
})

/** Empties the queue by writing a vector of each link. */
const settle = (...ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const store = yield* VectorStore
    const { id } = yield* embedder()
    yield* store.write(
      id,
      ids.map((linkId) => vector(linkId, [1, 0, 0]))
    )
    expect(yield* store.waitingCount).toBe(0)
    return id
  })

const linksWithFloats = (embedderId: number, ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const store = yield* VectorStore
    return [...(yield* store.floats(embedderId, ids)).keys()].sort()
  })

describe("VectorStore", () => {
  it("returns a vector as float16", function* () {
    const store = yield* VectorStore
    const values = [0.1, -0, 1e-45, 0.999, -1 / 3, 0]
    const kept = Float32Array.from(Float16Array.from(values))
    const { id: by } = yield* embedder("six", values.length)
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    const written = vector(a, values)
    // A view into a larger buffer, at an offset that is not a multiple of eight.
    const view = new Float32Array(Float32Array.from([9, ...values, 9]).buffer, 4, values.length)
    yield* store.write(by, [written, { ...vector(b, values), floats: view }])
    const floats = yield* store.floats(by, [a, b, c, 999])
    expect([...floats.keys()].sort()).toEqual([a, b])
    for (const id of [a, b]) {
      const back = floats.get(id) ?? new Float32Array()
      expect([...new Uint32Array(back.slice().buffer)]).toEqual([...new Uint32Array(kept.buffer)])
    }
    const [code] = yield* store.since(by, 0, 1)
    expect(code).toEqual({ revision: 1, linkId: a, scale: written.scale, codes: written.codes })
  })

  it("returns a unit vector with length 1, which float16 changes", function* () {
    const store = yield* VectorStore
    const { id: by } = yield* embedder()
    const a = yield* save("a")
    yield* store.write(by, [vector(a, [3 ** -0.5, 3 ** -0.5, 3 ** -0.5])])
    const floats = yield* store.floats(by, [a])
    expect(Math.hypot(...(floats.get(a) ?? []))).toBeCloseTo(1, 6)
  })

  it("returns floats that later reads and writes leave unchanged", function* () {
    const store = yield* VectorStore
    const { id: by } = yield* embedder()
    const [a, b] = [yield* save("a"), yield* save("b")]
    yield* store.write(by, [vector(a, [1, 2, 3]), vector(b, [4, 5, 6])])
    const first = (yield* store.floats(by, [a])).get(a)
    yield* store.write(by, [vector(a, [7, 8, 9])])
    yield* store.floats(by, [b])
    expect(first).toEqual(Float32Array.of(1, 2, 3))
    expect((yield* store.floats(by, [a])).get(a)).toEqual(Float32Array.of(7, 8, 9))
  })

  it("queues a link once it is finished, and not before", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a", { note: "n", tags: ["mine"] }))
    yield* links.upsert(newLink("a", { tags: ["more"] }))
    expect(yield* queue).toEqual([])
    yield* links.finish(link.id, found({ title: "T", description: "D" }))
    const store = yield* VectorStore
    const [waiting, ...others] = yield* store.waiting(10, 0)
    expect(others).toEqual([])
    expect(waiting).toMatchObject({
      id: link.id,
      title: "T",
      description: "D",
      summary: "",
      tags: ["mine", "more"],
      fresh: true
    })
  })

  it("queues a link again when its text changes", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const id = yield* save("a", "Title")
    const again: Record<string, Effect.Effect<unknown, unknown>> = {
      title: changes.apply({ fields: ["title"], links: [{ id, title: "Mine" }] }),
      summary: changes.apply({ fields: ["summary"], links: [{ id, summary: "Mine" }] }),
      description: links.finish(id, found({ title: "Mine", description: "New" })),
      tags: links.upsert(newLink("a", { tags: ["new"] }))
    }
    for (const [what, change] of Object.entries(again)) {
      yield* settle(id)
      yield* change
      expect({ what, queue: yield* queue }).toEqual({ what, queue: [id] })
    }
    const store = yield* VectorStore
    expect((yield* store.waiting(1, 0))[0]?.fresh).toBe(false)
  })

  it("does not queue a link when other fields or nothing changes", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const id = yield* save("a", "Title")
    const not: Record<string, Effect.Effect<unknown, unknown>> = {
      note: changes.apply({ fields: ["note"], links: [{ id, note: "read it" }] }),
      "another note": links.upsert(newLink("a", { note: "and again" })),
      favorite: changes.apply({ fields: ["favorite"], links: [{ id, favorite: true }] }),
      shareable: changes.apply({ fields: ["shareable"], links: [{ id, shareable: true }] }),
      category: changes.apply({ fields: ["category"], links: [{ id, category: "reading" }] }),
      collection: changes.apply({ fields: ["collection"], links: [{ id, collection: "Mine" }] }),
      "the same title": changes.apply({ fields: ["title"], links: [{ id, title: "Title" }] }),
      "the page's text": links.finish(id, found({ title: "Title", text: "a long text" }))
    }
    yield* settle(id)
    for (const [what, change] of Object.entries(not)) {
      yield* change
      expect({ what, queue: yield* queue }).toEqual({ what, queue: [] })
    }
  })

  it("queues a link when its note changes, if its vector represents the note", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const store = yield* VectorStore
    const { id: own } = yield* embedder("linkbower-9")
    const { id: endpoint } = yield* embedder("large at gpu.lan")
    const [a, b] = [yield* save("a"), yield* save("b")]
    yield* store.write(own, [vector(a, [1, 0, 0])])
    yield* store.write(endpoint, [vector(b, [1, 0, 0])])
    const { link: pending } = yield* links.upsert(newLink("pending"))
    const noted = (note: string) => ({
      fields: ["note"] as const,
      links: [a, b, pending.id].map((id) => ({ id, note }))
    })
    yield* changes.apply(noted("read it"))
    expect((yield* store.waiting(9, 0)).map(({ fresh, id, note }) => [id, note, fresh])).toEqual([
      [a, "read it", false]
    ])
    yield* store.write(own, [vector(a, [0, 1, 0])])
    yield* changes.apply(noted("read it"))
    expect(yield* queue).toEqual([])
    yield* links.upsert(newLink("a", { note: "and again" }))
    expect(yield* queue).toEqual([a])
  })

  it("returns waiting links in order, a page at a time, and marks those that never had a vector", function* () {
    const store = yield* VectorStore
    const changes = yield* ChangeStore
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    expect(yield* queue).toEqual([a, b, c])
    yield* store.write((yield* embedder()).id, [vector(a, [1, 0, 0])])
    yield* changes.apply({ fields: ["title"], links: [{ id: a, title: "Later" }] })
    const all = yield* store.waiting(10, 0)
    expect(all.map(({ id, fresh, title }) => [id, fresh, title])).toEqual([
      [b, true, "b"],
      [c, true, "c"],
      [a, false, "Later"]
    ])
    expect(yield* store.waitingCount).toBe(3)
    const first = yield* store.waiting(2, 0)
    expect(first).toEqual(all.slice(0, 2))
    expect(yield* store.waiting(2, first[1]?.place ?? 0)).toEqual(all.slice(2))
    expect(yield* store.waiting(2, all[2]?.place ?? 0)).toEqual([])
  })

  it("dequeues a link with its vector, unless it changed since it was read", function* () {
    const store = yield* VectorStore
    const changes = yield* ChangeStore
    const { id: by } = yield* embedder()
    const [a, b] = [yield* save("a"), yield* save("b")]
    const read = yield* store.waiting(10, 0)
    yield* changes.apply({ fields: ["title"], links: [{ id: a, title: "Changed meanwhile" }] })
    yield* store.write(
      by,
      read.map(({ id, place }) => vector(id, [1, 0, 0], place))
    )
    expect(yield* queue).toEqual([a])
    expect(yield* linksWithFloats(by, [a, b])).toEqual([a, b])
    const [again] = yield* store.waiting(10, 0)
    yield* store.write(by, [vector(a, [0, 1, 0], again?.place ?? null)])
    expect(yield* queue).toEqual([])
    yield* changes.apply({ fields: ["title"], links: [{ id: b, title: "Changed" }] })
    yield* store.write(by, [vector(b, [0, 1, 0])])
    expect(yield* queue).toEqual([])
  })

  it("writes no vector of a link deleted meanwhile", function* () {
    const store = yield* VectorStore
    const links = yield* LinkStore
    const { id: by } = yield* embedder()
    const [a, b] = [yield* save("a"), yield* save("b")]
    yield* links.remove([a])
    expect(yield* queue).toEqual([b])
    yield* store.write(by, [vector(a, [1, 0, 0]), vector(b, [0, 1, 0])])
    expect(yield* linksWithFloats(by, [a, b])).toEqual([b])
    expect((yield* store.since(by, 0, 10)).map(({ linkId }) => linkId)).toEqual([b])
  })

  it("stores one vector per link, with increasing revisions", function* () {
    const store = yield* VectorStore
    const { id: by } = yield* embedder()
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* store.write(by, [vector(a, [1, 0, 0]), vector(b, [1, 0, 0]), vector(c, [1, 0, 0])])
    const first = yield* store.since(by, 0, 10)
    expect(first.map(({ linkId }) => linkId)).toEqual([a, b, c])
    const last = first[2]?.revision ?? 0
    yield* store.write(by, [vector(a, [0, 0, 2])])
    const later = yield* store.since(by, last, 10)
    expect(later.map(({ codes, linkId }) => [linkId, ...codes])).toEqual([[a, 0, 0, 127]])
    expect(later[0]?.revision).toBeGreaterThan(last)
    expect((yield* store.since(by, 0, 10)).map(({ linkId }) => linkId)).toEqual([b, c, a])
    expect((yield* store.since(by, 0, 2)).map(({ linkId }) => linkId)).toEqual([b, c])
    expect(yield* store.removedSince(by, 0)).toEqual({ revision: 0, ids: [] })
  })

  it("records the removal of a vector when its link is deleted", function* () {
    const store = yield* VectorStore
    const links = yield* LinkStore
    const [one, other] = [yield* embedder("one"), yield* embedder("other")]
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* store.write(
      one.id,
      [a, b, c].map((id) => vector(id, [1, 0, 0]))
    )
    yield* links.remove([a])
    const first = yield* store.removedSince(one.id, 0)
    expect(first.ids).toEqual([a])
    yield* links.remove([c])
    const then = yield* store.removedSince(one.id, first.revision)
    expect(then.ids).toEqual([c])
    expect(then.revision).toBeGreaterThan(first.revision)
    expect(yield* store.removedSince(one.id, 0)).toEqual({ revision: then.revision, ids: [a, c] })
    expect(yield* store.removedSince(one.id, then.revision)).toEqual({ revision: then.revision, ids: [] })
    expect(yield* store.removedSince(other.id, 0)).toEqual({ revision: 0, ids: [] })
    expect(yield* linksWithFloats(one.id, [a, b, c])).toEqual([b])
  })

  it("queues every finished link without a vector of an embedder, once", function* () {
    const store = yield* VectorStore
    const links = yield* LinkStore
    const [old, young] = [yield* embedder("old"), yield* embedder("young")]
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* links.upsert(newLink("pending"))
    yield* store.write(
      old.id,
      [a, b, c].map((id) => vector(id, [1, 0, 0]))
    )
    yield* store.write(young.id, [vector(b, [1, 0, 0])])
    expect(yield* queue).toEqual([])
    yield* store.queueMissing(old.id)
    expect(yield* queue).toEqual([])
    yield* store.queueMissing(young.id)
    const places = yield* store.waiting(10, 0)
    expect(places.map(({ id }) => id)).toEqual([a, c])
    yield* store.queueMissing(young.id)
    expect(yield* store.waiting(10, 0)).toEqual(places)
  })

  it("removes replaced vectors, and embedders without vectors", function* () {
    const store = yield* VectorStore
    const sql = yield* SqlClient.SqlClient
    const [old, young] = [yield* embedder("old"), yield* embedder("young")]
    const id = yield* save("a")
    for (const by of [old, young]) yield* store.write(by.id, [vector(id, [1, 0, 0])])
    yield* store.removeReplaced(young.id)
    expect(yield* store.embedder("old")).toEqual(Option.none())
    expect(yield* store.embedder("young")).toEqual(Option.some(young))
    expect(yield* linksWithFloats(old.id, [id])).toEqual([])
    expect(yield* linksWithFloats(young.id, [id])).toEqual([id])
    expect(yield* sql`SELECT embedder_id FROM vectors`).toEqual([{ embedderId: young.id }])
  })

  it("leaves a queued link its vector until it has one of the other embedder", function* () {
    const store = yield* VectorStore
    const sql = yield* SqlClient.SqlClient
    const [old, young] = [yield* embedder("old"), yield* embedder("young")]
    const [refused, edited] = [yield* save("a"), yield* save("b")]
    for (const id of [refused, edited]) yield* store.write(old.id, [vector(id, [1, 0, 0])])
    yield* store.write(young.id, [vector(edited, [1, 0, 0])])
    yield* store.queueAll
    yield* store.removeReplaced(young.id)
    expect(yield* linksWithFloats(old.id, [refused, edited])).toEqual([refused])
    expect(yield* linksWithFloats(young.id, [refused, edited])).toEqual([edited])
    expect(yield* sql`SELECT link_id FROM vectors WHERE embedder_id = ${old.id}`).toEqual([
      { linkId: refused }
    ])
    yield* store.write(young.id, [vector(refused, [1, 0, 0])])
    yield* store.removeReplaced(young.id)
    expect(yield* store.embedder("old")).toEqual(Option.none())
    expect(yield* linksWithFloats(young.id, [refused, edited])).toEqual([refused, edited])
  })

  it("knows an embedder by its name, and takes over its threshold", function* () {
    const store = yield* VectorStore
    expect(yield* store.embedder("test")).toEqual(Option.none())
    const first = yield* store.addEmbedder({ name: "test", dimensions: 3, threshold: 0.5 })
    expect(first).toEqual({ id: first.id, name: "test", dimensions: 3, threshold: 0.5 })
    const id = yield* save("a")
    yield* store.write(first.id, [vector(id, [1, 0, 0])])
    const second = yield* store.addEmbedder({ name: "test", dimensions: 3, threshold: 0.7 })
    expect(second).toEqual({ ...first, threshold: 0.7 })
    expect(yield* store.embedder("test")).toEqual(Option.some(second))
    expect(yield* linksWithFloats(first.id, [id])).toEqual([id])
  })

  it("deletes an embedder's vectors when its dimensions change, and gives it another id", function* () {
    const store = yield* VectorStore
    const sql = yield* SqlClient.SqlClient
    const [first, other] = [yield* embedder("test", 3), yield* embedder("other", 3)]
    const id = yield* save("a")
    for (const by of [first, other]) yield* store.write(by.id, [vector(id, [1, 0, 0])])
    const second = yield* embedder("test", 4)
    expect([first.id, other.id]).not.toContain(second.id)
    expect(second.dimensions).toBe(4)
    expect(yield* linksWithFloats(first.id, [id])).toEqual([])
    expect(yield* store.since(second.id, 0, 10)).toEqual([])
    expect(yield* linksWithFloats(other.id, [id])).toEqual([id])
    expect(yield* sql`SELECT count(*) AS n FROM vectors`).toEqual([{ n: 1 }])
  })

  it("returns the embedder with the most vectors, the newer of two equal ones", function* () {
    const store = yield* VectorStore
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM embedders`
    expect(yield* store.busiest).toEqual(Option.none())
    const [old, young] = [yield* embedder("old"), yield* embedder("young")]
    expect(yield* store.busiest).toEqual(Option.some(young))
    yield* store.write(old.id, [vector(yield* save("a"), [1, 0, 0])])
    expect(yield* store.busiest).toEqual(Option.some(old))
  })

  it("has a stamp that changes with every write only", function* () {
    const store = yield* VectorStore
    const links = yield* LinkStore
    const { id: by } = yield* embedder()
    const id = yield* save("a")
    const stamps: Array<string> = []
    const changes: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
      Effect.void,
      store.write(by, [vector(id, [1, 0, 0])]),
      store.write(by, [vector(id, [1, 0, 0])]),
      (yield* ChangeStore).apply({ fields: ["note"], links: [{ id, note: "n" }] }),
      links.remove([id])
    ]
    for (const change of changes) {
      yield* change
      const stamp = yield* store.stamp
      yield* store.floats(by, [id])
      yield* store.waiting(10, 0)
      expect(yield* store.stamp).toBe(stamp)
      stamps.push(stamp)
    }
    expect(new Set(stamps).size).toBe(changes.length)
  })
})
