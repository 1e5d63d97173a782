import { expect, test } from "bun:test"
import { bestCategory, bestCollection } from "../../src/organize/Vote.ts"

const T = 0.3

const voters = (...all: ReadonlyArray<readonly [collection: number | null, similarity: number]>) =>
  all.map(([collection, similarity], i) => ({ id: i + 1, collection, similarity }))

test("the mean of a collection's three nearest links counts, and they are the reason", () => {
  const found = bestCollection(voters([7, 0.5], [7, 0.4], [8, 0.4], [7, 0.3], [7, 0.2]), T)
  expect(found?.collection).toBe(7)
  expect(found?.score).toBeCloseTo(0.4, 10)
  expect(found?.because.map(({ id }) => id)).toEqual([1, 2, 4])
})

test("nothing below the threshold, and what reaches it", () => {
  expect(bestCollection(voters([7, 0.3], [7, 0.3], [7, 0.29]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.3], [7, 0.3], [7, 0.3]), T)?.collection).toBe(7)
  expect(bestCollection([], T)).toBeUndefined()
  expect(bestCollection(voters([7, -0.2]), 0)).toBeUndefined()
})

test("links in no collection have no say", () => {
  expect(bestCollection(voters([null, 0.9], [null, 0.9], [null, 0.9]), T)).toBeUndefined()
})

test("a collection of one or two links receives what is very near, and no more", () => {
  expect(bestCollection(voters([7, 0.31]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.4]), T)?.collection).toBe(7)
  expect(bestCollection(voters([7, 0.32], [7, 0.31]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.36], [7, 0.34]), T)?.collection).toBe(7)
})

test("three that are near win over one that is a little nearer", () => {
  expect(bestCollection(voters([8, 0.55], [7, 0.5], [7, 0.5], [7, 0.5]), T)?.collection).toBe(7)
  expect(bestCollection(voters([8, 0.8], [7, 0.5], [7, 0.5], [7, 0.5]), T)?.collection).toBe(8)
})

test("the category with the largest total similarity counts, of neighbours that are near enough and have one", () => {
  const of = (...all: ReadonlyArray<readonly [category: string, similarity: number]>) =>
    bestCategory(
      all.map(([category, similarity]) => ({ category, similarity })),
      T
    )
  expect(of(["music", 0.6], ["recipes", 0.5], ["recipes", 0.4])).toBe("recipes")
  expect(of(["music", 0.6], ["recipes", 0.29], ["recipes", 0.29], ["recipes", 0.29])).toBe("music")
  expect(of(["unsorted", 0.9], ["unsorted", 0.9], ["music", 0.3])).toBe("music")
  expect(of(["unsorted", 0.9])).toBeUndefined()
  expect(of()).toBeUndefined()
})
