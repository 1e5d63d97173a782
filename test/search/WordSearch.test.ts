import { describe, expect, test } from "bun:test"
import { corrections } from "../../src/search/WordSearch.ts"

const known = (...words: ReadonlyArray<string>) => words.map((word) => ({ word, links: 1 }))

/** All spellings of a word with one typing error. */
const withOneError = (word: string) => {
  const all: Array<string> = []
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)]
    all.push(`${before}q${after}`)
    if (after !== "") all.push(before + after.slice(1), `${before}q${after.slice(1)}`)
    if (after.length > 1) all.push(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
  }
  return all
}

describe("corrections", () => {
  for (const word of ["cloud", "docker", "database", "javascript"])
    test(`finds ${word} behind any single error`, () => {
      for (const typed of withOneError(word))
        expect({ typed, found: corrections(typed, known("unrelated", word)) }).toEqual({
          typed,
          found: [word]
        })
    })

  test("finds a word behind two errors only if it is long", () => {
    expect(corrections("kuberetnes", known("kubernet"))).toEqual(["kubernet"])
    expect(corrections("jaavscrpit", known("javascript"))).toEqual(["javascript"])
    expect(corrections("detabsae", known("database"))).toEqual(["database"])
    expect(corrections("pyhtnos", known("pythons"))).toEqual([])
    expect(corrections("dokcre", known("docker"))).toEqual([])
  })

  test("finds a stem before an ending of up to four letters", () => {
    expect(corrections("lerning", known("learn"))).toEqual(["learn"])
    expect(corrections("lernings", known("learn"))).toEqual(["learn"])
    expect(corrections("lerningly", known("learn"))).toEqual([])
  })

  test("returns nothing for words of up to three characters", () => {
    for (const typed of ["", "a", "go", "teh", "日本語", "é́́́́"])
      expect({
        typed,
        found: corrections(typed, known("the", "tea", "go", "日本", "a", "goo", "teh", "e"))
      }).toEqual({
        typed,
        found: []
      })
  })

  test("never returns a word of one or two characters", () => {
    expect(corrections("cats", known("ca", "c"))).toEqual([])
    expect(corrections("cats", known("cat"))).toEqual(["cat"])
  })

  test("prefers fewer errors to more links", () =>
    expect(
      corrections("databsae", [
        { word: "datapas", links: 900 },
        { word: "databas", links: 1 }
      ])
    ).toEqual(["databas"]))

  test("prefers a shorter leftover among equal errors", () =>
    expect(
      corrections("pantss", [
        { word: "pant", links: 99 },
        { word: "pants", links: 1 }
      ])
    ).toEqual(["pants", "pant"]))

  test("returns at most three words, those of most links first", () =>
    expect(
      corrections("casr", [
        { word: "cast", links: 5 },
        { word: "casa", links: 1 },
        { word: "case", links: 9 },
        { word: "cash", links: 7 }
      ])
    ).toEqual(["case", "cash", "cast"]))

  test("ignores accents and case", () => {
    expect(corrections("CAFÉTREIA", known("cafeteria"))).toEqual(["cafeteria"])
    expect(corrections("nai\u0308vte", known("naivet"))).toEqual(["naivet"])
    expect(corrections("Żółcień", known("zołcien"))).toEqual(["zołcien"])
  })

  test("returns nothing without a similar word", () => {
    expect(corrections("kubernetes", known("docker", "linux", "kub"))).toEqual([])
    expect(corrections("kubernetes", [])).toEqual([])
  })
})
