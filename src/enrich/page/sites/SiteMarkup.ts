import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { cutText } from "../../../shared/Text.ts"
import { walkMarkup } from "../Markup.ts"

/**
 * Elements that begin a line: those of HTML, and those of the abstracts that publishers send
 * (https://jats.nlm.nih.gov), whose names may have a prefix. And elements whose text no reader sees.
 */
const blocks: ReadonlySet<string> = new Set(
  "p br li h1 h2 h3 h4 h5 h6 tr div blockquote pre hr ul ol sec title label".split(" ")
)
const unseen: ReadonlySet<string> = new Set(["script", "style"])

/** The name of an element without its prefix. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The text of a piece of HTML in a site's answer, one block a line, at most about twice `MAX_PAGE_TEXT` units. */
export const textOfMarkup = (html: string | undefined): string | undefined => {
  if (html === undefined) return undefined
  let text = ""
  let muted = ""
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (blocks.has(localName(name))) text += "\n"
      else if (name === "td" || name === "th") text += " "
      if (muted === "" && !isClosed && unseen.has(name)) muted = name
    },
    close: (name) => {
      if (name === muted) muted = ""
      if (blocks.has(localName(name))) text += "\n"
    },
    text: (piece) => {
      if (muted === "") text += piece
      return text.length < MAX_PAGE_TEXT * 2
    }
  })
  return text.trim() || undefined
}

/** A plain text in which a site has encoded characters as HTML references; a `<` stands for itself. */
export const decodeReferences = (text: string | undefined): string | undefined => {
  if (text === undefined || !text.includes("&")) return text
  let decoded = ""
  walkMarkup(text.replaceAll("<", "&lt;"), {
    open: () => {},
    close: () => {},
    text: (piece) => {
      decoded += piece
      return true
    }
  })
  return decoded
}

/** A text in Markdown (CommonMark with tables), as plain text and as HTML. */
export const renderMarkdown = (
  markdown: string
): { readonly text: string | undefined; readonly article: string } => {
  // Rendering lengthens a text, of deep quotations by up to 30 times.
  const article = Bun.markdown.html(cutText(markdown, MAX_PAGE_TEXT))
  return { text: textOfMarkup(article), article }
}
