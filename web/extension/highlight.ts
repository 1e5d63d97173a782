import { MAX_QUOTE, MAX_QUOTE_CONTEXT } from "../../src/shared/Limits.ts"
import { cutText } from "../../src/shared/Text.ts"

/** A passage to highlight, with the text before and after it, by which it is found in the page that is kept. */
export interface Passage {
  readonly quote: string
  readonly prefix: string
  readonly suffix: string
}

/**
 * Returns the passage that is selected in the page, with up to `context` characters around it; null if none is selected,
 * or if it is in a field. White space counts as one space each, as it is shown.
 *
 * Runs in the page, so it must not use anything outside its body.
 */
export const readSelected = (context: number): Passage | null => {
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null
  const range = selection.getRangeAt(0)
  const { endContainer, endOffset, startContainer, startOffset } = range
  const plain = (text: string) => text.replace(/\s+/g, " ")
  const isShown = ({ parentElement: parent }: Node) =>
    parent?.closest("script, style, noscript, template, textarea, select") === null
  /** Collects the text beside the passage, from its edge outwards. */
  const beside = (node: Node, first: string, step: "nextNode" | "previousNode"): string => {
    const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT)
    const isAfter = step === "nextNode"
    walker.currentNode = node
    let text = first
    // A page may have any number of empty texts.
    for (let nodes = 0; nodes < 1_000 && plain(text).length < context; nodes++) {
      const next = walker[step]()
      if (!(next instanceof Text)) break
      // Of a long text, its edge is enough.
      const data = isAfter ? next.data.slice(0, 4_096) : next.data.slice(-4_096)
      if (isShown(next)) text = isAfter ? text + data : data + text
    }
    return isAfter ? plain(text).slice(0, context) : plain(text).slice(-context)
  }
  const textIn = (node: Node, from: number, to?: number) =>
    node instanceof Text ? node.data.slice(from, to) : ""
  /** The node before whose content an edge in an element lies; texts are walked from there. */
  const startNode = startContainer.childNodes[startOffset] ?? startContainer
  const lastChild = endContainer.childNodes[endOffset - 1]
  let endNode: Node = lastChild ?? endContainer
  while (lastChild !== undefined && endNode.lastChild !== null) endNode = endNode.lastChild
  const quote = plain(range.toString()).trim()
  if (quote === "") return null
  return {
    quote: quote.slice(0, 100_000),
    prefix: beside(startNode, textIn(startContainer, 0, startOffset), "previousNode"),
    suffix: beside(endNode, textIn(endContainer, endOffset), "nextNode")
  }
}

/**
 * Cuts a passage to what the service takes; undefined if there is none. The context of a passage that is cut is dropped
 * where it no longer stands beside it.
 */
export const boundedPassage = ({ prefix, quote, suffix }: Passage): Passage | undefined => {
  const text = cutText(quote.trim(), MAX_QUOTE)
  if (text === "") return undefined
  return {
    quote: text,
    prefix: prefix.slice(-MAX_QUOTE_CONTEXT).toWellFormed(),
    suffix: text.length < quote.trim().length ? "" : cutText(suffix, MAX_QUOTE_CONTEXT).toWellFormed()
  }
}
