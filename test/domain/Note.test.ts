import { describe, expect, test } from "bun:test"
import { joinNotes, replaceNote } from "../../src/domain/Note.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"

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
  test("limits the length of a note", () =>
    expect(joinNotes("x".repeat(MAX_NOTE), "more").length).toBe(MAX_NOTE))
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
      expect(replaceNote(note, before, now)).toBe(replaced))
})
