import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { articleOfMarkup } from "../../../../src/enrich/page/article/Articles.ts"
import { hostilePages } from "../../../support/hostilePages.ts"

const url = new URL("https://example.org/a/b")

describe(`${hostilePages.length} hostile pages`, () => {
  test("give clean articles as pieces of HTML", () => {
    for (const { html: whole, name } of hostilePages) {
      const { html } = articleOfMarkup(whole, url)
      expect([name, isCleanArticle(html)]).toEqual([name, true])
      const tags = html.replace(/ alt="[^"]*"/g, "").match(/<[^>]*>/g) ?? []
      expect([name, tags.filter((tag) => /="\s*\w*script:|<script|\son|style|data:/i.test(tag))]).toEqual([
        name,
        []
      ])
    }
  })

  test("are rejected by the service as they are", () => {
    for (const { html, name } of hostilePages) expect([name, isCleanArticle(html)]).toEqual([name, false])
  })
})
