import { densestArticle } from "./Articles.ts"
import type { Article } from "./ArticleWriter.ts"
import { type CleanPage, cleanMarkup } from "./CleanMarkup.ts"
import { readingLength } from "./Density.ts"
import { deriveFields } from "./Derived.ts"
import { type Extraction, extractArticle, isTooDeep } from "./Extraction.ts"

/** Maximum elements and texts of a page whose article is extracted, and its maximum length in UTF-16 units, when clean. */
const MAX_NODES = 30_000
const MAX_MARKUP = 1024 * 1024
const MAX_PIECES = 120_000

export interface Content {
  /** One paragraph per line, at most `MAX_PAGE_TEXT` UTF-16 units. */
  readonly text: string
  /** The HTML of an `Article`. */
  readonly article: string
  readonly author: string | null
  readonly description: string
  /** A BCP 47 tag. */
  readonly language: string | null
}

/** A shorter article may be a notice, a teaser or a comment. */
const SHORT = 800

const extracted = (page: CleanPage | undefined, url: URL): Extraction | null =>
  page === undefined || page.nodes > MAX_NODES || page.markup.length > MAX_MARKUP || isTooDeep(page.markup)
    ? null
    : extractArticle(page.markup, url)

export const readContent = (html: string, url: URL): Content => {
  const clean = cleanMarkup(html, { menus: false, pieces: MAX_PIECES })
  const found = extracted(clean, url)
  const length = readingLength(found?.text ?? "")
  let article: Article = found ?? { html: "", text: "" }
  if (length < SHORT) {
    // A page with too many tags to be cleaned once has too many for the second time.
    const withoutMenus = clean && cleanMarkup(html, { menus: true, pieces: MAX_PIECES })
    const visible = densestArticle(withoutMenus?.markup ?? html, url)
    if (length === 0 || visible.weight > 2 * length) article = visible
  }
  return {
    text: article.text,
    article: article.html,
    ...deriveFields(article.text, found?.byline ?? "", found?.excerpt ?? "")
  }
}
