import { describePassage, type Passage } from "../../../../src/shared/anchor/Describe.ts"
import { findPassage, type SearchableText, searchable } from "../../../../src/shared/anchor/Find.ts"
import type { Highlight } from "../../api.ts"
import type { ReaderFrame } from "../frame.ts"

/** The text nodes of an article in order, each with the position of its beginning in the article's text. */
interface TextMap {
  readonly text: string
  readonly nodes: ReadonlyArray<{ readonly node: Text; readonly start: number }>
  /** The text prepared for finding passages in it; made when one is not where it is said to be. */
  searched?: SearchableText
}

const maps = new WeakMap<HTMLElement, TextMap>()

/** Returns the texts of an article, which nothing changes while it is shown. */
const textMapOf = ({ article, document, window }: ReaderFrame): TextMap => {
  const known = maps.get(article)
  if (known !== undefined) return known
  const walker = document.createTreeWalker(article, window.NodeFilter.SHOW_TEXT)
  const nodes: Array<{ readonly node: Text; readonly start: number }> = []
  let text = ""
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof window.Text)) continue
    nodes.push({ node, start: text.length })
    text += node.data
  }
  const map: TextMap = { text, nodes }
  maps.set(article, map)
  return map
}

const pointAt = ({ nodes }: TextMap, at: number, isEnd: boolean) => {
  let [low, high] = [0, nodes.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const start = nodes[middle]?.start ?? 0
    // The end of a passage belongs to the node before, so that it does not reach into the next block.
    if (isEnd ? start < at : start <= at) low = middle
    else high = middle - 1
  }
  const found = nodes[low]
  return found === undefined
    ? undefined
    : { node: found.node, offset: Math.min(at - found.start, found.node.length) }
}

/** Where a passage is in the document; undefined if it is not in it. */
export interface PlacedHighlight {
  readonly highlight: Highlight
  readonly start: number
  readonly end: number
  readonly range: Range
}

/**
 * Finds a highlight in the document. Its position is that in the current version of the page: where another version is
 * shown, the passage is looked for.
 */
export const placeHighlight = (frame: ReaderFrame, highlight: Highlight): PlacedHighlight | undefined => {
  const map = textMapOf(frame)
  const { end, quote, start } = highlight
  const isThere =
    frame.version === undefined && start !== null && end !== null && end <= map.text.length && start < end
  if (!isThere && frame.version === undefined && highlight.isLost) return undefined
  let place: { readonly start: number; readonly end: number } | undefined
  if (isThere && (map.text.slice(start, end) === quote || frame.version === undefined)) place = { start, end }
  if (place === undefined || map.text.slice(place.start, place.end) !== quote) {
    map.searched ??= searchable(map.text)
    place = findPassage(map.searched, highlight)
  }
  if (place === undefined) return undefined
  const [from, to] = [pointAt(map, place.start, false), pointAt(map, place.end, true)]
  if (from === undefined || to === undefined) return undefined
  const range = frame.document.createRange()
  range.setStart(from.node, from.offset)
  range.setEnd(to.node, to.offset)
  return { highlight, ...place, range }
}

/** Returns the position of a point of the document in the text of the article. */
const positionOf = ({ article, document }: ReaderFrame, node: Node, offset: number): number => {
  const before = document.createRange()
  before.selectNodeContents(article)
  const place = before.comparePoint(node, offset)
  if (place < 0) return 0
  if (place === 0) before.setEnd(node, offset)
  return before.toString().length
}

/** Describes the selected part of the article. */
export const describeRange = (frame: ReaderFrame, range: Range): Passage | undefined =>
  describePassage(
    textMapOf(frame).text,
    positionOf(frame, range.startContainer, range.startOffset),
    positionOf(frame, range.endContainer, range.endOffset)
  )

/** Returns the position in the article's text that is at a point of the frame's window; undefined outside of the text. */
export const positionAt = (frame: ReaderFrame, x: number, y: number): number | undefined => {
  const { document } = frame
  // Safari before 26.2 has no `caretPositionFromPoint`.
  const caret = "caretPositionFromPoint" in document ? document.caretPositionFromPoint(x, y) : undefined
  const range = caret === undefined ? document.caretRangeFromPoint(x, y) : undefined
  const node = caret?.offsetNode ?? range?.startContainer
  const offset = caret?.offset ?? range?.startOffset
  return node === undefined || offset === undefined || !frame.article.contains(node)
    ? undefined
    : positionOf(frame, node, offset)
}
