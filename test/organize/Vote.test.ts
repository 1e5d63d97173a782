import { expect, test } from "bun:test"
import { bestCategory, bestCollection, SURE_FROM } from "../../src/organize/Vote.ts"

const T = 0.3

const voters = (...all: ReadonlyArray<readonly [collection: number | null, similarity: number]>) =>
  all.map(([collection, similarity], i) => ({ id: i + 1, collection, similarity }))

test("bestCollection uses the mean of a collection's three nearest links, and returns them as the reason", () => {
  const found = bestCollection(voters([7, 0.5], [7, 0.4], [8, 0.4], [7, 0.3], [7, 0.2]), T)
  expect(found?.collection).toBe(7)
  expect(found?.score).toBeCloseTo(0.4, 10)
  expect(found?.because.map(({ id }) => id)).toEqual([1, 2, 4])
})

test("bestCollection accepts a little less than the threshold where no other collection is near", () => {
  expect(bestCollection(voters([7, 0.26], [7, 0.26], [7, 0.26]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.27], [7, 0.27], [7, 0.27]), T)).toMatchObject({
    collection: 7,
    isSure: false
  })
  expect(bestCollection(voters([7, SURE_FROM], [7, SURE_FROM], [7, SURE_FROM]), 0)?.isSure).toBe(true)
  expect(bestCollection([], T)).toBeUndefined()
  expect(bestCollection(voters([7, -0.2]), 0)).toBeUndefined()
})

test("bestCollection requires the threshold of a collection of one or two links", () => {
  // The score is two thirds of .32 for the missing third link: .284.
  expect(bestCollection(voters([7, 0.32], [7, 0.32]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.34], [7, 0.34]), T)).toMatchObject({ collection: 7 })
})

test("bestCollection requires more the nearer another collection is", () => {
  const best = [
    [7, 0.36],
    [7, 0.36],
    [7, 0.36]
  ] as const
  const rival = (similarity: number) =>
    [
      [8, similarity],
      [8, similarity],
      [8, similarity]
    ] as const
  expect(bestCollection(voters(...best), T)).toMatchObject({ collection: 7, isSure: true })
  expect(bestCollection(voters(...best, ...rival(0.28)), T)).toMatchObject({ collection: 7, isSure: false })
  expect(bestCollection(voters(...best, ...rival(0.36)), T)).toBeUndefined()
  expect(bestCollection(voters(...best, [null, 0.35], [null, 0.35], [null, 0.35]), T)?.collection).toBe(7)
})

test("bestCollection scales with the threshold, since embedders differ in the similarity of unrelated texts", () => {
  for (const threshold of [0.1, 0.37, 0.5, 0.8, 0.95]) {
    const voter = (collection: number, share: number) =>
      [collection, threshold + share * (1 - threshold)] as const
    const three = (collection: number, share: number) =>
      Array.from({ length: 3 }, () => voter(collection, share))
    const verdict = (...all: ReadonlyArray<readonly [number, number]>) =>
      bestCollection(voters(...all), threshold)
    expect(verdict(...three(7, -0.06))).toBeUndefined()
    expect(verdict(...three(7, -0.04))?.isSure).toBe(false)
    expect(verdict(...three(7, 0.03))?.isSure).toBe(true)
    expect(verdict(...three(7, 0.03), ...three(8, 0.02))).toBeUndefined()
  }
})

test("bestCollection ignores unfiled links", () => {
  expect(bestCollection(voters([null, 0.9], [null, 0.9], [null, 0.9]), T)).toBeUndefined()
})

test("bestCollection requires more similarity of a collection of one or two links", () => {
  expect(bestCollection(voters([7, 0.33]), T)).toBeUndefined()
  expect(bestCollection(voters([7, 0.4]), T)?.collection).toBe(7)
  expect(bestCollection(voters([7, 0.3], [7, 0.29]), T)).toBeUndefined()
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
