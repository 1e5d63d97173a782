import { describe, expect, test } from "bun:test"
import {
  type Clause,
  hasWords,
  MAX_QUERY,
  operatorsFrom,
  parseSearch,
  tokenAt,
  tokensOf,
  withoutToken,
  writeFilter
} from "../../src/shared/SearchSyntax.ts"
import { describeData, json } from "../support/data.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { rowsOf } from "../support/rows.ts"

const filtersOf = (text: string) =>
  tokensOf(text).flatMap((token) => (token.kind === "filter" ? [token.filter] : []))

/** The words and phrases. */
const termsOf = (text: string) =>
  tokensOf(text).flatMap((token) =>
    token.kind === "word" || token.kind === "phrase"
      ? [{ kind: token.kind, text: token.text, negated: token.negated }]
      : []
  )

const without = <A>(all: ReadonlyArray<A>, at: number) => [...all.slice(0, at), ...all.slice(at + 1)]

/** Checks the positions and texts of all tokens, and that removing a filter keeps the rest. */
const expectTokens = (text: string) => {
  const [filters, terms] = [filtersOf(text), termsOf(text)]
  let at = 0
  for (const { end, negated, start, value } of tokensOf(text)) {
    expect([text, start >= at, end > start, end <= MAX_QUERY]).toEqual([text, true, true, true])
    const written = text.replaceAll("\0", " ").slice(start, end)
    expect([text, written.startsWith("-"), written.includes(value)]).toEqual([
      text,
      negated || written === "-",
      true
    ])
    at = end
  }
  for (const term of terms) expect([text, term.text === ""]).toEqual([text, false])
  const isFlat = tokensOf(text).every(({ kind }) => kind !== "or" && kind !== "open")
  if (isFlat) expect([text, hasWords(text)]).toEqual([text, terms.some(({ negated }) => !negated)])
  const filtering = tokensOf(text).filter(({ kind }) => kind === "filter")
  for (const [index, token] of filtering.entries()) {
    const rest = withoutToken(text, token)
    expect([text, rest, filtersOf(rest)]).toEqual([text, rest, without(filters, index)])
    expect([text, rest, termsOf(rest)]).toEqual([text, rest, terms])
  }
}

const names = ["tag", "category", "collection", "site", "is", "before", "after", "TAG", "note", "i\u017f", ""]
const values = [
  "rust",
  "#Rust",
  "a b",
  "favorite",
  "shareable",
  "2026-02-30",
  "2026-13-01",
  "0000-01-01",
  "2026-1-1"
]
const pieces = [
  ...names.flatMap((name) => [`${name}:`, `-${name}:`, `${name}:""`]),
  ...values.flatMap((value) => [
    value,
    `"${value}"`,
    `-"${value}"`,
    `tag:"${value}"`,
    `after:${value}`,
    `-is:${value}`
  ]),
  ..."-\"': \t\u00a0\u3000\0()é".split(""),
  "--x",
  'x"y z"',
  "😀",
  "\ud800"
]

/** The number of days in each month, from January at 1. */
const daysIn2026 = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

