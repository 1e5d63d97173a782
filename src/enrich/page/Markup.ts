import { Tokenizer } from "htmlparser2"

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

/** The script type that describes what the page is about. */
export const JSON_LD = "application/ld+json"
