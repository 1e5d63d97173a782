import { describe, expect, test } from "bun:test"
import { sameTitle } from "../../src/filing/SameTitle.ts"

const title = "How to keep a sourdough starter alive"

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

describe("one title but for", () => {
  test.each(same)("%s", (_, one, other) => {
    expect(sameTitle(on("www.example.com", one), on("example.com", other))).toBe(true)
    expect(sameTitle(on("example.com", other), on("example.com", one))).toBe(true)
  })
})

describe("two titles by", () => {
  test.each(different)("%s", (_, one, other) => {
    expect(sameTitle(on("example.com", one), on("mirror.org", other))).toBe(false)
    expect(sameTitle(on("example.com", other), on("example.com", one))).toBe(false)
  })
})

test("two sites' names are no part of the title; one site's sections are", () => {
  const [one, other] = [`${title} | News`, `${title} - Kitchen`]
  expect(sameTitle(on("example.com", one), on("mirror.org", other))).toBe(true)
  expect(sameTitle(on("example.com", one), on("example.com", other))).toBe(false)
})

test("a short title says nothing on one site, and the same on two", () => {
  expect(sameTitle(on("example.com", "Docs"), on("example.com", "Docs"))).toBe(false)
  expect(sameTitle(on("beets.io", "Beets"), on("github.com", "beets"))).toBe(true)
})

test("no title is like none", () => {
  expect(sameTitle(on("example.com", ""), on("example.com", ""))).toBe(false)
  expect(sameTitle(on("example.com", "…"), on("mirror.org", "!"))).toBe(false)
})
