import { describe, expect, test } from "bun:test"
import { count, dayText, durationText, outOf, percent, sizeText } from "../../src/shared/Format.ts"

describe("count", () => {
  test("uses the plural unless the number is 1", () => {
    expect([0, 1, 2].map((number) => count(number, "link"))).toEqual(["0 links", "1 link", "2 links"])
    expect([1, 2].map((number) => count(number, "category", "categories"))).toEqual([
      "1 category",
      "2 categories"
    ])
  })

  test("separates thousands", () => expect(count(1_234_567, "link")).toBe("1,234,567 links"))
})

test("percent rounds down", () => {
  expect([0.29, 0.994, 0.996, 0.99999, 1].map(percent)).toEqual([29, 99, 99, 99, 100])
})

test("outOf names the whole where it is more", () => {
  expect([outOf(2, 2, "page"), outOf(0, 1_994, "page")]).toEqual(["2 pages", "0 of 1,994 pages"])
})

describe("sizeText", () => {
  for (const [bytes, text] of [
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1_000, "1 kB"],
    [1_550, "1.6 kB"],
    [9_949, "9.9 kB"],
    [9_950, "10 kB"],
    [345_678, "346 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [3_140_000, "3.1 MB"],
    [134_217_728, "134.2 MB"],
    [999_949_999, "999.9 MB"],
    [999_950_000, "1 GB"],
    [12_340_000_000, "12.3 GB"],
    [999_950_000_000, "1 TB"],
    [1_234_000_000_000_000, "1,234 TB"]
  ] as const)
    test(`returns ${text} for ${bytes}`, () => expect(sizeText(bytes)).toBe(text))
})

describe("dayText", () => {
  for (const [iso, text] of [
    ["2026-03-03T12:00:00.000Z", "3 Mar 2026"],
    ["2026-03-03", "3 Mar 2026"],
    ["2025-12-31T23:59:59.999Z", "31 Dec 2025"],
    ["2026-09-01T00:00:00.000Z", "1 Sept 2026"]
  ] as const)
    test(`returns ${text} for ${iso}`, () => expect(dayText(iso)).toBe(text))
})

describe("durationText", () => {
  for (const [seconds, text] of [
    [0, "0:00"],
    [9.9, "0:09"],
    [249, "4:09"],
    [3_600, "1:00:00"],
    [86_399, "23:59:59"]
  ] as const)
    test(`returns ${text} for ${seconds} seconds`, () => expect(durationText(seconds)).toBe(text))
})
