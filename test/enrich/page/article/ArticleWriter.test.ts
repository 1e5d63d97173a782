import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { walkMarkup } from "../../../../src/domain/Markup.ts"
import { type Article, ArticleWriter } from "../../../../src/enrich/page/article/ArticleWriter.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { rowsOf } from "../../../support/rows.ts"
import { sampleOf } from "../../../support/tier.ts"

/** Writes markup element by element, as it stands. */
const written = (markup: string, url = "https://example.org/a/b"): Article => {
  const writer = new ArticleWriter(new URL(url))
  walkMarkup(markup, {
    open: (name, attributes) => writer.open(name, (attribute) => attributes.get(attribute)),
    close: (name) => writer.close(name),
    text: (piece) => {
      writer.text(piece)
      return !writer.isFull
    }
  })
  return writer.finish()
}

for (const [group, what, markup, html, text] of rowsOf<
  readonly [group: string, what: string, markup: string, html: string, text: string]
>(import.meta, "ArticleWriter"))
  test(`an article's ${group} with ${what}`, () => {
    expect(written(markup)).toEqual({ html, text })
    expect(isCleanArticle(html)).toBe(true)
  })

describe("an article's limits", () => {
  const sentence = "Words of a sentence that goes on. "

  test("cut the HTML at the end of a block and the text at its own length", () => {
    const { html, text } = written(`<ul>${`<li><b>${sentence}</b></li>`.repeat(40_000)}</ul>`)
    expect(html.length).toBeGreaterThan(MAX_ARTICLE_HTML - 2_000)
    expect(html).toEndWith("</strong></li></ul>")
    expect(html.endsWith(`${sentence.trim()}</strong></li></ul>`)).toBe(true)
    expect(isCleanArticle(html)).toBe(true)
    expect(text.length).toBeGreaterThan(MAX_PAGE_TEXT - 100)
    expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  })

  for (const [what, piece] of [
    ["words", sentence],
    ["characters that are escaped", "<&>"],
    ["characters of two units", "😀"]
  ] as const)
    test(`cut one paragraph of ${what} within its text`, () => {
      const writer = new ArticleWriter(new URL("https://example.org"))
      writer.open("p", () => null)
      writer.text(piece.repeat(300_000))
      const { html, text } = writer.finish()
      expect(html.length).toBeGreaterThan(MAX_ARTICLE_HTML / 6)
      expect(html).toEndWith("</p>")
      expect(isCleanArticle(html)).toBe(true)
      expect(text.isWellFormed() && text.length <= MAX_PAGE_TEXT).toBe(true)
    })

  const attacks = [
    ["nested lists", "<ul><li>".repeat(100_000)],
    ["nested tables", "<table><tr><td>".repeat(100_000)],
    ["nested quotations", "<blockquote>".repeat(100_000)],
    ["inline elements", "<b><i><code><a href=x><q><sub>".repeat(50_000)],
    ["end tags", "</p></ul></td></a></b>".repeat(50_000)],
    ["empty cells", `<table><tr>${"<td>".repeat(300_000)}`],
    ["blank code", `<pre>${"\n<b></b>".repeat(300_000)}`],
    ["long links", `<a href="https://e.org/${"a".repeat(2_000)}">${"<p>x".repeat(100_000)}`]
  ] as const
  for (const [what, markup] of sampleOf(attacks, 2))
    test(`hold for many ${what}`, () => {
      const begun = cpuTime()
      const { html, text } = written(`${markup}words`)
      expect(isCleanArticle(html)).toBe(true)
      expect(text).toMatch(/words$|x$/)
      expect(cpuTime() - begun).toBeLessThan(9_000)
    })
})
