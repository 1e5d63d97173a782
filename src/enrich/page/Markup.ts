import { Tokenizer } from "htmlparser2"

/**
 * Reads markup in one pass, in time and memory linear in its length: without a tree or a stack, so that nesting,
 * repetition and missing end tags cost nothing extra. It uses the document parser's tokenizer, so both read a page
 * alike.
 */

/** Maximum attributes kept per element, and maximum length of each value, in UTF-16 units. */
const MAX_ATTRIBUTES = 64
const MAX_VALUE = 8_192

/** Callbacks of a walk, in page order; names are in lower case. */
interface MarkupVisitor {
  /** `isClosed`: the tag ends in a slash. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, isClosed: boolean) => void
  readonly close: (name: string) => void
  /** Receives a piece of text with entities decoded; one text may come in several. Returns whether to continue. */
  readonly text: (piece: string) => boolean
}

const ignore = () => {}

/** Walks over markup until `visitor.text` returns false. */
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

/** Limits on a page given to tree-building parsers and to expressions that take quadratic time. */
export interface MarkupLimits {
  readonly elements: number
  /** Characters that may begin a tag or a reference (`<`, `&`): each makes a separate node. */
  readonly signs: number
  /** Attributes per element. */
  readonly attributes: number
  /** Length of an attribute value, in UTF-16 units. */
  readonly value: number
}

/** Elements that show pictures and videos: text readers use their `data-` attributes too. */
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

/** Elements whose text is code and is dropped, except JSON-LD. */
const code: ReadonlySet<string> = new Set(["script", "style"])
/** The script type that describes what the page is about. */
export const JSON_LD = "application/ld+json"

const countSigns = (html: string, limit: number): number => {
  let count = 0
  for (const sign of "<&")
    for (let at = html.indexOf(sign); at !== -1 && count <= limit; at = html.indexOf(sign, at + 1)) count++
  return count
}

/**
 * Copies a page without comments, code and the attributes that no text reader uses, and cuts attribute values to their
 * limit. Undefined if the page has more elements or signs than the limits allow.
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
    // The next parser decodes entities.
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
