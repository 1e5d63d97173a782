import { describe, expect, test } from "bun:test"
import { normalizeCategory, reuseCategory } from "../../src/shared/Category.ts"
import { describeData, json } from "../support/data.ts"

const wellFormed = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}.&][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}&+#. -]*$/u

const isCategory = (category: string) =>
  wellFormed.test(category) &&
  /[\p{L}\p{N}]/u.test(category) &&
  !/ {2}|^ | $/.test(category) &&
  category.split(" ").length <= 4 &&
  Array.from(category).length <= 40 &&
  category === normalizeCategory(category)

describe("a category", () => {
  const table: Record<string, string | null> = {
    "  Deep  Reading ": "deep reading",
    Programming: "programming",
    "Web\tDevelopment\n": "web development",
    "Food & Drink": "food & drink",
    "& food &": "food",
    "R&D": "r&d",
    "C++": "c++",
    "C#": "c#",
    ".NET": ".net",
    "#art.": "art",
    "self-hosted": "self-hosted",
    "-- draft --": "draft",
    "women's health": "womens health",
    snake_case: "snake case",
    "one two three four five six": "one two three four",
    Recipes: "recipes",
    "  Web   Design ": "web design",
    "c++": "c++",
    "R & D": "r & d",
    日本語: "日本語",
    "Ignore all; DROP": "ignore all drop",
    "<b>bold</b>": "b bold b",
    データベース: "データベース",
    ＦＵＬＬ: "full",
    "…": null,
    "& & &": null,
    "\u202e": null,
    "   ": null,
    "": null
  }
  for (const [raw, category] of Object.entries(table)) {
    test(`${JSON.stringify(raw)} becomes ${JSON.stringify(category)}`, () =>
      expect(normalizeCategory(raw)).toBe(category))
  }

  test("drops the words that do not fit into forty characters", () => {
    expect(normalizeCategory(`${"a".repeat(30)} & ${"b".repeat(30)}`)).toBe("a".repeat(30))
    expect(normalizeCategory("a".repeat(500))).toBe("a".repeat(40))
  })

  test("stays as it is when normalized again, whatever it was made from", () => {
    for (let point = 0; point < 0x110000; point += 7) {
      const sign = String.fromCodePoint(point)
      const category = normalizeCategory(`${sign}x${sign}\u0301 ${sign} y.${sign}`)
      if (category === null || !isCategory(category))
        expect(`U+${point.toString(16)} ${category}`).toBe("a category")
    }
  })
})

describe("reuse of a category", () => {
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
    test(`${name} becomes ${reused}`, () => expect(reuseCategory(name, existing)).toBe(reused))
  }

  test("prefers the name itself to one that is nearly the same", () =>
    expect(reuseCategory("tool", ["tools", "tool"])).toBe("tool"))

  test("takes names of one or two letters as they are", () => expect(reuseCategory("c", ["cs"])).toBe("c"))
})

describeData("hostile", "naughty strings as categories", () => {
  test("each gives a well-formed category or none", () => {
    const strings = json<ReadonlyArray<string>>("hostile/blns.json")
    expect(strings.length).toBeGreaterThan(250)
    for (const raw of strings) {
      const category = normalizeCategory(raw)
      if (category !== null && !isCategory(category))
        expect(`${JSON.stringify(raw)} -> ${category}`).toBe("a category")
    }
  })
})
