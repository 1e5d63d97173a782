import { lineCounter, walkMarkup } from "../domain/Markup.ts"

/** Called in the file's order. Names are in lower case. */
export interface MarkupHandler {
  /** Has the requested attributes; `line` is counted from 1. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, line: number) => void
  readonly close: (name: string) => void
  /** A piece of text; `referenced` if the file writes it as a character reference. Excludes scripts and styles. */
  readonly text: (piece: string, referenced: boolean) => void
}

/** Skips attributes outside `wanted`, such as an icon of megabytes, without reading them. */
export const readMarkup = (
  source: string,
  wanted: Pick<ReadonlySet<string>, "has">,
  handler: MarkupHandler
): void => {
  // HTML Standard, "preprocessing the input stream".
  const html = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source
  const lineAt = lineCounter(html)
  let hidden = false
  walkMarkup(
    html,
    {
      open: (name, attributes, _isClosed, place) => {
        hidden = name === "script" || name === "style"
        handler.open(name, attributes, lineAt(place))
      },
      close: (name) => {
        hidden = false
        handler.close(name)
      },
      text: (piece, isReference) => {
        if (!hidden) handler.text(piece, isReference)
      }
    },
    { attributes: Infinity, most: (attribute) => (wanted.has(attribute) ? Infinity : undefined) }
  )
}

/** Trims white space at both ends, unless it is written as a character reference, so that a writer can preserve it. */
export class MarkupText {
  readonly #lines: boolean
  #text = ""
  /** The last character, stored separately: reading the end of a text built from pieces costs its whole length. */
  #last = ""
  #fixed = 0

  /** With `lines`, preserves inner white space; otherwise collapses each run of it to one space, as browsers do. */
  constructor({ lines }: { readonly lines: boolean }) {
    this.#lines = lines
  }

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

  get value(): string {
    return this.#text.slice(0, this.#fixed) + this.#text.slice(this.#fixed).trimEnd()
  }
}
