import { describe, expect, test } from "bun:test"
import { normalizeOwnerTag, normalizeTag, normalizeTags } from "../../src/shared/Tags.ts"
import { describeData, json } from "../support/data.ts"

const wellFormed = /^[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*$/u

const isTag = (tag: string) =>
  wellFormed.test(tag) && !/--|-$/.test(tag) && Array.from(tag).length <= 40 && tag === normalizeTag(tag)

describe("a tag", () => {
  const table: Record<string, string> = {
    "Type Script": "type-script",
    TypeScript: "typescript",
    "#Effect": "effect",
    machine_learning: "machine-learning",
    " --Self  Hosted-- ": "self-hosted",
    "C++": "cpp",
    "c++20": "cpp20",
    "C#": "csharp",
    "f#": "fsharp",
    ".NET": "dotnet",
    "ASP.NET": "aspnet",
    "Node.js": "nodejs",
    "v1.2": "v1-2",
    "CI/CD": "ci-cd",
    "today's news": "todays-news",
    "Ｆｕｌｌ　Ｗｉｄｔｈ": "full-width",
    "日本語 タグ": "日本語-タグ",
    Ελληνικά: "ελληνικά",
    हिन्दी: "हिन्दी",
    ΣΊΣΥΦΟΣ: "σίσυφος",
    İstanbul: "i̇stanbul",
    "cafe\u0301": "café",
    "a\u200bb\u00adc": "abc",
    "\u202egnp": "gnp",
    "❤\ufe0f": "",
    "<script>": "script",
    "###": "",
    "": ""
  }
  for (const [raw, tag] of Object.entries(table)) {
    test(`${JSON.stringify(raw)} becomes ${JSON.stringify(tag)}`, () => expect(normalizeTag(raw)).toBe(tag))
  }

  test("keeps the dot that makes it private where its owner gives it", () => {
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

  test("is cut at forty characters and never ends in a hyphen", () => {
    expect(normalizeTag("a".repeat(500))).toBe("a".repeat(40))
    expect(normalizeTag(`${"a".repeat(39)} ${"b".repeat(9)}`)).toBe("a".repeat(39))
    expect(normalizeTag("𐐨".repeat(50))).toBe("𐐨".repeat(40))
  })

  test("costs little however long the text", () => {
    const began = performance.now()
    expect(normalizeTag("ﷺ".repeat(2_000_000)).length).toBeLessThanOrEqual(40)
    expect(performance.now() - began).toBeLessThan(500)
  })

  test("stays as it is when normalized again, whatever it was made from", () => {
    for (let point = 0; point < 0x110000; point += 7) {
      const tag = normalizeTag(`x${String.fromCodePoint(point)}\u0301++${String.fromCodePoint(point)}#y`)
      if (!isTag(tag)) expect(`U+${point.toString(16)} ${tag}`).toBe("a tag")
    }
  })
})

describe("a list of tags", () => {
  test("holds each tag once, in the order given", () =>
    expect(normalizeTags(["Type Script", "#Effect", "effect", "TYPE_SCRIPT"], null)).toEqual([
      "type-script",
      "effect"
    ]))

  test("leaves out what is no text", () =>
    expect(normalizeTags(["OK", "<script>", 5, null, {}, ["x"], "a", "A"], null)).toEqual([
      "ok",
      "script",
      "a"
    ]))

  test("leaves out what only repeats the category", () =>
    expect(normalizeTags(["Deep Reading", "deep", "deep-reading"], "deep reading")).toEqual(["deep"]))

  test("ends after eight", () =>
    expect(
      normalizeTags(
        Array.from({ length: 100_000 }, (_, i) => `t${i}`),
        null
      )
    ).toHaveLength(8))
})

describeData("hostile", "naughty strings as tags", () => {
  test("each gives a well-formed tag or none", () => {
    const strings = json<ReadonlyArray<string>>("hostile/blns.json")
    expect(strings.length).toBeGreaterThan(250)
    for (const raw of strings) {
      const tag = normalizeTag(raw)
      if (tag !== "" && !isTag(tag)) expect(`${JSON.stringify(raw)} -> ${tag}`).toBe("a tag")
    }
  })
})
