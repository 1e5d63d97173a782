import { MAX_ALT } from "../../../domain/Article.ts"
import { setOf } from "../../../domain/Markup.ts"
import { cutText, oneLine } from "../../../shared/Text.ts"
import { decoded } from "../../../shared/WebAddress.ts"
import { webAddress } from "../WebAddress.ts"
import {
  type Attributes,
  attributesOf,
  escapeAttribute,
  isPixel,
  nameOf,
  pictureAddress,
  sizesOf
} from "./ArticleAttributes.ts"
import { BoundedHtml, BoundedLines } from "./ArticleOutput.ts"
import { codeLanguage } from "./CodeLanguage.ts"
import { densestRun, readingLength, type WeighedBlock, weightOfLine, weightOfLinks } from "./Density.ts"
import { Formula, formulaOfPicture } from "./Formula.ts"
import { EMBED_LINK } from "./Media.ts"

export interface Article {
  /** In the canonical form of `src/domain/Article.ts`. */
  readonly html: string
  /** One paragraph, item, table row or line of code per line, at most `MAX_PAGE_TEXT` UTF-16 units. */
  readonly text: string
}

export interface DensestArticle extends Article {
  readonly weight: number
}

const phrasing = setOf("p h1 h2 h3 h4 h5 h6 dt caption figcaption pre")
const headings = setOf("h1 h2 h3 h4 h5 h6")
const flow = setOf("li dd td th")
const lists = setOf("ul ol")
const cells = setOf("td th")
const tableParts = setOf("td th tr thead tbody tfoot table")
const rowGroups = setOf("thead tbody")
const ruled = setOf("blockquote li dd td th")

/** The blocks that are copied; the second value names the blocks that hold such a block, null if any may. */
const blocks: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ...[..."p h1 h2 h3 h4 h5 h6 ul ol dl pre table blockquote figure".split(" ")].map(
    (name): [string, null] => [name, null]
  ),
  ["li", lists],
  ["dt", setOf("dl")],
  ["dd", setOf("dl")],
  ["caption", setOf("table")],
  ["thead", setOf("table")],
  ["tbody", setOf("table")],
  ["tr", setOf("thead tbody table")],
  ["td", setOf("tr thead tbody table")],
  ["th", setOf("tr thead tbody table")],
  ["figcaption", setOf("figure")]
])

const boundaries = setOf(
  `address article aside body center details dialog dir div fieldset footer form header hgroup html legend main menu
  nav option section summary`
)

/** The elements within a line that are copied, and the elements that they become. */
const inline: ReadonlyMap<string, string> = new Map(
  `a:a ${EMBED_LINK}:a em:em i:em cite:em strong:strong b:strong code:code kbd:kbd samp:code tt:code sub:sub sup:sup del:del s:del strike:del mark:mark q:q`
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)])
)

/** Blocks nested deeper join the block around them. */
const MAX_DEPTH = 32
/** Maximum length of the empty cells before a cell with content, and of the white space before code. */
const MAX_EMPTY = 512

