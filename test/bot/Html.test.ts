import { describe, expect, test } from "bun:test"
import { bold, concat, lines, link, MAX_TEXT, plainOf, text } from "../../src/bot/Html.ts"

describe("Html", () => {
  test("cuts before it escapes, and never inside a character", () => {
    expect(text("<&>", 3)).toEqual({ html: "&lt;&amp;&gt;", length: 3 })
    expect(text("<<<<", 3)).toEqual({ html: "&lt;&lt;…", length: 3 })
    expect(text("ab🦜", 3).html).toBe("ab…")
    expect(text("a\ud800b").html).toBe("a\ufffdb")
  })
  test("links nothing but web addresses, and closes its quotes", () => {
    expect(link('https://example.org/"><b>', text("x")).html).toBe(
      '<a href="https://example.org/&quot;&gt;&lt;b&gt;">x</a>'
    )
    expect(link("javascript:alert(1)", text("x")).html).toBe("x")
  })
  test("leaves out what no longer fits, whole", () => {
    const many = Array.from({ length: 500 }, (_, index) => bold(text(`line ${index} of a list`)))
    const all = lines(many)
    expect(all.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(plainOf(all.html).length).toBe(all.length)
  })
  test("gives back the text of its markup", () =>
    expect(plainOf(concat(bold(text("a<b")), text(" & c")).html)).toBe("a<b & c"))
})
