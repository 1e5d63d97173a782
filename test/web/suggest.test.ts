import { describe, expect, test } from "bun:test"
import { accept, completionAt } from "../../web/app/suggest.ts"

const named = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, detail: "3" }))

const sources = {
  values: (operator: string) =>
    ({
      tag: named("rust", "trust", "web-rust", "rustic", "sql"),
      category: named("dev", "machine learning"),
      collection: named("Reading list", 'a "quoted" name', "Rust"),
      site: named("github.com", "blog.example.org")
    })[operator] ?? [],
  today: new Date("2026-03-31T23:30:00Z")
}

const at = (text: string, caret = text.length) => completionAt(text, caret, sources)
const texts = (text: string, caret?: number) => at(text, caret)?.suggestions.map((one) => one.text)

describe("completing a search text", () => {
  for (const [text, expected] of [
    ["ta", ["tag:"]],
    ["rust -si", ["-site:"]],
    ["ca", ["category:"]],
    ["co", ["collection:"]],
    ["t", []],
    ["rust", []],
    ["tag:ru", ["tag:rust", "tag:rustic", "tag:web-rust"]],
    ["tag:#ru", ["tag:rust", "tag:rustic", "tag:web-rust"]],
    ["-tag:sq", ["-tag:sql"]],
    ["tag:none", []],
    ["category:lea", ['category:"machine learning"']],
    ["collection:", ['collection:"Reading list"', "collection:Rust"]],
    ['collection:"rea', ['collection:"Reading list"']],
    ["site:exa", ["site:blog.example.org"]],
    [
      "is:",
      [
        ...["is:favorite", "is:shared", "is:shareable", "is:unread", "is:started"],
        ...["is:archived", "is:partial", "is:broken"]
      ]
    ],
    ["has:s", ["has:summary"]],
    ["type:pa", ["type:page", "type:paper", "type:package"]],
    ["-type:vid", ["-type:video"]],
    ["added:w", ["added:7d"]],
    ["is:sh", ["is:shared", "is:shareable"]],
    ["after:", ["after:2026-03-31", "after:2026-03-24", "after:2026-02-28", "after:2025-03-31"]],
    ["before:we", ["before:2026-03-24"]],
    ["before:2025-", ["before:2025-03-31"]]
  ] as const)
    test(`offers ${expected.join(", ") || "nothing"} for ${JSON.stringify(text)}`, () =>
      expect(texts(text)).toEqual([...expected]))

  test("offers nothing after a space or for a complete value", () => {
    expect(at("tag:rust ")).toBeUndefined()
    expect(texts("tag:sql")).toEqual([])
  })

  test("completes the word before the caret", () => expect(texts("tag:rxx sql", 5)).toContain("tag:rust"))

  test("delays the search while a value is incomplete", () => {
    for (const [text, waits] of [
      ["tag:", true],
      ["tag:ru", true],
      ["tag:rust", false],
      ["tag:none", false],
      ["after:2026", false],
      ["after:2026-", true],
      ["after:2026-03-30", false],
      ["site:gith", true],
      ["ta", false]
    ] as const)
      expect([text, at(text)?.unfinished]).toEqual([text, waits])
  })

  test("selects the first suggestion only if the word has no other meaning", () => {
    expect(at("tag:ru")?.closed).toBe(true)
    expect(at("tag:rust")?.closed).toBe(false)
    expect(at("site:gith")?.closed).toBe(false)
    expect(at("ta")?.closed).toBe(false)
  })

  test("inserts the accepted suggestion, ready for the next word", () => {
    const take = (text: string, caret: number, n = 0) => {
      const found = at(text, caret)
      const suggestion = found?.suggestions[n]
      return found === undefined || suggestion === undefined
        ? undefined
        : accept(text, found.token, suggestion)
    }
    expect(take("ta", 2)).toEqual({ text: "tag:", caret: 4 })
    expect(take("fast tag:ru", 11)).toEqual({ text: "fast tag:rust ", caret: 14 })
    expect(take("tag:sq fast", 6)).toEqual({ text: "tag:sql fast", caret: 8 })
    expect(take("fast -ta sql", 8)).toEqual({ text: "fast -tag: sql", caret: 10 })
  })
})
