import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { LibraryWords } from "../../src/organize/LibraryWords.ts"
import { makeMatrix } from "../../src/search/kernel/Matrix.ts"
import { quantize } from "../../src/search/Quantize.ts"
import {
  type Compared,
  compareVectors,
  findSimilarLinks,
  mixedVectors
} from "../../src/search/SimilarLinks.ts"
import { effectTest } from "../support/effect.ts"

const it = effectTest(Layer.empty)

const DIMENSIONS = 16

/** A unit vector between two axes. */
const between = (one: number, other: number, share = 0.5): Float32Array => {
  const vector = new Float32Array(DIMENSIONS)
  vector[one] = Math.sqrt(share)
  vector[other] = Math.sqrt(1 - share)
  return vector
}

interface Made {
  readonly title: string
  readonly vector: Float32Array
}

const comparedOf = (
  links: ReadonlyArray<Made>,
  threshold = 0.4,
  idOf = (place: number) => place + 1
): Compared => {
  const matrix = makeMatrix(DIMENSIONS)
  const words = new LibraryWords()
  for (const [i, { title, vector }] of links.entries()) {
    const { codes, scale } = quantize(vector)
    matrix.set(idOf(i), codes, scale)
    words.add(idOf(i), { title, description: "", summary: "", tags: [], category: "unsorted" })
  }
  return { matrix, words, embedder: { threshold, dimensions: DIMENSIONS } }
}

const find = (compared: Compared, ids: ReadonlyArray<number>) =>
  Effect.flatMap(
    compareVectors(compared, ids, () => Effect.void),
    (byVector) => findSimilarLinks(compared, ids, byVector, () => Effect.void)
  )

/** Links whose vectors and words disagree, among others that have nothing in common with them. */
const links: ReadonlyArray<Made> = [
  { title: "Levain and rye", vector: between(0, 1) },
  { title: "Trains", vector: between(0, 1) },
  { title: "Levain and rye", vector: between(0, 2) },
  { title: "Levain and rye", vector: between(3, 4) },
  { title: "Trams", vector: between(5, 6) },
  ...Array.from({ length: 20 }, (_, i) => ({ title: `Word${i}`, vector: between(7 + (i % 4), 12 + (i % 4)) }))
]
const all = links.map((_, i) => i + 1)

describe("findSimilarLinks", () => {
  it("ranks links by their vectors and their words", function* () {
    const near = yield* find(comparedOf(links), all)
    const [first, second, third] = near.of(1)
    expect([first?.id, second?.id]).toEqual([2, 3])
    expect(first?.similarity).toBeLessThan(1)
    // By the vectors alone, the third link has the similarity .5 and the second one 1.
    expect((first?.similarity ?? 0) - (second?.similarity ?? 0)).toBeLessThan(0.3)
    expect(third?.id).toBe(4)
  })

  it("finds links by rare words that no vector would find", function* () {
    const near = yield* find(comparedOf(links, 0.3), all)
    expect(
      near
        .of(4)
        .map(({ id }) => id)
        .toSorted()
    ).toEqual([1, 3])
    expect(near.of(5)).toEqual([])
  })

  it("finds the same by any numbers, which an imported archive may bring", function* () {
    const idOf = (place: number) => Number.MAX_SAFE_INTEGER - links.length + place
    const large = links.map((_, place) => idOf(place))
    const [expected, near] = [
      yield* find(comparedOf(links), all),
      yield* find(comparedOf(links, 0.4, idOf), large)
    ]
    for (const [place, id] of large.entries())
      expect(near.of(id)).toEqual(expected.of(place + 1).map((one) => ({ ...one, id: idOf(one.id - 1) })))
  })

  it("finds the same one by one as all at once", function* () {
    const compared = comparedOf(links)
    const together = yield* find(compared, all)
    for (const id of all.slice(0, 5)) {
      const alone = (yield* find(compared, [id])).of(id)
      expect(alone.map((one) => one.id)).toEqual(together.of(id).map((one) => one.id))
      for (const [i, { similarity }] of alone.entries())
        expect(similarity).toBeCloseTo(together.of(id)[i]?.similarity ?? 0, 2)
    }
  })

  it("finds nothing in an empty library, and for links without vector or words", function* () {
    const empty = comparedOf([])
    expect((yield* find(empty, [1])).of(1)).toEqual([])
    const blank = comparedOf([...links, { title: "", vector: new Float32Array(DIMENSIONS) }])
    expect((yield* find(blank, [links.length + 1, 999])).of(links.length + 1)).toEqual([])
  })

  it("returns few neighbours of pages made from one template", function* () {
    const pages = Array.from({ length: 500 }, (_, i) => ({
      title: `Profile of user${i}`,
      vector: between(0, 1)
    }))
    const compared = comparedOf(pages)
    const near = yield* find(compared, [...pages.keys()])
    for (const id of [1, 250, 499]) expect(near.of(id)).toHaveLength(32)
  })
})

describe("mixedVectors", () => {
  it("have products that are about the likeness", function* () {
    const compared = comparedOf(links)
    const { offset, vectorOf } = mixedVectors(compared)
    const near = yield* find(compared, all)
    for (const { id, similarity } of near.of(1)) {
      const other = vectorOf(id)
      const product = vectorOf(1).reduce((sum, value, i) => sum + value * (other[i] ?? 0), offset)
      expect(Math.abs(product - similarity)).toBeLessThan(0.15)
    }
  })
})
