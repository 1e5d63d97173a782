import { type Article, ArticleWriter, type DensestArticle } from "./ArticleWriter.ts"
import { type CleanPage, cleanMarkup } from "./CleanMarkup.ts"
import { readingLength } from "./Density.ts"
import { deriveFields } from "./Derived.ts"
import { type Extraction, extractArticle, isTooDeep } from "./Extraction.ts"
import { walkMarkup } from "./Markup.ts"

/** Maximum elements and texts of a page whose article is extracted, and its maximum length in UTF-16 units, when clean. */
const MAX_NODES = 30_000
const MAX_MARKUP = 1024 * 1024
/** Maximum tags, attributes and texts of a page that is cleaned. */
const MAX_PIECES = 120_000

/** Elements whose text is no part of a page's visible text; cleaning removes most of them from smaller pages. */
const skipped: ReadonlySet<string> = new Set(
  "title script style noscript template svg nav footer aside iframe object select button textarea".split(" ")
)

/** The densest text of a page, without menus, scripts, styles and controls; takes linear time. */
const visibleArticle = (html: string, url: URL): DensestArticle => {
  const writer = new ArticleWriter(url)
  /** The outermost skipped element, and how many elements of that name are open. */
  let muted = ""
  let depth = 0
  walkMarkup(html, {
    open: (name, attributes, isClosed) => {
      if (muted === name) depth++
      else if (muted === "" && skipped.has(name) && !(isClosed && name === "svg")) {
        muted = name
        depth = 1
      } else if (muted === "") writer.open(name, (attribute) => attributes.get(attribute))
    },
    close: (name) => {
      if (muted === name) {
        if (--depth === 0) muted = ""
      } else if (muted === "") writer.close(name)
    },
    text: (piece) => {
      if (muted === "") writer.text(piece)
      return !writer.isFull
    }
  })
  return writer.finishDensest()
}

/** What a document's text gives: the text, its structure, and fields for which the document states nothing else. */
export interface Content {
  /** One paragraph per line, at most `MAX_PAGE_TEXT` UTF-16 units. */
  readonly text: string
  /** The text with its structure, as HTML of at most `MAX_ARTICLE_HTML` UTF-16 units; not sanitized. */
  readonly article: string
  /** The author named above or below the text. */
  readonly author: string | null
  /** The opening of the text. */
  readonly description: string
  /** The language that the text is written in, as a BCP 47 tag. */
  readonly language: string | null
}

/** A shorter article may be a notice, a teaser or a comment; longer text elsewhere on the page is preferred to it. */
const SHORT = 800

/** The article that Readability finds; null if it finds none or the page exceeds the limits. */
const extracted = (page: CleanPage | undefined, url: URL): Extraction | null =>
  page === undefined || page.nodes > MAX_NODES || page.markup.length > MAX_MARKUP || isTooDeep(page.markup)
    ? null
    : extractArticle(page.markup, url)

/** Returns the readable text of the page at `url`. */
export const readContent = (html: string, url: URL): Content => {
  const clean = cleanMarkup(html, { menus: false, pieces: MAX_PIECES })
  const found = extracted(clean, url)
  const length = readingLength(found?.text ?? "")
  let article: Article = found ?? { html: "", text: "" }
  if (length < SHORT) {
    // A page with too many tags to be cleaned once has too many for the second time.
    const withoutMenus = clean && cleanMarkup(html, { menus: true, pieces: MAX_PIECES })
    const visible = visibleArticle(withoutMenus?.markup ?? html, url)
    if (length === 0 || visible.weight > 2 * length) article = visible
  }
  return {
    text: article.text,
    article: article.html,
    ...deriveFields(article.text, found?.byline ?? "", found?.excerpt ?? "")
  }
}
