import { MAX_PAGE_TEXT } from "../shared/Limits.ts"
import { cutText, oneLine } from "../shared/Text.ts"
import { addressesIn } from "./formats/PlainText.ts"
import { MarkupText, readMarkup } from "./Markup.ts"

/** In characters: no text of `MAX_PAGE_TEXT` needs more HTML. */
const MAX_MARKUP = 16 * MAX_PAGE_TEXT

/** Elements that continue the line they are in; all others begin a line. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

/** White space in the lines is collapsed; empty lines are dropped. */
const joinLines = (lines: ReadonlyArray<string>) =>
  lines
    .map(oneLine)
    .filter((line) => line !== "")
    .join("\n")

/** One line for each paragraph, at most `MAX_PAGE_TEXT` long, without scripts, styles and the title. */
export const pageText = (html: string): string => {
  if (!/\S/.test(html)) return ""
  const lines: Array<string> = []
  let line = ""
  let isTitle = false
  const endLine = () => {
    lines.push(line)
    line = ""
  }
  readMarkup(html.slice(0, MAX_MARKUP), new Set(), {
    open: (name) => {
      isTitle = name === "title"
      if (!inline.has(name)) endLine()
    },
    close: (name) => {
      isTitle = false
      if (!inline.has(name)) endLine()
    },
    text: (piece) => {
      if (!isTitle) line += piece
    }
  })
  endLine()
  return cutText(joinLines(lines), MAX_PAGE_TEXT)
}

interface TextLink {
  readonly url: string
  /** Empty for an address on its own. */
  readonly label: string
}

const href = new Set(["href"])

/** Anchors, and the addresses that stand in the text, in their order. */
export const markupLinks = (html: string): ReadonlyArray<TextLink> => {
  if (!/http/i.test(html)) return []
  const links: Array<TextLink> = []
  let anchor: { readonly url: string; readonly label: MarkupText } | undefined
  let line = ""
  const endLine = () => {
    for (const { label, url } of addressesIn(line)) links.push({ url, label: label ?? "" })
    line = ""
  }
  const endAnchor = () => {
    if (anchor === undefined) return
    const { label, url } = anchor
    anchor = undefined
    links.push({ url, label: label.value === url ? "" : label.value })
  }
  readMarkup(html, href, {
    open: (name, attributes) => {
      const url = attributes.get("href")?.trim() ?? ""
      if (name === "a") {
        endAnchor()
        endLine()
        if (/^https?:/i.test(url)) anchor = { url, label: new MarkupText({ lines: false }) }
      } else if (!inline.has(name)) endLine()
    },
    close: (name) => {
      if (name === "a") endAnchor()
      else if (!inline.has(name)) endLine()
    },
    text: (piece, referenced) => {
      if (anchor === undefined) line += piece
      else anchor.label.add(piece, referenced)
    }
  })
  endAnchor()
  endLine()
  return links
}
