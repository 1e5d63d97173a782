import { walkMarkup } from "../Markup.ts"

/** Elements whose text is not shown, and elements within a line, of HTML and of JATS (https://jats.nlm.nih.gov). */
const hidden: ReadonlySet<string> = new Set("script style template head".split(" "))
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo bold cite code del dfn em font i ins italic kbd mark q s samp small span strong sub sup time u var wbr".split(
    " "
  )
)

/** The name of an element without its prefix, which publishers put before the elements of their abstracts. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The text of a piece of HTML, a block per line; reads at most `limit` UTF-16 units. */
export const markupText = (html: string, limit: number): string => {
  let text = ""
  let muted = ""
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (!inline.has(localName(name))) text += "\n"
      if (muted === "" && hidden.has(name) && !isClosed) muted = name
    },
    close: (name) => {
      if (name === muted) muted = ""
      if (!inline.has(localName(name))) text += "\n"
    },
    text: (piece) => {
      if (muted === "") text += piece
      return text.length < limit
    }
  })
  return text
}
