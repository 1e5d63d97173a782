import { describe, expect, test } from "bun:test"
import { normalizeOwnerTag, normalizeTag, normalizeTags } from "../../src/shared/Tags.ts"
import { cpuTime } from "../support/cpuTime.ts"
import { rowsOf } from "../support/rows.ts"

const wellFormed = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*$/u

const isTag = (tag: string) =>
  wellFormed.test(tag) && !/--|-$/.test(tag) && Array.from(tag).length <= 40 && tag === normalizeTag(tag)

describe("normalizeTag", () => {
  const table: Record<string, string> = Object.fromEntries(
    rowsOf<readonly [string, string]>(import.meta, "Tags")
  )
  for (const [raw, tag] of Object.entries(table)) {
    test(`returns ${JSON.stringify(tag)} for ${JSON.stringify(raw)}`, () =>
      expect(normalizeTag(raw)).toBe(tag))
  }

  test("keeps the leading dot of a private tag only in normalizeOwnerTag", () => {
    const given = [".To Sort", " .secret", "..hidden", ".NET", ".net core", ".", ".#", "plain", "a.b"]
    expect(given.map(normalizeOwnerTag)).toEqual([
      ".to-sort",
      ".secret",
      ".hidden",
      "dotnet",
      "dotnet-core",
      "",
      "",
      "plain",
      "a-b"
    ])
  })

  test("keeps the emoji of an owner's tag without words, with their modifiers and joiners", () => {
    const given = [
      "🚀",
      "🇯🇵",
      "❤\ufe0f",
      "👩🏽‍💻",
      ".🔥",
      "🚀 🚀",
      "🚀 space",
      "©",
      "→",
      "👨‍👩‍👧‍👦".repeat(9)
    ]
    const tags = given.map(normalizeOwnerTag)
    expect(tags).toEqual(["🚀", "🇯🇵", "❤", "👩🏽‍💻", ".🔥", "🚀🚀", "space", "", "", "👨‍👩‍👧‍👦".repeat(5)])
    expect(tags.map(normalizeOwnerTag)).toEqual(tags)
  })

  test("cuts a tag at 40 characters without a final hyphen", () => {
    expect(normalizeTag("a".repeat(500))).toBe("a".repeat(40))
    expect(normalizeTag(`${"a".repeat(39)} ${"b".repeat(9)}`)).toBe("a".repeat(39))
    expect(normalizeTag("𐐨".repeat(50))).toBe("𐐨".repeat(40))
  })

  test("takes bounded time", () => {
    const began = cpuTime()
    expect(normalizeTag("ﷺ".repeat(2_000_000)).length).toBeLessThanOrEqual(40)
    expect(cpuTime() - began).toBeLessThan(2_000)
  })

  test("is idempotent", () => {
    for (let point = 0; point < 0x110000; point += 61) {
      const tag = normalizeTag(`x${String.fromCodePoint(point)}\u0301++${String.fromCodePoint(point)}#y`)
      if (!isTag(tag)) expect(`U+${point.toString(16)} ${tag}`).toBe("a tag")
    }
  })
})

describe("normalizeTags", () => {
  test("deduplicates tags in their order", () =>
    expect(normalizeTags(["Type Script", "#Effect", "effect", "TYPE_SCRIPT"], null)).toEqual([
      "type-script",
      "effect"
    ]))

  test("drops values other than strings", () =>
    expect(normalizeTags(["OK", "<script>", 5, null, {}, ["x"], "a", "A"], null)).toEqual([
      "ok",
      "script",
      "a"
    ]))

  test("drops a tag equal to the category", () =>
    expect(normalizeTags(["Deep Reading", "deep", "deep-reading"], "deep reading")).toEqual(["deep"]))

  test("returns at most eight tags", () =>
    expect(
      normalizeTags(
        Array.from({ length: 100_000 }, (_, i) => `t${i}`),
        null
      )
    ).toHaveLength(8))
})
