import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { articleOfMarkup } from "../../../../src/enrich/page/article/Articles.ts"
import { sanitizeArticle } from "../../../../src/enrich/page/article/Sanitizer.ts"
import { hostilePages } from "../../../support/hostilePages.ts"

const url = new URL("https://example.org/a/b")

describe(`${hostilePages.length} hostile pages`, () => {
  test("give clean articles as pieces of HTML, which the sanitizer leaves as they are", () => {
    for (const { html: whole, name } of hostilePages) {
      const { html } = articleOfMarkup(whole, url)
      expect([name, isCleanArticle(html)]).toEqual([name, true])
      if (whole.length < 100_000) expect([name, sanitizeArticle(html)]).toEqual([name, html])
    }
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
