import { cleanLine } from "../../shared/Text.ts"
import { type Article, ArticleWriter } from "./ArticleWriter.ts"
import { cleanMarkup } from "./CleanMarkup.ts"
import { extractArticle, isTooDeep } from "./Extraction.ts"
import { walkMarkup } from "./Markup.ts"
import { MAX_DESCRIPTION } from "./Metadata.ts"

export { isTooDeep } from "./Extraction.ts"

/** Limits of a page whose article is extracted: its elements and its length in UTF-16 units without code. */
export const LIMITS = { elements: 20_000, length: 1_000_000 }
/** Maximum elements of a page that is cleaned before its text is read. */
const MAX_ELEMENTS = 60_000

/** Elements whose text is skipped where a page is too large to be cleaned. */
const skipped: ReadonlySet<string> = new Set(
  "script style noscript template svg nav footer aside iframe object head select button textarea".split(" ")
)

/** All text of markup, except menus, scripts, styles and controls; takes linear time. */
const visibleArticle = (html: string, base: URL): Article => {
  const writer = new ArticleWriter(base)
  /** The outermost skipped element, and how many elements of that name are open. */
  let muted = ""
  let depth = 0
  walkMarkup(html, {
    open: (name, attributes, isClosed) => {
      // The body tag ends an unclosed head.
      if (muted === "head" && name === "body") muted = ""
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
  return writer.finish()
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

/** Returns a page's readable text. */
export const readContent = (html: string, url: URL): Content => {
  const page = cleanMarkup(html, { menus: false, elements: MAX_ELEMENTS })
  const isExtractable = page !== undefined && page.elements <= LIMITS.elements && page.markup.length <= LIMITS.length && !isTooDeep(page.markup)
  const found = isExtractable ? extractArticle(page.markup, url) : null
  const { html: article, text } = found !== null && found.text !== "" ? found : visibleArticle(cleanMarkup(html, { menus: true, elements: MAX_ELEMENTS })?.markup ?? html, url)
  return { text, article, author: found?.byline || null, description: cleanLine(found?.excerpt ?? "", MAX_DESCRIPTION), language: null }
}
