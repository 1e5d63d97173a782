import { describe, expect, test } from "bun:test"
import { isHttpUrl, withoutTrailingPunctuation, withoutWww } from "../../src/shared/WebAddress.ts"
import { cpuTime } from "../support/cpuTime.ts"

describe("isHttpUrl", () => {
  test("accepts http and https in any case", () =>
    expect(["http://a", "HTTPS://a"].map(isHttpUrl)).toEqual([true, true]))

  for (const address of [
    "",
    "javascript:alert(1)",
    "ftp://a",
    "https:a",
    "//a",
    " https://a",
    "data:,https://a"
  ])
    test(`rejects ${JSON.stringify(address)}`, () => expect(isHttpUrl(address)).toBe(false))
})

test("withoutWww removes a leading www", () =>
  expect(["www.example.org", "example.org", "www2.example.org", "a.www.example.org"].map(withoutWww)).toEqual(
    ["example.org", "example.org", "www2.example.org", "a.www.example.org"]
  ))

describe("withoutTrailingPunctuation", () => {
  for (const [address, own] of [
    ["https://e.org/a", "https://e.org/a"],
    ["https://e.org/a.", "https://e.org/a"],
    ["https://e.org/a_(b)", "https://e.org/a_(b)"],
    ["https://e.org/a_(b)),", "https://e.org/a_(b)"],
    ["https://e.org/a)!?", "https://e.org/a"],
    ["https://e.org/a»", "https://e.org/a"],
    ["https://e.org/a”’\"'", "https://e.org/a"],
    ["https://e.org/a]}", "https://e.org/a"],
    ["https://e.org/a-", "https://e.org/a-"],
    ["...", ""],
    ["", ""]
  ] as const)
    test(`returns ${JSON.stringify(own)} for ${JSON.stringify(address)}`, () =>
      expect(withoutTrailingPunctuation(address)).toBe(own))

  test("takes bounded time", () => {
    const begun = cpuTime()
    expect(withoutTrailingPunctuation(`https://e.org/a${")".repeat(1_000_000)}`)).toBe("https://e.org/a")
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})
