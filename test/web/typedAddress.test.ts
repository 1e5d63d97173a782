import { describe, expect, test } from "bun:test"
import { MAX_ADDRESS } from "../../src/shared/Limits.ts"
import { addressProblem, typedAddress } from "../../web/app/typedAddress.ts"

describe("a typed address", () => {
  for (const [typed, address] of [
    ["https://example.org/a", "https://example.org/a"],
    ["  example.org/a ", "https://example.org/a"],
    ["example.org:8080/a", "https://example.org:8080/a"],
    ["localhost:8080", "https://localhost:8080"],
    ["http://localhost/a", "http://localhost/a"],
    ["", undefined],
    ["a word", undefined],
    ["word", undefined],
    ["ftp://example.org", undefined],
    ["javascript:alert(1)", undefined],
    ["mailto:ann@example.org", undefined]
  ] as const)
    test(`“${typed}” is ${address ?? "none"}`, () => {
      expect(typedAddress(typed)).toBe(address)
      expect(addressProblem(typed) === undefined).toBe(address !== undefined)
    })

  test("says whether it is missing or too long", () => {
    expect(addressProblem("word")).toStartWith("Enter a web address")
    expect(addressProblem(`https://example.org/${"x".repeat(MAX_ADDRESS)}`)).toContain("long")
  })
})
