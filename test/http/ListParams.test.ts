import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import type { Cursor, PublicCursor } from "../../src/domain/LinkQuery.ts"
import {
  decodeCursor,
  decodePublicCursor,
  encodeCursor,
  encodePublicCursor
} from "../../src/http/ListParams.ts"

const DATE = "2026-11-21T00:00:00.000Z"

const cursors: ReadonlyArray<Cursor> = [
  { sort: "newest", value: DATE, id: 123_456 },
  { sort: "oldest", value: DATE, id: 1 },
  { sort: "relevance", value: 50, id: 9 },
  { sort: "relevance", value: "50", id: 9 },
  { sort: "title", value: "Ünïcode ”“", id: 1 },
  { sort: "title", value: "", id: 1 },
  { sort: "collection", value: [null, DATE], id: 7 },
  { sort: "collection", value: ["A 🦊 shelf", DATE], id: 7 }
]

const publicCursors: ReadonlyArray<PublicCursor> = [
  { sort: "newest", value: DATE, seen: 1 },
  { sort: "oldest", value: DATE, seen: 0 },
  { sort: "relevance", value: 50, seen: 0 },
  { sort: "title", value: "Ünïcode ”“", seen: 999 },
  { sort: "title", value: "", seen: 1 },
  { sort: "collection", value: [null, DATE], seen: 1_000_000 },
  { sort: "collection", value: ["A 🦊 shelf", DATE], seen: 2 }
]

const base64 = (text: string) => Buffer.from(text).toString("base64url")
const json = (value: unknown) => base64(JSON.stringify(value))

const garbage: ReadonlyArray<readonly [what: string, text: string]> = [
  ["nothing", ""],
  ["a letter", "x"],
  ["zeros", "AAAA"],
  ["punctuation", "!!!!"],
  ["a long text", "A".repeat(100)],
  ["half a JSON text", base64('{"sort":"newest",')],
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
    test(`of the owner's list comes back as it was: ${JSON.stringify(cursor)}`, () => {
      expect(decodeCursor(encodeCursor(cursor))).toEqual(Option.some(cursor))
    })

  for (const cursor of publicCursors)
    test(`of the public list comes back as it was: ${JSON.stringify(cursor)}`, () => {
      expect(decodePublicCursor(encodePublicCursor(cursor))).toEqual(Option.some(cursor))
    })

  test("is the same for the same place, so that a page stays the same", () => {
    for (const cursor of cursors) expect(encodeCursor(cursor)).toBe(encodeCursor({ ...cursor }))
    for (const cursor of publicCursors)
      expect(encodePublicCursor(cursor)).toBe(encodePublicCursor({ ...cursor }))
  })

  test("fits into an address as it is", () => {
    for (const text of [...cursors.map(encodeCursor), ...publicCursors.map(encodePublicCursor)])
      expect(encodeURIComponent(text)).toBe(text)
  })

  test("of the public list holds no link's number", () => {
    for (const cursor of publicCursors) {
      const { sort, value, seen, ...rest } = JSON.parse(
        Buffer.from(encodePublicCursor(cursor), "base64url").toString()
      )
      expect({ sort, value, seen, rest }).toEqual({ ...cursor, rest: {} })
    }
    // Nor does a field that is no part of it get through.
    const numbered = { sort: "newest" as const, value: DATE, seen: 1, id: 123_456 }
    expect(Buffer.from(encodePublicCursor(numbered), "base64url").toString()).not.toContain("123456")
    expect(decodePublicCursor(json(numbered))).toEqual(Option.some({ sort: "newest", value: DATE, seen: 1 }))
  })

  test("of one list is none of the other", () => {
    for (const cursor of cursors) expect(Option.isNone(decodePublicCursor(encodeCursor(cursor)))).toBe(true)
    for (const cursor of publicCursors)
      expect(Option.isNone(decodeCursor(encodePublicCursor(cursor)))).toBe(true)
  })

  for (const [what, text] of garbage)
    test(`is not made of ${what.slice(0, 60)}`, () => {
      expect(Option.isNone(decodePublicCursor(text))).toBe(true)
      expect(Option.isNone(decodeCursor(text))).toBe(true)
    })
})
