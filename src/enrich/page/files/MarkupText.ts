import { walkMarkup } from "../Markup.ts"

/** Elements whose text is not shown, and elements within a line. */
const hidden: ReadonlySet<string> = new Set("script style template head".split(" "))
const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time u var wbr".split(
    " "
  )
)

/** The text of a piece of HTML, a block per line; reads at most `limit` UTF-16 units. */
export const markupText = (html: string, limit: number): string => {
  let text = ""
  let muted = ""
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (!inline.has(name)) text += "\n"
      if (muted === "" && hidden.has(name) && !isClosed) muted = name
    },
    close: (name) => {
      if (name === muted) muted = ""
      if (!inline.has(name)) text += "\n"
    },
    text: (piece) => {
      if (muted === "") text += piece
      return text.length < limit
    }
  })
  return text
}
