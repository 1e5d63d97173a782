import { describe, expect, test } from "bun:test"
import {
  articleOfMarkup,
  articleOfParagraphs,
  preformatted
} from "../../../../src/enrich/page/article/Articles.ts"
import { decodeEntities, markupText } from "../../../../src/enrich/page/Markup.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"

const url = new URL("https://example.org/a/b")

describe("the article of a piece of markup", () => {
  test("keeps the structure without attributes and makes addresses absolute", () =>
    expect(
      articleOfMarkup(
        '<div class="x" onclick="steal()"><h2 id="t">Title</h2><p style="color:red">One <a href="c" rel="me">link</a></p><ul><li>Item</ul>',
        url
      )
    ).toEqual({
      html: '<h2>Title</h2><p>One <a href="https://example.org/a/c">link</a></p><ul><li>Item</li></ul>',
      text: "Title\nOne link\nItem"
    }))

  test("has no scripts, styles, frames, controls and addresses of scripts", () =>
    expect(
      articleOfMarkup(
        '<script>alert(1)</script><style>p{}</style><iframe src="/x">frame</iframe><button>Press</button><svg><text>x</text></svg><a href="javascript:alert(1)">Text</a><img src="data:image/png,x" onerror="x">',
        url
      )
    ).toEqual({ html: "<p>Text</p>", text: "Text" }))
})

test("an article of paragraphs has an element and a line for each, within the limits", () => {
  expect(articleOfParagraphs(["a < b", " ", "c"])).toEqual({
    html: "<p>a &lt; b</p><p>c</p>",
    text: "a < b\nc"
  })
  const { html, text } = articleOfParagraphs(Array.from({ length: 200_000 }, () => "<< some words"))
  expect(html.length).toBeLessThanOrEqual(MAX_ARTICLE_HTML)
  expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  expect(html).toEndWith("</p>")
})

test("a preformatted article keeps lines and indentation, and is cut at its limit", () => {
  expect(preformatted("if a < b:\n    c()\n").html).toBe("<pre>if a &lt; b:\n    c()</pre>")
  expect(preformatted(" \n ").html).toBe("")
  const { html } = preformatted("<&>".repeat(MAX_PAGE_TEXT))
  expect(html.length).toBeLessThanOrEqual(MAX_ARTICLE_HTML)
  expect(html).toEndWith("</pre>")
})

describe("the text of markup", () => {
  test("has a line for each block of a publisher's abstract", () =>
    expect(
      markupText(
        "<jats:sec><jats:title>Aims</jats:title><jats:p>One <jats:sub>2</jats:sub> &lt; 3</jats:p></jats:sec>",
        1_000
      )
        .trim()
        .split(/\n+/)
    ).toEqual(["Aims", "One 2 < 3"]))

  test("stands for itself in a text with encoded characters", () =>
    expect(decodeEntities("a &amp; b <c> &#39;d&#39;")).toBe("a & b <c> 'd'"))
})
