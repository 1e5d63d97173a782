import { expect, test } from "bun:test"
import { isWithin, normalizeCollectionPath, parentPath, shortPath } from "../../src/shared/CollectionPath.ts"

test("a path is normalized step by step, and refused if it is empty, too long or too deep", () => {
  expect(normalizeCollectionPath("  Cooking  /  Bread / ")).toBe("Cooking / Bread")
  expect(normalizeCollectionPath("TCP/IP")).toBe("TCP/IP")
  expect(normalizeCollectionPath(" / ")).toBeNull()
  expect(normalizeCollectionPath("x".repeat(101))).toBeNull()
  expect(normalizeCollectionPath(Array(9).fill("x").join(" / "))).toBeNull()
})

test("a collection lies in those around it, in any case", () => {
  expect(isWithin("Cooking / Bread / Rye", "cooking")).toBe(true)
  expect(isWithin("Cooking", "Cooking")).toBe(false)
  expect(isWithin("Cookings / Bread", "Cooking")).toBe(false)
  expect([parentPath("A / B / C"), parentPath("A")]).toEqual(["A / B", null])
})

test("a path that is too long for a label keeps its own name", () => {
  const path = "Programming / Languages / Effect"
  expect(shortPath(path, 40)).toBe(path)
  expect(shortPath(path, 24)).toBe("… / Languages / Effect")
  expect(shortPath(path, 12)).toBe("… / Effect")
  expect(shortPath(path, 5)).toBe("Effe…")
})
