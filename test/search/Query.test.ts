import { afterAll, describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import type { Conditions } from "../../src/domain/LinkQuery.ts"
import { parseQuery } from "../../src/search/Query.ts"
import { hasWords, tokensOf, withoutToken, writeFilter } from "../../src/shared/SearchSyntax.ts"
import { makeApp } from "../support/app.ts"
import { describeData, json } from "../support/data.ts"
import { always, alwaysAsync, strangeText } from "../support/strange.ts"

/** Texts that mean something in the search language, in FTS5's, in SQL or in LIKE. */
const query = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: strangeText(3) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ..."tag: -tag: category: collection: site: is:favorite -is:shareable is:partial before:2026-01-01 after:".split(
            " "
          ),
          ...'NOT AND OR NEAR( NEAR(a,2) ^a a* {note}: + - -- " "" ( ) * : \' \'; % _ \\ %_% rowid links_fts'.split(
            " "
          ),
          "before:0000-00-00",
          "title : x",
          '"unclosed',
          "after:9999-12-31"
        )
      },
      { weight: 2, arbitrary: fc.constantFrom(" ", "  ", "\t", "\u3000", "\0") },
      { weight: 1, arbitrary: fc.constantFrom("word", "ünïcode", "日本", "ไทย", "שלום") }
    ),
    { maxLength: 12 }
  )
  .map((pieces) => pieces.join(""))

/** The filters and terms of conditions, those of their choices included. */
const flat = ({ filters, terms }: Conditions): Conditions => {
  const inside = filters.flatMap((one) => (one.field === "any" ? one.alternatives.map(flat) : []))
  return {
    filters: [...filters.filter(({ field }) => field !== "any"), ...inside.flatMap((one) => one.filters)],
    terms: [
      ...terms.flatMap((term) => term.alternatives?.flat() ?? [term]),
      ...inside.flatMap((one) => one.terms)
    ]
  }
}

describe("a search text of anything", () => {
  always(
    "is read into terms that hold something, and into filters",
    query,
    (text) => {
      const { filters, terms } = flat(parseQuery(text))
      for (const term of terms) {
        expect(term.text).not.toBe("")
        expect(term.text).not.toContain("\0")
      }
      for (const filter of filters) if ("value" in filter) expect(filter.value).not.toBe("")
      expect(terms.filter(({ kind }) => kind === "prefix").length).toBeLessThanOrEqual(1)
    },
    1_500
  )

  always(
    "has a token for each filter and term, which can be taken out",
    query,
    (text) => {
      const { filters, terms } = flat(parseQuery(text))
      const tokens = tokensOf(text)
      const filtering = tokens.filter(({ kind }) => kind === "filter")
      expect(filtering.length).toBe(filters.length)
      expect(tokens.filter(({ kind }) => kind === "word" || kind === "phrase").length).toBe(terms.length)
      expect(hasWords(text)).toBe(parseQuery(text).terms.some(({ negated }) => !negated))
      let at = 0
      for (const token of tokens) {
        expect(token.start).toBeGreaterThanOrEqual(at)
        expect(token.end).toBeGreaterThan(token.start)
        at = token.end
      }
      for (const token of filtering)
        expect(flat(parseQuery(withoutToken(text, token))).filters.length).toBe(filters.length - 1)
    },
    1_500
  )

  always(
    "is written from a filter so that it is read as that filter again",
    fc.tuple(
      fc.constantFrom("category" as const, "collection" as const, "site" as const),
      strangeText(4),
      fc.boolean()
    ),
    ([field, value, negated]) => {
      const text = writeFilter(field, value, negated)
      if (text === undefined || text.length > 1_000 || value.includes("\0")) return
      expect(parseQuery(text)).toEqual({ terms: [], filters: [{ field, value, negated }] })
    },
    1_500
  )
})

describe("a search for anything", () => {
  const app = makeApp()
  afterAll(() => app.dispose())
  const ready = (async () => {
    for (const [path, title] of [
      ["a", "A word in ünïcode"],
      ["b", "日本語のページ"],
      ["c", 'NEAR the NOT, AND so on: 100% of it\'s "quotes"']
    ])
      await app.capture({
        url: `https://example.org/${path}?t=${encodeURIComponent(title ?? "")}`,
        note: title
      })
    const { links } = await (await app.owner("GET", "/api/links")).json()
    for (const { id } of links)
      await app.owner("POST", "/api/mutate", { op: "shareable", ids: [id], shareable: true })
  })()

  alwaysAsync(
    "is answered with links, to the owner and to the public, page and feed",
    query,
    async (text) => {
      await ready
      const q = encodeURIComponent(text.toWellFormed())
      const answers = await Promise.all([
        app.owner("GET", `/api/links?q=${q}`),
        app.request("GET", `/list/api/links?q=${q}`),
        app.request("GET", `/list/feed.xml?q=${q}`),
        app.request("GET", `/list?q=${q}&sort=title`)
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      for (const answer of answers) await answer.arrayBuffer()
    },
    100
  )

  alwaysAsync(
    "in the chat is answered with a message",
    query,
    async (text) => {
      await ready
      const before = app.sent.length
      const response = await app.webhook({
        update_id: 700_000 + before,
        message: {
          message_id: 1,
          date: 1,
          chat: { id: 4242, type: "private" },
          text: `/search ${text}`,
          entities: [{ type: "bot_command", offset: 0, length: 7 }]
        }
      })
      expect(response.status).toBe(200)
      await app.settled()
      expect(app.sent.length).toBeGreaterThan(before)
      for (const { html } of app.sent.slice(before)) expect(html.isWellFormed()).toBe(true)
    },
    40
  )
})

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
    "nota:a",
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
