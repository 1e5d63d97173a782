import { describe, expect, test } from "bun:test"
import { builtIn, earlierBuiltIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { fileOfOtherWords, parseOtherWords, rowsOf } from "../../../src/enrich/embedding/OtherWords.ts"
import { fnv1a } from "../../../src/enrich/embedding/WordTable.ts"

const cosine = (a: Float32Array = new Float32Array(0), b: Float32Array = new Float32Array(0)) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

/** Two words of four numbers in two parts of two centres each. */
const words = ["brot", "haus"].sort((a, b) => fnv1a(a) - fnv1a(b))
const small = {
  dimensions: 4,
  parts: 2,
  hashes: Uint32Array.from(words, (word) => fnv1a(word)),
  centres: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  scales: Float32Array.of(1, 0.5),
  codes: Uint8Array.of(0, 1, 1, 0)
}

describe("the table of other languages", () => {
  test("is read as it was written", () => {
    expect(parseOtherWords(fileOfOtherWords(small))).toEqual(small)
  })

  test("is rejected if it is cut off or another file", () => {
    const file = fileOfOtherWords(small)
    for (const length of [0, 8, 40, file.length - 1])
      expect(() => parseOtherWords(file.slice(0, length))).toThrow("cut off")
    expect(() => parseOtherWords(file.map((byte) => byte ^ 1))).toThrow("not a table")
  })

  test("puts a row together from its centres", () => {
    const rows = rowsOf(small)
    const sum = new Float32Array(4)
    for (const word of words) rows.add(sum, rows.numberOf(word) ?? -1, 2)
    expect([...sum]).toEqual([2 * 1 + 3, 2 * 2 + 4, 2 * 7 + 5, 2 * 8 + 6])
    expect(rows.numberOf("wasser")).toBeUndefined()
  })
})

describe("words of other languages", () => {
  const pairs = {
    Passwort: "password",
    Lesezeichen: "bookmark",
    пароль: "password",
    погода: "weather",
    睡眠: "sleep",
    翻译: "translate"
  }
  for (const [word, english] of Object.entries(pairs))
    test(`${word} means ${english}`, () => {
      expect(cosine(builtIn.wordMeaning(word), builtIn.wordMeaning(english))).toBeGreaterThan(0.75)
      expect(cosine(builtIn.embed(word), builtIn.embed(english))).toBeGreaterThan(0.4)
    })

  test("are known by their parts, unless both are English", () => {
    const parts = builtIn.wordMeaning("Passwortwetter")
    for (const english of ["password", "weather"])
      expect(cosine(parts, builtIn.wordMeaning(english))).toBeGreaterThan(0.35)
    expect(builtIn.wordMeaning("killbill")).toBeUndefined()
    expect(builtIn.wordMeaning("qxzvk")).toBeUndefined()
  })

  test("leave English texts as the earlier embedder has them", () => {
    for (const text of ["A password manager for teams", "Weather forecasts for sailors", ""]) {
      expect(builtIn.embed(text)).toEqual(earlierBuiltIn.embed(text))
      expect(builtIn.embedQuery(text)).toEqual(earlierBuiltIn.embedQuery(text))
    }
    expect(builtIn.embed("Wetter")).not.toEqual(earlierBuiltIn.embed("Wetter"))
  })
})
