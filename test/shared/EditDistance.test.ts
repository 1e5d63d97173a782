import { describe, expect, test } from "bun:test"
import { typingErrors } from "../../src/shared/EditDistance.ts"
import { cpuTime } from "../support/cpuTime.ts"

describe("typingErrors", () => {
  const table: ReadonlyArray<readonly [typed: string, known: string, slips: number, left: number]> = [
    ["search", "search", 0, 0],
    ["searrch", "search", 1, 0],
    ["serch", "search", 1, 0],
    ["seorch", "search", 1, 0],
    ["serach", "search", 1, 0],
    ["esarch", "search", 1, 0],
    ["searhc", "search", 1, 0],
    ["xearch", "search", 1, 0],
    ["earch", "search", 1, 0],
    ["seorhc", "search", 2, 0],
    ["searching", "search", 0, 3],
    ["serachning", "search", 1, 4],
    ["𝒶𝒸𝒷", "𝒶𝒷𝒸", 1, 0]
  ]
  for (const [typed, word, count, left] of table)
    test(`counts ${count} and ${left} letters left from ${typed} to ${word}`, () =>
      expect(typingErrors(typed, word, 2)).toEqual({ slips: count, left }))

  test("returns undefined beyond the limit", () => {
    expect(typingErrors("seorhc", "search", 1)).toBeUndefined()
    expect(typingErrors("sea", "search", 2)).toBeUndefined()
    expect(typingErrors("cat", "dog", 2)).toBeUndefined()
  })

  test("takes bounded time", () => {
    const began = cpuTime()
    expect(typingErrors("a".repeat(100_000), "a".repeat(100_000), 2)).toEqual({ slips: 0, left: 0 })
    expect(cpuTime() - began).toBeLessThan(2_000)
  })
})
