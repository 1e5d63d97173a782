import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { quantize } from "../../../src/search/Quantize.ts"
import { makeVectorIndex } from "../../../src/search/VectorIndex.ts"
import { PublicVectorSource, PublicVectors } from "../../../src/store/public/PublicVectors.ts"
import { floatBytes, vectorFloats } from "../../../src/store/vectors/VectorStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { hide, projection, save, set } from "./shared.ts"

const it = libraryTest(projection)

const EMBEDDER = { id: 0, name: "test", dimensions: 4, threshold: 0.5 }

const unit = (...values: ReadonlyArray<number>) => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}
const [NORTH, EAST, UP] = [unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(0, 0, 1, 0)]

const vector = (linkId: number, floats: Float32Array, place = 0) => ({
  linkId,
  place,
  floats,
  ...quantize(floats)
})

const waiting = Effect.flatMap(PublicVectors, (store) =>
  Effect.map(store.waiting(100), (rows) => rows.map(({ id }) => id))
)

const write = (...all: ReadonlyArray<readonly [linkId: number, floats: Float32Array]>) =>
  Effect.gen(function* () {
    const store = yield* PublicVectors
    const places = new Map((yield* store.waiting(1_000)).map(({ id, place }) => [id, place]))
    yield* store.write(
      EMBEDDER.name,
      all.map(([id, floats]) => vector(id, floats, places.get(id)))
    )
  })

/** The links that have a vector. */
const embedded = Effect.map(
  Effect.flatMap(PublicVectorSource, (source) => source.since(0, 0, 1_000)),
  (rows) => rows.map(({ linkId }) => linkId)
)

describe("PublicVectors", () => {
  it("queues shared links in order, with their public text", function* () {
    const store = yield* PublicVectors
    const a = yield* save("A", {
      description: "D",
      summary: "S",
      note: "secretnote",
      text: "secrettext",
      tags: [".secrettag", "open"]
    })
    yield* hide("Private")
    const b = yield* save("B")
    const rows = yield* store.waiting(10)
    expect(rows.map(({ place: _, ...row }) => row)).toEqual([
      { id: a, title: "A", description: "D", summary: "S", tags: ["open"] },
      { id: b, title: "B", description: "", summary: "", tags: [] }
    ])
    expect(yield* store.waiting(1)).toEqual(rows.slice(0, 1))
    expect(JSON.stringify(rows)).not.toContain("secret")
  })

  it("queues a link again only when its public text changes", function* () {
    const id = yield* save("Title", { tags: ["a"] })
    const other = yield* hide("Private")
    for (const [column, value] of [
      ["title", "Other"],
      ["summary", "Other"],
      ["description", "Other"],
      ["tags", '["b"]'],
      ["url", "https://example.org/other"]
    ] as const) {
      yield* write([id, NORTH])
      expect(yield* waiting).toEqual([])
      yield* set(id, column, value)
      expect([column, yield* waiting]).toEqual([column, [id]])
    }
    yield* write([id, NORTH])
    for (const [column, value] of [
      ["note", "private"],
      ["text", "private"],
      ["favorite", 1],
      ["category", "reading"],
      ["tags", '["b",".private"]'],
      ["title", "Other"],
      ["image", "https://example.org/i.png"]
    ] as const) {
      yield* set(id, column, value)
      expect([column, yield* waiting]).toEqual([column, []])
    }
    yield* set(other, "title", "Still private")
    expect(yield* waiting).toEqual([])
    yield* set(other, "shareable", 1)
    expect(yield* waiting).toEqual([other])
    yield* set(other, "shareable", 0)
    expect(yield* waiting).toEqual([])
  })

  it("stores one float16 vector per link, with increasing revisions", function* () {
    const source = yield* PublicVectorSource
    const [a, b] = [yield* save("a"), yield* save("b")]
    const values = unit(0.1, -0.7, 1 / 3, 0)
    yield* write([a, values], [b, EAST])
    const floats = yield* source.floats(0, [a, b, 999])
    expect([...floats.keys()].toSorted()).toEqual([a, b])
    expect(floats.get(a)).toEqual(vectorFloats(floatBytes(values)))
    const first = yield* source.since(0, 0, 10)
    expect(first.map(({ linkId }) => linkId)).toEqual([a, b])
    expect(first[0]).toMatchObject({ codes: quantize(values).codes, scale: quantize(values).scale })
    const last = first[1]?.revision ?? 0
    yield* write([a, UP])
    const later = yield* source.since(0, last, 10)
    expect(later.map(({ linkId }) => linkId)).toEqual([a])
    expect(later[0]?.revision).toBeGreaterThan(last)
    expect(yield* source.since(0, 0, 10)).toHaveLength(2)
    expect(yield* source.since(0, 0, 1)).toHaveLength(1)
    expect((yield* source.floats(0, [a])).get(a)).toEqual(UP)
    // A vector that is replaced is not removed.
    expect(yield* source.lastRemoval).toBe(0)
  })

  it("dequeues a link with its vector, unless it changed since it was read", function* () {
    const store = yield* PublicVectors
    const [a, b] = [yield* save("a"), yield* save("b")]
    const read = yield* store.waiting(10)
    yield* set(a, "title", "Changed meanwhile")
    yield* store.write(
      "test",
      read.map(({ id, place }) => vector(id, NORTH, place))
    )
    expect(yield* waiting).toEqual([a])
    expect(yield* embedded).toEqual([a, b])
    yield* write([a, EAST])
    expect(yield* waiting).toEqual([])
  })

  it("writes no vector of a link unshared or deleted meanwhile", function* () {
    const store = yield* PublicVectors
    const sql = yield* SqlClient.SqlClient
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    const read = yield* store.waiting(10)
    yield* set(a, "shareable", 0)
    yield* sql`DELETE FROM links WHERE id = ${b}`
    yield* store.write(
      "test",
      read.map(({ id, place }) => vector(id, NORTH, place))
    )
    expect(yield* embedded).toEqual([c])
    expect(yield* sql`SELECT count(*) FROM public_vectors`.values).toEqual([[1]])
  })

  it("removes the vector of an unshared or deleted link, and records it", function* () {
    const source = yield* PublicVectorSource
    const sql = yield* SqlClient.SqlClient
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* write([a, NORTH], [b, EAST], [c, UP])
    const stamp = yield* source.stamp
    yield* set(a, "shareable", 0)
    yield* sql`DELETE FROM links WHERE id = ${b}`
    expect(yield* source.stamp).not.toBe(stamp)
    expect(yield* embedded).toEqual([c])
    expect((yield* source.floats(0, [a, b, c])).size).toBe(1)
    const removed = yield* source.removedSince(0, 0)
    expect(removed.ids).toEqual([a, b])
    expect(removed.revision).toBe(yield* source.lastRemoval)
    expect(yield* source.removedSince(0, removed.revision)).toEqual({ revision: removed.revision, ids: [] })
  })

  it("removes all vectors for another embedder, and queues their links", function* () {
    const store = yield* PublicVectors
    const source = yield* PublicVectorSource
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* hide("Private")
    yield* write([a, NORTH], [b, EAST])
    expect(yield* waiting).toEqual([c])
    yield* store.prepare("test")
    expect(yield* embedded).toEqual([a, b])
    expect(yield* waiting).toEqual([c])
    yield* store.prepare("other")
    expect(yield* embedded).toEqual([])
    expect(yield* waiting).toEqual([c, a, b])
    // Readers of the old vectors learn that they are gone.
    expect((yield* source.removedSince(0, 0)).ids.toSorted()).toEqual([a, b])
    yield* store.prepare("other")
    expect(yield* waiting).toEqual([c, a, b])
    expect((yield* source.removedSince(0, 0)).ids).toEqual([])
  })

  it("queues shared links that have neither vector nor place in the queue", function* () {
    const store = yield* PublicVectors
    const sql = yield* SqlClient.SqlClient
    const [a, b] = [yield* save("a"), yield* save("b")]
    yield* hide("Private")
    yield* sql`DELETE FROM public_embedding_queue`
    expect(yield* waiting).toEqual([])
    yield* store.prepare("test")
    expect(yield* waiting).toEqual([a, b])
  })
})

