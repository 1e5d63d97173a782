import { Readability } from "@mozilla/readability"
import { Parser } from "htmlparser2"
import { parseHTML } from "linkedom"
import { type Article, ArticleWriter } from "./ArticleWriter.ts"

/** A page as a DOM tree. */
type Document = ReturnType<typeof parseHTML>["document"]

/**
 * Parses a page or part of one, wrapping it in an html element if it has none: without one, linkedom finds no `title`
 * and fails on a document without elements.
 */
const parseDocument = (part: string): Document => {
  const parsed = /<html[\s>]/i.test(part) ? parseHTML(part).document : undefined
  return parsed?.documentElement?.localName === "html"
    ? parsed
    : parseHTML(`<!doctype html><html><head></head><body>${part}</body></html>`).document
}

/** Deeper nesting than any real page has; document parsers recurse and take quadratic time over it. */
const MAX_DEPTH = 250

/** How much of a page is parsed between depth checks, in UTF-16 units. */
const CHUNK = 16_384

/**
 * Whether a page nests elements deeper than `MAX_DEPTH`, found with the document parser without building a tree.
 */
export const isTooDeep = (html: string): boolean => {
  let depth = 0
  let deepest = 0
  const parser = new Parser(
    {
      onopentagname: () => {
        deepest = Math.max(deepest, ++depth)
      },
      onclosetag: () => depth--
    },
    { decodeEntities: false }
  )
  for (let at = 0; at < html.length && deepest <= MAX_DEPTH; at += CHUNK)
    parser.write(html.slice(at, at + CHUNK))
  return deepest > MAX_DEPTH
}

/** A page's article, and what Readability finds about it. */
export interface Extraction extends Article {
  readonly byline: string
  readonly excerpt: string
}

const TEXT = 3
const ELEMENT = 1

const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

/** Whether a table only places things on the page. */
const isLayout = (table: Element): boolean =>
  /^(?:presentation|none)$/.test(table.getAttribute("role") ?? "") ||
  table.querySelector("table") !== null ||
  table.querySelector("td + td, th + td, th + th, td + th") === null

const tableParts: ReadonlySet<string> = new Set(["table", "caption", "tr", "td", "th"])

/** Writes an element's content; a table for layout is a block like any other. */
const writeContent = (writer: ArticleWriter, parent: Element, isInLayout: boolean) => {
  for (const node of parent.childNodes) {
    if (node.nodeType === TEXT) writer.text(node.textContent ?? "")
    if (!isElement(node)) continue
    const { localName } = node
    const isLaidOut = localName === "table" ? isLayout(node) : isInLayout
    const name = isLaidOut && tableParts.has(localName) ? "div" : localName
    writer.open(name, (attribute) => node.getAttribute(attribute))
    writeContent(writer, node, isLaidOut)
    writer.close(name)
  }
}

export const options = { charThreshold: 500, nbTopCandidates: 5 }

/** Returns the article of a clean page, or null if Readability finds none or crashes, as it does on some pages. */
export const extractArticle = (markup: string, base: URL): Extraction | null => {
  try {
    const document = parseDocument(markup)
    const found = new Readability(document, {
      ...options,
      disableJSONLD: true,
      keepClasses: true,
      serializer: (element) => element
    }).parse()
    if (found?.content == null) return null
    const writer = new ArticleWriter(base)
    writeContent(writer, found.content, false)
    return { ...writer.finish(), byline: found.byline ?? "", excerpt: found.excerpt ?? "" }
  } catch {
    return null
  }
}
