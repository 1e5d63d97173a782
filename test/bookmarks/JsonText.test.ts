import { describe, expect, test } from "bun:test"
import { jsonErrorAt } from "../../src/bookmarks/JsonText.ts"
import { randomOf } from "../support/randomLibrary.ts"

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("jsonErrorAt", () => {
  const broken: Record<string, number> = {
    '{"a":1,}': 7,
    '{"a" 1}': 5,
    "[1,2 3]": 5,
    "[1,]": 3,
    '["a\nb"]': 3,
    '["a\\x"]': 3,
    "[01]": 1,
    "[tru]": 1,
    "[1]]": 3,
    "[1}": 2,
    '{"a":[}': 6,
    "{a:1}": 1
  }
  for (const [text, at] of Object.entries(broken))
    test(`finds what is wrong in ${JSON.stringify(text)} at ${at}`, () => expect(jsonErrorAt(text)).toBe(at))

  for (const text of ['[{"a":"b', "[1,", '{"a":', "[", '{"a":{}', '["\\u00e4', "["])
    test(`finds that ${JSON.stringify(text)} ends too early`, () =>
      expect(jsonErrorAt(text)).toBe(text.length))

  test("finds nothing in what parses, and a place in what does not, unless the end is missing", () => {
    const random = randomOf(11)
    const sample = JSON.stringify(
      [{ a: 'x\\\n"ä🐦', b: [1, -2.5e-7, true, null, {}, []] }, "c", { d: {} }],
      null,
      1
    )
    const marks = ['"', ",", ":", "[", "]", "{", "}", "\\", "0", "-", ".", "e", " ", "\n", "\t", "t"]
    for (let round = 0; round < 3_000; round++) {
      const at = Math.floor(random() * sample.length)
      const mark = marks[Math.floor(random() * marks.length)] ?? ""
      const text = sample.slice(0, at) + mark + sample.slice(at + Math.floor(random() * 3))
      const error = jsonErrorAt(text)
      if (parses(text)) expect([text, error]).toEqual([text, text.length])
      else if (error < text.length) {
        // All before the place is the start of some JSON: a shorter start has its error at the same end.
        expect([text, jsonErrorAt(text.slice(0, error))]).toEqual([text, error])
      }
    }
  })

  test("is not overwhelmed by nesting", () => {
    const deep = 500_000
    expect(jsonErrorAt(`${"[".repeat(deep)}${"]".repeat(deep)}`)).toBe(2 * deep)
    expect(jsonErrorAt(`${"[".repeat(deep)}x`)).toBe(deep)
  })
})
