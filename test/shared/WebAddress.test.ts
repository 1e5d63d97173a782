import { describe, expect, test } from "bun:test"
import { isHttpUrl, isOfThisDevice, trimmedAddress, withoutWww } from "../../src/shared/WebAddress.ts"

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

test("isOfThisDevice tells the addresses that no other device can open", () => {
  const here = ["http://localhost:8080/", "http://a.localhost/", "http://127.0.0.1/", "http://[::1]:1/x"]
  expect(here.filter((address) => !isOfThisDevice(address))).toEqual([])
  const open = ["https://localhost.example/", "http://192.168.1.2/", "https://links.example.org/", "nothing"]
  expect(open.filter(isOfThisDevice)).toEqual([])
})

test("withoutWww removes a leading www", () =>
  expect(["www.example.org", "example.org", "www2.example.org", "a.www.example.org"].map(withoutWww)).toEqual(
    ["example.org", "example.org", "www2.example.org", "a.www.example.org"]
  ))

test("trimmedAddress trims white space and invisible characters", () => {
  for (const blank of [
    " ",
    "\n",
    "\u200b",
    "\ufeff",
    "\u2060",
    "\u200e",
    "\u00ad",
    "\u3164",
    "\u200b \u200f"
  ])
    expect(trimmedAddress(`${blank}https://e.org/a b${blank}`)).toBe("https://e.org/a b")
  expect(trimmedAddress("\u200b")).toBe("")
})
