import { describe, expect, test } from "bun:test"
import { isHttpUrl } from "../../src/shared/HttpUrl.ts"

describe("a web address", () => {
  test("is http or https, in any case", () =>
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
    test(`is not ${JSON.stringify(address)}`, () => expect(isHttpUrl(address)).toBe(false))
})
