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
