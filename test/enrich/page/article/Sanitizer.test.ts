import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { articleOfMarkup } from "../../../../src/enrich/page/article/Articles.ts"
import { readContent } from "../../../../src/enrich/page/article/ReadableText.ts"
import { sanitizeArticle } from "../../../../src/enrich/page/article/Sanitizer.ts"
import { hostilePages } from "../../../support/hostilePages.ts"

const url = new URL("https://example.org/a/b")

describe(`${hostilePages.length} hostile pages`, () => {
  test("give clean articles with the sentences around the attack, which the sanitizer leaves as they are", () => {
    for (const { html, name } of hostilePages) {
      const { article } = readContent(html, url)
      expect([name, sanitizeArticle(article) === article]).toEqual([name, true])
      expect([name, isCleanArticle(article)]).toEqual([name, true])
      expect([name, article.includes("The trees grew slowly")]).toEqual([name, true])
    }
  })

  test("are clean as pieces of feeds, files and sites too", () => {
    for (const { html, name } of hostilePages)
      expect([name, isCleanArticle(articleOfMarkup(html, url).html)]).toEqual([name, true])
  })

  test("lose their attacks in the sanitizer alone", () => {
    for (const { html, name } of hostilePages) {
      if (html.length > 100_000) continue
      const clean = sanitizeArticle(html)
      const tags = clean.replace(/ alt="[^"]*"/g, "").match(/<[^>]*>/g) ?? []
      expect([name, tags.filter((tag) => /script:|<script|\son|style|data:/i.test(tag))]).toEqual([name, []])
    }
  })
})
