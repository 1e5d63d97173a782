import { expect, test } from "bun:test"
import { type ClusterInput, clusters, largestGroup } from "../../src/organize/Clusters.ts"
import { neighboursAmong, noise, topics } from "./vectors.ts"

const T = 0.4

const run = (vectors: ReadonlyMap<number, Float32Array>, more: Partial<ClusterInput> = {}) => {
  const near = neighboursAmong(vectors, 15, T - 0.05)
  const work = clusters({
    ids: [...vectors.keys()],
    vectorOf: (id) => vectors.get(id) ?? new Float32Array(128),
    neighboursOf: (id) => near.get(id) ?? [],
    threshold: T,
    ...more
  })
  const shares: Array<number> = []
  let step = work.next()
  for (; !step.done; step = work.next()) shares.push(step.value)
  return { groups: step.value, shares }
}

test("clusters finds tight groups, and leaves other links alone", () => {
  const vectors = topics([20, 12, 5])
  const alone = noise(30, vectors.size + 1)
  const { groups } = run(new Map([...vectors, ...alone]))
  const expected = [Array.from({ length: 20 }, (_, i) => i + 1), Array.from({ length: 12 }, (_, i) => i + 21)]
  expect(groups).toEqual([...expected, Array.from({ length: 5 }, (_, i) => i + 33)])
})

test("clusters returns the same groups for any order of the links", () => {
  const vectors = new Map([...topics([30, 20, 10, 4], 0.6), ...noise(20, 65)])
  const turned = new Map([...vectors].reverse())
  expect(run(vectors).groups).toEqual(run(vectors).groups)
  expect(run(turned).groups).toEqual(run(vectors).groups)
})

test("clusters keeps group sizes within the limits", () => {
  const vectors = topics([80, 2, 4])
  const sizes = (more?: Partial<ClusterInput>) => run(vectors, more).groups.map(({ length }) => length)
  expect(Math.max(...sizes())).toBeLessThanOrEqual(50)
  expect(sizes()).not.toContain(2)
  expect(sizes({ least: 5 })).not.toContain(4)
  expect(sizes({ least: 2, most: 100 })).toEqual([80, 4, 2])
})

test("largestGroup grows with the library, up to a limit", () => {
  expect([10, 500, 1_000, 100_000].map(largestGroup)).toEqual([50, 75, 150, 200])
})

test("clusters adds a link of a dissolved pair to the group that filing would choose", () => {
  const vectors = topics([10])
  const near = new Map([
    [1, [2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => ({ id, similarity: 0.9 }))],
    [11, [1, 2, 3].map((id) => ({ id, similarity: 0.45 }))],
    [12, [1, 2, 3].map((id) => ({ id, similarity: 0.35 }))]
  ])
  const far = noise(2, 11)
  const work = clusters({
    ids: [...vectors.keys(), 11, 12],
    vectorOf: (id) => vectors.get(id) ?? far.get(id) ?? new Float32Array(128),
    neighboursOf: (id) => near.get(id) ?? [],
    threshold: T
  })
  let step = work.next()
  while (!step.done) step = work.next()
  expect(step.value).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]])
})

test("clusters works in small steps with increasing progress", () => {
  const { shares } = run(topics(Array.from({ length: 25 }, () => 25)))
  expect(shares.length).toBeGreaterThan(20)
  expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1)).toBe(true)
})

test("clusters returns no group without links or neighbours", () => {
  expect(run(new Map()).groups).toEqual([])
  expect(run(noise(5, 1)).groups).toEqual([])
})
