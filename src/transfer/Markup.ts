import { Tokenizer } from "htmlparser2"

/** Callbacks for the contents of an HTML file, called in its order. Names are lower case. */
export interface MarkupHandler {
  /** A start tag with the requested attributes, and its line, counted from 1. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, line: number) => void
  readonly close: (name: string) => void
  /** A piece of text; `referenced` if the file writes it as a character reference. Excludes scripts and styles. */
  readonly text: (piece: string, referenced: boolean) => void
}

const ignore = () => {}

/** Creates a function that maps a position in the text to its line number; positions must ascend. */
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
 * Calls `handler` with the tags and text of an HTML file, tokenized as in the HTML Standard but without building the
 * tree: time and memory are proportional to the file, however deeply it is nested. Skips attributes outside `wanted`,
 * such as an icon of megabytes, without reading them.
 *
 * With `xml`, reads XML instead: an empty element is closed at once, and the text of a CDATA section is text. Entities
 * that the file declares are not expanded.
 */
export const readMarkup = (
  source: string,
  wanted: Pick<ReadonlySet<string>, "has">,
  handler: MarkupHandler,
  { xml = false }: { readonly xml?: boolean } = {}
): void => {
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
    hidden = !xml && (tag === "script" || tag === "style")
    handler.open(tag, attributes, line)
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: xml },
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
      onselfclosingtag: () => {
        opened()
        if (xml) handler.close(tag)
      },
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
      oncdata: (start, end, offset) => {
        if (xml) handler.text(html.slice(start, end - offset), false)
      },
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
 * Collects the text of an element piece by piece. Trims white space at both ends, unless it was written as a character
 * reference, so that a writer can preserve it.
 */
export class MarkupText {
  readonly #lines: boolean
  #text = ""
  /** The last character, stored separately: reading the end of a text built from pieces costs its whole length. */
  #last = ""
  /** Length of the prefix that is exempt from trimming. */
  #fixed = 0

  /** With `lines`, preserves inner white space; otherwise collapses each run of it to one space, as browsers do. */
  constructor({ lines }: { readonly lines: boolean }) {
    this.#lines = lines
  }

  /** Adds the next piece; `referenced` if the file writes it as a character reference. */
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

  /** Adds a line break: always for `br`, and for a block element only if there is none yet. */
  breakLine(always: boolean): void {
    if (always || this.#last !== "\n") this.add("\n", false)
  }

  /** The text read so far. */
  get value(): string {
    return this.#text.slice(0, this.#fixed) + this.#text.slice(this.#fixed).trimEnd()
  }
}
