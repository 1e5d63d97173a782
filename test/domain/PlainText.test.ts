import { expect, test } from "bun:test"
import { plainText } from "../../src/domain/PlainText.ts"
import { describeData, json } from "../support/data.ts"

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
    expect(plainText(raw, 100)).toBe(clean))
}

test("a cut never leaves half a character", () => expect(plainText("ab🦜", 3)).toBe("ab"))

describeData("hostile", "naughty strings as plain text", () => {
  test("each becomes one well-formed line without controls", () => {
    for (const raw of json<ReadonlyArray<string>>("hostile/blns.json")) {
      const clean = plainText(raw, 50)
      expect(clean).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(clean.length).toBeLessThanOrEqual(50)
      expect(clean.isWellFormed()).toBe(true)
    }
  })
})
