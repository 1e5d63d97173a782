import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import type { Cursor } from "../../src/domain/LinkQuery.ts"
import { decodeCursor, encodeCursor } from "../../src/http/Cursor.ts"

const cursors: ReadonlyArray<Cursor> = [
  { sort: "newest", value: "2026-11-21T00:00:00.000Z", id: 123_456 },
  { sort: "relevance", value: 50, id: 9 },
  { sort: "title", value: "Ünïcode ”“", id: 1 },
  { sort: "collection", value: [null, "2026-11-21T00:00:00.000Z"], id: 7 }
]

describe("a cursor", () => {
  for (const cursor of cursors)
    for (const audience of ["owner", "public"] as const)
      test(`comes back as it was: ${JSON.stringify(cursor)} (${audience})`, () => {
        expect(decodeCursor(encodeCursor(cursor, audience), audience)).toEqual(Option.some(cursor))
      })

  test("tells the public no link's number", () => {
    for (const cursor of cursors) {
      const sealed = encodeCursor(cursor, "public")
      expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain(String(cursor.value))
      expect(Option.isNone(decodeCursor(sealed, "owner"))).toBe(true)
    }
  })

  test("is the same for the same place, so that a page stays the same", () => {
    for (const cursor of cursors) expect(encodeCursor(cursor, "public")).toBe(encodeCursor(cursor, "public"))
  })

  for (const text of ["", "x", "AAAA", "!!!!", "A".repeat(100), Buffer.from("[1]").toString("base64url")])
    test(`that is none of ours is none: "${text.slice(0, 12)}"`, () => {
      expect(Option.isNone(decodeCursor(text, "public"))).toBe(true)
      expect(Option.isNone(decodeCursor(text, "owner"))).toBe(true)
    })

  test("that was tampered with is none", () => {
    const bytes = Buffer.from(encodeCursor({ sort: "relevance", value: 50, id: 9 }, "public"), "base64url")
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(Option.isNone(decodeCursor(changed.toString("base64url"), "public"))).toBe(true)
    }
  })
})
