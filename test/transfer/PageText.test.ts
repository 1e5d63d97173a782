import { describe, expect, test } from "bun:test"
import { MAX_PAGE_TEXT } from "../../src/shared/Limits.ts"
import { markupLinks, pageText } from "../../src/transfer/PageText.ts"

describe("pageText", () => {
  for (const [html, text] of [
    ["<p>One <b>bold</b>,\n  still one</p><p>Two</p>", "One bold, still one\nTwo"],
    ["<html><head><title>Title</title><style>a{}</style></head><body>x<script>1<2</script></body>", "x"],
    ["a &amp; b &lt;c&gt; &#128512; &nbsp;&hellip;", "a & b <c> 😀 …"],
    ["one<br>two<br/>three", "one\ntwo\nthree"],
    ["<ul><li>a<li>b</ul>", "a\nb"],
    ["no markup", "no markup"],
    ["<div><p>never closed", "never closed"],
    ["<!-- no --><p></p>", ""]
  ] as const)
    test(`of ${JSON.stringify(html)}`, () => expect(pageText(html)).toBe(text))

  test("is bounded, whatever the page", () => {
    expect(pageText("<p>word</p>".repeat(100_000)).length).toBe(MAX_PAGE_TEXT)
    expect(pageText("<div>".repeat(200_000))).toBe("")
  })
})

describe("markupLinks", () => {
  test("returns anchors and plain addresses in their order", () =>
    expect(
      markupLinks(
        '<p>See https://a.example/x, <a href="https://b.example/">the <b>B</b></a> (<a href="https://c.example/">https://c.example/</a>)</p><a href="#x">no</a> <a href="mailto:x">no</a>'
      )
    ).toEqual([
      { url: "https://a.example/x", label: "" },
      { url: "https://b.example/", label: "the B" },
      { url: "https://c.example/", label: "" }
    ]))
})
