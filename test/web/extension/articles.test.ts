import { expect, test } from "bun:test"
import { MAX_STORED, surplusOf } from "../../../web/extension/articles.ts"

const stored = (id: string, at: number, length: number) => ({ id, at, length })

test("the oldest articles go first, and only as many as must", () => {
  const all = [stored("new", 3, 40), stored("old", 1, 10), stored("middle", 2, 40)]
  expect(surplusOf(all, 90)).toEqual([])
  expect(surplusOf(all, 80).map(({ id }) => id)).toEqual(["old"])
  expect(surplusOf(all, 79).map(({ id }) => id)).toEqual(["old", "middle"])
  expect(surplusOf(all, 0).length).toBe(3)
})

test("a thousand articles of the usual size, or sixteen of the largest, have room", () => {
  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => stored("", at, length))
  expect(surplusOf(many(1_000, 30_000))).toEqual([])
  expect(surplusOf(many(16, MAX_STORED / 16))).toEqual([])
})
