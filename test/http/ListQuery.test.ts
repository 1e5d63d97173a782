import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import type { Cursor, PublicCursor } from "../../src/domain/LinkQuery.ts"
import { ownerCursor, publicCursor } from "../../src/http/ListQuery.ts"

const DATE = "2026-11-21T00:00:00.000Z"

const cursors: ReadonlyArray<Cursor> = [
  { sort: "newest", value: DATE, id: 123_456 },
  { sort: "oldest", value: DATE, id: 1 },
  { sort: "relevance", value: 50, id: 9 },
  { sort: "relevance", value: "50", id: 9 },
  { sort: "title", value: "Ünïcode ”“", id: 1 },
  { sort: "title", value: "", id: 1 },
  { sort: "title", value: 'half \ud800 \0 𝒳 \u2028 \\"', id: -1 },
  { sort: "collection", value: [null, DATE], id: 7 },
  { sort: "collection", value: ["A 🦊 shelf", DATE], id: 7 },
  { sort: "changed", value: DATE, id: 8 },
  { sort: "site", value: ["example.org", DATE], id: 9 },
  { sort: "random", value: 2_147_483_646, id: 10, seed: 7 }
]

const publicCursors: ReadonlyArray<PublicCursor> = [
  { sort: "newest", value: DATE, seen: 1 },
  { sort: "oldest", value: DATE, seen: 0 },
  { sort: "relevance", value: 50, seen: 0 },
  { sort: "title", value: "Ünïcode ”“", seen: 999 },
  { sort: "title", value: "", seen: 1 },
  { sort: "title", value: 'half \ud800 \0 𝒳 \u2028 \\"', seen: 1 },
  { sort: "collection", value: [null, DATE], seen: 1_000_000 },
  { sort: "collection", value: ["A 🦊 shelf", DATE], seen: 2 }
]

const base64 = (text: string) => Buffer.from(text).toString("base64url")
const json = (value: unknown) => base64(JSON.stringify(value))

const garbage: ReadonlyArray<readonly [what: string, text: string]> = [
  ["an empty text", ""],
  ["a letter", "x"],
  ["zeros", "AAAA"],
  ["punctuation", "!!!!"],
  ["a long text", "A".repeat(100)],
  ["truncated JSON", base64('{"sort":"newest",')],
  ...[
    null,
    1,
    [1],
    {},
    ["newest"],
    ["newest", DATE],
    ["newest", DATE, 1.5],
    ["newest", DATE, "1"],
    ["unknown", DATE, 1],
    ["collection", DATE, 1],
    ["collection", [1, DATE], 1],
    { sort: "newest", value: DATE },
    { sort: "newest", value: 1, seen: 1 },
    { sort: "newest", value: DATE, seen: -1 },
    { sort: "newest", value: DATE, seen: 0.5 },
    { sort: "newest", value: DATE, seen: 1_000_001 },
    { sort: "newest", value: DATE, seen: "1" },
    { sort: "newest", value: DATE, seen: null },
    { sort: "relevance", value: "50", seen: 0 },
    { sort: "relevance", value: -1, seen: 0 },
    { sort: "relevance", value: 1.5, seen: 0 },
    { sort: "relevance", value: 50, seen: 1 },
    { sort: "relevance", value: 50 },
    { sort: "collection", value: DATE, seen: 1 },
    { sort: "collection", value: [null], seen: 1 },
    { sort: "collection", value: [1, DATE], seen: 1 },
    { sort: "unknown", value: DATE, seen: 1 }
  ].map((value) => [JSON.stringify(value), json(value)] as const)
]

describe("a cursor", () => {
  for (const cursor of cursors)
    test(`of the owner's list survives encoding: ${JSON.stringify(cursor)}`, () => {
      const text = ownerCursor.encode(cursor)
      expect(ownerCursor.decode(text)).toEqual(Option.some(cursor))
      expect(encodeURIComponent(text)).toBe(text)
      expect(Option.isNone(publicCursor.decode(text))).toBe(true)
    })

  for (const cursor of publicCursors)
    test(`of the public list survives encoding, without a link's number: ${JSON.stringify(cursor)}`, () => {
      const text = publicCursor.encode(cursor)
      expect(publicCursor.decode(text)).toEqual(Option.some(cursor))
      expect(encodeURIComponent(text)).toBe(text)
      expect(Option.isNone(ownerCursor.decode(text))).toBe(true)
      expect(JSON.parse(Buffer.from(text, "base64url").toString())).toEqual(cursor)
    })

  test("of the public list drops fields that do not belong to it", () => {
    const numbered = { sort: "newest" as const, value: DATE, seen: 1, id: 123_456 }
    expect(Buffer.from(publicCursor.encode(numbered), "base64url").toString()).not.toContain("123456")
    expect(publicCursor.decode(json(numbered))).toEqual(Option.some({ sort: "newest", value: DATE, seen: 1 }))
  })

  for (const [what, text] of garbage)
    test(`is rejected: ${what.slice(0, 60)}`, () => {
      expect(Option.isNone(publicCursor.decode(text))).toBe(true)
      expect(Option.isNone(ownerCursor.decode(text))).toBe(true)
    })
})
