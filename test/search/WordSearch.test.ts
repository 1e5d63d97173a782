import { describe, expect, test } from "bun:test"
import { corrections } from "../../src/search/WordSearch.ts"

const known = (...words: ReadonlyArray<string>) => words.map((word) => ({ word, links: 1 }))

/** Every way to make one slip in a word. */
const oneSlip = (word: string) => {
  const all: Array<string> = []
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)]
    all.push(`${before}q${after}`)
    if (after !== "") all.push(before + after.slice(1), `${before}q${after.slice(1)}`)
    if (after.length > 1) all.push(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
  }
  return all
}

describe("what was meant", () => {
  for (const word of ["cloud", "docker", "database", "javascript"])
    test(`is ${word}, wherever in it one slip was made`, () => {
      for (const typed of oneSlip(word))
        expect({ typed, meant: corrections(typed, known("unrelated", word)) }).toEqual({
          typed,
          meant: [word]
        })
    })

  test("is found behind two slips in a long word alone", () => {
    expect(corrections("kuberetnes", known("kubernet"))).toEqual(["kubernet"])
    expect(corrections("jaavscrpit", known("javascript"))).toEqual(["javascript"])
    expect(corrections("detabsae", known("database"))).toEqual(["database"])
    expect(corrections("pyhtnos", known("pythons"))).toEqual([])
    expect(corrections("dokcre", known("docker"))).toEqual([])
  })

  test("is a stem, where up to four letters of an ending are left over", () => {
    expect(corrections("lerning", known("learn"))).toEqual(["learn"])
    expect(corrections("lernings", known("learn"))).toEqual(["learn"])
    expect(corrections("lerningly", known("learn"))).toEqual([])
  })

  test("is never guessed for words of up to three characters", () => {
    for (const typed of ["", "a", "go", "teh", "日本語", "é́́́́"])
      expect({
        typed,
        meant: corrections(typed, known("the", "tea", "go", "日本", "a", "goo", "teh", "e"))
      }).toEqual({
        typed,
        meant: []
      })
  })

  test("is never a word of one or two characters", () => {
    expect(corrections("cats", known("ca", "c"))).toEqual([])
    expect(corrections("cats", known("cat"))).toEqual(["cat"])
  })

  test("is what takes the fewest slips, in however few links it is", () =>
    expect(
      corrections("databsae", [
        { word: "datapas", links: 900 },
        { word: "databas", links: 1 }
      ])
    ).toEqual(["databas"]))

  test("is what leaves less over where the slips are as many", () =>
    expect(
      corrections("pantss", [
        { word: "pant", links: 99 },
        { word: "pants", links: 1 }
      ])
    ).toEqual(["pants", "pant"]))

  test("is what most links hold where all else is equal, three words at most", () =>
    expect(
      corrections("casr", [
        { word: "cast", links: 5 },
        { word: "casa", links: 1 },
        { word: "case", links: 9 },
        { word: "cash", links: 7 }
      ])
    ).toEqual(["case", "cash", "cast"]))

  test("is looked for without accents and in lower case, as the index keeps words", () => {
    expect(corrections("CAFÉTREIA", known("cafeteria"))).toEqual(["cafeteria"])
    expect(corrections("nai\u0308vte", known("naivet"))).toEqual(["naivet"])
    expect(corrections("Żółcień", known("zołcien"))).toEqual(["zołcien"])
  })

  test("is nothing where no word is near", () => {
    expect(corrections("kubernetes", known("docker", "linux", "kub"))).toEqual([])
    expect(corrections("kubernetes", [])).toEqual([])
  })
})
