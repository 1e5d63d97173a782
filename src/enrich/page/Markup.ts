import { Tokenizer } from "htmlparser2"
import { escapeText } from "../../shared/Text.ts"

/**
 * Reads markup in one pass, in time and memory linear in its length: without a tree or a stack, so that nesting,
 * repetition and missing end tags cost nothing extra. It uses the document parser's tokenizer, so both read a page
 * alike.
 */

/** Maximum attributes kept per element, and maximum length of each value, in UTF-16 units. */
const MAX_ATTRIBUTES = 64
const MAX_VALUE = 8_192
/** Maximum length of a piece of text, in UTF-16 units: visitors copy and escape pieces. */
const MAX_PIECE = 65_536

/** A set of names written with white space between them. */
export const setOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/** Elements without content (https://html.spec.whatwg.org/#void-elements). */
export const voidElements = setOf("area base br col embed hr img input link meta param source track wbr")

/** Callbacks of a walk, in page order; names are in lower case. */
interface MarkupVisitor {
  /** `isClosed`: the tag ends in a slash. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, isClosed: boolean) => void
  readonly close: (name: string) => void
  /** Receives a piece of text with entities decoded; one text may come in several. Returns whether to continue. */
  readonly text: (piece: string) => boolean
}

const ignore = () => {}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** Walks over markup until `visitor.text` returns false. In XML, no element is special and sections of CDATA are text. */
export const walkMarkup = (html: string, visitor: MarkupVisitor, xmlMode = false): void => {
  let name = ""
  let attribute = ""
  let value = ""
  let attributes = new Map<string, string>()
  const addToValue = (piece: string) => {
    if (value.length < MAX_VALUE) value += piece
  }
  const endOfTag = (isClosed: boolean) => {
    visitor.open(name, attributes, isClosed)
    if (attributes.size > 0) attributes = new Map()
  }
  const text = (piece: string) => {
    const goesOn = visitor.text(piece)
    if (!goesOn) tokenizer.pause()
    return goesOn
  }
  const textBetween = (start: number, end: number) => {
    for (let at = start; at < end; ) {
      let next = Math.min(end, at + MAX_PIECE)
      if (next < end && isHighSurrogate(html.charCodeAt(next - 1))) next--
      if (!text(html.slice(at, next))) return
      at = next
    }
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, Math.min(end, start + MAX_VALUE)).toLowerCase()
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, Math.min(end, start + MAX_VALUE)).toLowerCase()
        value = ""
      },
      onattribdata: (start, end) => addToValue(html.slice(start, Math.min(end, start + MAX_VALUE))),
      onattribentity: (codepoint) => addToValue(String.fromCodePoint(codepoint)),
      onattribend: () => {
        if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: () => endOfTag(false),
      onselfclosingtag: () => endOfTag(true),
      onclosetag: (start, end) =>
        visitor.close(html.slice(start, Math.min(end, start + MAX_VALUE)).toLowerCase()),
      ontext: textBetween,
      ontextentity: (codepoint) => {
        text(String.fromCodePoint(codepoint))
      },
      oncdata: (start, end, offset) => {
        if (xmlMode) textBetween(start, end - offset)
      },
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore
    }
  )
  tokenizer.write(html)
  tokenizer.end()
}

/**
 * Writes XHTML as HTML: an empty element such as `<script/>`, which would swallow the rest of the page, gets an end
 * tag, and sections of CDATA become text.
 */
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
      onopentagname: (start, end) => {
        name = xhtml.slice(start, end)
      },
      onopentagend: ignore,
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
      },
      onattribname: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      ontext: ignore,
      ontextentity: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore
    }
  )
  tokenizer.write(xhtml)
  tokenizer.end()
  pieces.push(xhtml.slice(copied))
  return pieces.join("")
}

/** Decodes the entities of a text that holds no markup. */
export const decodeEntities = (text: string): string => {
  if (!text.includes("&")) return text
  let decoded = ""
  walkMarkup(text.replaceAll("<", "&lt;"), {
    open: ignore,
    close: ignore,
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

/** The name of an element without its prefix, which publishers put before the elements of their abstracts. */
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

/** The script type that describes what the page is about. */
export const JSON_LD = "application/ld+json"
