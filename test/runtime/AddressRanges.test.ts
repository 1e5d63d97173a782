import { describe, expect, test } from "bun:test"
import { isInRanges, parseRange } from "../../src/runtime/AddressRanges.ts"
import { rowsOf } from "../support/rows.ts"

const rangesOf = (text: string) => text.split(",").flatMap((one) => parseRange(one) ?? [])

describe("parseRange", () => {
  for (const text of [
    "",
    "0.0.0.0/0",
    "::/0",
    "::ffff:0.0.0.0/96",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/ 8",
    "10.0.0.0/",
    "10.1",
    "0x7f.0.0.1",
    "010.0.0.1",
    "127.0.0.1:80",
    "[::1]",
    "localhost",
    "*"
  ])
    test(`rejects ${JSON.stringify(text)}`, () => expect(parseRange(text)).toBeUndefined())
})

describe("isInRanges", () => {
  for (const [address, ranges, isIn] of rowsOf<readonly [string, string, boolean]>(
    import.meta,
    "AddressRanges"
  ))
    test(`${address || "nothing"} is ${isIn ? "" : "not "}in ${ranges || "no range"}`, () =>
      expect(isInRanges(address, rangesOf(ranges))).toBe(isIn))
})
