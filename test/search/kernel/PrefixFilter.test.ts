import { describe, expect, test } from "bun:test"
import { choosePrefixFilter, LEVELS } from "../../../src/search/kernel/PrefixFilter.ts"

/** A pair whose similarity grows to `whole` by the given share of it per level. */
const pair = (whole: number, shareAt: (level: number) => number) =>
  Array.from({ length: LEVELS }, (_, i) => whole * (i + 1 === LEVELS ? 1 : shareAt(i + 1)))

const even = (level: number) => level / LEVELS
const early = (level: number) => Math.min(1, level / 4)
const near = (shareAt: (level: number) => number) => Array.from({ length: 200 }, () => pair(0.6, shareAt))
const others = (similarity: number, shareAt: (level: number) => number) =>
  Array.from({ length: 200 }, () => ({ parts: pair(similarity, shareAt), least: 0.5 }))

describe("choosePrefixFilter", () => {
  test("takes the shortest prefix that tells near pairs from others", () => {
    expect(choosePrefixFilter(near(early), others(0.1, early), 14)).toEqual({ level: 1, gain: 4 })
    expect(choosePrefixFilter(near(even), others(0.1, even), 14)).toEqual({ level: 2, gain: 8 })
  })

  test("needs a longer prefix where others look near at first", () => {
    const deceiving = (level: number) => (level < 6 ? 5 : 1) * even(level)
    expect(choosePrefixFilter(near(even), others(0.3, deceiving), 14)?.level).toBe(6)
  })

  test("allows for two of a hundred near pairs whose similarity comes late", () => {
    const late = (level: number) => (level < 12 ? 0.01 : 1)
    expect(choosePrefixFilter([...near(early), pair(0.6, late)], others(0.1, early), 14)?.level).toBe(1)
    const many = Array.from({ length: 20 }, () => pair(0.6, late))
    expect(choosePrefixFilter([...near(early), ...many], others(0.1, early), 14)?.level).toBe(12)
  })

  test("chooses none without near pairs, or where no prefix is quicker", () => {
    expect(choosePrefixFilter([], others(0.1, early), 14)).toBeUndefined()
    expect(choosePrefixFilter(near(early), others(0.1, early), 1)).toBeUndefined()
    expect(choosePrefixFilter(near(even), others(0.6, even), 14)).toBeUndefined()
  })

  test("holds with vectors of zeros, of other signs, and of removed rows", () => {
    const odd = [pair(0, even), pair(-0.5, even), Array.from({ length: LEVELS }, () => Number.NaN)]
    const some = odd.map((parts) => ({ parts, least: 0.5 }))
    expect(choosePrefixFilter(near(early), some, 14)).toEqual({ level: 1, gain: 4 })
    expect(choosePrefixFilter([pair(0, even)], some, 14)).toBeUndefined()
  })
})
