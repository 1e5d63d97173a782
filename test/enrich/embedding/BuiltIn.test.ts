import { describe, expect, test } from "bun:test"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const cosine = (a: string, b: string): number => {
  const x = builtIn.embed(a)
  const y = builtIn.embed(b)
  return x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
}

const lengthOf = (text: string) => Math.hypot(...builtIn.embed(text))

test("the built-in embedder has a name and dimensions", () => {
  // Triggers recognise the built-in embedder by the start of its name.
  expect(builtIn.name).toMatch(/^linkbower-\d+$/)
  expect(builtIn.embed("word")).toHaveLength(builtIn.dimensions)
})

test("embed returns equal vectors that share no memory", () => {
  const text = "A static word table for links"
  const first = builtIn.embed(text)
  expect(builtIn.embed(text)).toEqual(first)
  first.fill(0)
  expect(lengthOf(text)).toBeCloseTo(1, 5)
})

const withoutWords = ["", " ", "\n\t\0", "…—!?", "\u{1f600}\u{1f680}", "\ud83d", "#".repeat(1000)]
for (const text of withoutWords)
  test(`embed returns the zero vector for ${JSON.stringify(text.slice(0, 12))}`, () => {
    expect(builtIn.embed(text)).toEqual(new Float32Array(builtIn.dimensions))
  })

const withWords: Readonly<Record<string, string>> = {
  English: "Free online courses in linear algebra",
  "one word": "zsh",
  "a stop word": "the",
  "an unknown word": "qwrtzplmk",
  numbers: "2024 42",
  Chinese: "机器学习入门教程",
  Japanese: "データベースの設計とパフォーマンス",
  Korean: "오픈 소스 데이터베이스",
  Russian: "Библиотека для работы с базами данных",
  Greek: "Εισαγωγή στη φιλοσοφία",
  Arabic: "مكتبة مفتوحة المصدر",
  Hebrew: "ספרייה חופשית",
  Hindi: "मुक्त स्रोत पुस्तकालय",
  Thai: "ห้องสมุดโอเพนซอร์ส",
  "lone surrogates": "\ud800word\udc00 \udfff",
  "combining marks": `e${"\u0301".repeat(5000)} accent`,
  "ligatures that expand": "\ufdfa".repeat(20_000),
  "names of the object prototype": "__proto__ constructor toString hasOwnProperty",
  "right to left marks": "\u202eabc\u202c def",
  "null bytes": "a\0b\0c",
  markup: "<script>alert(1)</script> ' OR 1=1 --"
}
for (const [name, text] of Object.entries(withWords))
  test(`embed returns a unit vector for ${name}`, () => {
    expect(builtIn.embed(text).every(Number.isFinite)).toBe(true)
    expect(lengthOf(text)).toBeCloseTo(1, 5)
  })

test("embed reads only the first 2,000 words of a huge text", () => {
  const start = cpuTime()
  for (const part of ["word ", "字", "x", "aB", "e\u0301", "1+"])
    builtIn.embed(part.repeat(4_000_000 / part.length))
  expect(cpuTime() - start).toBeLessThan(3000)
})

describe("embedQuery", () => {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  const found = (query: string, text: string) => dot(builtIn.embedQuery(query), builtIn.embed(text))

  for (const [name, text] of Object.entries(withWords))
    test(`returns a unit vector of its own for ${name}`, () => {
      const query = builtIn.embedQuery(text)
      expect(query.every(Number.isFinite)).toBe(true)
      expect(Math.hypot(...query)).toBeCloseTo(1, 5)
      expect(dot(query, builtIn.embed(text))).toBeGreaterThan(0.85)
    })

  for (const text of withoutWords)
    test(`returns the zero vector for ${JSON.stringify(text.slice(0, 12))}`, () => {
      expect(builtIn.embedQuery(text)).toEqual(new Float32Array(builtIn.dimensions))
    })

  test("gives the letters of a name more weight than links' vectors do", () => {
    const typed = "kubrnetes dashboards"
    const [named, topical] = ["Kubernetes", "Charts for monitoring"].map((text) => builtIn.embed(text))
    if (!named || !topical) expect.unreachable()
    const relative = (vector: Float32Array) => dot(vector, named) / dot(vector, topical)
    expect(relative(builtIn.embedQuery(typed))).toBeGreaterThan(1.4 * relative(builtIn.embed(typed)))
  })

  test("finds a text of similar meaning that shares no word", () =>
    expect(found("bread recipes", "Baking loaves at home")).toBeGreaterThan(
      found("bread recipes", "A compiler for embedded systems")
    ))
})

describe("spellings of the same words", () => {
  const same: ReadonlyArray<readonly [string, string]> = [
    ["Open source LIBRARIES", "open source library"],
    ["Café résumés", "cafe resume"],
    ["caf\u00e9", "cafe\u0301"],
    ["ｄａｔａｂａｓｅ", "database"],
    ["databases, indexes!", "database index"]
  ]
  for (const [a, b] of same)
    test(`have the same vector: ${a}, ${b}`, () => {
      expect(cosine(a, b)).toBeCloseTo(1, 5)
    })
})

describe("texts of similar meaning", () => {
  const nearer: ReadonlyArray<readonly [string, string, string]> = [
    ["PostgreSQL tuning tips", "How to make SQL databases faster", "A history of jazz piano"],
    ["Bake bread at home", "Recipes for cakes and pastry", "Kubernetes cluster monitoring"],
    ["A password manager for teams", "Encrypt and store secrets securely", "Draw charts in the browser"],
    ["Play music from the terminal", "Audio player for songs", "Validate JSON schemas"],
    ["Learn to program in Python", "Programming tutorials for beginners", "Mountain bike trails"],
    ["Photo gallery software", "Manage your pictures and images", "Compiler for embedded systems"],
    ["Stock market investing", "Finance, trading and economics", "Regular expressions explained"]
  ]
  for (const [text, near, far] of nearer)
    test(`are closer: "${text}" to "${near}" than to "${far}"`, () => {
      expect(cosine(text, near)).toBeGreaterThan(cosine(text, far))
    })
})
