import { describe, expect, test } from "bun:test"
import { articleText } from "../../src/domain/Article.ts"
import { parseArticle } from "../../src/domain/ArticleTree.ts"
import { readingParts } from "../../src/telegram/ReadingParts.ts"
import { randomArticle } from "../support/articles.ts"
import { richProblems } from "../support/telegramRules.ts"

const partsOf = (html: string) => readingParts(parseArticle(html))

const textOf = (html: string) =>
  html
    .replace(/<i>\[[^<]*\]<\/i>/g, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

/** A text without what a rich message changes about it. */
const bare = (text: string) => text.replace(/[\s“”]/g, "")

const problems = (html: string) =>
  partsOf(html).flatMap(({ rich }) => richProblems(rich).filter((problem) => problem !== ""))

describe("readingParts", () => {
  test("writes what Telegram accepts, with every text, whatever an article says", () => {
    for (let seed = 9_000; seed < 9_300; seed++) {
      const html = randomArticle(seed)
      expect([seed, problems(html)]).toEqual([seed, []])
      const text = partsOf(html).map(({ rich }) => textOf(rich))
      expect([seed, bare(text.join(""))]).toEqual([seed, bare(articleText(html))])
    }
  })

  test("divides long articles within the platform's limits, and loses nothing", () => {
    const words = "some words and <b>more</b> ".replace(/<\/?b>/g, "")
    const long = {
      paragraphs: `<p>${words.repeat(40)}</p>`.repeat(200),
      oneParagraph: `<p>${words.repeat(8_000)}</p>`,
      noSpaces: `<p>${"🦊".repeat(50_000)}</p>`,
      code: `<pre><code>${"let x = 1;\n".repeat(10_000)}</code></pre>`,
      list: `<ul>${`<li>${words}</li>`.repeat(3_000)}</ul>`,
      table: `<table><tbody>${`<tr><td>${words}</td></tr>`.repeat(1_000)}</tbody></table>`,
      wide: `<table><tbody><tr>${"<td>a</td>".repeat(30)}</tr></tbody></table>`,
      deep: `${"<ul><li>x".repeat(30)}${"</li></ul>".repeat(30)}`
    }
    for (const [name, html] of Object.entries(long)) {
      expect([name, problems(html)]).toEqual([name, []])
      const text = partsOf(html).map(({ rich }) => textOf(rich))
      expect([name, Bun.hash(bare(text.join("")))]).toEqual([name, Bun.hash(bare(articleText(html)))])
      for (const { plain } of partsOf(html)) expect(plain.length).toBeLessThan(4_000)
    }
  })

  test("has nothing to send of an article without text", () => {
    for (const html of ["", "<p></p>", "<hr>", "<p> <br></p>"]) expect(partsOf(html)).toEqual([])
  })
})
