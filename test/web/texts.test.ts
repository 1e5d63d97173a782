import { describe, expect, test } from "bun:test"
import { LIMITS, normalized, problemOf, roomLeft, roomText } from "../../web/app/components/texts.ts"

describe("edited texts", () => {
  test("are sent in their normal form", () => {
    expect(normalized("title", " Another ")).toBe("Another")
    expect(normalized("summary", "A summary.\n")).toBe("A summary.")
    expect(normalized("url", "example.org/other")).toBe("https://example.org/other")
  })

  test("are checked before they are sent", () => {
    expect(problemOf("title", "A title")).toBeUndefined()
    expect(problemOf("title", " \n")).toBe("A link needs a title.")
    expect(problemOf("title", "x".repeat(LIMITS.title))).toBeUndefined()
    expect(problemOf("title", "x".repeat(LIMITS.title + 1))).toBe("The title is too long.")
    expect(problemOf("url", "example.org/other")).toBeUndefined()
    expect(problemOf("url", "mailto:a@b.example")).toContain("Enter a web address")
    expect(problemOf("url", `https://e.org/${"a".repeat(9_000)}`)).toBe(
      "The address is longer than 8,192 characters."
    )
    expect(problemOf("note", "n".repeat(20_001))).toBe("The note is longer than 20,000 characters.")
    expect(problemOf("summary", "x".repeat(LIMITS.summary + 1))).toBe("The summary is too long.")
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
