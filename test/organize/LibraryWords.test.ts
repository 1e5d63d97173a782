import { describe, expect, test } from "bun:test"
import { LibraryWords } from "../../src/organize/LibraryWords.ts"
import { about } from "../support/descriptions.ts"

const wordsOf = (...titles: ReadonlyArray<string>) => {
  const words = new LibraryWords()
  for (const [i, title] of titles.entries()) words.add(i + 1, about(title))
  return words
}

describe("LibraryWords", () => {
  test("counts the links that contain a word, once each", () => {
    const words = wordsOf("Sourdough bread, sourdough starters", "Sourdoughs", "Rye")
    expect([words.links, words.of("sourdough"), words.of("rye"), words.of("wheat")]).toEqual([3, 2, 1, 0])
  })

  test("measures likeness by shared words, rare ones most", () => {
    const words = wordsOf(
      "Sourdough bread",
      "Sourdough bread",
      "Sourdough pizza",
      "Rye bread",
      ...Array.from({ length: 30 }, (_, i) => `Bread for day${i}`)
    )
    expect(words.similarity(1, 2)).toBeCloseTo(1, 6)
    expect(words.similarity(1, 3)).toBeGreaterThan(words.similarity(1, 4))
    expect(words.similarity(3, 4)).toBe(0)
    expect(words.similarity(3, 1)).toBe(words.similarity(1, 3))
    expect(words.similarity(1, 99)).toBe(0)
  })

  test("hardly counts what all links of a small library have in common", () => {
    const common = "A short summary of the page"
    const words = wordsOf(
      `Rye bread. ${common}`,
      `Rye rolls. ${common}`,
      `The navy. ${common}`,
      `Trains. ${common}`
    )
    expect(words.similarity(1, 3)).toBeLessThan(0.1)
    expect(words.similarity(1, 2)).toBeGreaterThan(0.3)
  })

  test("follows links that are added later", () => {
    const words = wordsOf("Sourdough bread", "Sourdough pizza")
    const before = words.similarity(1, 2)
    for (let id = 3; id < 40; id++) words.add(id, about(`Sourdough of day${id}`))
    expect(words.similarity(1, 2)).toBeLessThan(before)
  })

  test("finds the links that share a rare word, the most similar first", () => {
    const words = wordsOf("Levain and rye", "Levain with wheat and spelt", "Levain rye bread", "Trains")
    expect(words.sharing(1, 10).map(({ id }) => id)).toEqual([3, 2])
    expect(words.sharing(1, 1).map(({ id }) => id)).toEqual([3])
    expect(words.sharing(4, 10)).toEqual([])
    expect(words.sharing(99, 10)).toEqual([])
  })

  test("looks up no link by a word that many contain", () => {
    const words = wordsOf(...Array.from({ length: 21 }, () => "Sourdough"))
    expect(words.sharing(1, 10)).toEqual([])
    expect(words.similarity(1, 2)).toBeCloseTo(1, 6)
  })

  test("leaves out private tags", () => {
    const words = new LibraryWords()
    words.add(1, about("Walking", { tags: [".burnout", "calm"] }))
    expect([words.of("burnout"), words.of("calm")]).toEqual([0, 1])
  })

  test("has no likeness for links without words", () => {
    const words = wordsOf("🎉🎉", "🎉🎉", "", "the of 12")
    expect(words.similarity(1, 2)).toBe(0)
    expect(words.vectorOf(1)).toEqual([])
    expect(words.sharing(1, 10)).toEqual([])
  })

  test("compares words of scripts without spaces", () => {
    const words = wordsOf("東京の料理教室", "料理教室の選び方", "電車の時刻表")
    expect(words.similarity(1, 2)).toBeGreaterThan(words.similarity(1, 3))
  })

  test("has vectors of length 1 whose products are the likenesses", () => {
    const words = wordsOf("Levain and rye bread", "Rye bread with seeds", "Trains")
    const vector = new Map(words.vectorOf(1))
    const squares = [...vector.values()].reduce((sum, share) => sum + share ** 2, 0)
    expect(squares).toBeCloseTo(1, 5)
    const product = words.vectorOf(2).reduce((sum, [word, share]) => sum + share * (vector.get(word) ?? 0), 0)
    expect(product).toBeCloseTo(words.similarity(1, 2), 5)
  })
})
