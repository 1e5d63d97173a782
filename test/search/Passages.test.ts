import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import {
  bestPassage,
  containedWords,
  excerptOf,
  questionWords,
  type WeightedWord
} from "../../src/search/Passages.ts"
import { MAX_PAGE_TEXT } from "../../src/shared/Limits.ts"

const wordsOf = (question: string) => questionWords(parseQuery(question, 0).terms)
const texts = (question: string) => wordsOf(question).map(({ text }) => text)
const weighted = (question: string): ReadonlyArray<WeightedWord> =>
  wordsOf(question).map((word) => ({ ...word, weight: 1 }))

/** The excerpt of a text that answers a question, and the words marked in it. */
const excerptFor = (question: string, text: string) => {
  const words = weighted(question)
  const passage = bestPassage(text, words)
  if (passage === undefined) throw new Error("no passage")
  const excerpt = excerptOf(text, passage, words)
  return { excerpt, marked: excerpt.ranges.map(([start, end]) => excerpt.text.slice(start, end)) }
}

const FILLER = "Nothing of interest is said in this sentence, or in the next. "

describe("questionWords", () => {
  test("leaves out words that say nothing about the topic, and repeated ones", () => {
    expect(texts("Where was the first neon sign switched on?")).toEqual(["first", "neon", "sign", "switched"])
    expect(texts("neon sign neon paris Neon")).toEqual(["neon", "sign", "paris"])
    expect(texts("re-run of a weather-simulation twice")).toEqual([
      "re",
      "run",
      "weather",
      "simulation",
      "twice"
    ])
  })

  test("finds no question in short searches, phrases and choices", () => {
    for (const search of [
      ...["", "neon", "neon sign", "how is the sign", '"first neon sign in paris"', "a b c d"],
      ...["docs.neon-signs.org", "https://docs.neon.org/first/sign?in=paris", "neon.org sign"],
      ...["neon sign or paris street", "is:unread tag:neon", '-first neon sign "in paris"']
    ])
      expect({ search, words: texts(search) }).toEqual({ search, words: [] })
    expect(texts("neon sign paris -berlin tag:art")).toEqual(["neon", "sign", "paris"])
  })

  test("cuts scripts without spaces into groups of three characters", () => {
    expect(texts("京都の古い寺")).toEqual(["京都の", "都の古", "の古い", "古い寺"])
    expect(texts("京都の寺")).toEqual([])
    expect(wordsOf("ดอกไม้ไฟ").every(({ isPart }) => isPart)).toBe(true)
  })

  test("bounds a long text", () => {
    const many = Array.from({ length: 300 }, (_, at) => `word${at}`).join(" ")
    expect(texts(many)).toHaveLength(24)
    expect(texts("漢".repeat(2_000))).toEqual([])
  })
})

describe("bestPassage", () => {
  const question = "first neon sign in Paris"

  test("prefers many different words close together", () => {
    const scattered = ["first", "neon", "sign", "Paris"]
      .map((word) => `${word}. ${FILLER.repeat(8)}`)
      .join("")
    const repeated = `neon neon neon neon. ${FILLER.repeat(8)}`
    const answer = "The first of the neon signs was switched on in Paris."
    const text = `${scattered}${repeated}${answer} ${FILLER.repeat(8)}`
    const passage = bestPassage(text, weighted(question))
    expect(text.slice(passage?.start, passage?.end)).toBe("first of the neon signs was switched on in Paris")
    expect(passage?.words).toEqual(new Set([0, 1, 2, 3]))
  })

  test("spans each of the words once, as close together as they are", () => {
    const text = "Neon was new. Another neon: the first neon sign in Paris, and neon."
    const passage = bestPassage(text, weighted(question))
    expect(text.slice(passage?.start, passage?.end)).toBe("first neon sign in Paris")
  })

  test("prefers rare words", () => {
    const words = [
      { text: "common", isPart: false, weight: 1 },
      { text: "usual", isPart: false, weight: 1 },
      { text: "zymurgy", isPart: false, weight: 5 }
    ]
    const text = `common usual. ${FILLER.repeat(10)} zymurgy`
    expect(bestPassage(text, words)?.words).toEqual(new Set([2]))
  })

  test("matches inflected words, and neither case nor accents, but no parts of words", () => {
    expect(containedWords("SIGNS are Signed; the café’s", weighted("sign cafe design"))).toEqual(
      new Set([0, 1])
    )
    expect(containedWords("Designer resigned signification", weighted("sign cafe paris"))).toEqual(new Set())
    expect(containedWords("libraries", weighted("library of parisian cafes"))).toEqual(new Set([0]))
    expect(containedWords("今日は京都の寺へ", weighted("京都の古い寺"))).toEqual(new Set([0]))
  })

  test("returns nothing without any of the words", () => {
    for (const text of ["", "nothing", "signal"])
      expect(bestPassage(text, weighted(question))).toBeUndefined()
    expect(bestPassage("text", [])).toBeUndefined()
  })

  test("finds the answer in a text as long as texts can be", () => {
    const answer = "The first neon sign shone in Paris"
    for (const filler of ["neon ", "neon", "x", "漢", "\n", "NEAR(", '" OR ']) {
      const text = `${filler.repeat((MAX_PAGE_TEXT - 50) / filler.length)} ${answer}`
      const { excerpt, marked } = excerptFor("first sign shone Paris", text)
      expect({ filler, marked }).toEqual({ filler, marked: ["first", "sign", "shone", "Paris"] })
      expect(excerpt.text.length).toBeLessThan(500)
    }
  })
})

describe("excerptOf", () => {
  test("returns one line from the beginning of a sentence, with its start in the text", () => {
    const answer = "The first of the neon\nsigns was\tswitched on in Paris."
    const text = `${FILLER.repeat(20)}${answer} ${FILLER.repeat(20)}`
    const { excerpt, marked } = excerptFor("first neon sign in Paris", text)
    expect(marked).toEqual(["first", "neon", "signs", "Paris"])
    expect(excerpt.text).toStartWith("…Nothing")
    expect(excerpt.text).toContain("The first of the neon signs was switched on in Paris. Nothing")
    expect(excerpt.text).toMatch(/\w…$/)
    expect(excerpt.text.length).toBeLessThanOrEqual(402)
    expect(text.slice(excerpt.start).replace(/\s/g, " ")).toStartWith(excerpt.text.slice(1, -1))
  })

  test("returns a short text whole", () => {
    const text = "The first neon sign in Paris"
    const { excerpt } = excerptFor("neon sign in Paris", text)
    expect(excerpt).toEqual({
      text,
      start: 0,
      ranges: [
        [10, 14],
        [15, 19],
        [23, 28]
      ]
    })
  })

  test("cuts no character in two", () => {
    for (let shift = 0; shift < 4; shift++) {
      const text = `${"x".repeat(shift)}${"𠮷".repeat(400)} first neon sign ${"𠮷".repeat(400)}`
      expect(excerptFor("first neon sign", text).excerpt.text).not.toContain("\ufffd")
    }
  })

  test("quotes less of a script without spaces", () => {
    const filler = "これは別の話である。".repeat(40)
    const { excerpt, marked } = excerptFor("京都の古い寺", `${filler}京都の古い寺は清水寺です。${filler}`)
    expect(marked).toContain("京都の")
    expect(excerpt.text).toContain("京都の古い寺は清水寺です")
    expect(excerpt.text.length).toBeLessThan(150)
  })
})
