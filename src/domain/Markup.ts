import { Tokenizer } from "htmlparser2"

/** Maximum attributes kept per element, and maximum length of each name and value, in UTF-16 units. */
const MAX_ATTRIBUTES = 64
const MAX_VALUE = 8_192
/** Maximum length of a piece of text, in UTF-16 units: visitors copy and escape pieces. */
const MAX_PIECE = 65_536

export const setOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/** Elements without content (https://html.spec.whatwg.org/#void-elements). */
export const voidElements = setOf("area base br col embed hr img input link meta param source track wbr")

/** Callbacks of a walk, in the order of the markup; names are in lower case. `open` and `text` end the walk with `false`. */
export interface MarkupVisitor {
  /** `isClosed`: the tag ends in a slash. `place`: where its name begins, in UTF-16 units. */
  readonly open: (
    name: string,
    attributes: ReadonlyMap<string, string>,
    isClosed: boolean,
    place: number
  ) => unknown
  readonly close: (name: string) => void
  /** Receives a piece of text; one text may come in several. `isReference`: it is written as a character reference. */
  readonly text: (piece: string, isReference: boolean) => unknown
}

interface MarkupOptions {
  /** In XML, no element is special and sections of CDATA are text. False by default. */
  readonly xml?: boolean
  /** Whether character references are decoded; true by default. */
  readonly decodes?: boolean
  readonly attributes?: number
  /** The maximum length of an attribute's value, in UTF-16 units; undefined drops the attribute without reading it. */
  readonly most?: (attribute: string, element: string) => number | undefined
}

const noAttributes: ReadonlyMap<string, string> = new Map()

const ignore = () => {}

/** Callbacks for a tokenizer of which only some tokens matter. */
export const ignoreTokens: ConstructorParameters<typeof Tokenizer>[1] = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** One linear pass without tree or stack, by the document parser's tokenizer; declared entities are not expanded. */
export const walkMarkup = (
  html: string,
  visitor: MarkupVisitor,
  {
    attributes: limit = MAX_ATTRIBUTES,
    decodes = true,
    most = () => MAX_VALUE,
    xml = false
  }: MarkupOptions = {}
): void => {
  let name = ""
  let place = 0
  let attribute = ""
  let value = ""
  let room: number | undefined
  let attributes = new Map<string, string>()
  const nameAt = (start: number, end: number) =>
    html.slice(start, Math.min(end, start + MAX_VALUE)).toLowerCase()
  const endOfTag = (isClosed: boolean) => {
    const given = attributes.size > 0 ? attributes : noAttributes
    if (attributes.size > 0) attributes = new Map()
    if (visitor.open(name, given, isClosed, place) === false) tokenizer.pause()
  }
  const text = (piece: string, isReference: boolean) => {
    const goesOn = visitor.text(piece, isReference) !== false
    if (!goesOn) tokenizer.pause()
    return goesOn
  }
  const textBetween = (start: number, end: number) => {
    for (let at = start; at < end; ) {
      let next = Math.min(end, at + MAX_PIECE)
      if (next < end && isHighSurrogate(html.charCodeAt(next - 1))) next--
      if (!text(html.slice(at, next), false)) return
      at = next
    }
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: decodes, xmlMode: xml },
    {
      ...ignoreTokens,
      onopentagname: (start, end) => {
        name = nameAt(start, end)
        place = start
      },
      onattribname: (start, end) => {
        attribute = nameAt(start, end)
        value = ""
        room = attributes.size < limit && !attributes.has(attribute) ? most(attribute, name) : undefined
      },
      onattribdata: (start, end) => {
        if (room !== undefined && value.length < room) value += html.slice(start, Math.min(end, start + room))
      },
      onattribentity: (codepoint) => {
        if (room !== undefined && value.length < room) value += String.fromCodePoint(codepoint)
      },
      onattribend: () => {
        if (room !== undefined) attributes.set(attribute, value)
      },
      onopentagend: () => endOfTag(false),
      onselfclosingtag: () => endOfTag(true),
      onclosetag: (start, end) => visitor.close(nameAt(start, end)),
      ontext: textBetween,
      ontextentity: (codepoint) => {
        text(String.fromCodePoint(codepoint), true)
      },
      oncdata: (start, end, offset) => {
        if (xml) textBetween(start, end - offset)
      }
    }
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** Creates a function that maps a position in the text to its line number; positions must ascend. */
export const lineCounter = (text: string) => {
  let line = 1
  let next = text.indexOf("\n")
  return (place: number): number => {
    while (next !== -1 && next < place) {
      line += 1
      next = text.indexOf("\n", next + 1)
    }
    return line
  }
}
