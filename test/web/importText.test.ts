import { describe, expect, test } from "bun:test"
import { placeText, rejectsText } from "../../web/app/importText.ts"

describe("what was rejected", () => {
  const rejects = [
    { place: 12, reason: "The address is missing." },
    { place: 4_321, reason: "“ftp://a” is no web address." }
  ]

  test("stands in a line or at an item, whichever the file counts", () => {
    expect(placeText(12, { counts: "line" })).toBe("Line 12")
    expect(placeText(4_321, { counts: "item" })).toBe("Item 4,321")
  })

  test("makes a text with a line for each", () => {
    expect(rejectsText({ counts: "line", rejects })).toBe(
      "Line 12: The address is missing.\nLine 4,321: “ftp://a” is no web address.\n"
    )
    expect(rejectsText({ counts: "item", rejects: [] })).toBe("")
  })
})
