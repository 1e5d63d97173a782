import { describe, expect, test } from "bun:test"
import { placeText, rejectsText, sizeText } from "../../web/app/importText.ts"

describe("a size", () => {
  for (const [bytes, text] of [
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1_000, "1 kB"],
    [1_550, "1.6 kB"],
    [345_678, "346 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [3_140_000, "3.1 MB"],
    [134_217_728, "134.2 MB"]
  ] as const)
    test(`${bytes} is ${text}`, () => expect(sizeText(bytes)).toBe(text))
})

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
      "Line 12: There is no address.\nLine 4,321: “ftp://a” is no web address.\n"
    )
    expect(rejectsText({ counts: "item", rejects: [] })).toBe("")
  })
})
