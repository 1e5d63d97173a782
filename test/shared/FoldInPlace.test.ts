import { describe, expect, test } from "bun:test"
import { foldedInPlace } from "../../src/shared/FoldInPlace.ts"

describe("foldedInPlace", () => {
  test("removes case and accents", () => {
    expect(foldedInPlace("Crème BRÛLÉE, Ñandú; Ёлка, Ἀθῆναι")).toBe("creme brulee, nandu; елка, αθηναι")
    expect(foldedInPlace("straße 日本語 ①")).toBe("straße 日本語 ①")
  })

  test("keeps every position", () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join("")
    for (const text of [all, "İstanbul İ", "👩‍👩‍👧 Ä", "\ud800a", "Ἄ".normalize("NFD")])
      expect(foldedInPlace(text)).toHaveLength(text.length)
    expect(foldedInPlace("aİB").slice(0, 1) + foldedInPlace("aİB").slice(2)).toBe("ab")
  })
})
