import { expect, test } from "bun:test"
import { neighbourOf } from "../../web/app/neighbour.ts"

test("returns the next remaining link after a deletion, else the last one before, else null", () => {
  expect(neighbourOf([1, 2, 3, 4], [2])).toBe(3)
  expect(neighbourOf([1, 2, 3, 4], [2, 3])).toBe(4)
  expect(neighbourOf([1, 2, 3, 4], [3, 4])).toBe(2)
  expect(neighbourOf([1, 2, 3, 4], [1, 3])).toBe(2)
  expect(neighbourOf([1, 2], [1, 2])).toBeNull()
  expect(neighbourOf([1, 2], [9])).toBe(1)
})
