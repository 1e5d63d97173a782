import { walkMarkup } from "../Markup.ts"

/** Elements that begin a paragraph: those of HTML, and those of JATS (https://jats.nlm.nih.gov), which publishers send. */
const blocks: ReadonlySet<string> = new Set(
  "p br li ul ol div h1 h2 h3 h4 h5 h6 tr table blockquote pre sec title label".split(" ")
)

/** The name of an element without its namespace's prefix. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The text of a field that may have markup: tags removed, references decoded, one paragraph a line. */
export const plainText = (markup: string | undefined): string | undefined => {
  if (markup === undefined || !/[<&]/.test(markup)) return markup
  let text = ""
  walkMarkup(markup, {
    open: (name) => {
      if (blocks.has(localName(name))) text += "\n"
    },
    close: (name) => {
      if (blocks.has(localName(name))) text += "\n"
    },
    text: (piece) => {
      text += piece
      return true
    }
  })
  return text.replace(/\n{2,}/g, "\n").trim()
}
