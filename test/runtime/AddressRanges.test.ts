import { describe, expect, test } from "bun:test"
import { isInRanges, parseRange } from "../../src/runtime/AddressRanges.ts"

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
  for (const [address, ranges, isIn] of [
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.2", "127.0.0.1", false],
    ["::ffff:127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "::ffff:127.0.0.1", true],
    ["127.0.0.1", "::ffff:7f00:1", true],
    ["::1", "127.0.0.1", false],
    ["127.0.0.1", "::1", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["10.9.8.7", "10.0.0.0/8", true],
    ["11.0.0.1", "10.0.0.0/8", false],
    ["::ffff:10.9.8.7", "10.0.0.0/8", true],
    ["10.9.8.7", "::ffff:10.0.0.0/104", true],
    ["11.9.8.7", "::ffff:10.0.0.0/104", false],
    ["172.16.5.4", "10.0.0.0/8,172.16.0.0/12", true],
    ["fd00::5", "fd00::/8", true],
    ["fe80::1%eth0", "fe80::/10", true],
    ["fc00::5", "fd00::/8", false],
    ["", "10.0.0.0/8", false],
    ["unknown", "10.0.0.0/8", false],
    ["10.9.8.7", "", false]
  ] as const)
    test(`${address || "nothing"} is ${isIn ? "" : "not "}in ${ranges || "no range"}`, () =>
      expect(isInRanges(address, rangesOf(ranges))).toBe(isIn))
})