describe("the search syntax", () => {
  test("has ordered and removable tokens in random texts", () => {
    const next = randomOf(7)
    const pick = <A>(all: ReadonlyArray<A>) => all[Math.floor(next() * all.length)]
    for (let n = 0; n < 4_000; n++) {
      const length = 1 + Math.floor(next() * 7)
      expectTokens(Array.from({ length }, () => `${pick(pieces)}${pick([" ", " ", "", "  "])}`).join(""))
    }
  })

  test("accepts every day of a year and rejects invalid dates", () => {
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const value = `2026-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
        const exists = day >= 1 && day <= (daysIn2026[month] ?? 0)
        const filter = { field: "before" as const, value, negated: false }
        expect(filtersOf(`before:${value}`)).toEqual(exists ? [filter] : [])
        expect(termsOf(`before:${value}`)).toHaveLength(exists ? 0 : 1)
      }
  })

  test("is parsed up to its limit", () => {
    for (let length = 985; length <= 1_001; length++)
      expectTokens(`${"x".repeat(length)} tag:rust -site:"a b" is:favorite`)
  })

  test("gives the position of each token", () => {
    const text = 'fast  -tag:"two words" is:favorite'
    expect(tokensOf(text).map(({ end, start }) => text.slice(start, end))).toEqual([
      "fast",
      '-tag:"two words"',
      "is:favorite"
    ])
  })

  for (const [text, kinds] of [
    ["a -b", ["word", "word"]],
    ['"a b" "c', ["phrase", "phrase"]],
    ['- -- ""', ["nothing", "nothing", "nothing"]],
    ["tag:x -is:partial after:2026-01-01", ["filter", "filter", "filter"]],
    ["is:new before:2026-02-30 note:x", ["word", "word", "word"]],
    ['tag:"" tag:# is:', ["nothing", "nothing", "word"]]
  ] as const)
    test(`gives the kinds of the tokens of ${text}`, () =>
      expect(tokensOf(text).map(({ kind }) => kind)).toEqual([...kinds]))

  test("reads an unknown operator or value as a word without its minus", () =>
    expect(termsOf('-is:new note:"a b')).toEqual([
      { kind: "word", text: "is:new", negated: true },
      { kind: "word", text: 'note:"a b', negated: false }
    ]))

  test("marks quoted values", () =>
    expect(tokensOf('tag:"a b" "c" d').map(({ quoted }) => quoted)).toEqual([true, true, false]))

  for (const [text, caret, operator, value] of [
    ["tag:", 4, "tag", ""],
    ["-tag:", 5, "tag", ""],
    ['collection:"Read', 16, "collection", "Read"],
    ["rust site:git", 13, "site", "git"],
    ["ta", 2, undefined, "ta"],
    ["note:x", 6, undefined, "x"]
  ] as const)
    test(`finds the token at the caret of ${JSON.stringify(text)}`, () =>
      expect(tokenAt(text, caret)).toMatchObject({ operator, value }))

  test("finds no token after a space", () => expect(tokenAt("tag:rust ", 9)).toBeUndefined())

  test("round-trips written filters", () => {
    for (const operator of ["tag", "category", "collection", "site"] as const)
      for (const value of ["rust", "reading list", "c++", 'say"so', "a:b", "-x", "no\u00a0break", "日本語"])
        for (const negated of [false, true]) {
          const text = writeFilter(operator, value, negated) ?? "not written"
          expect([filtersOf(text), termsOf(text)]).toEqual([[{ field: operator, value, negated }], []])
          expect(filtersOf(`${text} next`)).toHaveLength(1)
        }
  })

  test("returns undefined for a filter value with quotes and spaces", () => {
    for (const value of ["", '"quoted" words', '"x']) expect(writeFilter("collection", value)).toBeUndefined()
  })

  test("lists the operators with a prefix", () => {
    expect(operatorsFrom("ca")).toEqual(["category"])
    expect(operatorsFrom("C")).toEqual(["category", "collection"])
    expect(operatorsFrom("rust")).toEqual([])
  })
})

describeData("fts", "the search syntax on hostile strings", () => {
  test("has ordered and removable tokens", () => {
    for (const text of [
      ...json<ReadonlyArray<string>>("fts/operators.json"),
      ...json<ReadonlyArray<string>>("hostile/blns.json")
    ]) {
      expectTokens(text)
      expectTokens(`tag:x ${text}`)
      expectTokens(`-site:"a b"${text}`)
    }
  })
})

/** A clause in brief: words as they are, filters by field, a choice in brackets. */
const brief = ({ filters, groups, words }: Clause): string =>
  [
    ...words.map(({ negated, text }) => `${negated ? "-" : ""}${text}`),
    ...filters.map(({ field, negated }) => `${negated ? "-" : ""}${field}:`),
    ...groups.map(
      ({ alternatives, negated }) => `${negated ? "-" : ""}(${alternatives.map(brief).join(" | ")})`
    )
  ].join(" ")

describe("a search with or and brackets", () => {
  for (const [text, meaning] of rowsOf<readonly [string, string]>(import.meta, "SearchSyntax"))
    test(`reads ${text} as ${meaning}`, () => expect(brief(parseSearch(text))).toBe(meaning))

  test("takes brackets nested too deeply as text", () =>
    expect(brief(parseSearch(`${"(".repeat(9)}a`))).toBe("(a"))

  test("takes as many brackets as a text can hold", () => {
    for (const text of ["(".repeat(MAX_QUERY), "-(".repeat(500), "a or (".repeat(166), ")".repeat(MAX_QUERY)])
      expect(typeof brief(parseSearch(text))).toBe("string")
  })
})
