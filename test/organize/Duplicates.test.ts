import { describe, expect, test } from "bun:test"
import {
  type DuplicateCandidate,
  duplicateGroups,
  markCopies,
  markProposed,
  nearIdentical,
  sameTitle
} from "../../src/organize/Duplicates.ts"

const title = "How to keep a sourdough starter alive"

const link = (id: number, more: Partial<DuplicateCandidate> = {}): DuplicateCandidate => ({
  id,
  title,
  host: `host${id}.example`,
  keys: [`host${id}.example/a`],
  ...more
})

const pair = (a: number, b: number, similarity: number) => ({ a, b, similarity })

test("duplicateGroups joins links that share a key, also transitively", () => {
  const links = [
    link(1, { keys: ["a", "b"] }),
    link(2, { keys: ["c", "b"] }),
    link(3, { keys: ["c"] }),
    link(4, { keys: ["d"] })
  ]
  expect(duplicateGroups(links, [])).toEqual([{ reason: "same-page", similarity: 1, ids: [1, 2, 3] }])
})

test("duplicateGroups ignores a key shared by too many links", () => {
  const many = Array.from({ length: 20 }, (_, i) => link(i + 1, { keys: [`page${i}`, "app"] }))
  expect(duplicateGroups(many, [])).toEqual([])
  expect(duplicateGroups(many.slice(0, 3), [])).toEqual([
    { reason: "same-page", similarity: 1, ids: [1, 2, 3] }
  ])
})

test("markCopies marks the groups whose links are not all surely one page", () => {
  const groups = [
    { reason: "same-page", similarity: 1, ids: [1, 2, 3] },
    { reason: "same-page", similarity: 1, ids: [4, 5] },
    { reason: "near-identical", similarity: 0.9, ids: [6, 7] }
  ] as const
  const sure = (...keys: ReadonlyArray<string>) => keys
  const keys = new Map([
    [1, sure("a")],
    [2, sure("a", "b")],
    [3, sure("b")],
    [4, sure("page")],
    [5, sure("archived/page")]
  ])
  expect(markCopies(groups, keys)).toEqual([groups[0], { ...groups[1], copies: true }, groups[2]])
})

describe("a group of nearly identical links", () => {
  const group = { reason: "near-identical", similarity: 0.999, ids: [1, 2] } as const
  const text = `A gateway for models. ${"It routes, caches and retries what programs ask of them. ".repeat(5)}`
  const mark = (hosts: ReadonlyArray<string>, texts: ReadonlyArray<string>) =>
    markProposed(group, hosts, texts).proposed ?? false

  test("is only proposed if its links are on several registered domains", () => {
    expect(mark(["portkey.ai", "portkey.page"], [text, ""])).toBe(true)
    expect(mark(["portkey.ai", "portkey.page"], ["", ""])).toBe(true)
    expect(mark(["one.github.io", "two.github.io"], [text, `${text} More.`])).toBe(true)
    expect(mark(["docs.portkey.ai", "www.portkey.ai"], [text, ""])).toBe(false)
  })

  test("is more than that if their pages have one text, which is more than a notice", () => {
    const spaced = text.toUpperCase().replaceAll(" ", "\n")
    expect(mark(["a.example", "b.example"], [text, spaced])).toBe(false)
    expect(mark(["a.example", "b.example"], ["Just a moment.", "Just a moment."])).toBe(true)
  })
})

test("duplicateGroups joins similar vectors only if the titles match", () => {
  const links = [link(1), link(2), link(3, { title: "Pruning apple trees in winter" })]
  expect(duplicateGroups(links, [pair(1, 2, 0.97), pair(1, 3, 0.99)])).toEqual([
    { reason: "near-identical", similarity: 0.97, ids: [1, 2] }
  ])
})

