import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/search/Query.ts"
import { describeData, json } from "../support/data.ts"

const word = (text: string) => ({ text, kind: "word", negated: false })
const prefix = (text: string) => ({ text, kind: "prefix", negated: false })

describe("parseQuery", () => {
  for (const [text, terms, filters] of [
    ["", [], []],
    ["sqlite vector", [word("sqlite"), prefix("vector")], []],
    ["sqlite ", [word("sqlite")], []],
    ['"a phrase" x ', [{ text: "a phrase", kind: "phrase", negated: false }, word("x")], []],
    ['"unclosed phrase', [{ text: "unclosed phrase", kind: "phrase", negated: false }], []],
    ["-not this ", [{ text: "not", kind: "word", negated: true }, word("this")], []],
    ["tag:#Rust", [], [{ field: "tag", value: "rust", negated: false }]],
    ['collection:"Reading list"', [], [{ field: "collection", value: "Reading list", negated: false }]],
    ["-site:example.org", [], [{ field: "site", value: "example.org", negated: true }]],
    [
      "IS:Favorite -is:SHAREABLE",
      [],
      [
        { field: "favorite", negated: false },
        { field: "shareable", negated: true }
      ]
    ],
    [
      "before:2026-01-01 after:2025-12-31",
      [],
      [
        { field: "before", value: "2026-01-01", negated: false },
        { field: "after", value: "2025-12-31", negated: false }
      ]
    ],
    ["IS:favorite", [], [{ field: "favorite", negated: false }]]
  ] as const)
    test(`reads ${JSON.stringify(text)}`, () =>
      expect<unknown>(parseQuery(text)).toEqual({ terms: [...terms], filters: [...filters] }))

  for (const text of [
    "before:never",
    "after:2026-13-45",
    "is:unknown",
    "https://a.b/c#d",
    "title:a",
    "note:x"
  ])
    test(`searches for ${text} as text, for it is no operator`, () =>
      expect<unknown>(parseQuery(`${text} `)).toEqual({ terms: [word(text)], filters: [] }))

  for (const text of ["tag:", "-", "--", '"', '""', "- a"])
    test(`makes nothing of what is missing in ${JSON.stringify(text)}`, () => {
      const { filters, terms } = parseQuery(text)
      expect(filters).toEqual([])
      for (const term of terms) expect(term.text).not.toBe("")
    })

  test("reads no further than a person writes", () =>
    expect(parseQuery("x".repeat(100_000)).terms[0]?.text.length).toBeLessThanOrEqual(1_000))
})

describeData("fts", "parseQuery on hostile strings", () => {
  test("is total", () => {
    for (const text of [
      ...json<ReadonlyArray<string>>("fts/operators.json"),
      ...json<ReadonlyArray<string>>("hostile/blns.json")
    ])
      for (const term of parseQuery(text).terms) expect(term.text).not.toContain("\0")
  })
})
