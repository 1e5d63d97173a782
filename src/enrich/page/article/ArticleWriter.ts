import { setOf } from "../Markup.ts"
import { webAddress } from "../WebAddress.ts"
import {
  type Attributes,
  attributesOf,
  escapeAttribute,
  isPixel,
  pictureAddress
} from "./ArticleAttributes.ts"
import { BoundedHtml, BoundedLines } from "./ArticleOutput.ts"
import { densestRun, readingLength, type WeighedBlock, weightOfLine, weightOfLinks } from "./Density.ts"

/** A text with and without its structure. */
export interface Article {
  /**
   * HTML of at most `MAX_ARTICLE_HTML` UTF-16 units: headings, paragraphs, lists, tables, quotations, code, figures,
   * links and emphasis; nothing else.
   */
  readonly html: string
  /** One paragraph, item, table row or line of code per line, at most `MAX_PAGE_TEXT` UTF-16 units. */
  readonly text: string
}

/** The densest run of a document's blocks, and how much it looks like an article. */
export interface DensestArticle extends Article {
  readonly weight: number
}

/** Blocks that hold text only. */
const phrasing = setOf("p h1 h2 h3 h4 h5 h6 dt caption figcaption pre")
const headings = setOf("h1 h2 h3 h4 h5 h6")
/** Blocks that hold text or blocks. */
const flow = setOf("li dd td th")
const lists = setOf("ul ol")
const cells = setOf("td th")
const tableParts = setOf("td th tr table")

/** The blocks that are copied; the second value names the blocks that hold such a block, null if any may. */
const blocks: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ...[..."p h1 h2 h3 h4 h5 h6 ul ol dl pre table blockquote figure".split(" ")].map(
    (name): [string, null] => [name, null]
  ),
  ["li", lists],
  ["dt", setOf("dl")],
  ["dd", setOf("dl")],
  ["caption", setOf("table")],
  ["tr", setOf("table")],
  ["td", setOf("tr table")],
  ["th", setOf("tr table")],
  ["figcaption", setOf("figure")]
])

/** Other elements that begin and end a block. */
const boundaries = setOf(
  `address article aside body center details dialog dir div fieldset footer form header hgroup hr html legend main menu
  nav option section summary tbody tfoot thead`
)

/** The elements within a line that are copied, and the elements that they become. */
const inline: ReadonlyMap<string, string> = new Map(
  "a:a em:em i:em cite:em strong:strong b:strong code:code kbd:code samp:code tt:code sub:sub sup:sup del:del s:del strike:del mark:mark q:q"
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)])
)

/** Blocks nested deeper join the block around them. */
const MAX_DEPTH = 32
const MAX_ALT = 500
/** Maximum length of the empty cells before a cell with content, and of the white space before code. */
const MAX_EMPTY = 512

