import { Readability } from "@mozilla/readability"
import { Parser } from "htmlparser2"
import { parseHTML } from "linkedom"
import { MAX_PAGE_TEXT } from "../../shared/Limits.ts"
import { cleanLine, cutText } from "../../shared/Text.ts"
import { languageOfText, openingOf } from "./Derived.ts"
import { type MarkupLimits, trimMarkup, walkMarkup } from "./Markup.ts"

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

/** Maximum page size for article extraction, in UTF-16 units. */
const MAX_ARTICLE = 400 * 1024
/** Further limits for article extraction; longer attribute values are cut. */
const LIMITS: MarkupLimits = { elements: 6_000, signs: 40_000, attributes: 32, value: 512 }

/** Cleans each paragraph and puts it on its own line. */
const paragraphs = (text: string): string =>
  cutText(
    text
      .split(/\n+/)
      .map((line) => cleanLine(line, MAX_PAGE_TEXT))
      .filter((line) => line !== "")
      .join("\n"),
    MAX_PAGE_TEXT
  )

/** The main text of an article; empty if none can be identified or the page exceeds the limits. */
const article = (html: string): string => {
  const trimmed = html.length > MAX_ARTICLE ? undefined : trimMarkup(html, LIMITS)
  if (trimmed === undefined || isTooDeep(trimmed)) return ""
  const document = parseDocument(trimmed)
  // `textContent` alone would join paragraphs without a line break.
  for (const block of document.querySelectorAll("p, br, li, h1, h2, h3, h4, tr, blockquote, pre"))
    block.append("\n")
  return new Readability(document, { charThreshold: 200, nbTopCandidates: 3 }).parse()?.textContent ?? ""
}

/** Returns no article if the extractor crashes, as it does on some valid pages; `visibleTextOf` can still read them. */
const articleOrEmpty = (html: string): string => {
  try {
    return article(html)
  } catch {
    return ""
  }
}

/** Elements whose text is skipped, and elements that begin a line. */
const skipped: ReadonlySet<string> = new Set(
  "script style noscript template svg nav iframe object head select button form".split(" ")
)
const blocks: ReadonlySet<string> = new Set("p br li h1 h2 h3 h4 tr div td".split(" "))

/** All of a page's text except scripts, styles and controls. */
const visibleTextOf = (html: string): string => {
  let text = ""
  /** The outermost skipped element, and how many elements of that name are open. */
  let muted = ""
  let depth = 0
  walkMarkup(html, {
    open: (name, _attributes, isClosed) => {
      if (blocks.has(name)) text += "\n"
      // The body tag ends an unclosed head.
      if (muted === "head" && name === "body") muted = ""
      if (muted === name) depth++
      else if (muted === "" && skipped.has(name) && !(isClosed && name === "svg")) {
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

/** What a document's text gives: the text, its structure, and fields for which the document states nothing else. */
export interface Content {
  /** One paragraph per line, at most `MAX_PAGE_TEXT` UTF-16 units. */
  readonly text: string
  /** The text with its structure, as HTML of at most `MAX_ARTICLE_HTML` UTF-16 units; not sanitized. */
  readonly article: string
  /** The author named above or below the text. */
  readonly author: string | null
  /** The opening of the text. */
  readonly description: string
  /** The language that the text is written in, as a BCP 47 tag. */
  readonly language: string | null
}

/** Returns a page's readable text. */
export const readContent = (html: string): Content => {
  const main = paragraphs(articleOrEmpty(html))
  const text = main === "" ? paragraphs(visibleTextOf(html)) : main
  return { text, article: "", author: null, description: openingOf(text), language: languageOfText(text) }
}
