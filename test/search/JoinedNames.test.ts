import { describe, expect, test } from "bun:test"
import { parseQuery, type Term } from "../../src/domain/LinkQuery.ts"
import { inThree, otherWritings, outerParts, withWritings } from "../../src/search/JoinedNames.ts"

const termsOf = (text: string) => parseQuery(text, 0).terms
const written = (text: string) => otherWritings(termsOf(text)).map(({ as }) => as.text)

describe("otherWritings", () => {
  test("joins neighbouring words, and splits a word everywhere", () => {
    expect(written("go web kit")).toEqual(["goweb", "gowebkit", "webkit"])
    expect(written("pixel")).toEqual(["pi xel", "pix el"])
    expect(written("data-px")).toEqual(["datapx"])
    expect(otherWritings(termsOf("pixel")).map(({ as }) => as.kind)).toEqual(["prefix", "prefix"])
    expect(otherWritings(termsOf("pixel ")).map(({ as }) => as.kind)).toEqual(["phrase", "phrase"])
  })

  test("leaves phrases, unwanted words, stop words and names with signs alone", () => {
    for (const text of ['"go web"', "go -web", "to be", "c++ web", "日本 語", "", "12345"])
      expect({ text, ways: written(text) }).toEqual({ text, ways: [] })
  })

  test("is bounded", () => {
    expect(written("ab ".repeat(300))).toEqual([])
    expect(written("x".repeat(1_000))).toEqual([])
    expect(written("abcdefghijklmnopqrstuvwx ".repeat(8)).length).toBeLessThan(250)
  })
})

test("withWritings adds the longest way, and keeps the words as typed", () => {
  const terms = termsOf("open street map free")
  const ways = otherWritings(terms).filter(({ as }) => ["openstreet", "openstreetmap"].includes(as.text))
  const [first, last, ...more] = withWritings(terms, ways)
  expect(more).toEqual([])
  expect(last?.text).toBe("free")
  expect(first?.alternatives?.map((all) => all.map(({ text }) => text))).toEqual([
    ["open", "street", "map"],
    ["openstreetmap"]
  ])
  expect(withWritings(terms, [])).toEqual(terms)
})

test("inThree writes a word as three, around its known beginnings and ends", () => {
  const term: Term = { text: "visualstudiocode", kind: "word", negated: false }
  const { first, last } = outerParts(term)
  const known = (terms: ReadonlyArray<Term>, ...words: ReadonlyArray<string>) =>
    terms.filter(({ text }) => words.includes(text))
  const ways = inThree(term, known(first, "visual", "vi"), known(last, "code"))
  expect(ways.map(({ text }) => text)).toEqual(["vi sualstudio code", "visual studio code"])
  expect(inThree(term, first, last).length).toBeLessThanOrEqual(60)
  expect(outerParts({ ...term, text: "a b" })).toEqual({ first: [], last: [] })
})