describe("a vector index of the public list", () => {
  it("follows links that are unshared and shared again", function* () {
    const index = makeVectorIndex(yield* PublicVectorSource)
    const [a, b, c] = [yield* save("a"), yield* save("b"), yield* save("c")]
    yield* write([a, NORTH], [b, unit(3, 1, 0, 0)], [c, EAST])
    const nearest = Effect.map(index.nearest(EMBEDDER, NORTH, 5), (all) => all.map(({ id }) => id))
    expect(yield* nearest).toEqual([a, b, c])
    yield* set(a, "shareable", 0)
    expect(yield* nearest).toEqual([b, c])
    expect((yield* index.matrix(EMBEDDER)).vector(a)).toBeUndefined()
    yield* set(a, "shareable", 1)
    expect(yield* nearest).toEqual([b, c])
    yield* write([a, UP])
    expect(yield* nearest).toEqual([b, c, a])
    // Unshared, shared and embedded again between two searches.
    yield* set(b, "shareable", 0)
    yield* set(b, "shareable", 1)
    yield* write([b, unit(0, 1, 1, 0)])
    yield* set(c, "shareable", 0)
    expect(yield* nearest).toEqual([b, a])
    expect((yield* index.matrix(EMBEDDER)).size).toBe(2)
    const [first] = yield* index.nearest(EMBEDDER, EAST, 1)
    expect(first?.id).toBe(b)
    expect(first?.similarity).toBeCloseTo(Math.SQRT1_2, 5)
  })

  it("reads several chunks of vectors, and handles removals from before its first read", function* () {
    const source = yield* PublicVectorSource
    const sql = yield* SqlClient.SqlClient
    yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
        INSERT INTO links (id, url, normalized_url, host, title, category, shareable, created_at, updated_at)
        SELECT i, 'https://h/' || i, 'https://h/' || i, 'h', 't', 'c', 1, '', '' FROM n`
    const around = (id: number) => unit(Math.cos(id / 2_000), Math.sin(id / 2_000), 0, 0)
    yield* write(...Array.from({ length: 1_200 }, (_, n) => [n + 1, around(n + 1)] as const))
    yield* sql`UPDATE links SET shareable = 0 WHERE id <= 10`
    yield* sql`UPDATE links SET shareable = 1 WHERE id <= 5`
    const index = makeVectorIndex(source)
    expect((yield* index.matrix(EMBEDDER)).size).toBe(1_190)
    yield* write([3, NORTH])
    expect((yield* index.matrix(EMBEDDER)).size).toBe(1_191)
    expect((yield* index.nearest(EMBEDDER, NORTH, 2)).map(({ id }) => id)).toEqual([3, 11])
    const some = new Set([1_100, 100, 7])
    expect((yield* index.nearest(EMBEDDER, NORTH, 5, some)).map(({ id }) => id)).toEqual([100, 1_100])
  })
})
