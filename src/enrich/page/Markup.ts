import { Tokenizer } from "htmlparser2"

/**
 * Markup read in one pass, in time and memory linear in its length: no tree, no stack, nothing that a page's nesting,
 * repetition or missing end tags could make expensive. It is the tokenizer of the document parser, so both agree on
 * what a page says.
 */

/** The attributes of an element that are kept, and how much of each value, in UTF-16 units. */
const MAX_ATTRIBUTES = 64
const MAX_VALUE = 8_192

/** What a walk reports, in the order of the page; names are in lower case. */
interface MarkupVisitor {
  /** `isClosed` where the tag ends in a slash. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, isClosed: boolean) => void
  readonly close: (name: string) => void
  /** A piece of text, entities decoded; one text may come in many pieces. Returns whether to go on. */
  readonly text: (piece: string) => boolean
}

const ignore = () => {}

/** Walks over markup, until the visitor has had enough. */
export const walkMarkup = (html: string, visitor: MarkupVisitor): void => {
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
    if (!visitor.text(piece)) tokenizer.pause()
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
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
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codepoint) => text(String.fromCodePoint(codepoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore
    }
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** How much of a page is given to parsers that build a tree and to expressions that take quadratic time over it. */
export interface MarkupLimits {
  readonly elements: number
  /** Signs that may begin a tag or a reference: each makes a node of its own. */
  readonly signs: number
  /** Attributes of one element. */
  readonly attributes: number
  /** The length of an attribute's value, in UTF-16 units. */
  readonly value: number
}

/** Elements whose every attribute somebody reads: they show pictures and films. */
const media: ReadonlySet<string> = new Set([
  "embed",
  "figure",
  "iframe",
  "img",
  "object",
  "picture",
  "source",
  "video"
])

/** Elements whose text is code; JSON-LD alone is read. */
const code: ReadonlySet<string> = new Set(["script", "style"])
/** The type of a script that says what the page is about. */
export const JSON_LD = "application/ld+json"

const countSigns = (html: string, limit: number): number => {
  let count = 0
  for (const sign of "<&")
    for (let at = html.indexOf(sign); at !== -1 && count <= limit; at = html.indexOf(sign, at + 1)) count++
  return count
}

/**
 * Copies a page without comments, code and the attributes that no reader of its text looks at, every attribute value cut
 * to its limit; undefined where the page holds more elements or signs than the limits allow.
 */
export const trimMarkup = (html: string, limits: MarkupLimits): string | undefined => {
  if (countSigns(html, limits.signs) > limits.signs) return undefined
  const pieces: Array<string> = []
  let elements = 0
  let name = ""
  let kept = 0
  let attribute = ""
  let value = ""
  let isJsonLd = false

  const isRead = () =>
    kept < limits.attributes &&
    !attribute.startsWith("on") &&
    (media.has(name) || !attribute.startsWith("data-"))

  const endOfTag = (end: string) => {
    pieces.push(end)
    if (elements > limits.elements) tokenizer.pause()
  }
  const tokenizer = new Tokenizer(
    // Entities stay as they are written, for the next parser.
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, Math.min(end, start + limits.value)).toLowerCase()
        elements++
        kept = 0
        isJsonLd = false
        pieces.push("<", name)
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, Math.min(end, start + limits.value)).toLowerCase()
        value = ""
      },
      onattribdata: (start, end) => {
        value = html.slice(start, Math.min(end, start + limits.value))
      },
      onattribentity: ignore,
      onattribend: () => {
        if (!isRead()) return
        kept++
        if (attribute === "type") isJsonLd = value === JSON_LD
        pieces.push(" ", attribute, '="', value.replaceAll('"', "&quot;"), '"')
      },
      onopentagend: () => endOfTag(">"),
      onselfclosingtag: () => {
        endOfTag("/>")
        name = ""
      },
      onclosetag: (start, end) => {
        pieces.push("</", html.slice(start, Math.min(end, start + limits.value)), ">")
        name = ""
      },
      ontext: (start, end) => {
        if (!code.has(name) || (name === "script" && isJsonLd)) pieces.push(html.slice(start, end))
      },
      ontextentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: (start, end) => {
        if (end - start <= limits.value) pieces.push("<", html.slice(start - 1, end), ">")
      },
      onend: ignore,
      onprocessinginstruction: ignore
    }
  )
  tokenizer.write(html)
  tokenizer.end()
  return elements > limits.elements ? undefined : pieces.join("")
}
