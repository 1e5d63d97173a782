import { describe, expect, it } from "bun:test"
import { describePassage } from "../../../src/shared/anchor/Describe.ts"
import { MAX_QUOTE, MAX_QUOTE_CONTEXT } from "../../../src/shared/Limits.ts"

describe("the description of a passage", () => {
  it("has the words, the context and the position, without white space at the ends", () => {
    const text = "One two  three four."
    expect(describePassage(text, 3, 14)).toEqual({
      quote: "two  three",
      prefix: "One ",
      suffix: " four.",
      start: 4,
      end: 14
    })
  })

  it("is nothing without any words", () => {
    expect(describePassage("one  two", 3, 5)).toBeUndefined()
    expect(describePassage("", 0, 10)).toBeUndefined()
  })

  it("takes whole characters, in the context too", () => {
    const family = "👨‍👩‍👧‍👦"
    const text = `${"a".repeat(10)}${family}${"b".repeat(MAX_QUOTE_CONTEXT - 3)}word${"c".repeat(MAX_QUOTE_CONTEXT - 3)}${family}`
    const start = text.indexOf("word")
    const found = describePassage(text, start, start + 4)
    expect(found?.prefix).toBe("b".repeat(MAX_QUOTE_CONTEXT - 3))
    expect(found?.suffix).toBe("c".repeat(MAX_QUOTE_CONTEXT - 3))
    const half = describePassage(text, 11, 12)
    expect(half?.quote).toBe(family)
    expect(describePassage("e\u0301t\u0301", 1, 2)?.quote).toBe("e\u0301")
  })

  it("reads a selection made backwards, and cuts one that is too long", () => {
    expect(describePassage("one two", 7, 4)?.quote).toBe("two")
    expect(describePassage("é".repeat(MAX_QUOTE + 5), 0, MAX_QUOTE + 5)?.quote).toHaveLength(MAX_QUOTE)
  })
})