/** Removes control and format characters, except white space and the joiners that scripts need. */
const withoutInvisible = (text: string) => text.replace(/[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv, "")

interface Block {
  readonly name: string
  readonly attributes: string
  /** Whether the start tag is in the HTML: it is written before the first content, so that no block is empty. */
  isWritten: boolean
  /** Of a row: empty cells that are written before its next cell. Of code: the white space that it begins with. */
  empty: string
}

/**
 * What separates the next content from the content before it: white space, a line break, a blank line, or the bounds of
 * a block.
 */
type Gap = "none" | "space" | "line" | "blank" | "block"

/**
 * Writes a document's text and structure, given its elements and texts in order, in linear time. Whatever the order, the
 * HTML is well-formed and bounded, and has the elements of `Article` only; links and pictures are absolute addresses on
 * the web.
 */
export class ArticleWriter {
  #base: URL | undefined
  #hasBase = false
  readonly #html = new BoundedHtml((depth) => this.#endTags(depth))
  readonly #lines = new BoundedLines()
  readonly #blocks: Array<WeighedBlock> = []
  /** The weight of the current outermost block so far, and the length of its current line. */
  #weight = 0
  #lineLength = 0
  readonly #stack: Array<Block> = []
  /** The elements of a line that are open in the document, and how many of them are open in the HTML. */
  readonly #inline: Array<{ readonly name: string; readonly tag: string }> = []
  #openInline = 0
  #gap: Gap = "none"

  /**
   * `url`: the document's address, from which relative addresses start unless its `base` element says otherwise. They are
   * dropped if there is neither.
   */
  constructor(url?: URL) {
    this.#base = url
  }

  /** Whether neither HTML nor text has room for more. */
  get isFull(): boolean {
    return this.#html.isFull && this.#lines.isFull
  }

  /** Opens an element; ignores elements that are not copied. */
  open(name: string, attribute: Attributes): void {
    const holders = blocks.get(name)
    const copied = inline.get(name)
    if (holders !== undefined) this.#openBlock(name, holders, attribute)
    else if (copied !== undefined) this.#openInlineElement(copied, attribute)
    else if (boundaries.has(name)) this.#divide()
    else if (name === "br") this.#breakLine()
    else if (name === "img") this.#addPicture(attribute)
    else if (name === "base") this.#setBase(attribute("href"))
  }

  /** Closes the innermost element of a name; ignores end tags without a start tag. */
  close(name: string): void {
    const copied = inline.get(name)
    const at = blocks.has(name) ? this.#innermost(name) : -1
    if (copied !== undefined) this.#closeInlineElement(copied)
    else if (at !== -1) this.#closeBlocks(at)
    else if (blocks.has(name) || boundaries.has(name)) this.#divide()
  }

  /** Adds text; white space collapses outside of `pre` as in https://www.w3.org/TR/css-text-3/#white-space-processing. */
  text(raw: string): void {
    const text = withoutInvisible(raw)
    if (this.#top?.name === "pre") this.#addCode(text)
    else this.#addWords(text)
  }

  /** Closes what is open and returns the article. */
  finish(): Article {
    this.#closeBlocks(0)
    this.#lines.endLine()
    return { html: this.#html.between(), text: this.#lines.between() }
  }

  /** Closes what is open and returns the densest run of sentences: an article without what stands around it. */
  finishDensest(): DensestArticle {
    this.#closeBlocks(0)
    const { blocks, weight } = densestRun(this.#blocks)
    const [first, last] = [blocks[0], blocks.at(-1)]
    return {
      weight,
      html: this.#html.between(first?.html, last?.htmlEnd),
      text: this.#lines.between(first?.lines, last?.linesEnd)
    }
  }

  get #top(): Block | undefined {
    return this.#stack.at(-1)
  }

  /** The index of the innermost open block of a name, within the innermost cell unless the block is part of a table. */
  #innermost(name: string): number {
    for (let at = this.#stack.length - 1; at >= 0; at--) {
      const open = this.#stack[at]?.name ?? ""
      if (open === name) return at
      if (cells.has(open) && !tableParts.has(name)) return -1
    }
    return -1
  }

  #endTags(depth = this.#stack.length) {
    const inlineTags =
      depth === this.#stack.length ? this.#inline.slice(0, this.#openInline).map(({ name }) => name) : []
    const blockTags = this.#stack.slice(0, depth).flatMap(({ isWritten, name }) => (isWritten ? [name] : []))
    return [...blockTags, ...inlineTags]
      .reverse()
      .map((name) => `</${name}>`)
      .join("")
  }

  /** The first `base` element with an address counts (https://html.spec.whatwg.org/#the-base-element). */
  #setBase(address: string | null | undefined) {
    if (this.#hasBase || address == null) return
    this.#hasBase = true
    this.#base = URL.parse(webAddress(address, this.#base) ?? "") ?? this.#base
  }

  #addWords(text: string) {
    // Any space at the ends separates, also one that does not break: pages put it into empty blocks.
    if (/^\s/.test(text)) this.#space()
    const words = text.trim().replace(/[\t\n\f\r ]+/g, " ")
    if (words === "") return
    this.#place()
    this.#lines.add(words)
    this.#html.addText(words)
    const length = readingLength(words)
    this.#lineLength += length
    if (this.#inline.some(({ name }) => name === "a")) this.#weight += weightOfLinks(length)
    if (/\s$/.test(text)) this.#space()
  }

  /** White space separates only what stands on one line. */
  #space() {
    if (this.#gap === "none") this.#gap = "space"
  }

  #breakLine() {
    if (this.#top?.name === "pre") return this.#addCode("\n")
    if (this.#gap === "line") this.#gap = "blank"
    else if (this.#gap === "none" || this.#gap === "space") this.#gap = "line"
  }

  /** Ends a block that the document does not mark as a paragraph. */
  #divide() {
    const top = this.#top
    if (top?.name === "p") this.#closeBlocks(this.#stack.length - 1)
    else if (top?.name === "pre") {
      if (!top.empty.endsWith("\n")) this.#addCode("\n")
    } else {
      this.#closeInlineTags()
      this.#beginBlock()
    }
  }

  /** A row is one line of text, whatever the first block of its cells. */
  #beginBlock() {
    const isFirstOfCell = cells.has(this.#top?.name ?? "") && this.#top?.isWritten === false
    if (!(isFirstOfCell && this.#gap === "space")) this.#gap = "block"
  }

  #openBlock(name: string, holders: ReadonlySet<string> | null, attribute: Attributes) {
    if (this.#top?.name === "p") this.#closeBlocks(this.#stack.length - 1)
    if (holders !== null && !this.#closeUpTo(name, holders)) return this.#divide()
    const top = this.#top?.name ?? ""
    if (phrasing.has(top)) {
      if (!headings.has(top) || !headings.has(name)) return this.#divide()
      this.#closeBlocks(this.#stack.length - 1)
    }
    if (this.#stack.length >= MAX_DEPTH) return this.#divide()
    const isNextCell = cells.has(name) && this.#top?.name === "tr" && this.#top.isWritten
    if (holders === null || cells.has(name)) this.#openHolder(cells.has(name))
    if (isNextCell) this.#gap = "space"
    else this.#beginBlock()
    this.#push(name, attributesOf(name, attribute))
  }

  /** Closes blocks up to the innermost one that may hold `name`; returns false if no open block may. */
  #closeUpTo(name: string, holders: ReadonlySet<string>): boolean {
    for (let at = this.#stack.length - 1; at >= 0; at--) {
      const open = this.#stack[at]?.name ?? ""
      if (holders.has(open)) {
        this.#closeBlocks(at + 1)
        return true
      }
      if (cells.has(open) && !tableParts.has(name)) return false
    }
    return false
  }

  /** Opens the item, row and cell that content of a list or table must stand in. */
  #openHolder(isCell: boolean) {
    const top = this.#top?.name ?? ""
    if (top === "table") this.#push("tr", "")
    if (!isCell && (top === "table" || top === "tr")) this.#push("td", "")
    if (lists.has(top)) this.#push("li", "")
    if (top === "dl") this.#push("dd", "")
  }

  #push(name: string, attributes: string) {
    this.#closeInlineTags()
    this.#stack.push({ name, attributes, isWritten: false, empty: "" })
  }

  /** Closes blocks until `depth` are open. */
  #closeBlocks(depth: number) {
    this.#closeInlineTags()
    const outermost = depth === 0 ? this.#stack[0] : undefined
    while (this.#stack.length > depth) {
      const block = this.#stack.pop()
      if (block?.isWritten === true) {
        this.#html.add(`</${block.name}>`)
        this.#html.endBlock(this.#stack.length)
      } else if (block !== undefined && cells.has(block.name)) {
        const row = this.#top
        if (row !== undefined && row.empty.length < MAX_EMPTY)
          row.empty += `<${block.name}${block.attributes}></${block.name}>`
      }
    }
    this.#gap = "block"
    if (outermost?.isWritten === true) this.#endOutermost()
  }

  #endLine() {
    this.#lines.endLine()
    if (this.#lineLength > 0) this.#weight += weightOfLine(this.#lineLength)
    this.#lineLength = 0
  }

  /** Records the bounds and the weight of a block that is in no other. */
  #endOutermost() {
    this.#endLine()
    const last = this.#blocks.at(-1)
    this.#blocks.push({
      html: last?.htmlEnd ?? 0,
      htmlEnd: this.#html.position,
      lines: last?.linesEnd ?? 0,
      linesEnd: this.#lines.position,
      weight: this.#weight
    })
    this.#weight = 0
  }

  #openInlineElement(name: string, attribute: Attributes) {
    // Highlighted code has an element for every word.
    if (this.#top?.name === "pre" && name !== "code") return
    if (this.#inline.some((open) => open.name === name)) return
    if (name !== "a") {
      this.#inline.push({ name, tag: `<${name}>` })
      return
    }
    const address = webAddress(attribute("href"), this.#base)
    if (address !== null) this.#inline.push({ name, tag: `<a href="${escapeAttribute(address)}">` })
  }

  #closeInlineElement(name: string) {
    const at = this.#inline.findIndex((open) => open.name === name)
    if (at === -1) return
    this.#closeInlineTags(at)
    this.#inline.splice(at, 1)
  }

  /** Closes the inline elements in the HTML except the first `kept`; those still open in the document open again later. */
  #closeInlineTags(kept = 0) {
    while (this.#openInline > kept) {
      this.#openInline--
      this.#html.add(`</${this.#inline[this.#openInline]?.name ?? ""}>`)
    }
  }

  /** Opens a block for text if none is open, and writes what separates the text from the content before it. */
  #place() {
    const gap = this.#gap
    this.#openHolder(false)
    const top = this.#top
    const isDivided = gap === "block" || gap === "blank"
    if (
      top === undefined ||
      !(phrasing.has(top.name) || (flow.has(top.name) && !(top.isWritten && isDivided)))
    )
      this.#push("p", "")
    else if (top.name === "p" && gap === "blank") {
      this.#closeBlocks(this.#stack.length - 1)
      this.#push("p", "")
    }
    this.#gap = "none"
    if (gap === "space") this.#lines.add(" ")
    else if (gap !== "none") this.#endLine()
    if (this.#top?.isWritten === true) {
      if (gap === "space") this.#html.add(" ")
      else if (gap !== "none") this.#html.add("<br>")
    }
    this.#writeStartTags()
  }

  /** Writes the start tags of all that is open. */
  #writeStartTags() {
    let parent: Block | undefined
    for (const block of this.#stack) {
      if (!block.isWritten) {
        if (parent?.name === "tr") {
          this.#html.add(parent.empty)
          parent.empty = ""
        }
        this.#html.add(`<${block.name}${block.attributes}>`)
        block.isWritten = true
      }
      parent = block
    }
    for (; this.#openInline < this.#inline.length; this.#openInline++)
      this.#html.add(this.#inline[this.#openInline]?.tag ?? "")
  }

  /** Adds text with its white space; line breaks before the first line and blank space before the end are dropped. */
  #addCode(raw: string) {
    const block = this.#top
    if (block === undefined) return
    const code = block.empty + raw.replace(/\r\n?/g, "\n")
    block.empty = ""
    const words = code.trimEnd()
    if (words === "") {
      block.empty = code.slice(0, MAX_EMPTY)
      return
    }
    block.empty = code.slice(words.length).slice(0, MAX_EMPTY)
    const written = block.isWritten ? words : words.replace(/^(?:[^\S\n]*\n)+/, "")
    if (!block.isWritten) this.#endLine()
    this.#weight += written.length
    this.#gap = "none"
    this.#writeStartTags()
    const [first = "", ...rest] = written.split("\n")
    this.#lines.add(first)
    for (const line of rest) {
      this.#lines.endLine()
      this.#lines.add(line)
    }
    this.#html.addText(written)
  }

  #addPicture(attribute: Attributes) {
    const address = isPixel(attribute) ? null : pictureAddress(attribute, this.#base)
    if (address === null || this.#top?.name === "pre") return
    if (this.#top?.name === "figure") this.#writeStartTags()
    else this.#place()
    const alt = withoutInvisible(attribute("alt") ?? "")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, MAX_ALT)
    this.#html.add(`<img src="${escapeAttribute(address)}" alt="${escapeAttribute(alt)}">`)
  }
}
