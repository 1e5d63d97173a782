import { describe, expect, test } from "bun:test"
import { isHttpUrl } from "../../src/shared/HttpUrl.ts"

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
