import { setOf, walkMarkup } from "../Markup.ts"
import { type Article, ArticleWriter, type DensestArticle } from "./ArticleWriter.ts"

/** Makes articles of what is not a whole page; each takes linear time. */

/** Elements whose text is not shown. */
const unseen = "title script style noscript template svg iframe object select button textarea"
const unseenElements = setOf(unseen)
/** The same, and elements that stand around a page's article. */
const besideArticle = setOf(`${unseen} nav footer aside`)

/** Writes markup without the elements in `skipped`, until the writer is full. */
const writeMarkup = (writer: ArticleWriter, html: string, skipped: ReadonlySet<string>): void => {
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
}

/** The densest text of a page, without menus, scripts, styles and controls. */
export const densestArticle = (html: string, url: URL): DensestArticle => {
  const writer = new ArticleWriter(url)
  writeMarkup(writer, html, besideArticle)
  return writer.finishDensest()
}

/** The article of a piece of HTML whose addresses are relative to `url`. */
export const articleOfMarkup = (html: string, url: URL): Article => {
  const writer = new ArticleWriter(url)
  writeMarkup(writer, html, unseenElements)
  return writer.finish()
}

const noAttributes = () => null

/** Adds an element that holds nothing but a text. */
export const addElement = (writer: ArticleWriter, name: string, text: string): void => {
  writer.open(name, noAttributes)
  writer.text(text)
  writer.close(name)
}

/** The article of texts that are a paragraph each. */
export const articleOfParagraphs = (paragraphs: Iterable<string>): Article => {
  const writer = new ArticleWriter()
  for (const paragraph of paragraphs) {
    if (writer.isFull) break
    addElement(writer, "p", paragraph)
  }
  return writer.finish()
}

/** The article of a text that is shown as it is written, with its lines and indentation. */
export const preformatted = (text: string): Article => {
  const writer = new ArticleWriter()
  addElement(writer, "pre", text)
  return writer.finish()
}
