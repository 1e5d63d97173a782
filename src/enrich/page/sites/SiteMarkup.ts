import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { markupText } from "../files/MarkupText.ts"
import { walkMarkup } from "../Markup.ts"

/** The text of a piece of HTML in a site's answer, one block a line, at most about twice `MAX_PAGE_TEXT` units. */
export const textOfMarkup = (html: string | undefined): string | undefined =>
  html === undefined ? undefined : markupText(html, MAX_PAGE_TEXT * 2).trim() || undefined

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
