import {
  type ArticleElement,
  type ArticleNode,
  elementsIn,
  isSpace,
  isText,
  runsOf,
  textOfNodes
} from "../domain/ArticleTree.ts"
import { escapeText, oneLine, shortened } from "../shared/Text.ts"
import { stripMarkup } from "./Content.ts"

/** Rich messages (https://core.telegram.org/bots/api#rich-message-formatting-options). Pictures would tell their sites. */

export interface ReadingPart {
  /** Rich HTML: at most 32,768 characters of text, 500 blocks, 16 levels and 20 columns. */
  readonly rich: string
  /** The beginning of its text, for a platform that has no rich messages. */
  readonly plain: string
}

/** Limits of a part, below those of the platform: UTF-16 units of text, and blocks. */
const MAX_LENGTH = 30_000
const MAX_BLOCKS = 400
/** Blocks nested deeper become lines of text. */
const MAX_LEVEL = 8
const MAX_COLUMNS = 20
/** Length of the pieces of a block that is too large for a message, and of the plain text, in UTF-16 units. */
const PIECE = 3_000
const MAX_PLAIN = 3_000

const tags: Readonly<Record<string, string>> = {
  em: "i",
  strong: "b",
  del: "s",
  sub: "sub",
  sup: "sup",
  mark: "mark",
  code: "code",
  kbd: "code"
}

const lists: ReadonlySet<string> = new Set(["ul", "ol"])

/** Removes the control characters that the platform rejects. */
const clean = (text: string) => text.toWellFormed().replace(/[[\p{Cc}]--[\t\n]]/gv, "")
const escaped = (text: string) => escapeText(clean(text)).replaceAll('"', "&quot;")

interface Written {
  readonly html: string
  /** UTF-16 units of its text. */
  readonly length: number
  /** Blocks of the platform, itself included. */
  readonly blocks: number
}

const inlineHtml = (nodes: ReadonlyArray<ArticleNode>, open: ReadonlyArray<string> = []): string =>
  nodes
    .map((node) => {
      if (isText(node)) return escaped(node.text.replace(/\s+/g, " "))
      const { attributes, children, name } = node
      if (name === "br") return "<br>"
      if (name === "img") return imageText(node)
      const inside = inlineHtml(children, [...open, name])
      if (inside === "" || open.includes(name)) return inside
      if (name === "q") return `“${inside}”`
      const href = attributes["href"] ?? ""
      if (name === "a") return /^https?:/.test(href) ? `<a href="${escaped(href)}">${inside}</a>` : inside
      const tag = tags[name]
      return tag === undefined || open.length > MAX_LEVEL ? inside : `<${tag}>${inside}</${tag}>`
    })
    .join("")

const imageText = ({ attributes }: ArticleElement) => {
  const label = oneLine(attributes["alt"] ?? "")
  return label === "" ? "" : `<i>[${escaped(label)}]</i>`
}

const written = (html: string, nodes: ReadonlyArray<ArticleNode>, blocks: number): Written => ({
  html,
  // Markup counts too, which is more than the platform counts.
  length: Math.max(html.length, textOfNodes(nodes).length),
  blocks
})

/** The lines of text of nodes: one for each run of inline nodes, and those of the blocks between them. */
const linesOf = (
  nodes: ReadonlyArray<ArticleNode>,
  write: (run: ReadonlyArray<ArticleNode>) => string = (run) => inlineHtml(run).trim()
): ReadonlyArray<string> =>
  runsOf(nodes)
    .flatMap((run) => (Array.isArray(run) ? write(run) : linesOf(run.children, write)))
    .filter((line) => line !== "")

const paragraphs = (nodes: ReadonlyArray<ArticleNode>): ReadonlyArray<Written> =>
  linesOf(nodes).map((line) => ({ html: `<p>${line}</p>`, length: line.length, blocks: 1 }))

const listHtml = ({ attributes, children, name }: ArticleElement, level: number): Written => {
  let blocks = 1
  const items = elementsIn(children, "li").map((item) => {
    blocks += 1
    // Lists at the end of an item stay lists; what stands before a text becomes lines.
    const last = item.children.findLastIndex((node) => !isSpace(node) && !lists.has(node.name))
    const nested =
      level < MAX_LEVEL
        ? elementsIn(item.children.slice(last + 1), "ul ol").map((one) => listHtml(one, level + 2))
        : []
    blocks += nested.reduce((sum, one) => sum + one.blocks, 0)
    const lines = linesOf(level < MAX_LEVEL ? item.children.slice(0, last + 1) : item.children)
    return `<li>${lines.join("<br>")}${nested.map(({ html }) => html).join("")}</li>`
  })
  const start = name === "ol" && attributes["start"] !== undefined ? ` start="${attributes["start"]}"` : ""
  return written(`<${name}${start}>${items.join("")}</${name}>`, children, blocks)
}

