import { describe, expect, test } from "bun:test"
import {
  changedFields,
  type Fields,
  LIMITS,
  problemOf,
  roomLeft,
  roomText
} from "../../web/app/components/texts.ts"

const fields: Fields = {
  title: "A title",
  url: "https://example.org/page",
  collection: "Reading / Slow",
  category: "essays",
  tags: ["one", "two"],
  note: "",
  summary: "A summary."
}

describe("edited fields", () => {
  test("are sent if they changed, in their normal form", () => {
    const sent = (changes: Partial<Fields>) => changedFields(fields, { ...fields, ...changes })
    expect(sent({ title: " Another " })).toEqual({ title: "Another" })
    expect(sent({ summary: "", note: " Why. " })).toEqual({ summary: "", note: "Why." })
    expect(sent({ url: "example.org/other" })).toEqual({ url: "https://example.org/other" })
    expect(sent({ collection: " " })).toEqual({ collection: null })
    expect(sent({ collection: " New   shelf" })).toEqual({ collection: "New shelf" })
    expect(sent({ category: "Long Reads!" })).toEqual({ category: "long reads" })
    expect(sent({ tags: ["two"] })).toEqual({ tags: ["two"] })
    expect(
      sent({ title: "A title ", summary: "A summary.\n", category: "Essays", url: "example.org/page" })
    ).toEqual({})
  })

  test("are checked before they are sent", () => {
    const problem = (changes: Partial<Fields>) => problemOf({ ...fields, ...changes })
    expect(problem({})).toBeUndefined()
    expect(problem({ title: " \n" })).toEqual({ field: "title", text: "A link needs a title." })
    expect(problem({ title: "x".repeat(LIMITS.title) })).toBeUndefined()
    expect(problem({ title: "x".repeat(LIMITS.title + 1) })?.text).toBe("The title is too long.")
    expect(problem({ url: "mailto:a@b.example" })?.field).toBe("url")
    expect(problem({ url: `https://e.org/${"a".repeat(9_000)}` })?.text).toBe(
      "The address is longer than 8,192 characters."
    )
    expect(problem({ note: "n".repeat(20_001) })?.text).toBe("The note is longer than 20,000 characters.")
    expect(problem({ category: "!?" })?.field).toBe("category")
    expect(problem({ collection: "x".repeat(101) })?.field).toBe("collection")
    expect(problem({ summary: "x".repeat(LIMITS.summary + 1) })?.text).toBe("The summary is too long.")
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
