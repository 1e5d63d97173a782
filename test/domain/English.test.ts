import { expect, test } from "bun:test"
import { singular } from "../../src/domain/English.ts"

test("singular changes plurals and keeps other words ending in s", () => {
  const words = ["queries", "classes", "dishes", "links", "class", "status", "analysis", "css", "ties"]
  expect(words.map(singular)).toEqual([
    "query",
    "class",
    "dish",
    "link",
    "class",
    "status",
    "analysis",
    "css",
    "tie"
  ])
})
