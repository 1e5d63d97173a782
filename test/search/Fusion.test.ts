import { describe, expect, test } from "bun:test"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { fuse, typedText } from "../../src/search/Fusion.ts"

const plain = { exact: [], words: [], meaning: [], terms: [] }
const phrase = [{ text: "a phrase", kind: "phrase", negated: false }] as const

describe("fused rankings", () => {
  test("keep the order of the only list there is", () => {
    expect(fuse({ ...plain, words: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, meaning: [3, 1, 2] })).toEqual([3, 1, 2])
    expect(fuse({ ...plain, exact: [1, 2] })).toEqual([1, 2])
    expect(fuse(plain)).toEqual([])
  })

  test("begin with what is exact, in its order, wherever else it stands", () => {
    expect(fuse({ ...plain, exact: [9, 4], words: [1, 2, 4], meaning: [1, 2, 9] })).toEqual([9, 4, 1, 2])
    expect(fuse({ exact: [9], words: [1], meaning: [9], terms: phrase })).toEqual([9, 1])
  })

  test("put a link both lists hold before one that leads a single list", () => {
    expect(fuse({ ...plain, words: [1, 2], meaning: [3, 2] })).toEqual([2, 3, 1])
    const longer = { words: [1, 10, 11, 12, 2], meaning: [3, 20, 21, 22, 2] }
    expect(fuse({ ...plain, ...longer })[0]).toBe(2)
  })

  test("put a link with better places before one with worse", () =>
    expect(fuse({ ...plain, words: [1, 2, 3], meaning: [2, 1, 4] }).slice(2)).toEqual([4, 3]))

  test("end with what meaning alone has found where a phrase is wanted", () => {
    const lists = { words: [1, 2, 5], meaning: [3, 2, 4] }
    expect(fuse({ ...plain, ...lists })).toEqual([2, 3, 1, 5, 4])
    expect(fuse({ ...plain, ...lists, terms: phrase })).toEqual([2, 1, 5, 3, 4])
    const unwanted = phrase.map((term) => ({ ...term, negated: true }))
    expect(fuse({ ...plain, ...lists, terms: unwanted })).toEqual([2, 3, 1, 5, 4])
  })

  test("put the newer link first where two stand equal", () => {
    expect(fuse({ ...plain, words: [1], meaning: [2] })).toEqual([2, 1])
    expect(fuse({ ...plain, words: [2], meaning: [1] })).toEqual([2, 1])
    expect(fuse({ ...plain, words: [7, 8], meaning: [8, 7] })).toEqual([8, 7])
  })

  test("hold every link once and lose none", () => {
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

test("the typed text is the wanted words, with their normal form where they are an address", () => {
  expect(typedText(parseQuery("one -two three").terms)).toEqual({ text: "one three", address: undefined })
  expect(typedText(parseQuery("https://EXAMPLE.org/a?utm_source=x").terms)).toEqual({
    text: "https://EXAMPLE.org/a?utm_source=x",
    address: "https://example.org/a"
  })
  expect(typedText([])).toEqual({ text: "", address: undefined })
})
