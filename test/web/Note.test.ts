import { expect, test } from "bun:test"
import { shownPart } from "../../web/app/components/Note.tsx"

const partOf = (note: string, ranges?: ReadonlyArray<readonly [number, number]>) =>
  note.slice(...shownPart(note, ranges))

test("shows a short note whole", () => {
  expect(partOf("two\nlines")).toBe("two\nlines")
  expect(partOf("")).toBe("")
})

test("shows the beginning of a long note, or of one with many lines", () => {
  expect(partOf("n".repeat(20_000))).toBe("n".repeat(300))
  expect(partOf("a\n".repeat(50))).toBe("a\na\na\na\na\na\na\na")
})

test("shows a long note where the first found word is", () => {
  const note = `${"n".repeat(10_000)} found ${"n".repeat(9_000)} found`
  const at = note.indexOf("found")
  expect(
    partOf(note, [
      [note.lastIndexOf("found"), note.length],
      [at, at + 5]
    ])
  ).toContain(" found ")
  expect(partOf(note, [[3, 5]])).toBe("n".repeat(300))
})
