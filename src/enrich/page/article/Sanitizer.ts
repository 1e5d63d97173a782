import sanitizeHtml from "sanitize-html"
import {
  articleAttributes,
  articleElements,
  commonAttributes,
  isArticleAttribute,
  MAX_ARTICLE_DEPTH
} from "../../../domain/Article.ts"

const attributes = Object.fromEntries(
  [...articleElements].map((name): [string, Array<string>] => [
    name,
    [...commonAttributes, ...(articleAttributes.get(name) ?? [])]
  ])
)

const options: sanitizeHtml.IOptions = {
  allowedTags: [...articleElements],
  allowedAttributes: attributes,
  allowedSchemes: ["http", "https"],
  allowProtocolRelative: false,
  selfClosing: ["br", "hr", "img"],
  nestingLimit: MAX_ARTICLE_DEPTH,
  // Articles have no styles, which are the only thing that it would parse with PostCSS.
  parseStyleAttributes: false,
  transformTags: {
    "*": (tagName, given) => ({
      tagName,
      attribs: Object.fromEntries(
        Object.entries(given).filter(([name, value]) => isArticleAttribute(tagName, name, value))
      )
    })
  }
}

/**
 * Sanitizes the HTML of an article against its elements and attributes, with a parser and rules that are independent of
 * `ArticleWriter`. What the writer has written passes unchanged.
 */
export const sanitizeArticle = (html: string): string =>
  // It ends the tags of elements without content as XML does.
  html === "" ? "" : sanitizeHtml(html, options).replaceAll(" />", ">")
