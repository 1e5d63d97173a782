import { describe, expect, test } from "bun:test"
import { normalizeCategory, reuseCategory } from "../../src/shared/Category.ts"
import { rowsOf } from "../support/rows.ts"

const wellFormed = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}.&][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}&+#. -]*$/u

const isCategory = (category: string) =>
  wellFormed.test(category) &&
  /[\p{L}\p{N}]/u.test(category) &&
  !/ {2}|^ | $/.test(category) &&
  category.split(" ").length <= 4 &&
  Array.from(category).length <= 40 &&
  category === normalizeCategory(category)

describe("normalizeCategory", () => {
  const table: Record<string, string | null> = Object.fromEntries(
    rowsOf<readonly [string, string | null]>(import.meta, "Category")
  )
  for (const [raw, category] of Object.entries(table)) {
    test(`returns ${JSON.stringify(category)} for ${JSON.stringify(raw)}`, () =>
      expect(normalizeCategory(raw)).toBe(category))
  }

  test("drops words beyond 40 characters", () => {
    expect(normalizeCategory(`${"a".repeat(30)} & ${"b".repeat(30)}`)).toBe("a".repeat(30))
    expect(normalizeCategory("a".repeat(500))).toBe("a".repeat(40))
  })

  test("is idempotent", () => {
    for (let point = 0; point < 0x110000; point += 61) {
      const sign = String.fromCodePoint(point)
      const category = normalizeCategory(`${sign}x${sign}\u0301 ${sign} y.${sign}`)
      if (category === null || !isCategory(category))
        expect(`U+${point.toString(16)} ${category}`).toBe("a category")
    }
  })
})

describe("reuseCategory", () => {
  const existing = ["Databases", "web development", "self-hosted", "library", "boxes", "news"]
  const table: Record<string, string> = {
    databases: "Databases",
    database: "Databases",
    "web-development": "web development",
    "Web Developments": "web development",
    "self hosted": "self-hosted",
    libraries: "library",
    box: "boxes",
    cooking: "cooking",
    web: "web",
    development: "development",
    "hosted self": "hosted self"
  }
  for (const [name, reused] of Object.entries(table)) {
    test(`returns ${reused} for ${name}`, () => expect(reuseCategory(name, existing)).toBe(reused))
  }

  test("prefers an exact match", () => expect(reuseCategory("tool", ["tools", "tool"])).toBe("tool"))

  test("keeps names of one or two letters", () => expect(reuseCategory("c", ["cs"])).toBe("c"))
})
