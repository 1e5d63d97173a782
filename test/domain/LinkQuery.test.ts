import { afterAll, describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import {
  type Conditions,
  MARK_END,
  MARK_START,
  parseQuery,
  type Range,
  readMarks
} from "../../src/domain/LinkQuery.ts"
import { hasWords, tokensOf, withoutToken, writeFilter } from "../../src/shared/SearchSyntax.ts"
import { makeApp } from "../support/app.ts"
import { always, alwaysAsync, strangeText } from "../support/strange.ts"

/** Replaces `[` and `]` with the marks. */
const marked = (text: string) => text.replaceAll("[", MARK_START).replaceAll("]", MARK_END)

describe("readMarks", () => {
  const table: ReadonlyArray<readonly [marked: string, text: string, ranges: ReadonlyArray<Range>]> = [
    ["", "", []],
    ["no marks", "no marks", []],
    ["[all]", "all", [[0, 3]]],
    ["a [word] in it", "a word in it", [[2, 6]]],
    [
      "[one] and [two]",
      "one and two",
      [
        [0, 3],
        [8, 11]
      ]
    ],
    [
      "[a][b]",
      "ab",
      [
        [0, 1],
        [1, 2]
      ]
    ],
    ["🦊 [日本]語 🦊", "🦊 日本語 🦊", [[3, 5]]],
    ["a [🦊]", "a 🦊", [[2, 4]]],
    ["line\n[two]", "line\ntwo", [[5, 8]]]
  ]
  for (const [written, text, ranges] of table)
    test(`reads the ranges of ${JSON.stringify(written)}`, () =>
      expect(readMarks(marked(written))).toEqual({ text, ranges }))

  test("returns ranges in UTF-16 units", () => {
    const { ranges, text } = readMarks(marked("🦊🦊 [naïve] [𝒳] e\u0301[e\u0301]"))
    expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual(["naïve", "𝒳", "e\u0301"])
  })

  for (const hostile of ["][", "[", "]", "a] b", "[]", "a [] b", "]a["])
    test(`removes the marks of ${JSON.stringify(hostile)} without a range`, () =>
      expect(readMarks(marked(hostile))).toEqual({ text: hostile.replace(/[[\]]/g, ""), ranges: [] }))

  test("returns only ordered, non-empty ranges within the text", () => {
    for (let n = 0; n < 3 ** 7; n++) {
      const signs = n.toString(3).padStart(7, "0")
      const { ranges, text } = readMarks(
        signs.replaceAll("0", "x").replaceAll("1", MARK_START).replaceAll("2", MARK_END)
      )
      expect(text).toMatch(/^x*$/)
      let end = 0
      for (const range of ranges) {
        expect(range[0]).toBeGreaterThanOrEqual(end)
        expect(range[1]).toBeGreaterThan(range[0])
        end = range[1]
      }
      expect(end).toBeLessThanOrEqual(text.length)
    }
  })
})

/** Texts with a meaning in the search syntax, FTS5, SQL or LIKE. */
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

describe("a random query", () => {
  always(
    "is parsed into non-empty terms and filters",
    query,
    (text) => {
      const { filters, terms } = flat(parseQuery(text, 0))
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
    "has a removable token for each filter and term",
    query,
    (text) => {
      const { filters, terms } = flat(parseQuery(text, 0))
      const tokens = tokensOf(text)
      const filtering = tokens.filter(({ kind }) => kind === "filter")
      expect(filtering.length).toBe(filters.length)
      expect(tokens.filter(({ kind }) => kind === "word" || kind === "phrase").length).toBe(terms.length)
      expect(hasWords(text)).toBe(parseQuery(text, 0).terms.some(({ negated }) => !negated))
      let at = 0
      for (const token of tokens) {
        expect(token.start).toBeGreaterThanOrEqual(at)
        expect(token.end).toBeGreaterThan(token.start)
        at = token.end
      }
      for (const token of filtering)
        expect(flat(parseQuery(withoutToken(text, token), 0)).filters.length).toBe(filters.length - 1)
    },
    1_500
  )

  always(
    "round-trips a written filter",
    fc.tuple(
      fc.constantFrom("category" as const, "collection" as const, "site" as const),
      strangeText(4),
      fc.boolean()
    ),
    ([field, value, negated]) => {
      const text = writeFilter(field, value, negated)
      if (text === undefined || text.length > 1_000 || value.includes("\0")) return
      expect(parseQuery(text, 0)).toEqual({ terms: [], filters: [{ field, value, negated }] })
    },
    1_500
  )
})

describe("a search for a random query", () => {
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
    "succeeds for the owner and for the public, as page and feed",
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
    50
  )

  alwaysAsync(
    "gets a reply in the chat",
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
    15
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
    test(`parses ${JSON.stringify(text)}`, () =>
      expect<unknown>(parseQuery(text, 0)).toEqual({ terms: [...terms], filters: [...filters] }))

  for (const text of [
    "before:never",
    "after:2026-13-45",
    "is:unknown",
    "https://a.b/c#d",
    "nota:a",
    "note:x"
  ])
    test(`reads ${text} as a word`, () =>
      expect<unknown>(parseQuery(`${text} `, 0)).toEqual({ terms: [word(text)], filters: [] }))

  for (const text of ["tag:", "-", "--", '"', '""', "- a"])
    test(`reads no filter and no empty term in ${JSON.stringify(text)}`, () => {
      const { filters, terms } = parseQuery(text, 0)
      expect(filters).toEqual([])
      for (const term of terms) expect(term.text).not.toBe("")
    })

  test("limits the length of a query", () =>
    expect(parseQuery("x".repeat(100_000), 0).terms[0]?.text.length).toBeLessThanOrEqual(1_000))
})
