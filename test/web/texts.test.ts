import { describe, expect, test } from "bun:test"
import { changedTexts, LIMITS, problemOf, roomLeft, roomText } from "../../web/app/components/texts.ts"

const texts = { title: "A title", summary: "A summary." }

describe("edited texts", () => {
  test("are sent if they changed, trimmed", () => {
    expect(changedTexts(texts, { ...texts, title: " Another " })).toEqual({ title: "Another" })
    expect(changedTexts(texts, { ...texts, summary: "" })).toEqual({ summary: "" })
    expect(changedTexts(texts, { title: "A title ", summary: "A summary.\n" })).toEqual({})
  })

  test("need a title, and have a maximum length", () => {
    expect(problemOf(texts)).toBeUndefined()
    expect(problemOf({ ...texts, title: " \n" })).toBe("A link needs a title.")
    expect(problemOf({ ...texts, title: "x".repeat(LIMITS.title) })).toBeUndefined()
    expect(problemOf({ ...texts, title: "x".repeat(LIMITS.title + 1) })).toBe("The title is too long.")
    expect(problemOf({ ...texts, summary: "x".repeat(LIMITS.summary + 1) })).toBe("The summary is too long.")
  })

  test("are counted near the limit", () => {
    expect(roomLeft("x".repeat(269), LIMITS.title)).toBeNull()
    expect(roomLeft("x".repeat(270), LIMITS.title)).toBe(30)
    expect(roomLeft("x".repeat(302), LIMITS.title)).toBe(-2)
    expect([1, 0, -2].map(roomText)).toEqual([
      "1 character left",
      "0 characters left",
      "2 characters too many"
    ])
  })
})