const tableHtml = ({ children }: ArticleElement): ReadonlyArray<Written> => {
  const rows = elementsIn(children, "thead tbody").flatMap((part) => elementsIn(part.children, "tr"))
  const spanOf = ({ attributes }: ArticleElement) => Number(attributes["colspan"] ?? 1) || 1
  const columns = rows.map((row) =>
    elementsIn(row.children, "td th").reduce((sum, cell) => sum + spanOf(cell), 0)
  )
  if (Math.max(0, ...columns) > MAX_COLUMNS) return paragraphs(children)
  const grid = rows
    .map((row) => {
      const cells = elementsIn(row.children, "td th").map((cell) => {
        const span = spanOf(cell) > 1 ? ` colspan="${spanOf(cell)}"` : ""
        return `<${cell.name}${span}>${linesOf(cell.children).join(" ")}</${cell.name}>`
      })
      return cells.length === 0 ? "" : `<tr>${cells.join("")}</tr>`
    })
    .join("")
  if (grid === "") return paragraphs(children)
  const captions = elementsIn(children, "caption").flatMap((one) => linesOf(one.children))
  const caption = captions.length === 0 ? "" : `<caption>${captions.join(" ")}</caption>`
  return [written(`<table bordered>${caption}${grid}</table>`, children, rows.length + 1)]
}

const codeHtml = ({ children }: ArticleElement): Written => {
  const [code] = elementsIn(children, "code")
  const language = code?.attributes["class"]
  const text = escaped(textOfNodes(children).replace(/\n+$/, ""))
  const inner = language === undefined ? text : `<code class="${escaped(language)}">${text}</code>`
  return written(`<pre>${inner}</pre>`, children, 1)
}

const blockHtml = (node: ArticleElement): ReadonlyArray<Written> => {
  const { children, name } = node
  switch (name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6": {
      const html = inlineHtml(children).replaceAll("<br>", " ").trim()
      return html === "" ? [] : [written(`<${name}>${html}</${name}>`, children, 1)]
    }
    case "pre":
      return textOfNodes(children).trim() === "" ? [] : [codeHtml(node)]
    case "hr":
      return [{ html: "<hr/>", length: 0, blocks: 1 }]
    case "blockquote": {
      const lines = linesOf(children)
      return lines.length === 0
        ? []
        : [written(`<blockquote>${lines.join("<br>")}</blockquote>`, children, lines.length + 1)]
    }
    case "ul":
    case "ol":
      return [listHtml(node, 1)]
    case "table":
      return tableHtml(node)
    default:
      return paragraphs(name === "p" ? children : [node])
  }
}

/** Cuts a text into pieces, at white space if there is some. */
const piecesOf = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + PIECE)
    const space = end === text.length ? end : text.lastIndexOf(" ", end)
    const cut = space > at ? space : end - (/[\ud800-\udbff]/.test(text.charAt(end - 1)) ? 1 : 0)
    pieces.push(text.slice(at, cut))
    at = cut
  }
  return pieces
}

/** Turns a block that is too large for a message into paragraphs or pieces of code. */
const divided = (node: ArticleNode): ReadonlyArray<Written> => {
  const tag = node.name === "pre" ? "pre" : "p"
  const text = node.name === "pre" || isText(node) ? textOfNodes([node]) : plainLines([node]).join("\n")
  return piecesOf(text)
    .filter((piece) => piece.trim() !== "")
    .map((piece) => ({ html: `<${tag}>${escaped(piece)}</${tag}>`, length: piece.length * 2, blocks: 1 }))
}

const plainLines = (nodes: ReadonlyArray<ArticleNode>): ReadonlyArray<string> =>
  linesOf(nodes, (run) => oneLine(textOfNodes(run)))

/** The beginning of a rich text without its structure, as HTML. */
const plainOf = (rich: string): string => {
  const lines = rich.replace(/<br>|<\/(?:p|h\d|li|tr|pre|blockquote|caption)>/g, "\n")
  const text = stripMarkup(lines.replace(/<\/t[dh]>/g, " "))
    .replace(/\s*\n\s*/g, "\n\n")
    .trim()
  return escapeText(shortened(text, MAX_PLAIN))
}

/** Parts end with a block; one too large for a message loses its structure. Empty without text. */
export const readingParts = (nodes: ReadonlyArray<ArticleNode>): ReadonlyArray<ReadingPart> => {
  const parts: Array<string> = []
  let part: Array<string> = []
  let [length, blocks] = [0, 0]
  const flush = () => {
    if (part.length > 0) parts.push(part.join(""))
    part = []
    length = 0
    blocks = 0
  }
  for (const node of nodes) {
    const whole = isText(node) ? paragraphs([node]) : blockHtml(node)
    const isTooLarge = whole.some((one) => one.length > MAX_LENGTH || one.blocks > MAX_BLOCKS)
    for (const piece of isTooLarge ? divided(node) : whole) {
      if (length + piece.length > MAX_LENGTH || blocks + piece.blocks > MAX_BLOCKS) flush()
      part.push(piece.html)
      length += piece.length
      blocks += piece.blocks
    }
  }
  flush()
  return parts.map((rich) => ({ rich, plain: plainOf(rich) })).filter(({ plain }) => plain !== "")
}
