import { describe, expect, test } from "bun:test"
import { isTitleFromAddress, titleFromAddress } from "../../src/shared/AddressTitle.ts"
import { cpuTime } from "../support/cpuTime.ts"
import { rowsOf } from "../support/rows.ts"

const at = (path: string) => titleFromAddress(new URL(path, "https://example.org"))

describe("titleFromAddress", () => {
  for (const [path, title] of rowsOf<readonly [string, string]>(import.meta, "AddressTitle"))
    test(`makes ${title} of ${path}`, () => expect(at(path)).toBe(title))

  for (const path of [
    "/",
    "/secret",
    "/login-page",
    "/about-us/",
    "/index.html",
    "/a-b-c",
    "/dQw4w9-WgX_cQ",
    "/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "/123e4567-e89b-12d3-a456-426614174000",
    "/2024/05/12/",
    "/status/1234567890123456789",
    "/x1-y2-z3-w4",
    "/%E4bc-def-ghi",
    "/首页",
    "/watch?title=how-we-cut-build-times",
    "/#how-we-cut-build-times"
  ])
    test(`makes nothing of ${path}`, () => expect(at(path)).toBeNull())

  test("never uses the host", () =>
    expect(titleFromAddress(new URL("https://how-we-cut-build-times.example/"))).toBeNull())

  test("makes a clean line of bounded length, in linear time", () => {
    const start = cpuTime()
    for (const path of [
      `/${"word-".repeat(1_600)}`,
      `/${"-".repeat(8_000)}`,
      `/${"%E4%B8%80".repeat(800)}`,
      "/a".repeat(4_000)
    ])
      expect(at(path)?.length ?? 0).toBeLessThanOrEqual(300)
    expect(cpuTime() - start).toBeLessThan(1_500)
  })
})

describe("isTitleFromAddress", () => {
  const url = "https://example.org/2026/how-we-cut-build-times"
  for (const [title, is] of [
    ["example.org", true],
    ["How we cut build times", true],
    ["How We Cut Build Times", false],
    ["How we cut build times!", false],
    ["", false]
  ] as const)
    test(`is ${is} for “${title}”`, () =>
      expect(isTitleFromAddress({ title, url, host: "example.org" })).toBe(is))
})

test("a host in its own script is a title from the address", () => {
  const [host, url] = ["xn--bcher-kva.example", "https://xn--bcher-kva.example/a"]
  for (const title of [host, "bücher.example"]) expect(isTitleFromAddress({ title, host, url })).toBe(true)
  expect(isTitleFromAddress({ title: "Bücher", host, url })).toBe(false)
})
