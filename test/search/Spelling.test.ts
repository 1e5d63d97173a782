import { describe, expect, test } from "bun:test"
import { Effect, Layer, TestClock } from "effect"
import { corrections, makeSpelling } from "../../src/search/Spelling.ts"
import { type IndexedWord, makeVocabulary } from "../../src/search/Vocabulary.ts"
import { clockTest } from "../support/effect.ts"

const correct = (typed: string, known: Record<string, number>, isBegun = false) => {
  const vocabulary = makeVocabulary()
  vocabulary.add(Object.entries(known).map(([word, links]) => ({ word, links })))
  return corrections(typed, vocabulary, isBegun)
}

describe("corrections", () => {
  test("allows two errors only in a long word, and none in a short one", () => {
    expect(correct("kuberetnes", { kubernet: 1 })).toEqual(["kubernet"])
    expect(correct("detabsae", { database: 1 })).toEqual(["database"])
    expect(correct("pyhtnos", { pythons: 1 })).toEqual([])
    for (const typed of ["", "a", "go", "teh", "日本語", "é́́́́"])
      expect({ typed, found: correct(typed, { the: 1, tea: 1, go: 1, 日本: 1, goo: 1, e: 1 }) }).toEqual({
        typed,
        found: []
      })
  })

  test("prefers fewer errors to more links, then the words of most links", () => {
    expect(correct("databsae", { datapas: 900, databas: 1 })).toEqual(["databas"])
    expect(correct("casr", { cast: 5, casa: 1, case: 9, cash: 7, cask: 2 })).toEqual([
      "case",
      "cash",
      "cast",
      "cask"
    ])
  })

  test("prefers a word with the same first letter, unless another one is much more frequent", () => {
    expect(correct("xontainer", { container: 99, xontain: 1 })).toEqual(["container", "xontain"])
    expect(correct("motes", { moter: 2, note: 5 })).toEqual(["moter", "note"])
  })

  test("ignores accents and case, keeps to the script, and does not return the word itself", () => {
    expect(correct("CAFÉTREIA", { cafeteria: 1 })).toEqual(["cafeteria"])
    expect(correct("naïvte", { naivet: 1 })).toEqual(["naivet"])
    expect(correct("приветт", { привет: 1 })).toEqual(["привет"])
    expect(correct("аpple", { apple: 1 })).toEqual([])
    expect(correct("docker", { docker: 1 })).toEqual([])
  })

  test("completes a word that was begun with an error only if no whole word is like it", () => {
    expect(correct("kubren", { kubernet: 1 }, true)).toEqual(["kubernet"])
    expect(correct("kubren", { kubernet: 1 })).toEqual([])
    expect(correct("kubren", { kubernet: 1, kuberen: 1 }, true)).toEqual(["kuberen"])
  })
})

const it = clockTest(Layer.empty)

/** An index of words that a test changes, and how often it was read from the start. */
const makeIndex = (words: ReadonlyArray<IndexedWord>) => {
  const index = { words, stamp: "1", readings: 0 }
  return {
    index,
    source: {
      stamp: Effect.sync(() => index.stamp),
      words: (after: string, limit: number) =>
        Effect.sync(() => {
          if (after === "") index.readings++
          return index.words.filter(({ word }) => word > after).slice(0, limit)
        })
    }
  }
}

const one = (word: string): IndexedWord => ({ word, links: 1 })
const many = Array.from({ length: 9_000 }, (_, n) =>
  one(`w${[...String(n).padStart(4, "0")].map((digit) => "abcdefghij"[Number(digit)]).join("")}`)
)

describe("makeSpelling", () => {
  it("reads a small vocabulary again when it has changed, and not before the first need", function* () {
    const { index, source } = makeIndex([one("docker")])
    const spelling = yield* makeSpelling(source)
    expect(yield* spelling.corrections("the", false)).toEqual([])
    expect(index.readings).toBe(0)
    expect(yield* spelling.corrections("dokcer", false)).toEqual(["docker"])
    expect(yield* spelling.corrections("pyhton", false)).toEqual([])
    expect(index.readings).toBe(1)
    index.words = [one("docker"), one("python")]
    index.stamp = "2"
    expect(yield* spelling.corrections("pyhton", false)).toEqual(["python"])
    expect(index.readings).toBe(2)
  })

  it("reads a large vocabulary again in the background, at most once a minute", function* () {
    const { index, source } = makeIndex(many)
    const spelling = yield* makeSpelling(source)
    const ask = spelling.corrections("pyhton", false)
    expect(yield* ask).toEqual([])
    index.words = [one("python"), ...many]
    index.stamp = "2"
    expect(yield* ask).toEqual([])
    expect(index.readings).toBe(1)
    yield* TestClock.adjust("1 minute")
    yield* ask
    while ((yield* ask).length === 0) yield* Effect.promise(() => new Promise(setImmediate))
    expect(index.readings).toBe(2)
  })
})
