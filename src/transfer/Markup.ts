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

/**
 * The text of an element as it is read, piece by piece. White space at both ends goes, but not where it was written as
 * a character reference: so a writer can keep it.
 */
export class MarkupText {
  readonly #lines: boolean
  #text = ""
  /** The last character, kept apart: to look at the end of a text that grows by pieces costs its whole length. */
  #last = ""
  /** Up to where the text stays as it is, whatever stands there. */
  #fixed = 0

  /** With `lines`, white space within stays as it is written; else every run of it is one space, as a browser shows it. */
  constructor({ lines }: { readonly lines: boolean }) {
    this.#lines = lines
  }

  /** Adds what the file says next; `referenced` where it writes it as a character reference. */
  add(piece: string, referenced: boolean): void {
    const added = referenced ? piece : this.#fitted(piece)
    if (added === "") return
    this.#text += added
    this.#last = added.slice(-1)
    if (referenced) this.#fixed = this.#text.length
  }

  #fitted(piece: string): string {
    const flat = this.#lines ? piece : piece.replace(/[ \t\n\f\r]+/g, " ")
    if (this.#text === "") return flat.trimStart()
    const twice = !this.#lines && this.#last === " " && this.#text.length > this.#fixed
    return twice && flat.startsWith(" ") ? flat.slice(1) : flat
  }

  /** A line break of the markup: one that is asked for (`br`), or one that a block of its own makes where there is none. */
  breakLine(always: boolean): void {
    if (always || this.#last !== "\n") this.add("\n", false)
  }

  /** What was read up to now. */
  get value(): string {
    return this.#text.slice(0, this.#fixed) + this.#text.slice(this.#fixed).trimEnd()
  }
}
