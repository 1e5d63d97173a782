import { type ArticleElement, type ArticleNode, isText, textOfNodes } from "../../domain/ArticleTree.ts"
import { escapeXml } from "../../shared/Xml.ts"
import type { BookHighlight } from "./Book.ts"
import { languageTag } from "./Language.ts"

/** A heading of an article, with the id that it has in the XHTML. */
export interface Heading {
  readonly id: string
  readonly text: string
  /** From 1 to 6. */
  readonly level: number
}

/** An article's content as XHTML. */
export interface Xhtml {
  readonly markup: string
  readonly headings: ReadonlyArray<Heading>
}

/** Maximum length of a heading in a table of contents, in UTF-16 units. */
const MAX_HEADING = 200
const MAX_SPAN = 1_000

const colours = new Set(["yellow", "green", "blue", "pink"])
const directions = new Set(["ltr", "rtl", "auto"])

/** Returns the attributes of an element as XHTML; those without a value are left out. */
const attributesOf = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${escapeXml(value)}"`))
    .join("")

const wholeNumber = (text: string | undefined, least: number, most: number) =>
  text !== undefined && /^-?\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? String(Number(text))
    : undefined

/** Returns an address on the web as a URL without characters that a reader would stumble over. */
const webHref = (href: string) => {
  const url = URL.parse(href)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined
}

const isHeading = (name: string) => /^h[1-6]$/.test(name)

/** Collects the ids of elements; each is counted once, in the order of the document. */
const idsOf = (nodes: ReadonlyArray<ArticleNode>, found: Map<string, string> = new Map()) => {
  for (const node of nodes) {
    if (isText(node)) continue
    const id = node.attributes["id"]
    // An id of an article may hold any character, that of XML may not.
    if (id !== undefined && id !== "" && !found.has(id)) found.set(id, `n${found.size + 1}`)
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

/**
 * Writes an article's nodes as XHTML. `pictureOf` returns where a picture is in the book; the text that describes one
 * that is not there stands in its place.
 */
export const xhtmlOf = (
  nodes: ReadonlyArray<ArticleNode>,
  highlights: ReadonlyArray<BookHighlight>,
  pictureOf: (address: string) => string | undefined
): Xhtml => {
  const ids = idsOf(nodes)
  const used = new Set<string>()
  const headings: Array<Heading> = []

  /** Returns the id of an element; the second element with the same id has none. */
  const idOf = ({ attributes, children, name }: ArticleElement) => {
    const own = ids.get(attributes["id"] ?? "")
    const id = own === undefined || used.has(own) ? undefined : own
    if (id !== undefined) used.add(id)
    if (!isHeading(name)) return id
    const text = textOfNodes(children).replace(/\s+/g, " ").trim().slice(0, MAX_HEADING).toWellFormed()
    if (text === "") return id
    const known = id ?? `h${headings.length + 1}`
    headings.push({ id: known, text, level: Number(name.slice(1)) })
    return known
  }

  const pictureIn = ({ attributes }: ArticleElement) => {
    const { alt = "", height, src = "", width } = attributes
    const place = pictureOf(src)
    if (place === undefined) {
      const label = alt.replace(/\s+/g, " ").trim()
      return label === "" ? "" : `<span class="missing">[${escapeXml(label)}]</span>`
    }
    const size = { width: wholeNumber(width, 1, 100_000), height: wholeNumber(height, 1, 100_000) }
    return `<img${attributesOf({ src: place, alt, ...size })}/>`
  }

  const hrefIn = (href: string | undefined) => {
    if (href === undefined) return undefined
    if (!href.startsWith("#")) return webHref(href)
    const id = ids.get(href.slice(1)) ?? ids.get(decoded(href.slice(1)))
    return id === undefined ? undefined : `#${id}`
  }

  const write = (node: ArticleNode): string => {
    if (isText(node)) return markedText(node.text, node.start, highlights)
    const { attributes, children, name } = node
    if (name === "br" || name === "hr") return `<${name}${attributesOf({ id: idOf(node) })}/>`
    if (name === "img") return pictureIn(node)
    const id = idOf(node)
    const content = children.map(write).join("")
    const href = name === "a" ? hrefIn(attributes["href"]) : undefined
    if (name === "a" && href === undefined && id === undefined) return content
    const language = languageTag(attributes["lang"])
    const direction = attributes["dir"]?.toLowerCase()
    const isCell = name === "td" || name === "th"
    const values = {
      id,
      href,
      class: name === "code" ? codeClass(attributes["class"]) : undefined,
      colspan: isCell ? wholeNumber(attributes["colspan"], 1, MAX_SPAN) : undefined,
      rowspan: isCell ? wholeNumber(attributes["rowspan"], 0, 65_534) : undefined,
      start: name === "ol" ? wholeNumber(attributes["start"], -999_999, 999_999) : undefined,
      lang: language,
      "xml:lang": language,
      dir: direction !== undefined && directions.has(direction) ? direction : undefined
    }
    return `<${name}${attributesOf(values)}>${content}</${name}>`
  }

  return { markup: nodes.map(write).join(""), headings }
}

const codeClass = (value: string | undefined) =>
  value !== undefined && /^language-[\w+#.-]{1,32}$/.test(value) ? value : undefined

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
