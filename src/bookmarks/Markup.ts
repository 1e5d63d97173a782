import { Tokenizer } from "htmlparser2"

/** What is told of an HTML file, in its order. Names are lower case. */
export interface MarkupHandler {
  /** A start tag with those attributes that were asked for, and its line, counted from 1. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, line: number) => void
  readonly close: (name: string) => void
  /** A piece of text; `referenced` where the file writes it as a character reference. Scripts and styles are no text. */
  readonly text: (piece: string, referenced: boolean) => void
}

const ignore = () => {}

/** How many lines begin up to a place in the text; the places must come in their order. */
const lineCounter = (text: string) => {
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

/**
 * Tells `handler` of the tags and the text of an HTML file, by the tokens of the HTML Standard but without building its
 * tree: time and memory are in proportion to the file, however it is nested. Attributes outside `wanted` are passed
 * over unread, as an icon of megabytes should be.
 */
export const readMarkup = (source: string, wanted: ReadonlySet<string>, handler: MarkupHandler): void => {
  // HTML Standard, "preprocessing the input stream".
  const html = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source
  const lineAt = lineCounter(html)
  let tag = ""
  let line = 1
  let attributes = new Map<string, string>()
  let attribute = ""
  let value = ""
  let hidden = false
  const nameOf = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const opened = () => {
    hidden = tag === "script" || tag === "style"
    handler.open(tag, attributes, line)
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = nameOf(start, end)
        line = lineAt(start)
        attributes = new Map()
      },
      onattribname: (start, end) => {
        attribute = nameOf(start, end)
        value = ""
      },
      onattribdata: (start, end) => {
        if (wanted.has(attribute)) value += html.slice(start, end)
      },
      onattribentity: (codePoint) => {
        if (wanted.has(attribute)) value += String.fromCodePoint(codePoint)
      },
      onattribend: () => {
        if (wanted.has(attribute) && !attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => {
        hidden = false
        handler.close(nameOf(start, end))
      },
      ontext: (start, end) => {
        if (!hidden) handler.text(html.slice(start, end), false)
      },
      ontextentity: (codePoint) => {
        if (!hidden) handler.text(String.fromCodePoint(codePoint), true)
      },
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore
    }
  )
  tokenizer.write(html)
  tokenizer.end()
}
