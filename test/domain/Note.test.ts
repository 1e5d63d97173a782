import { describe, expect, test } from "bun:test"
import { addToNote, joinNotes, readNote, replaceNote } from "../../src/domain/Note.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { rowsOf } from "../support/rows.ts"

describe("joinNotes", () => {
  for (const [note, more, joined] of [
    ["", "a", "a"],
    ["a", "", "a"],
    ["a", " b ", "a\nb"],
    ["a\nb", "b", "a\nb"],
    ["a\nb\nc", "b\nc", "a\nb\nc"],
    ["ab", "a", "ab\na"]
  ] as const)
    test(`returns ${JSON.stringify(joined)} for ${JSON.stringify(note)} and ${JSON.stringify(more)}`, () =>
      expect(joinNotes(note, more)).toBe(joined))
  test("loses nothing", () =>
    expect(joinNotes("x".repeat(MAX_NOTE), "more")).toBe(`${"x".repeat(MAX_NOTE)}\nmore`))
})

describe("addToNote", () => {
  for (const [length, more, isFull] of [
    [MAX_NOTE - 2, "a", false],
    [MAX_NOTE - 2, "ab", true],
    [MAX_NOTE, "", false],
    [MAX_NOTE, "xx", true],
    [MAX_NOTE + 1, "a", true]
  ] as const)
    test(`${isFull ? "leaves" : "adds to"} a note of ${length} with ${JSON.stringify(more)}`, () => {
      const note = "x".repeat(length)
      expect(addToNote(note, more)).toEqual({ note: isFull ? note : joinNotes(note, more), isFull })
    })
})

describe("replaceNote", () => {
  for (const [note, before, now, replaced] of [
    ["a", "a", "b", "b"],
    ["x\na\ny", "a", "b", "x\nb\ny"],
    ["x\na\ny", "a", "", "x\ny"],
    ["x", "", "b", "x\nb"],
    ["changed elsewhere", "a", "b", "changed elsewhere"],
    ["a", "a", "a", "a"],
    ["x\na\nb\ny", "a\nb", "c", "x\nc\ny"]
  ] as const)
    test(`returns ${JSON.stringify(replaced)} for ${JSON.stringify(note)} if ${JSON.stringify(before)} becomes ${JSON.stringify(now)}`, () =>
      expect(replaceNote(note, before, now)).toEqual({ note: replaced, isFull: false }))
  test("leaves a note that has no room", () => {
    const note = `a\n${"x".repeat(MAX_NOTE - 2)}`
    expect(replaceNote(note, "a", "ab")).toEqual({ note, isFull: true })
    expect(replaceNote(`${note}x`, "a", "")).toEqual({ note: "x".repeat(MAX_NOTE - 1), isFull: false })
  })
})

describe("readNote", () => {
  for (const [text, note, tags] of rowsOf<readonly [string, string, ReadonlyArray<string>]>(
    import.meta,
    "Note"
  ))
    test(`reads ${JSON.stringify(text)}`, () => expect(readNote(text)).toEqual({ note, tags: [...tags] }))
  test("takes eight hashtags and leaves the others in the note", () =>
    expect(readNote("#a1 #b2 #c3 and #d4 #e5 #f6 #g7 #h8 but #ninth #a1")).toEqual({
      tags: ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"],
      note: "and but #ninth"
    }))
  test("accepts a text of hashtags and one of addresses at the maximum length", () => {
    expect(readNote("#a ".repeat(7_000)).tags).toEqual(["a"])
    expect(readNote("e.org/#a ".repeat(2_500)).tags).toEqual([])
    expect(readNote("#".repeat(MAX_NOTE)).note.length).toBe(MAX_NOTE)
    expect(readNote("a.".repeat(MAX_NOTE / 2)).tags).toEqual([])
  })
})
