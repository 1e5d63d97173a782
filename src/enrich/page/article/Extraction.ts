import { Readability } from "@mozilla/readability"
import { Parser } from "htmlparser2"
import { parseHTML } from "linkedom"
import { type Article, ArticleWriter } from "./ArticleWriter.ts"

type Document = ReturnType<typeof parseHTML>["document"]

/** linkedom finds no `title` without an html element, and fails on a document without elements. */
const parseDocument = (part: string): Document => {
  const parsed = /<html[\s>]/i.test(part) ? parseHTML(part).document : undefined
  return parsed?.documentElement?.localName === "html"
    ? parsed
    : parseHTML(`<!doctype html><html><head></head><body>${part}</body></html>`).document
}

/** Document parsers recurse, and text extractors look at the ancestors of every element. */
const MAX_DEPTH = 250
const MAX_DEPTHS = 1_000_000

const CHUNK = 16_384

/** Follows the document parser's rules without building a tree. */
export const isTooDeep = (html: string): boolean => {
  let depth = 0
  let deepest = 0
  let sum = 0
  const parser = new Parser(
    {
      onopentagname: () => {
        deepest = Math.max(deepest, ++depth)
        sum += depth
      },
      onclosetag: () => depth--
    },
    { decodeEntities: false }
  )
  const isWithin = () => deepest <= MAX_DEPTH && sum <= MAX_DEPTHS
  for (let at = 0; at < html.length && isWithin(); at += CHUNK) parser.write(html.slice(at, at + CHUNK))
  return !isWithin()
}

export interface Extraction extends Article {
  readonly byline: string
  readonly excerpt: string
}

const TEXT = 3
const ELEMENT = 1

const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

const isLayout = (table: Element): boolean =>
  /^(?:presentation|none)$/.test(table.getAttribute("role") ?? "") ||
  table.querySelector("table") !== null ||
  table.querySelector("td + td, th + td, th + th, td + th") === null

const tableParts: ReadonlySet<string> = new Set(["table", "caption", "tr", "td", "th"])

/** Labels of controls and of advertisements that stand alone in an element, in the languages of most pages. */
const label =
  /^(?:share(?: this| via.{0,20}| on.{0,20}|:)?|tweet(?: this)?|e-?mail this|print this|copy link|link copied|subscribe(?: now)?|(?:subscribe|sign up) (?:to|for) .{0,40}newsletters?!?|sign (?:up|in)|log ?in|read more|read next|see more|show more|load more|continue reading|skip to (?:main )?content|back to top|leave a (?:comment|reply)|\d+ comments?|follow us|advertisement|story continues below advertisement|sponsored|play video|teilen|anzeige|werbung|weiterlesen|partager|publicité|lire la suite|compartir|publicidad|leer más|condividi|pubblicità|compartilhar|поделиться|реклама|广告|広告)$/i
const network =
  /^(?:facebook|twitter|x|linkedin|pinterest|whatsapp|reddit|telegram|flipboard|pocket|instagram|e-?mail|print|rss)$/i
const MAX_LABEL = 60
const lineElements: ReadonlySet<string> = new Set(["p", "li", "div", "span", "a", "aside", "small"])
const inlineElements: ReadonlySet<string> = new Set(["a", "span", "strong", "b", "em", "i", "small"])

const isLabel = (element: Element): boolean => {
  if (!lineElements.has(element.localName)) return false
  // Text within a line may be any word of a sentence.
  const isAlone = element.previousSibling === null && element.nextSibling === null
  if (inlineElements.has(element.localName) && !isAlone) return false
  const only = element.firstElementChild
  if (only !== null && (element.childElementCount > 1 || !inlineElements.has(only.localName))) return false
  const text = (element.textContent ?? "").trim()
  if (text.length > MAX_LABEL) return false
  return label.test(text) || (network.test(text) && (element.localName === "a" || only?.localName === "a"))
}

const writeContent = (writer: ArticleWriter, parent: Node, isInLayout: boolean) => {
  for (const node of parent.childNodes) {
    if (node.nodeType === TEXT) writer.text(node.textContent ?? "")
    if (!isElement(node) || isLabel(node)) continue
    const { localName } = node
    const isLaidOut = localName === "table" ? isLayout(node) : isInLayout
    const name = isLaidOut && tableParts.has(localName) ? "div" : localName
    writer.open(name, (attribute) => node.getAttribute(attribute))
    writeContent(writer, node, isLaidOut)
    writer.close(name)
  }
}

/** In UTF-16 units. */
const MAX_BYLINE = 1_000

/** One line break in a page's source is white space, several part elements. */
const bylineOf = (byline: string): string =>
  byline
    .slice(0, MAX_BYLINE)
    .split(/\s*\n\s*\n\s*/)
    .map((line) => line.replace(/\s+/g, " "))
    .join("\n")

/** Null if Readability finds none or crashes, as it does on some pages. */
export const extractArticle = (markup: string, url: URL): Extraction | null => {
  try {
    const document = parseDocument(markup)
    const base = document.querySelector("base[href]")
    const found = new Readability(document, {
      disableJSONLD: true,
      keepClasses: true,
      serializer: (element) => element
    }).parse()
    if (found?.content == null) return null
    const writer = new ArticleWriter(url)
    if (base !== null) writer.open("base", (attribute) => base.getAttribute(attribute))
    writeContent(writer, found.content, false)
    return { ...writer.finish(), byline: bylineOf(found.byline ?? ""), excerpt: found.excerpt ?? "" }
  } catch {
    return null
  }
}
