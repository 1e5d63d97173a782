import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { cutText, escapeText, firstCharacters, folded, shortened } from "../../src/shared/Text.ts"
import { always, strangeText } from "../support/strange.ts"

const cases = fc.tuple(strangeText(10), fc.nat(60))

describe("cutText", () => {
  test("keeps a text that fits, and never half a character", () => {
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
  test("shows that something is missing, within the limit", () => {
    expect(shortened("short", 8)).toBe("short")
    expect(shortened("rather long", 8)).toBe("rather …")
    expect(shortened("🦜🦜🦜", 4)).toBe("🦜…")
    expect(shortened("a\ud800b", 8)).toBe("a\ufffdb")
    expect(shortened("a\ud800", 8).isWellFormed()).toBe(true)
  })

  always(
    "is well-formed and within its limit",
    fc.tuple(strangeText(), fc.integer({ min: 1, max: 64 })),
    ([text, limit]) => {
      const short = shortened(text, limit)
      expect(short.length).toBeLessThanOrEqual(limit)
      expect(short.isWellFormed()).toBe(true)
    }
  )
})

describe("firstCharacters", () => {
  always("cuts between characters and never inside one", cases, ([text, count]) => {
    const cut = firstCharacters(text, count)
    expect(text.startsWith(cut)).toBe(true)
    expect(Array.from(cut).length).toBeLessThanOrEqual(count)
    expect(text.isWellFormed() ? cut.isWellFormed() : true).toBe(true)
  })
})

describe("folded", () => {
  for (const [text, plain] of [
    ["CAFÉ", "cafe"],
    ["nai\u0308ve", "naive"],
    ["Żółć", "zołc"],
    ["İstanbul", "istanbul"],
    ["ﬁle", "file"],
    ["Ｆｕｌｌ", "full"],
    ["日本語", "日本語"],
    ["C++ & c#", "c++ & c#"],
    ["", ""]
  ] as const)
    test(`${JSON.stringify(text)} becomes ${JSON.stringify(plain)}`, () => expect(folded(text)).toBe(plain))
})

describe("escapeText", () => {
  test("escapes what opens a tag or an entity, once", () => {
    expect(escapeText(`<b>"R&D"</b> it's &lt;`)).toBe(`&lt;b&gt;"R&amp;D"&lt;/b&gt; it's &amp;lt;`)
    expect(escapeText("")).toBe("")
  })
})
