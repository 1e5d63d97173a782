import { expect, test } from "bun:test"
import { trimmedAddress } from "../../src/shared/GivenAddress.ts"

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
