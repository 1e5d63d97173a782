import { describe, expect, test } from "bun:test"
import { MARK_END, MARK_START, type Range, readMarks } from "../../src/domain/LinkQuery.ts"

/** Replaces `[` and `]` with the marks. */
const marked = (text: string) => text.replaceAll("[", MARK_START).replaceAll("]", MARK_END)

describe("readMarks", () => {
  const table: ReadonlyArray<readonly [marked: string, text: string, ranges: ReadonlyArray<Range>]> = [
    ["", "", []],
    ["no marks", "no marks", []],
    ["[all]", "all", [[0, 3]]],
    ["a [word] in it", "a word in it", [[2, 6]]],
    [
      "[one] and [two]",
      "one and two",
      [
        [0, 3],
        [8, 11]
      ]
    ],
    [
      "[a][b]",
      "ab",
      [
        [0, 1],
        [1, 2]
      ]
    ],
    ["🦊 [日本]語 🦊", "🦊 日本語 🦊", [[3, 5]]],
    ["a [🦊]", "a 🦊", [[2, 4]]],
    ["line\n[two]", "line\ntwo", [[5, 8]]]
  ]
  for (const [written, text, ranges] of table)
    test(`reads the ranges of ${JSON.stringify(written)}`, () =>
      expect(readMarks(marked(written))).toEqual({ text, ranges }))

  test("returns ranges in UTF-16 units", () => {
    const { ranges, text } = readMarks(marked("🦊🦊 [naïve] [𝒳] e\u0301[e\u0301]"))
    expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual(["naïve", "𝒳", "e\u0301"])
  })

  for (const hostile of ["][", "[", "]", "a] b", "[]", "a [] b", "]a["])
    test(`removes the marks of ${JSON.stringify(hostile)} without a range`, () =>
      expect(readMarks(marked(hostile))).toEqual({ text: hostile.replace(/[[\]]/g, ""), ranges: [] }))

  test("returns only ordered, non-empty ranges within the text", () => {
    for (let n = 0; n < 3 ** 7; n++) {
      const signs = n.toString(3).padStart(7, "0")
      const { ranges, text } = readMarks(
        signs.replaceAll("0", "x").replaceAll("1", MARK_START).replaceAll("2", MARK_END)
      )
      expect(text).toMatch(/^x*$/)
      let end = 0
      for (const range of ranges) {
        expect(range[0]).toBeGreaterThanOrEqual(end)
        expect(range[1]).toBeGreaterThan(range[0])
        end = range[1]
      }
      expect(end).toBeLessThanOrEqual(text.length)
    }
  })
})
