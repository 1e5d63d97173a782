import { describe, expect, test } from "bun:test"
import { count, dayText, durationText, outOf, percent, sizeText } from "../../src/shared/Format.ts"
import { rowsOf } from "../support/rows.ts"

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
  for (const [bytes, text] of rowsOf<readonly [number, string]>(import.meta, "Format"))
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