const oddSpace = /[\v\f]/g
/** Removes control and format characters, except white space and the joiners that scripts need. */
const withoutInvisible = (text: string) =>
  text.replace(oddSpace, " ").replace(/[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv, "")

const emoji = /^\p{RGI_Emoji}{1,4}$/v

const MAX_NAMES = 8
/** Longer text between a wrapper and code means that the wrapper is not about the code, in UTF-16 units. */
const MAX_CODE_LABEL = 40

interface Block {
  readonly name: string
  readonly attributes: string
  /** Whether the start tag is in the HTML: it is written before the first content, so that no block is empty. */
  isWritten: boolean
  /** Of a row: empty cells that are written before its next cell. Of code: the white space that it begins with. */
  empty: string
  names: ReadonlyArray<string>
  /** Whether all of it is code, in an element of its own: of `pre` only. */
  holdsCode: boolean
}

interface InlineElement {
  readonly name: string
  readonly tag: string
  readonly leadsTo: string
  names: ReadonlyArray<string>
}

const codeTag = (language: string | undefined) =>
  language === undefined ? "<code>" : `<code class="language-${language}">`

const endTag = ({ holdsCode, name }: Block) => `${holdsCode ? "</code>" : ""}</${name}>`

/** Separates the next content from the content before it. */
type Gap = "none" | "space" | "line" | "blank" | "block"

/** Linear time. Well-formed and bounded HTML of `Article`'s elements; addresses are absolute, on the web. */
export class ArticleWriter {
  #base: URL | undefined
  #hasBase = false
  readonly #html = new BoundedHtml((depth) => this.#endTags(depth))
  readonly #lines = new BoundedLines()
  readonly #blocks: Array<WeighedBlock> = []
  #weight = 0
  #lineLength = 0
  readonly #stack: Array<Block> = []
  readonly #inline: Array<InlineElement> = []
  #openInline = 0
  #gap: Gap = "none"
  #names: Array<string> = []
  /** The language that the elements around state for the next code. */
  #language: string | undefined
  /** The number of blocks around a rule that is written before the next block; -1 if none is. */
  #rule = -1
  #formula: Formula | undefined
  readonly #url: URL | undefined

  /** Relative addresses start from `url` unless a `base` element says otherwise; without either they are dropped. */
  constructor(url?: URL) {
    this.#url = url
    this.#base = url
  }

  get isFull(): boolean {
    return this.#html.isFull && this.#lines.isFull
  }

  /** Ignores elements that are not copied. */
  open(written: string, attribute: Attributes): void {
    const name = written === "tfoot" ? "tbody" : written
    const holders = blocks.get(name)
    const copied = inline.get(name)
    const isBoundary = boundaries.has(name)
    if (this.#formula !== undefined) {
      if (holders === undefined && !isBoundary) {
        this.#formula.open(name, attribute)
        return
      }
      this.#closeFormula()
    }
    const target = nameOf(name, attribute)
    if (target !== "" && this.#names.length < MAX_NAMES) this.#names.push(target)
    if (isBoundary || name === "figure" || name === "pre" || name === "code")
      this.#language = codeLanguage(attribute) ?? this.#language
    if (holders !== undefined) this.#openBlock(name, holders, attribute)
    else if (copied !== undefined) this.#openInlineElement(copied, attribute)
    else if (isBoundary) this.#divide()
    else if (name === "br") this.#breakLine()
    else if (name === "hr") this.#addRule()
    else if (name === "img") this.#addPicture(attribute)
    else if (name === "base") this.#setBase(attribute("href"))
    else if (name === "math") this.#formula = new Formula(attribute)
  }

  /** Ignores end tags without a start tag. */
  close(written: string): void {
    const name = written === "tfoot" ? "tbody" : written
    const isBlock = blocks.has(name)
    if (this.#formula !== undefined) {
      if (name !== "math" && !isBlock && !boundaries.has(name)) {
        this.#formula.close(name)
        return
      }
      this.#closeFormula()
    }
    const copied = inline.get(name)
    const at = isBlock ? this.#innermost(name) : -1
    if (copied !== undefined) this.#closeInlineElement(copied)
    else if (at !== -1) this.#closeBlocks(at)
    else if (isBlock || boundaries.has(name)) this.#divide()
  }

  /** Adds text; white space collapses outside of `pre` as in https://www.w3.org/TR/css-text-3/#white-space-processing. */
  text(raw: string): void {
    const text = withoutInvisible(raw)
    if (this.#formula !== undefined) this.#formula.text(text)
    else if (this.#top?.name === "pre") this.#addCode(text)
    else this.#addWords(text)
  }

  finish(): Article {
    this.#closeFormula()
    this.#closeBlocks(0)
    this.#lines.endLine()
    return { html: this.#html.between(), text: this.#lines.between() }
  }

  /** Closes all open elements and returns the densest run of sentences: the article without menus and teasers. */
  finishDensest(): DensestArticle {
    this.#closeFormula()
    this.#closeBlocks(0)
    const { blocks, weight } = densestRun(this.#blocks)
    const [first, last] = [blocks[0], blocks.at(-1)]
    return {
      weight,
      html: this.#html.between(first?.html, last?.htmlEnd).replace(/^<hr>/, ""),
      text: this.#lines.between(first?.lines, last?.linesEnd)
    }
  }

  get #top(): Block | undefined {
    return this.#stack.at(-1)
  }

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
    const open = this.#stack.slice(0, depth).filter(({ isWritten }) => isWritten)
    return [...inlineTags.reverse().map((name) => `</${name}>`), ...open.reverse().map(endTag)].join("")
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
    const words = text.trim().replace(/[\t\n\r ]+/g, " ")
    if (words === "") return
    if (words.length > MAX_CODE_LABEL) this.#language = undefined
    this.#place()
    this.#lines.add(words)
    this.#html.addText(words)
    const length = readingLength(words)
    this.#lineLength += length
    if (this.#inline.some(({ name }) => name === "a")) this.#weight += weightOfLinks(length)
    if (/\s$/.test(text)) this.#space()
  }

  /** White space separates only content of one line. */
  #space() {
    if (this.#gap === "none") this.#gap = "space"
  }

  #breakLine() {
    if (this.#top?.name === "pre") return this.#addCode("\n")
    if (this.#gap === "line") this.#gap = "blank"
    else if (this.#gap === "none" || this.#gap === "space") this.#gap = "line"
  }

  #addRule() {
    if (this.#top?.name === "p") this.#closeBlocks(this.#stack.length - 1)
    const top = this.#top
    const isAfterContent = top === undefined ? this.#html.position > 0 : ruled.has(top.name) && top.isWritten
    if (isAfterContent) this.#rule = this.#stack.length
    this.#divide()
  }

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
    if (name === "tr" && this.#top?.name === "table") this.#push("tbody", "")
    if (isNextCell) this.#gap = "space"
    else this.#beginBlock()
    this.#push(name, attributesOf(name, attribute))
  }

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

  #openHolder(isCell: boolean) {
    const top = this.#top?.name ?? ""
    const isTable = top === "table"
    const isRows = isTable || rowGroups.has(top)
    if (isTable) this.#push("tbody", "")
    if (isRows) this.#push("tr", "")
    if (!isCell && (isRows || top === "tr")) this.#push("td", "")
    if (lists.has(top)) this.#push("li", "")
    if (top === "dl") this.#push("dd", "")
  }

  #push(name: string, attributes: string) {
    this.#closeInlineTags()
    this.#stack.push({
      name,
      attributes,
      isWritten: false,
      empty: "",
      names: this.#names.splice(0),
      holdsCode: false
    })
  }

  #closeBlocks(depth: number) {
    this.#closeInlineTags()
    const outermost = depth === 0 ? this.#stack[0] : undefined
    while (this.#stack.length > depth) {
      const block = this.#stack.pop()
      if (this.#rule > this.#stack.length) this.#rule = -1
      if (block?.isWritten === true) {
        this.#html.end(endTag(block))
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
    const top = this.#top
    if (top?.name === "pre") {
      // Highlighted code has an element for every word; only its links mean something.
      if (name === "code" && !top.isWritten) top.holdsCode = true
      if (name !== "a") return
      if (top.isWritten) this.#addCodeSpace(top)
    }
    if (this.#inline.some((open) => open.name === name)) return
    if (name === "a") this.#openLink(attribute)
    else this.#pushInline(name, name === "code" ? codeTag(codeLanguage(attribute)) : `<${name}>`)
  }

  /** A link within the document leads to the page on the web if the article lacks its target. */
  #openLink(attribute: Attributes) {
    const given = attribute("href")?.trim() ?? ""
    const address = webAddress(given, given.startsWith("#") ? this.#url : this.#base)
    if (address === null || given === "#") return
    const at = address.indexOf("#")
    const isInside =
      at !== -1 && this.#url !== undefined && address.slice(0, at) === this.#url.href.split("#")[0]
    this.#pushInline(
      "a",
      `<a href="${escapeAttribute(address)}">`,
      isInside ? decoded(address.slice(at + 1)) : ""
    )
  }

  #pushInline(name: string, tag: string, leadsTo = "") {
    this.#inline.push({ name, tag, leadsTo, names: this.#names.splice(0) })
  }

  #closeInlineElement(name: string) {
    if (this.#top?.name === "pre" && name !== "a") return
    const at = this.#inline.findIndex((open) => open.name === name)
    if (at === -1) return
    this.#closeInlineTags(at)
    this.#inline.splice(at, 1)
  }

  /** Closes the inline elements in the HTML except the first `kept`; those still open in the document open again later. */
  #closeInlineTags(kept = 0) {
    while (this.#openInline > kept) {
      this.#openInline--
      this.#html.end(`</${this.#inline[this.#openInline]?.name ?? ""}>`)
    }
  }

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

  #writeStartTags() {
    let parent: Block | undefined
    for (const [depth, block] of this.#stack.entries()) {
      if (!block.isWritten) {
        if (parent?.name === "tr") {
          this.#html.add(parent.empty)
          parent.empty = ""
        }
        if (this.#rule === depth) this.#html.add("<hr>")
        this.#writeStartTag(`<${block.name}${block.attributes}>`, block)
        block.isWritten = true
        if (block.name === "pre") this.#writeCodeTag(block)
      }
      parent = block
    }
    this.#rule = -1
    for (; this.#openInline < this.#inline.length; this.#openInline++) {
      const element = this.#inline[this.#openInline]
      if (element === undefined) return
      this.#writeStartTag(element.tag, element, element.leadsTo)
    }
  }

  #writeStartTag(tag: string, element: Block | InlineElement, leadsTo = "") {
    this.#html.add(tag, { names: element.names, leadsTo })
    element.names = []
  }

  /** Code whose language is known is code, whether the document marks it so or not. */
  #writeCodeTag(block: Block) {
    const tag = block.holdsCode || this.#language !== undefined ? codeTag(this.#language) : ""
    this.#language = undefined
    if (tag === "") return
    block.holdsCode = false
    this.#html.add(tag)
    block.holdsCode = true
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

  #addCodeSpace(block: Block) {
    const lines = block.empty.split("\n")
    this.#html.addText(block.empty)
    block.empty = ""
    for (const _ of lines.slice(1)) this.#lines.endLine()
    if (lines.at(-1) !== "") this.#lines.add(" ")
  }

  #closeFormula() {
    const formula = this.#formula
    this.#formula = undefined
    if (formula === undefined) return
    if (formula.tex !== "") this.#addFormula(formula.tex)
    else this.text(formula.symbols)
  }

  #addFormula(tex: string) {
    const isCode = this.#top?.name === "pre" || this.#inline.some(({ name }) => name === "code")
    if (!isCode) this.#pushInline("code", codeTag("latex"))
    this.text(tex)
    if (!isCode) this.#closeInlineElement("code")
  }

  #addPicture(attribute: Attributes) {
    const alt = oneLine(withoutInvisible(attribute("alt") ?? ""))
    const formula = formulaOfPicture(attribute)
    if (formula !== "") return this.#addFormula(formula)
    if (emoji.test(alt)) return this.text(alt)
    const address = isPixel(attribute) ? null : pictureAddress(attribute, this.#base)
    if (address === null || this.#top?.name === "pre") return
    if (this.#top?.name === "figure") this.#writeStartTags()
    else this.#place()
    this.#html.add(
      `<img src="${escapeAttribute(address)}" alt="${escapeAttribute(cutText(alt, MAX_ALT))}"${sizesOf(attribute)}>`
    )
  }
}
