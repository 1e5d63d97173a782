import { describe, expect, test } from "bun:test"
import { placeText, rejectsText } from "../../web/app/importText.ts"

describe("rejected entries", () => {
  const rejects = [
    { place: 12, reason: "The address is missing." },
    { place: 4_321, reason: "“ftp://a” is no web address." }
  ]

  test("are placed by line or by item, as the file counts", () => {
    expect(placeText(12, { counts: "line" })).toBe("Line 12")
    expect(placeText(4_321, { counts: "item" })).toBe("Item 4,321")
  })

  test("become a text with one line each", () => {
    expect(rejectsText({ counts: "line", rejects })).toBe(
      "Line 12: The address is missing.\nLine 4,321: “ftp://a” is no web address.\n"
    )
    expect(rejectsText({ counts: "item", rejects: [] })).toBe("")
  })
})
