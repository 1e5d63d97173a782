import { describe, expect, test } from "bun:test"
import { cleanText, decodeBytes, jsonErrorAt } from "../../../src/transfer/files/Decode.ts"
import { randomOf } from "../../support/randomLibrary.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  new Uint8Array(
    parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)])
  )

const decodeFile = (given: Uint8Array) => cleanText(decodeBytes(given))

const utf16 = (text: string, little: boolean) =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).flatMap((unit) =>
    little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]
  )

describe("decodeFile", () => {
  const table: Record<string, [Uint8Array, string]> = {
    "UTF-8": [bytes("Grüße 🐦"), "Grüße 🐦"],
    "UTF-8 with a mark, which is no text": [bytes([0xef, 0xbb, 0xbf], "ä"), "ä"],
    "UTF-16 in little endian": [bytes([0xff, 0xfe], utf16("ä🐦\n", true)), "ä🐦\n"],
    "UTF-16 in big endian": [bytes([0xfe, 0xff], utf16("ä🐦\n", false)), "ä🐦\n"],
    "windows-1252 that nothing declares": [bytes("caf", [0xe9], " ", [0x80]), "café €"],
    "windows-1251 as the markup declares it": [
      bytes('<!DOCTYPE x>\n<META CONTENT="text/html; charset=windows-1251">', [0xcf, 0xf0, 0xe8]),
      '<!DOCTYPE x>\n<META CONTENT="text/html; charset=windows-1251">При'
    ],
    "Shift_JIS as a short meta element declares it": [
      bytes("<meta charset='Shift_JIS'>", [0x82, 0xa0]),
      "<meta charset='Shift_JIS'>あ"
    ],
    "UTF-8 where the markup says UTF-16, which it cannot be": [
      bytes("<meta charset=utf-16>ä"),
      "<meta charset=utf-16>ä"
    ],
    "UTF-8 where the markup names no encoding there is": [
      bytes("<meta charset=klingon>ä"),
      "<meta charset=klingon>ä"
    ],
    "UTF-8 where only a text, not markup, speaks of a charset": [
      bytes("see <meta charset=windows-1251> ä"),
      "see <meta charset=windows-1251> ä"
    ],
    "UTF-8 with a broken character among whole ones": [bytes("äöü", [0xc3], " ß"), "äöü\ufffd ß"],
    "text with NULs, without them": [bytes("a", [0, 0], "b", [0]), "ab"],
    "half a character of UTF-16 as a sign of its own": [
      bytes([0xff, 0xfe], utf16("a\ud83d b", true)),
      "a\ufffd b"
    ],
    nothing: [new Uint8Array(), ""]
  }
  for (const [what, [given, text]] of Object.entries(table))
    test(`reads ${what}`, () => expect(decodeFile(given)).toBe(text))

  test("decodes any bytes to well-formed text without NULs", () => {
    const random = randomOf(5)
    const heads = [[], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]]
    for (let round = 0; round < 400; round++) {
      const noise = Array.from({ length: 64 }, () => Math.floor(random() ** 2 * 256))
      const text = decodeFile(bytes(heads[round % heads.length] ?? [], noise))
      expect([text.isWellFormed(), text.includes("\0")]).toEqual([true, false])
    }
  })
})

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
    test(`returns ${at} for ${JSON.stringify(text)}`, () => expect(jsonErrorAt(text)).toBe(at))

  for (const text of ['[{"a":"b', "[1,", '{"a":', "[", '{"a":{}', '["\\u00e4', "["])
    test(`returns the end of ${JSON.stringify(text)}, which ends too early`, () =>
      expect(jsonErrorAt(text)).toBe(text.length))

  test("returns the end of valid or incomplete JSON, and the position of an error in the rest", () => {
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
        // The text before the error is the start of some JSON, so its only error is its end.
        expect([text, jsonErrorAt(text.slice(0, error))]).toEqual([text, error])
      }
    }
  })

  test("handles deep nesting", () => {
    const deep = 500_000
    expect(jsonErrorAt(`${"[".repeat(deep)}${"]".repeat(deep)}`)).toBe(2 * deep)
    expect(jsonErrorAt(`${"[".repeat(deep)}x`)).toBe(deep)
  })
})
