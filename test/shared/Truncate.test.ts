import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { cutText, firstCharacters, shortened } from "../../src/shared/Truncate.ts"
import { always, strangeText } from "../support/strange.ts"

const cases = fc.tuple(strangeText(10), fc.nat(60))

describe("cutText", () => {
  test("keeps a short text and never half a character", () => {
    expect(cutText("short", 8)).toBe("short")
    expect(cutText("ab🦜", 4)).toBe("ab🦜")
    expect(cutText("ab🦜", 3)).toBe("ab")
    expect(cutText("half \ud83e", 100)).toBe("half ")
    expect(cutText("🦜", 0)).toBe("")
  })

  always("returns a well-formed beginning of a well-formed text", cases, ([text, limit]) => {
    const whole = text.toWellFormed()
    const start = cutText(whole, limit)
    expect(whole.startsWith(start)).toBe(true)
    expect(start.isWellFormed()).toBe(true)
    expect(start.length).toBeLessThanOrEqual(limit)
    expect(start.length).toBeGreaterThanOrEqual(Math.min(limit - 1, whole.length))
  })
})

describe("shortened", () => {
  test("ends a shortened text with an ellipsis within the limit", () => {
    expect(shortened("short", 8)).toBe("short")
    expect(shortened("rather long", 8)).toBe("rather …")
    expect(shortened("🦜🦜🦜", 4)).toBe("🦜…")
    expect(shortened("a\ud800b", 8)).toBe("a\ufffdb")
    expect(shortened("a\ud800", 8).isWellFormed()).toBe(true)
  })

  always(
    "returns a well-formed text within the limit",
    fc.tuple(strangeText(), fc.integer({ min: 1, max: 64 })),
    ([text, limit]) => {
      const short = shortened(text, limit)
      expect(short.length).toBeLessThanOrEqual(limit)
      expect(short.isWellFormed()).toBe(true)
    }
  )
})

describe("firstCharacters", () => {
  always("cuts between characters", cases, ([text, count]) => {
    const cut = firstCharacters(text, count)
    expect(text.startsWith(cut)).toBe(true)
    expect(Array.from(cut).length).toBeLessThanOrEqual(count)
    expect(text.isWellFormed() ? cut.isWellFormed() : true).toBe(true)
  })
})
