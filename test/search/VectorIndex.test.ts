import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { dot, quantize } from "../../src/search/Quantize.ts"
import { VectorIndex } from "../../src/search/VectorIndex.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { floatBytes, VectorStore, vectorFloats } from "../../src/store/vectors/VectorStore.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { long } from "../support/tier.ts"

const it = effectTest(Layer.provideMerge(VectorIndex.layer, stores()))

const DIMENSIONS = 48

const unitVectors = (count: number, seed: number, dimensions = DIMENSIONS) => {
  const next = randomOf(seed)
  return Array.from({ length: count }, () => normalize(new Float32Array(dimensions).map(() => next() - 0.5)))
}

/** Saves `count` links with the ids from 1. */
const saveLinks = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
      INSERT INTO links (id, url, normalized_url, host, title, category, created_at, updated_at)
      SELECT id, 'u' || id, 'u' || id, 'h', 't', 'c', '', '' FROM n`
  })

const addEmbedder = (name: string, dimensions = DIMENSIONS) =>
  Effect.flatMap(VectorStore, (store) => store.addEmbedder({ name, dimensions, threshold: 0.5 }))

const write = (embedder: { readonly id: number }, vectors: ReadonlyMap<number, Float32Array>) =>
  Effect.gen(function* () {
    const store = yield* VectorStore
    const transaction = yield* Transaction
    const all = [...vectors].map(([linkId, floats]) => ({ linkId, floats, place: null, ...quantize(floats) }))
    yield* transaction(store.write(embedder.id, all))
  })

/** The same for many vectors in two statements. */
const writeMany = (embedder: { readonly id: number }, vectors: ReadonlyMap<number, Float32Array>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = JSON.stringify(
      [...vectors].map(([id, floats]) => {
        const { codes, scale } = quantize(floats)
        return [
          id,
          scale,
          Buffer.from(codes.buffer).toString("hex"),
          Buffer.from(floatBytes(floats)).toString("hex")
        ]
      })
    )
    yield* sql`INSERT INTO vectors (link_id, embedder_id, scale, codes)
      SELECT value ->> 0, ${embedder.id}, value ->> 1, unhex(value ->> 2) FROM json_each(${all})`
    yield* sql`INSERT INTO vector_floats (link_id, embedder_id, floats)
      SELECT value ->> 0, ${embedder.id}, unhex(value ->> 3) FROM json_each(${all})`
  })

const numbered = (vectors: ReadonlyArray<Float32Array>) =>
  new Map(vectors.map((vector, i) => [i + 1, vector]))

/** The vector scaled to length 1. */
const normalize = (vector: Float32Array) => {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** The vector as stored. */
const stored = (vector: Float32Array) => vectorFloats(floatBytes(vector))

/** The nearest by an exhaustive search over the stored values. */
const naive = (vectors: ReadonlyMap<number, Float32Array>, query: Float32Array, k: number) =>
  [...vectors]
    .map(([id, vector]) => ({ id, similarity: Math.min(dot(query, stored(vector)), 1) }))
    .sort((a, b) => b.similarity - a.similarity || b.id - a.id)
    .slice(0, k)

const ids = (neighbours: ReadonlyArray<{ readonly id: number }>) => neighbours.map(({ id }) => id)

describe("VectorIndex", () => {
  it("ranks the nearest vectors by their stored floats", function* () {
    const index = yield* VectorIndex
    const embedder = yield* addEmbedder("test")
    const vectors = numbered(unitVectors(600, 1))
    yield* saveLinks(vectors.size)
    yield* writeMany(embedder, vectors)
    for (const query of unitVectors(4, 2)) {
      const nearest = naive(vectors, query, 40)
      for (const k of [1, 12, 40])
        expect(yield* index.nearest(embedder, query, k)).toEqual(nearest.slice(0, k))
    }
  })

  it("returns all vectors if there are fewer than requested", function* () {
    const index = yield* VectorIndex
    const embedder = yield* addEmbedder("test")
    const vectors = numbered(unitVectors(5, 3))
    const [query = new Float32Array()] = unitVectors(1, 4)
    expect(yield* index.nearest(embedder, query, 10)).toEqual([])
    yield* saveLinks(5)
    yield* write(embedder, vectors)
    expect(yield* index.nearest(embedder, query, 10)).toEqual(naive(vectors, query, 10))
    expect(yield* index.nearest(embedder, query, 0)).toEqual([])
  })

  it("puts the newer of two equal links first", function* () {
    const index = yield* VectorIndex
    const embedder = yield* addEmbedder("test")
    const [query = new Float32Array()] = unitVectors(1, 5)
    yield* saveLinks(3)
    yield* write(embedder, numbered([query, query, query]))
    expect(ids(yield* index.nearest(embedder, query, 3))).toEqual([3, 2, 1])
  })

  it("follows inserts, updates and deletions", function* () {
    const index = yield* VectorIndex
    const links = yield* LinkStore
    const embedder = yield* addEmbedder("test")
    const vectors = numbered(unitVectors(100, 6))
    yield* saveLinks(120)
    yield* write(embedder, vectors)
    const [query = new Float32Array(), ...others] = unitVectors(11, 7)
    const check = Effect.gen(function* () {
      expect(yield* index.nearest(embedder, query, 15)).toEqual(naive(vectors, query, 15))
      expect((yield* index.matrix(embedder)).size).toBe(vectors.size)
    })
    yield* check

    for (const [i, vector] of others.entries()) {
      vectors.set(101 + i, vector)
      yield* write(embedder, new Map([[101 + i, vector]]))
      yield* check
    }
    const replaced = new Map([
      [50, query],
      [51, normalize(query.map((value, i) => value + (i % 2) / 20))]
    ])
    for (const [id, vector] of replaced) vectors.set(id, vector)
    yield* write(embedder, replaced)
    expect(ids(yield* index.nearest(embedder, query, 2))).toEqual([50, 51])
    yield* check

    const gone = naive(vectors, query, 10).map(({ id }) => LinkId.make(id))
    yield* links.remove(gone)
    for (const id of gone) vectors.delete(id)
    yield* check
    expect(ids(yield* index.nearest(embedder, query, 1))).not.toContain(50)
  })

  it("follows removals after earlier ones were forgotten", function* () {
    const index = yield* VectorIndex
    const store = yield* VectorStore
    const links = yield* LinkStore
    const embedder = yield* addEmbedder("test")
    yield* saveLinks(4)
    const vectors = numbered(unitVectors(4, 9))
    yield* write(embedder, vectors)
    yield* links.remove([LinkId.make(1)])
    yield* store.forgetRemovals
    const [query = new Float32Array()] = unitVectors(1, 9)
    expect(ids(yield* index.nearest(embedder, query, 4)).toSorted()).toEqual([2, 3, 4])
    yield* links.remove([LinkId.make(2)])
    expect(ids(yield* index.nearest(embedder, query, 4)).toSorted()).toEqual([3, 4])
  })

  it("ignores vectors of a rolled back transaction", function* () {
    const index = yield* VectorIndex
    const transaction = yield* Transaction
    const embedder = yield* addEmbedder("test")
    const [query = new Float32Array(), far = new Float32Array(), late = new Float32Array()] = unitVectors(
      3,
      8
    )
    yield* saveLinks(3)
    yield* write(embedder, new Map([[1, far]]))
    expect(ids(yield* index.nearest(embedder, query, 5))).toEqual([1])
    yield* Effect.ignore(
      transaction(Effect.zipRight(write(embedder, new Map([[2, query]])), Effect.fail("no")))
    )
    expect(ids(yield* index.nearest(embedder, query, 5))).toEqual([1])
    yield* write(embedder, new Map([[3, late]]))
    expect(ids(yield* index.nearest(embedder, query, 5)).sort()).toEqual([1, 3])
  })

  it("searches a subset of the links", function* () {
    const index = yield* VectorIndex
    const embedder = yield* addEmbedder("test")
    const vectors = numbered(unitVectors(500, 9))
    yield* saveLinks(vectors.size)
    yield* writeMany(embedder, vectors)
    for (const [turn, query] of unitVectors(6, 10).entries()) {
      const among = new Set([...vectors.keys()].filter((id) => id % (turn * 7 + 2) === 1))
      const some = new Map([...vectors].filter(([id]) => among.has(id)))
      expect(yield* index.nearest(embedder, query, 20, among)).toEqual(naive(some, query, 20))
    }
    const [query = new Float32Array()] = unitVectors(1, 11)
    expect(yield* index.nearest(embedder, query, 20, new Set())).toEqual([])
    expect(yield* index.nearest(embedder, query, 20, new Set([9_999]))).toEqual([])
  })

  it("keeps the vectors of embedders apart", function* () {
    const index = yield* VectorIndex
    const [one, other, longer] = [
      yield* addEmbedder("one"),
      yield* addEmbedder("other"),
      yield* addEmbedder("longer", DIMENSIONS * 2)
    ]
    const ofOne = numbered(unitVectors(60, 12))
    const ofOther = new Map(unitVectors(40, 13).map((vector, i) => [i + 31, vector]))
    const ofLonger = numbered(unitVectors(10, 14, DIMENSIONS * 2))
    yield* saveLinks(80)
    yield* write(one, ofOne)
    yield* write(other, ofOther)
    yield* write(longer, ofLonger)
    const [query = new Float32Array()] = unitVectors(1, 15)
    const [long = new Float32Array()] = unitVectors(1, 16, DIMENSIONS * 2)
    for (let turn = 0; turn < 2; turn++) {
      expect(yield* index.nearest(one, query, 100)).toEqual(naive(ofOne, query, 100))
      expect(yield* index.nearest(other, query, 100)).toEqual(naive(ofOther, query, 100))
      expect(yield* index.nearest(longer, long, 100)).toEqual(naive(ofLonger, long, 100))
    }
  })

  it("never returns a zero vector", function* () {
    const index = yield* VectorIndex
    const embedder = yield* addEmbedder("test")
    const [near = new Float32Array(), far = new Float32Array()] = unitVectors(2, 17)
    yield* saveLinks(3)
    yield* write(embedder, numbered([near, new Float32Array(DIMENSIONS), far]))
    expect(ids(yield* index.nearest(embedder, near, 5))).toEqual([1, 3])
    expect(
      ids(
        yield* index.nearest(
          embedder,
          near.map((value) => -value),
          5
        )
      )
    ).not.toContain(2)
    yield* write(embedder, new Map([[1, new Float32Array(DIMENSIONS)]]))
    expect(ids(yield* index.nearest(embedder, near, 5))).toEqual([3])
  })

  long(it)("gives concurrent queries the same results as sequential ones", function* () {
    const index = yield* VectorIndex
    const [one, other] = [yield* addEmbedder("one"), yield* addEmbedder("other")]
    const [ofOne, ofOther] = [numbered(unitVectors(2_010, 18)), numbered(unitVectors(50, 19))]
    yield* saveLinks(ofOne.size)
    // More than one batch.
    yield* writeMany(one, ofOne)
    yield* writeMany(other, ofOther)
    const queries = unitVectors(6, 20)
    const found = yield* Effect.forEach(
      queries,
      (query, i) => index.nearest(i % 2 === 0 ? one : other, query, 5),
      { concurrency: "unbounded" }
    )
    expect(found).toEqual(queries.map((query, i) => naive(i % 2 === 0 ? ofOne : ofOther, query, 5)))
    expect((yield* index.matrix(one)).size).toBe(ofOne.size)
    expect((yield* index.matrix(other)).size).toBe(ofOther.size)
  })
})
