import { expect, test } from "bun:test"
import { bestCategory, bestCollection } from "../../src/organize/Vote.ts"

const T = 0.3

const voters = (...all: ReadonlyArray<readonly [collection: number | null, similarity: number]>) =>
  all.map(([collection, similarity], i) => ({ id: i + 1, collection, similarity }))

test("bestCollection uses the mean of a collection's three nearest links, and returns them as the reason", () => {
  const found = bestCollection(voters([7, 0.5], [7, 0.4], [8, 0.4], [7, 0.3], [7, 0.2]), T)
  expect(found?.collection).toBe(7)
  expect(found?.score).toBeCloseTo(0.4, 10)
  expect(found?.because.map(({ id }) => id)).toEqual([1, 2, 4])
})

test("bestCollection requires the threshold", () => {
  expect(bestCollection(voters([7, 0.3], [7, 0.3], [7, 0.29]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.3], [7, 0.3], [7, 0.3]), T)?.collection).toBe(7)
  expect(bestCollection([], T)).toBeUndefined()
  expect(bestCollection(voters([7, -0.2]), 0)).toBeUndefined()
})

test("bestCollection ignores unfiled links", () => {
  expect(bestCollection(voters([null, 0.9], [null, 0.9], [null, 0.9]), T)).toBeUndefined()
})

test("bestCollection requires more similarity of a collection of one or two links", () => {
  expect(bestCollection(voters([7, 0.31]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.4]), T)?.collection).toBe(7)
  expect(bestCollection(voters([7, 0.32], [7, 0.31]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.36], [7, 0.34]), T)?.collection).toBe(7)
})

test("bestCollection prefers three near links to one slightly nearer", () => {
  expect(bestCollection(voters([8, 0.55], [7, 0.5], [7, 0.5], [7, 0.5]), T)?.collection).toBe(7)
  expect(bestCollection(voters([8, 0.8], [7, 0.5], [7, 0.5], [7, 0.5]), T)?.collection).toBe(8)
})

test("bestCategory returns the category with the largest total similarity of near neighbours", () => {
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
