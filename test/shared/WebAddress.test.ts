import { describe, expect, test } from "bun:test"
import { isHttpUrl, withoutUser, withoutWww } from "../../src/shared/WebAddress.ts"

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

test.each([
  ["https://me:secret@example.org/a", "https://example.org/a"],
  ["https://me@example.org/a", "https://example.org/a"],
  ["https://:secret@example.org/a", "https://example.org/a"],
  ["https://example.org", "https://example.org"],
  ["not an address", "not an address"]
])("withoutUser leaves of %p %p", (address, left) => expect(withoutUser(address)).toBe(left))
