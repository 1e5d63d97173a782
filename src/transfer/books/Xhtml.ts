import { type ArticleElement, type ArticleNode, isText, textOfNodes } from "../../domain/ArticleTree.ts"
import { languageTag } from "../../domain/Direction.ts"
import { oneLine } from "../../shared/Text.ts"
import { escapeXml } from "../../shared/Xml.ts"
import type { BookHighlight, BookPicture } from "./Book.ts"

export interface Heading {
  readonly id: string
  readonly text: string
  /** From 1 to 6. */
  readonly level: number
}

export interface Xhtml {
  readonly markup: string
  readonly headings: ReadonlyArray<Heading>
}

/** In a table of contents, in UTF-16 units. */
const MAX_HEADING = 200

const colours = new Set(["yellow", "green", "blue", "pink"])

/** Attributes without a value are left out. */
const attributesOf = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${escapeXml(value)}"`))
    .join("")

const isHeading = (name: string) => /^h[1-6]$/.test(name)

const isInPair = (text: string, at: number) =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))

const idsOf = (nodes: ReadonlyArray<ArticleNode>, found: Set<string> = new Set()): ReadonlySet<string> => {
  for (const node of nodes) {
    if (isText(node)) continue
    if (node.attributes["id"] !== undefined) found.add(node.attributes["id"])
    idsOf(node.children, found)
  }
  return found
}

/** Splits a text at the bounds of the highlights that touch it. */
const markedText = (text: string, start: number, highlights: ReadonlyArray<BookHighlight>): string => {
  const touching = highlights.filter((one) => one.start < start + text.length && one.end > start)
  if (touching.length === 0) return escapeXml(text)
  const bounds = [0, text.length, ...touching.flatMap((one) => [one.start - start, one.end - start])]
    .filter((at) => at >= 0 && at <= text.length)
    .map((at) => (isInPair(text, at) ? at - 1 : at))
    .sort((one, other) => one - other)
  return bounds
    .map((from, n) => {
      const to = bounds[n + 1] ?? from
      const piece = escapeXml(text.slice(from, to))
      const over = touching.find((one) => one.start < start + to && one.end > start + from)
      if (over === undefined || piece === "") return piece
      return `<mark class="${colours.has(over.colour) ? over.colour : "yellow"}">${piece}</mark>`
    })
    .join("")
}

/** `pictureOf` returns the picture of an address; the description of a picture that is not kept replaces it. */
export const xhtmlOf = (
  nodes: ReadonlyArray<ArticleNode>,
  highlights: ReadonlyArray<BookHighlight>,
  pictureOf: (address: string) => BookPicture | undefined
): Xhtml => {
  const ids = idsOf(nodes)
  const headings: Array<Heading> = []

  /** A heading without an id gets one, for the table of contents. */
  const idOf = ({ attributes, children, name }: ArticleElement) => {
    const own = attributes["id"]
    if (!isHeading(name)) return own
    const text = oneLine(textOfNodes(children)).slice(0, MAX_HEADING).toWellFormed()
    if (text === "") return own
    const id = own ?? `h${headings.length + 1}`
    headings.push({ id, text, level: Number(name.slice(1)) })
    return id
  }

  const pictureIn = ({ attributes }: ArticleElement) => {
    const { alt = "", id, src = "" } = attributes
    const picture = pictureOf(src)
    if (picture === undefined) {
      const label = oneLine(alt)
      const shown = label === "" ? "" : `[${escapeXml(label)}]`
      return shown === "" && id === undefined
        ? ""
        : `<span${attributesOf({ id, class: "missing" })}>${shown}</span>`
    }
    return `<img${attributesOf({ id, src: picture.name, alt, width: String(picture.width), height: String(picture.height) })}/>`
  }

  const write = (node: ArticleNode): string => {
    if (isText(node)) return markedText(node.text, node.start, highlights)
    const { attributes, children, name } = node
    if (name === "br" || name === "hr") return `<${name}${attributesOf({ id: idOf(node) })}/>`
    if (name === "img") return pictureIn(node)
    const id = idOf(node)
    const content = children.map(write).join("")
    const { class: code, colspan, dir, href, rowspan, start } = attributes
    // The target of a link inside the article may be gone, such as an empty table.
    if (href?.startsWith("#") === true && !ids.has(href.slice(1))) return content
    const language = languageTag(attributes["lang"])
    const values = {
      id,
      href,
      class: code,
      colspan,
      rowspan,
      start,
      dir,
      lang: language,
      "xml:lang": language
    }
    return `<${name}${attributesOf(values)}>${content}</${name}>`
  }

  return { markup: nodes.map(write).join(""), headings }
}
