import { Readability } from "@mozilla/readability"
import { Parser } from "htmlparser2"
import { parseHTML } from "linkedom"
import { MAX_PAGE_TEXT, plainText } from "../../domain/Note.ts"
import { type MarkupLimits, trimMarkup, walkMarkup } from "./Markup.ts"

/** A page as a tree of elements. */
type Document = ReturnType<typeof parseHTML>["document"]

/**
 * Builds a page, or a part of one. There is an html element around it in any case: without one linkedom finds no
 * `title`, and fails on a document without elements.
 */
const parseDocument = (part: string): Document => {
  const asItIs = /<html[\s>]/i.test(part) ? parseHTML(part).document : undefined
  return asItIs?.documentElement?.localName === "html"
    ? asItIs
    : parseHTML(`<!doctype html><html><head></head><body>${part}</body></html>`).document
}

/** Deeper nesting than any page meant for readers has; document parsers recurse, and take quadratic time over it. */
const MAX_DEPTH = 250

/** How much of a page is looked at before it is asked how deep it has become, in UTF-16 units. */
const STEP = 16_384

/** Whether a page nests its elements deeper than `MAX_DEPTH`, without building it: told by the parser that would. */
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
  for (let at = 0; at < html.length && deepest <= MAX_DEPTH; at += STEP)
    parser.write(html.slice(at, at + STEP))
  return deepest > MAX_DEPTH
}

/** Larger pages, in UTF-16 units, are not given to the extractor. */
const MAX_ARTICLE = 400 * 1024
/** The same for pages of more than this; what is longer than a value may be is cut. */
const LIMITS: MarkupLimits = { elements: 6_000, signs: 40_000, attributes: 32, value: 512 }

/** Paragraphs on lines of their own, each of them clean. */
const paragraphs = (text: string): string =>
  text
    .split(/\n+/)
    .map((line) => plainText(line, MAX_PAGE_TEXT))
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, MAX_PAGE_TEXT)
    .replace(/[\ud800-\udbff]$/, "")

/** The main text of an article; empty where the page has none that can be told from the rest. */
const article = (html: string): string => {
  const trimmed = html.length > MAX_ARTICLE ? undefined : trimMarkup(html, LIMITS)
  if (trimmed === undefined || isTooDeep(trimmed)) return ""
  const document = parseDocument(trimmed)
  // A line ends where a block does: textContent alone would run paragraphs into each other.
  for (const block of document.querySelectorAll("p, br, li, h1, h2, h3, h4, tr, blockquote, pre"))
    block.append("\n")
  return new Readability(document, { charThreshold: 200, nbTopCandidates: 3 }).parse()?.textContent ?? ""
}

/** The extractor crashes over some pages that a browser would show; their text can be read all the same. */
const articleOrNone = (html: string): string => {
  try {
    return article(html)
  } catch {
    return ""
  }
}

/** Elements whose text is never shown, and those that begin a line. */
const silent: ReadonlySet<string> = new Set(
  "script style noscript template svg nav iframe object head select button form".split(" ")
)
const blocks: ReadonlySet<string> = new Set("p br li h1 h2 h3 h4 tr div td".split(" "))

/** All of a page's text but its scripts, styles and controls. */
const everything = (html: string): string => {
  let text = ""
  /** The outermost silent element, and how many of its name are open. */
  let muted = ""
  let depth = 0
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (blocks.has(name)) text += "\n"
      // A head ends where the body begins.
      if (muted === "head" && name === "body") muted = ""
      if (muted === name) depth++
      else if (muted === "" && silent.has(name) && !(isClosed && name === "svg")) {
        muted = name
        depth = 1
      }
    },
    close: (name) => {
      if (muted === name && --depth === 0) muted = ""
    },
    text: (piece) => {
      if (muted === "") text += piece
      return text.length < MAX_PAGE_TEXT * 2
    }
  })
  return text
}

/** Returns a page's readable text, a paragraph a line, at most `MAX_PAGE_TEXT` UTF-16 units. */
export const readText = (html: string): string => {
  const main = paragraphs(articleOrNone(html))
  return main === "" ? paragraphs(everything(html)) : main
}
