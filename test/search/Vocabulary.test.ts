import { describe, expect, test } from "bun:test"
import { makeVocabulary } from "../../src/search/Vocabulary.ts"

const vocabulary = (...words: ReadonlyArray<string>) => {
  const made = makeVocabulary()
  made.add(words.map((word) => ({ word, links: 1 })))
  return made
}

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

describe("makeVocabulary", () => {
  for (const word of ["cloud", "docker", "database", "javascript", "żółcień"])
    test(`finds ${word} behind any single error, in the first letter too`, () => {
      const known = vocabulary("unrelated", word)
      for (const typed of withOneError(word))
        expect({ typed, found: known.like(typed, 1).map((one) => one.word) }).toEqual({
          typed,
          found: [word]
        })
    })

  const errors = (typed: string, stem: string, most = 2) => vocabulary(stem).like(typed, most)[0]?.errors

  test("counts errors, but not an English ending", () => {
    expect(errors("search", "search")).toBe(0)
    expect(errors("searching", "search")).toBe(0)
    expect(errors("serach", "search")).toBe(1)
    expect(errors("seraching", "search")).toBe(1)
    expect(errors("seorhc", "search")).toBe(2)
    expect(errors("runing", "run")).toBe(0)
    expect(errors("running", "run")).toBe(0)
    expect(errors("haskell", "haskel")).toBe(0)
    expect(errors("hskell", "haskel")).toBe(1)
    expect(errors("libraries", "librari")).toBe(0)
    expect(errors("library", "librari")).toBe(0)
    expect(errors("trainig", "train")).toBe(1)
    expect(errors("databse", "databas")).toBe(1)
  })

  test("takes no other letters for an ending, nor an ending after a short stem with an error", () => {
    expect(errors("notcie", "not")).toBeUndefined()
    expect(errors("searchxyz", "search")).toBeUndefined()
    expect(errors("lerningly", "learn")).toBeUndefined()
    expect(errors("iutable", "iot", 1)).toBeUndefined()
  })

  test("finds the word that was begun with an error", () => {
    const known = vocabulary("kubernet", "kube")
    expect(known.like("kubren", 1, true)).toEqual([{ word: "kubernet", links: 1, errors: 1 }])
    expect(known.like("kubren", 1)).toEqual([])
  })

  test("knows neither numbers nor words of one or two letters, and returns librari as library", () => {
    const known = vocabulary("a", "ab", "12345", "a1234", "log4j", "librari", "😀😀😀", "x".repeat(1_000))
    expect(known.size()).toBe(3)
    expect(known.like("library", 0)).toEqual([{ word: "library", links: 1, errors: 0 }])
  })

  test("forgets the words of the fewest links when it is full, or takes no more", () => {
    const links = (word: string) => (word < "b" ? 1 : 2)
    const words = ["aaaa", "aaab", "bbbb", "bbbc", "cccc"].map((word) => ({ word, links: links(word) }))
    const known = makeVocabulary(4)
    known.add(words)
    expect(known.size()).toBe(3)
    expect(known.like("aaaa", 0)).toEqual([])
    expect(known.like("cccc", 0).length).toBe(1)
    const same = makeVocabulary(4)
    same.add(words.map(({ word }) => ({ word, links: 1 })))
    expect(same.size()).toBe(4)
    expect(same.like("cccc", 0)).toEqual([])
  })

  test("takes at most 40 bytes a word", () => {
    const known = makeVocabulary()
    known.add(
      Array.from({ length: 20_000 }, (_, n) => ({
        word: n.toString(36).replace(/\d/g, "x").padStart(8, "q"),
        links: 1
      }))
    )
    expect(known.bytes() / known.size()).toBeLessThan(40)
  })
})
