import { Tokenizer } from "htmlparser2"
import { ignoreTokens, setOf, voidElements, walkMarkup } from "../../domain/Markup.ts"
import { escapeText } from "../../shared/Text.ts"

/** An empty element such as `<script/>` would swallow the rest of the page, so it gets an end tag. */
export const htmlOfXhtml = (xhtml: string): string => {
  const pieces: Array<string> = []
  let copied = 0
  let name = ""
  const replace = (from: number, to: number, by: string) => {
    pieces.push(xhtml.slice(copied, from), by)
    copied = to
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false, xmlMode: true },
    {
      ...ignoreTokens,
      onopentagname: (start, end) => {
        name = xhtml.slice(start, end)
      },
      onselfclosingtag: (end) => {
        if (!voidElements.has(name.toLowerCase()))
          replace(xhtml.lastIndexOf("/", end), end + 1, `></${name}>`)
        name = ""
      },
      onclosetag: (start, end) => {
        const closed = xhtml.slice(start, end).toLowerCase()
        const after = xhtml.indexOf(">", end) + 1
        if (after > 0 && voidElements.has(closed)) replace(start - 2, after, "")
        name = ""
      },
      oncdata: (start, end, offset) => {
        const isCode = /^(?:script|style)$/i.test(name)
        const text = xhtml.slice(start, end - offset)
        replace(start - "<![CDATA[".length, end + 1, isCode ? text : escapeText(text))
      }
    }
  )
  tokenizer.write(xhtml)
  tokenizer.end()
  pieces.push(xhtml.slice(copied))
  return pieces.join("")
}

export const decodeEntities = (text: string): string => {
  if (!text.includes("&")) return text
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

/** Elements whose text is not shown, and elements within a line, of HTML and of JATS (https://jats.nlm.nih.gov). */
const hidden = setOf("script style template head")
const inline = setOf(
  `a abbr b bdi bdo bold cite code del dfn em font i ins italic kbd mark q s samp small span strong sub sup time u var wbr`
)

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The text of a field that holds HTML, a block a line; stops after `limit` UTF-16 units. */
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

export const JSON_LD = "application/ld+json"
