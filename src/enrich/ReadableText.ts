import { Readability } from "@mozilla/readability"
import { Option } from "effect"
import { MAX_PAGE_TEXT } from "../domain/Page.ts"
import { plainText } from "../domain/PlainText.ts"
import { parseDocument } from "./Document.ts"
import { isTooDeep } from "./Nesting.ts"

/** Larger pages, in UTF-16 units, are not given to the extractor: it would hold the event loop for too long. */
const MAX_ARTICLE = 400 * 1024
/** The same for pages of more elements than this. */
const MAX_ELEMENTS = 6_000
/** The same for pages of more signs that may begin a tag or a reference: each makes a node of its own. */
const MAX_SIGNS = 40_000
const silent = "script, style, noscript, template, svg, nav, iframe, object, head, select, button, form"

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
  if (html.length > MAX_ARTICLE || (html.match(/[<&]/g)?.length ?? 0) > MAX_SIGNS) return ""
  const document = parseDocument(html)
  if (document.querySelectorAll("*").length > MAX_ELEMENTS) return ""
  // A line ends where a block does: textContent alone would run paragraphs into each other.
  for (const block of document.querySelectorAll("p, br, li, h1, h2, h3, h4, tr, blockquote, pre"))
    block.append("\n")
  return new Readability(document, { charThreshold: 200, nbTopCandidates: 3 }).parse()?.textContent ?? ""
}

/** All of a page's text but its scripts, styles and controls, read as a stream. */
const everything = (html: string): string => {
  let text = ""
  let muted = 0
  const rewriter = new HTMLRewriter()
    .on(silent, {
      element: (element) => {
        muted++
        element.onEndTag(() => void muted--)
      }
    })
    .on("p, br, li, h1, h2, h3, h4, tr, div, td", {
      element: () => {
        text += "\n"
      }
    })
    .onDocument({
      text: (chunk) => {
        if (muted === 0 && text.length < MAX_PAGE_TEXT * 2) text += chunk.text
      }
    })
  rewriter.transform(html)
  return parseDocument(text.replaceAll("<", "&lt;")).body.textContent ?? ""
}

/** A page's readable text, a paragraph a line, at most `MAX_PAGE_TEXT` UTF-16 units; none of a page nested absurdly. */
export const readText = (html: string): string => {
  if (isTooDeep(html)) return ""
  // The extractor crashes over some pages that a browser would show; their text can be read all the same.
  const main = paragraphs(Option.getOrElse(Option.liftThrowable(article)(html), () => ""))
  return main === "" ? paragraphs(everything(html)) : main
}
