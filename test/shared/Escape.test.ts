import { expect, test } from "bun:test"
import { escapeText } from "../../src/shared/Escape.ts"

test("escapeText escapes markup once", () => {
  expect(escapeText(`<b>"R&D"</b> it's &lt;`)).toBe(`&lt;b&gt;"R&amp;D"&lt;/b&gt; it's &amp;lt;`)
  expect(escapeText("")).toBe("")
})
