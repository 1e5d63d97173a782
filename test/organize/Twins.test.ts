import { describe, expect, test } from "bun:test"
import { makeSpellingTwins, meaningTwins } from "../../src/organize/Twins.ts"

const pairsOf = (...names: ReadonlyArray<string>) => {
  const spelled = makeSpellingTwins()
  for (const name of names) spelled.add(name)
  return spelled.twins().map((twins) => twins.names)
}

describe("names that differ only in spelling", () => {
  for (const [name, other] of [
    ["self-hosted", "selfhosted"],
    ["javascript", "js"],
    ["library", "libraries"],
    ["kubernetes", "kubernets"],
    ["programming", "porgramming"],
    ["front end", "front-end"],
    ["日本料理", "日本-料理"]
  ] as const)
    test(`${name}, ${other}`, () => expect(pairsOf(name, other)).toEqual([[name, other]]))

  test("are no others", () =>
    expect(
      pairsOf("hiking", "hiring", "version-10", "version-11", "java", "javascript", "news", "new", "--")
    ).toEqual([]))

  test("are paired once, with the one that has most links", () =>
    expect(pairsOf("databases", "database", "db")).toEqual([
      ["databases", "database"],
      ["databases", "db"]
    ]))
})

test("names that are nearest to each other in meaning are paired, unless one is a part of the other", () => {
  const names = ["car", "automobile", "garage", "history", "ancient-history"]
  const pairs = [
    { a: 0, b: 1, similarity: 0.6 },
    { a: 1, b: 2, similarity: 0.5 },
    { a: 4, b: 3, similarity: 0.9 }
  ]
  expect(meaningTwins(names, names, pairs)).toEqual([
    { names: ["car", "automobile"], reason: "meaning", similarity: 0.6 }
  ])
})
