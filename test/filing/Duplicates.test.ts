import { expect, test } from "bun:test"
import { duplicateGroups, nearIdentical, type Titled } from "../../src/filing/Duplicates.ts"

const title = "How to keep a sourdough starter alive"

const link = (id: number, more: Partial<Titled> = {}): Titled => ({
  id,
  title,
  host: `host${id}.example`,
  keys: [`host${id}.example/a`],
  ...more
})

const pair = (a: number, b: number, similarity: number) => ({ a, b, similarity })

test("links that share a key are one page, through one another", () => {
  const links = [
    link(1, { keys: ["a", "b"] }),
    link(2, { keys: ["c", "b"] }),
    link(3, { keys: ["c"] }),
    link(4, { keys: ["d"] })
  ]
  expect(duplicateGroups(links, [])).toEqual([{ reason: "same-page", similarity: 1, ids: [1, 2, 3] }])
})

test("an address that a site calls by many is nobody's", () => {
  const many = Array.from({ length: 20 }, (_, i) => link(i + 1, { keys: [`page${i}`, "app"] }))
  expect(duplicateGroups(many, [])).toEqual([])
  expect(duplicateGroups(many.slice(0, 3), [])).toEqual([
    { reason: "same-page", similarity: 1, ids: [1, 2, 3] }
  ])
})

test("like vectors make duplicates of like titles alone", () => {
  const links = [link(1), link(2), link(3, { title: "Pruning apple trees in winter" })]
  expect(duplicateGroups(links, [pair(1, 2, 0.97), pair(1, 3, 0.99)])).toEqual([
    { reason: "near-identical", similarity: 0.97, ids: [1, 2] }
  ])
})

test("a group is of links that are all alike, and as alike as its farthest two", () => {
  const links = [link(1), link(2), link(3), link(4)]
  const chain = [pair(1, 2, 0.99), pair(2, 3, 0.98), pair(3, 4, 0.97)]
  expect(duplicateGroups(links, chain)).toEqual([
    { reason: "near-identical", similarity: 0.99, ids: [1, 2] },
    { reason: "near-identical", similarity: 0.97, ids: [3, 4] }
  ])
  expect(duplicateGroups(links.slice(0, 3), [...chain, pair(1, 3, 0.92)])).toEqual([
    { reason: "near-identical", similarity: 0.92, ids: [1, 2, 3] }
  ])
})

test("what is nearly identical to one page's link joins it", () => {
  const links = [link(1, { keys: ["a"] }), link(2, { keys: ["a"] }), link(3)]
  expect(duplicateGroups(links, [pair(2, 3, 0.95)])).toEqual([
    { reason: "near-identical", similarity: 0.95, ids: [1, 2, 3] }
  ])
})

test("repositories with like descriptions, and titles without a word of their own, are not duplicates", () => {
  const repository = (id: number, owner: string) =>
    link(id, { host: "github.com", keys: [`github.com/${owner}/starter`] })
  expect(nearIdentical(repository(1, "one"), repository(2, "two"))).toBe(false)
  expect(nearIdentical(link(1), repository(2, "two"))).toBe(true)
  const bare = link(3, { title: "host3.example" })
  expect(nearIdentical(bare, { ...bare, id: 4 })).toBe(false)
})

test("a title that many pages of a host have is the site's", () => {
  const links = Array.from({ length: 6 }, (_, i) =>
    link(i + 1, { host: "app.example", keys: [`app.example/${i}`] })
  )
  const pairs = links.flatMap(({ id: a }) => links.flatMap(({ id: b }) => (a < b ? [pair(a, b, 1)] : [])))
  expect(duplicateGroups(links, pairs)).toEqual([])
  expect(duplicateGroups(links.slice(0, 2), pairs.slice(0, 1))).toHaveLength(1)
})
