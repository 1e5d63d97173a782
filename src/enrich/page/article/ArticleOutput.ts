import { MAX_TARGETS } from "../../../domain/Article.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { cleanLine, cutText, escapeText } from "../../../shared/Text.ts"

/** Room for the end tags of open elements where the HTML is cut, in UTF-16 units. */
const ROOM = 1_024
const MAX_MARKUP = MAX_ARTICLE_HTML - ROOM
const ID_ROOM = ' id="r9999"'.length

/** A start tag of a link inside the article, or of the element that such a link leads to. */
interface NamedTag {
  readonly piece: number
  readonly names: ReadonlyArray<string>
  /** The name that it leads to; empty if it leads elsewhere. */
  readonly leadsTo: string
}

const unnamed = { names: [], leadsTo: "" }

/** HTML of at most `MAX_ARTICLE_HTML` UTF-16 units, which is cut at the end of a block. */
export class BoundedHtml {
  readonly #endTags: (depth?: number) => string
  readonly #pieces: Array<string> = []
  #length = 0
  #end = { pieces: 0, length: 0, depth: 0 }
  #isFull = false
  readonly #named: Array<NamedTag> = []

  constructor(endTags: (depth?: number) => string) {
    this.#endTags = endTags
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** `names`: by which links inside the article lead to the element. `leadsTo`: the name that it leads to, or empty. */
  add(tag: string, { leadsTo, names }: Pick<NamedTag, "leadsTo" | "names"> = unnamed): void {
    if (this.#isFull) return
    const isNamed = names.length > 0 || leadsTo !== ""
    const length = tag.length + (isNamed ? ID_ROOM : 0)
    if (this.#length + length > MAX_MARKUP) {
      this.#cut("")
      return
    }
    if (isNamed) this.#named.push({ piece: this.#pieces.length, names, leadsTo })
    this.#push(tag, length)
  }

  end(tag: string): void {
    if (!this.#isFull) this.#push(tag)
  }

  addText(text: string): void {
    if (this.#isFull) return
    const escaped = escapeText(text)
    if (this.#length + escaped.length > MAX_MARKUP) this.#cut(text)
    else this.#push(escaped)
  }

  endBlock(depth: number): void {
    if (!this.#isFull) this.#end = { pieces: this.#pieces.length, length: this.#length, depth }
  }

  get position(): number {
    return this.#pieces.length
  }

  /** Targets of links within the part are numbered, so that the page does not choose names. */
  between(from = 0, to = this.#pieces.length): string {
    const pieces = this.#pieces.slice(from, to)
    const named = this.#named.filter(({ piece }) => piece >= from && piece < to)
    const wanted = new Set(named.map(({ leadsTo }) => leadsTo).filter((name) => name !== ""))
    const ids = new Map<string, string>()
    let count = 0
    for (const { names, piece } of named) {
      const led = names.filter((name) => wanted.has(name) && !ids.has(name))
      if (led.length === 0 || count >= MAX_TARGETS) continue
      const id = `r${++count}`
      for (const name of led) ids.set(name, id)
      pieces[piece - from] = `${(pieces[piece - from] ?? "").slice(0, -1)} id="${id}">`
    }
    for (const { leadsTo, piece } of named) {
      const id = ids.get(leadsTo)
      if (id !== undefined)
        pieces[piece - from] = (pieces[piece - from] ?? "").replace(/ href="[^"]*"/, ` href="#${id}"`)
    }
    return pieces.join("").toWellFormed()
  }

  #push(piece: string, length = piece.length) {
    this.#pieces.push(piece)
    this.#length += length
  }

  /** Drops the block that does not fit, unless it is most of the HTML: then only its end is dropped. */
  #cut(rest: string) {
    this.#isFull = true
    if (this.#end.length >= MAX_MARKUP / 2) {
      this.#pieces.length = this.#end.pieces
      while ((this.#named.at(-1)?.piece ?? -1) >= this.#end.pieces) this.#named.pop()
      this.#pieces.push(this.#endTags(this.#end.depth))
      return
    }
    const room = MAX_MARKUP - this.#length
    const start = escapeText(cutText(rest, room))
    // A character takes at most five units when it is escaped.
    this.#pieces.push(start.length <= room ? start : escapeText(cutText(rest, Math.floor(room / 5))))
    this.#pieces.push(this.#endTags())
  }
}

/** Holds `MAX_PAGE_TEXT` UTF-16 units at most; lines are clean and not blank. */
export class BoundedLines {
  readonly #lines: Array<string> = []
  #line: Array<string> = []
  #length = 0

  get isFull(): boolean {
    return this.#length > MAX_PAGE_TEXT
  }

  add(text: string): void {
    if (this.isFull) return
    this.#line.push(text)
    this.#length += text.length
  }

  endLine(): void {
    const line = cleanLine(this.#line.join(""), MAX_PAGE_TEXT)
    this.#line = []
    if (line === "") return
    this.#lines.push(line)
    this.#length++
  }

  get position(): number {
    return this.#lines.length
  }

  between(from = 0, to?: number): string {
    return cutText(this.#lines.slice(from, to).join("\n"), MAX_PAGE_TEXT).trimEnd()
  }
}