test("duplicateGroups requires that all links of a group are similar, and reports the least similarity", () => {
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

test("duplicateGroups adds a nearly identical link to a page's links", () => {
  const links = [link(1, { keys: ["a"] }), link(2, { keys: ["a"] }), link(3)]
  expect(duplicateGroups(links, [pair(2, 3, 0.95)])).toEqual([
    { reason: "near-identical", similarity: 0.95, ids: [1, 2, 3] }
  ])
})

test("nearIdentical rejects different repositories, and titles without words of their own", () => {
  const repository = (id: number, owner: string) =>
    link(id, { host: "github.com", keys: [`github.com/${owner}/starter`] })
  expect(nearIdentical(repository(1, "one"), repository(2, "two"))).toBe(false)
  expect(nearIdentical(link(1), repository(2, "two"))).toBe(true)
  const bare = link(3, { title: "host3.example" })
  expect(nearIdentical(bare, { ...bare, id: 4 })).toBe(false)
})

test("duplicateGroups ignores a title that many pages of a host share", () => {
  const links = Array.from({ length: 6 }, (_, i) =>
    link(i + 1, { host: "app.example", keys: [`app.example/folder-${"abcdef"[i]}/page`] })
  )
  const pairs = links.flatMap(({ id: a }) => links.flatMap(({ id: b }) => (a < b ? [pair(a, b, 1)] : [])))
  expect(duplicateGroups(links, pairs)).toEqual([])
  expect(duplicateGroups(links.slice(0, 2), pairs.slice(0, 1))).toHaveLength(1)
})

const same: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["nothing", title, title],
  ["case", title, title.toUpperCase()],
  ["punctuation", "Bees: how they dance", "Bees – How They Dance!"],
  ["accents", "Café culture in Zürich", "Cafe culture in Zurich"],
  ["a word's spelling", title, "How to keep a sourdough startr alive"],
  ["two letters in each other's place", title, "How to keep a soudrough starter alive"],
  ["a space", "A data base for everyone", "A database for everyone"],
  ["the site's name", title, `${title} | Example`],
  ["the site's long name", title, `${title} - The Daily Example`],
  ["the site's name in front", title, `Example: ${title}`],
  ["a cut", title, "How to keep a sourdough star…"],
  ["a cut in three dots", title, "How to keep a sourdough ..."],
  ["a cut without dots, of three tenths", "Feeding a bread sourd", "Feeding a bread sourdough loaf"],
  ["what is unread", title, `(3) ${title}`]
]

const different: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["a part", `${title}, Part 1`, `${title}, Part 2`],
  ["a part in words", `${title}: Part One`, `${title}: Part Two`],
  ["a part in Roman numbers", `${title} II`, `${title} III`],
  ["a part that only one has", title, `${title} 2`],
  ["a version", `${title} v1`, `${title} v2`],
  ["a lesser version", "Release notes for Example 1.2", "Release notes for Example 1.3"],
  ["a year", "State of the example survey 2023", "State of the example survey 2024"],
  ["an episode in front", `Episode 12: ${title}`, `Episode 13: ${title}`],
  ["a letter", "Encyclopedia of bees, volume A", "Encyclopedia of bees, volume B"],
  ["a letter of another script", "初心者のための料理教室の本上", "初心者のための料理教室の本下"],
  ["a word", "How to import links from a file", "How to export links from a file"],
  ["a short name's letter", "React", "Preact"],
  ["a part behind a number's cut", `${title} Part 1`, `${title} Part 2…`],
  ["all", title, "Pruning apple trees in winter"],
  ["all but a beginning", "Python", "Python packaging in depth"]
]

const on = (host: string, text: string) => ({ host, title: text })

describe("sameTitle accepts titles that differ by", () => {
  test.each(same)("%s", (_, one, other) => {
    expect(sameTitle(on("www.example.com", one), on("example.com", other))).toBe(true)
    expect(sameTitle(on("example.com", other), on("example.com", one))).toBe(true)
  })
})

describe("sameTitle rejects titles that differ by", () => {
  test.each(different)("%s", (_, one, other) => {
    expect(sameTitle(on("example.com", one), on("mirror.org", other))).toBe(false)
    expect(sameTitle(on("example.com", other), on("example.com", one))).toBe(false)
  })
})

test("sameTitle ignores the names of two sites, but not the sections of one", () => {
  const [one, other] = [`${title} | News`, `${title} - Kitchen`]
  expect(sameTitle(on("example.com", one), on("mirror.org", other))).toBe(true)
  expect(sameTitle(on("example.com", one), on("example.com", other))).toBe(false)
})

test("sameTitle accepts a short title only on two sites", () => {
  expect(sameTitle(on("example.com", "Docs"), on("example.com", "Docs"))).toBe(false)
  expect(sameTitle(on("beets.io", "Beets"), on("github.com", "beets"))).toBe(true)
})

test("sameTitle rejects empty titles", () => {
  expect(sameTitle(on("example.com", ""), on("example.com", ""))).toBe(false)
  expect(sameTitle(on("example.com", "…"), on("mirror.org", "!"))).toBe(false)
})
