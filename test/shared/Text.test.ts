import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { cleanLine, cutText, escapeText, firstCharacters, folded, shortened } from "../../src/shared/Text.ts"
import { describeData, json } from "../support/data.ts"
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

describe("cleanLine", () => {
  const table: Record<string, string> = {
    "  one\n\ttwo  ": "one two",
    "a\u0000b\u001bc": "abc",
    "\u202eevil\u202c \u2066x\u2069": "evil x",
    "in\u200bvisible\u{e0041}": "invisible",
    "می\u200cخواهم": "می\u200cخواهم",
    "👩\u200d🚀": "👩\u200d🚀",
    "half \ud83e": "half",
    "\ud83ehalf": "\ufffdhalf",
    "<b>&amp;": "<b>&amp;",
    "\u200b \u0007": ""
  }
  for (const [raw, clean] of Object.entries(table)) {
    test(`${JSON.stringify(raw)} becomes ${JSON.stringify(clean)}`, () =>
      expect(cleanLine(raw, 100)).toBe(clean))
  }

  test("a cut never leaves half a character", () => expect(cleanLine("ab🦜", 3)).toBe("ab"))
})

describeData("hostile", "cleanLine on naughty strings", () => {
  test("returns one well-formed line without controls", () => {
    for (const raw of json<ReadonlyArray<string>>("hostile/blns.json")) {
      const clean = cleanLine(raw, 50)
      expect(clean).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(clean.length).toBeLessThanOrEqual(50)
      expect(clean.isWellFormed()).toBe(true)
    }
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
    test(`returns ${JSON.stringify(plain)} for ${JSON.stringify(text)}`, () =>
      expect(folded(text)).toBe(plain))
})

describe("escapeText", () => {
  test("escapes markup once", () => {
    expect(escapeText(`<b>"R&D"</b> it's &lt;`)).toBe(`&lt;b&gt;"R&amp;D"&lt;/b&gt; it's &amp;lt;`)
    expect(escapeText("")).toBe("")
  })
})
