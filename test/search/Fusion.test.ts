import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { begunText, fuse, typedText } from "../../src/search/Fusion.ts"

const plain = { exact: [], begun: [], words: [], meaning: [], terms: [], fit: "typed" as const }
const passage = (id: number) => ({ id, isCard: false })
const card = (id: number) => ({ id, isCard: true })
const phrase = [{ text: "a phrase", kind: "phrase", negated: false }] as const

describe("fuse", () => {
  test("keeps the order of a single list", () => {
    expect(fuse({ ...plain, words: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, meaning: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, exact: [1, 2] })).toEqual([1, 2])
    expect(fuse(plain)).toEqual([])
  })

  test("counts a passage like a match of the words", () => {
    const passages = [passage(4), passage(3)]
    expect(fuse({ ...plain, words: [1, 2], meaning: [1, 3], passages })).toEqual([1, 3, 4, 2])
    expect(fuse({ ...plain, exact: [1], words: [1], passages: [passage(2), passage(1)] })).toEqual([1, 2])
  })

  test("counts no card twice where links contain only some of the words", () => {
    const lists = { ...plain, words: [1, 2, 3], fit: "some" as const }
    expect(fuse({ ...lists, passages: [card(3)] })).toEqual([1, 2, 3])
    expect(fuse({ ...lists, passages: [passage(3)] })).toEqual([3, 1, 2])
    // The word index answers no Chinese word.
    expect(fuse({ ...lists, words: [], meaning: [5], passages: [card(4), card(5)] })).toEqual([5, 4])
    expect(fuse({ ...lists, fit: "topic", passages: [card(3)] })).toEqual([3, 1, 2])
  })

  test("puts exact matches first in their order", () => {
    expect(fuse({ ...plain, exact: [9, 4], words: [1, 2, 4], meaning: [1, 2, 9] })).toEqual([9, 4, 1, 2])
    expect(fuse({ ...plain, exact: [9], words: [1], meaning: [9], terms: phrase })).toEqual([9, 1])
  })

  test("puts links that begin with the text next, best first", () => {
    const lists = { exact: [9], begun: [5, 3, 7], words: [1, 3, 9], meaning: [2, 7] }
    expect(fuse({ ...plain, ...lists })).toEqual([9, 3, 7, 5, 1, 2])
  })

  test("puts a link of both lists before the first of one list", () =>
    expect(fuse({ ...plain, words: [1, 2], meaning: [2, 3] })).toEqual([2, 1, 3]))

  test("lets meaning count as much as words where links contain only some of them", () => {
    const lists = { words: [1, 2], meaning: [3, 4], fit: "some" as const }
    expect(fuse({ ...plain, ...lists })).toEqual([3, 1, 4, 2])
  })

  test("lets only some of the words count less where the embedder understands more", () => {
    const lists = { ...plain, words: [1, 2], meaning: [3, 4], someWordsWeight: 0.2 }
    expect(fuse({ ...lists, fit: "some" })).toEqual([3, 4, 1, 2])
    expect(fuse({ ...lists, fit: "topic" })).toEqual([1, 2, 3, 4])
    expect(fuse({ ...lists, fit: "some", meaning: [3, 2] })).toEqual([2, 3, 1])
  })

  test("orders links that contain all the words by meaning too", () => {
    const words = Array.from({ length: 20 }, (_, n) => n + 1)
    for (const fit of ["typed", "topic", "corrected"] as const) {
      expect(fuse({ ...plain, words, meaning: [9], fit })[0]).toBe(9)
      expect(fuse({ ...plain, words: [1, 2], meaning: [2, 1], fit })).toEqual([1, 2])
    }
  })

  test("never puts a link found by meaning alone before one that contains all the words", () => {
    const words = Array.from({ length: 300 }, (_, n) => n + 1)
    for (const fit of ["typed", "topic", "corrected"] as const) {
      const all = fuse({ ...plain, words, meaning: [1_000, 1_001], passages: [passage(2_000)], fit })
      expect(all.slice(-2)).toEqual([1_000, 1_001])
    }
  })

  test("puts matches by meaning alone last if a phrase is required", () => {
    const lists = { words: [1, 2, 5], meaning: [3, 2, 4], fit: "some" as const }
    expect(fuse({ ...plain, ...lists, terms: phrase }).slice(3)).toEqual([3, 4])
    const unwanted = phrase.map((term) => ({ ...term, negated: true }))
    expect(fuse({ ...plain, ...lists, terms: unwanted })).toEqual(fuse({ ...plain, ...lists }))
  })

  test("puts the newer of two equal links first", () =>
    expect(fuse({ ...plain, begun: [1, 2] })).toEqual([2, 1]))

  test("returns every link once", () => {
    const words = Array.from({ length: 50 }, (_, i) => (i * 7) % 53)
    const meaning = Array.from({ length: 50 }, (_, i) => (i * 11) % 59)
    const exact = [5, 58, 100]
    for (const terms of [[], phrase]) {
      const all = fuse({ ...plain, exact, words, meaning, terms })
      expect(new Set(all)).toEqual(new Set([...exact, ...words, ...meaning]))
      expect(all.length).toBe(new Set(all).size)
    }
  })
})

test("typedText joins the required words and normalizes an address", () => {
  expect(typedText(parseQuery("one -two three", 0).terms)).toEqual({ text: "one three", address: undefined })
  expect(typedText(parseQuery("https://EXAMPLE.org/a?utm_source=x", 0).terms)).toEqual({
    text: "https://EXAMPLE.org/a?utm_source=x",
    address: "https://example.org/a"
  })
  expect(typedText([])).toEqual({ text: "", address: undefined })
})

test("begunText is what a title may begin with", () => {
  const begun = (text: string) => begunText(parseQuery(text, 0).terms)
  expect(begun("data pix")).toBe("data pix")
  expect(begun("data ")).toBe("data ")
  expect(begun("data -pix")).toBe("data ")
  for (const text of ["", "d", "-data", '"data pix"', "a or b"]) expect(begun(text)).toBeUndefined()
})
