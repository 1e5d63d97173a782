import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/search/Query.ts"
import { hasWords, operatorsFrom, tokenAt, tokensOf, withoutToken, written } from "../../web/app/query.ts"
import { describeData, json } from "../support/data.ts"

const filtersOf = (text: string) => tokensOf(text).flatMap(({ filter }) => filter ?? [])

/** The words and phrases, but for what the end of the text makes of the last one. */
const termsOf = (text: string) =>
  parseQuery(text).terms.map(({ kind, ...term }) => ({ ...term, phrase: kind === "phrase" }))

const without = <A>(all: ReadonlyArray<A>, at: number) => [...all.slice(0, at), ...all.slice(at + 1)]

/** Holds the client's reading of a text against the service's. */
const compare = (text: string) => {
  const tokens = tokensOf(text)
  const { filters, terms } = parseQuery(text)
  expect([text, filtersOf(text)]).toEqual([text, [...filters]])
  expect([text, tokens.filter(({ searched }) => searched).length]).toEqual([text, terms.length])
  expect([text, hasWords(text)]).toEqual([text, terms.some(({ negated }) => !negated)])
  const filtering = tokens.filter(({ filter }) => filter !== undefined)
  for (const [at, token] of filtering.entries()) {
    const rest = withoutToken(text, token)
    expect([text, rest, parseQuery(rest).filters]).toEqual([text, rest, without(filters, at)])
    expect([text, rest, termsOf(rest)]).toEqual([text, rest, termsOf(text)])
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

/** The same numbers from 0 to 1 each time (Park and Miller). */
const numbers = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

describe("the search language in the browser", () => {
  test("reads and takes out what the service reads, over many texts", () => {
    const next = numbers(7)
    const pick = <A>(all: ReadonlyArray<A>) => all[Math.floor(next() * all.length)]
    for (let n = 0; n < 4_000; n++) {
      const length = 1 + Math.floor(next() * 7)
      compare(Array.from({ length }, () => `${pick(pieces)}${pick([" ", " ", "", "  "])}`).join(""))
    }
  })

  test("agrees on every day of a year and on days that are none", () => {
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++)
        compare(`before:2026-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`)
  })

  test("reads no further than the service does", () => {
    for (let length = 985; length <= 1_001; length++)
      compare(`${"x".repeat(length)} tag:rust -site:"a b" is:favorite`)
  })

  test("says where each item stands", () => {
    const text = 'fast  -tag:"two words" is:favorite'
    expect(tokensOf(text).map(({ end, start }) => text.slice(start, end))).toEqual([
      "fast",
      '-tag:"two words"',
      "is:favorite"
    ])
  })

  for (const [text, caret, operator, value] of [
    ["tag:", 4, "tag", ""],
    ["-tag:", 5, "tag", ""],
    ['collection:"Read', 16, "collection", "Read"],
    ["rust site:git", 13, "site", "git"],
    ["ta", 2, undefined, "ta"],
    ["title:x", 7, undefined, "x"]
  ] as const)
    test(`sees what is being typed in ${JSON.stringify(text)}`, () =>
      expect(tokenAt(text, caret)).toMatchObject({ operator, value }))

  test("sees nothing being typed after a space", () => expect(tokenAt("tag:rust ", 9)).toBeUndefined())

  test("writes an operator so that it is read again as it was meant", () => {
    for (const operator of ["tag", "category", "collection", "site"] as const)
      for (const value of ["rust", "reading list", "c++", 'say"so', "a:b", "-x", "no\u00a0break", "日本語"])
        for (const negated of [false, true]) {
          const text = written(operator, value, negated) ?? "not written"
          expect(parseQuery(text)).toEqual({ terms: [], filters: [{ field: operator, value, negated }] })
          expect(parseQuery(`${text} next`).filters).toHaveLength(1)
        }
  })

  test("says so where a value cannot be written", () => {
    for (const value of ["", '"quoted" words', '"x']) expect(written("collection", value)).toBeUndefined()
  })

  test("knows the operators that begin like a word", () => {
    expect(operatorsFrom("ca")).toEqual(["category"])
    expect(operatorsFrom("C")).toEqual(["category", "collection"])
    expect(operatorsFrom("rust")).toEqual([])
  })
})

describeData("fts", "the search language in the browser on hostile strings", () => {
  test("reads and takes out what the service reads", () => {
    for (const text of [
      ...json<ReadonlyArray<string>>("fts/operators.json"),
      ...json<ReadonlyArray<string>>("hostile/blns.json")
    ]) {
      compare(text)
      compare(`tag:x ${text}`)
      compare(`-site:"a b"${text}`)
    }
  })
})
