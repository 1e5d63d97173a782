import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { walkMarkup } from "../Markup.ts"

/** Elements that begin a line, and elements whose text no reader sees. */
const blocks: ReadonlySet<string> = new Set(
  "p br li h1 h2 h3 h4 h5 h6 tr div blockquote pre hr ul ol".split(" ")
)
const unseen: ReadonlySet<string> = new Set(["script", "style"])

/** The text of a piece of HTML in a site's answer, one block a line, at most about twice `MAX_PAGE_TEXT` units. */
export const textOfMarkup = (html: string | undefined): string | undefined => {
  if (html === undefined) return undefined
  let text = ""
  let muted = ""
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (blocks.has(name)) text += "\n"
      if (muted === "" && !isClosed && unseen.has(name)) muted = name
    },
    close: (name) => {
      if (name === muted) muted = ""
      if (blocks.has(name)) text += "\n"
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
