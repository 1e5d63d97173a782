import { expect, test } from "bun:test"
import { retryAfterMillis } from "../../src/shared/RetryAfter.ts"

const now = Date.parse("2026-11-20T12:00:00Z")
const seconds = (header: string | null | undefined) => {
  const wait = retryAfterMillis(header, now)
  return wait === undefined ? null : wait / 1_000
}

const table: ReadonlyArray<readonly [header: string | null | undefined, wait: number | null]> = [
  ["30", 30],
  [" 0 ", 0],
  ["Fri, 20 Nov 2026 12:00:08 GMT", 8],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
  ["99999999999999999999", null],
  ["", null],
  [null, null],
  [undefined, null]
]
for (const [header, wait] of table) {
  test(`retryAfterMillis returns ${wait === null ? "undefined" : `${wait} seconds`} for ${header}`, () =>
    expect(seconds(header)).toBe(wait))
}
