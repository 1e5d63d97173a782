import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { fuse, typedText } from "../../src/search/Fusion.ts"

const plain = { exact: [], words: [], meaning: [], terms: [] }
const phrase = [{ text: "a phrase", kind: "phrase", negated: false }] as const

describe("fuse", () => {
  test("keeps the order of a single list", () => {
    expect(fuse({ ...plain, words: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, meaning: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, exact: [1, 2] })).toEqual([1, 2])
    expect(fuse(plain)).toEqual([])
  })

  test("counts passages more than words and meaning together", () => {
    expect(fuse({ ...plain, words: [1, 2], meaning: [1, 3], passages: [4, 3] })).toEqual([3, 4, 1, 2])
    expect(fuse({ ...plain, exact: [1], words: [1], passages: [2, 1] })).toEqual([1, 2])
  })

  test("puts exact matches first in their order", () => {
    expect(fuse({ ...plain, exact: [9, 4], words: [1, 2, 4], meaning: [1, 2, 9] })).toEqual([9, 4, 1, 2])
    expect(fuse({ exact: [9], words: [1], meaning: [9], terms: phrase })).toEqual([9, 1])
  })

  test("puts a link of both lists before the first of one list", () => {
    expect(fuse({ ...plain, words: [1, 2], meaning: [3, 2] })).toEqual([2, 3, 1])
    const longer = { words: [1, 10, 11, 12, 2], meaning: [3, 20, 21, 22, 2] }
    expect(fuse({ ...plain, ...longer })[0]).toBe(2)
  })

  test("puts links with better ranks first", () =>
    expect(fuse({ ...plain, words: [1, 2, 3], meaning: [2, 1, 4] }).slice(2)).toEqual([4, 3]))

  test("puts matches by meaning alone last if a phrase is required", () => {
    const lists = { words: [1, 2, 5], meaning: [3, 2, 4] }
    expect(fuse({ ...plain, ...lists })).toEqual([2, 3, 1, 5, 4])
    expect(fuse({ ...plain, ...lists, terms: phrase })).toEqual([2, 1, 5, 3, 4])
    const unwanted = phrase.map((term) => ({ ...term, negated: true }))
    expect(fuse({ ...plain, ...lists, terms: unwanted })).toEqual([2, 3, 1, 5, 4])
  })

  test("puts the newer of two equal links first", () => {
    expect(fuse({ ...plain, words: [1], meaning: [2] })).toEqual([2, 1])
    expect(fuse({ ...plain, words: [2], meaning: [1] })).toEqual([2, 1])
    expect(fuse({ ...plain, words: [7, 8], meaning: [8, 7] })).toEqual([8, 7])
  })

  test("returns every link once", () => {
    const words = Array.from({ length: 50 }, (_, i) => (i * 7) % 53)
    const meaning = Array.from({ length: 50 }, (_, i) => (i * 11) % 59)
    const exact = [5, 58, 100]
    for (const terms of [[], phrase]) {
      const all = fuse({ exact, words, meaning, terms })
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
