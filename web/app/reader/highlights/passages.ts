import { describePassage, type Passage } from "../../../../src/shared/anchor/Describe.ts"
import { findPassage, type SearchableText, searchable } from "../../../../src/shared/anchor/Find.ts"
import type { Highlight } from "../../api.ts"
import type { ReaderFrame } from "../frame.ts"
import { indexText, type TextIndex } from "../textIndex.ts"

/** An article's text, prepared for finding passages in it when one is not where it is said to be. */
interface Indexed {
  readonly index: TextIndex
  searched?: SearchableText
}

const indexes = new WeakMap<HTMLElement, Indexed>()

const indexOf = ({ article }: ReaderFrame): Indexed => {
  const indexed = indexes.get(article) ?? { index: indexText(article) }
  indexes.set(article, indexed)
  return indexed
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
  const indexed = indexOf(frame)
  const { rangeOf, text } = indexed.index
  const { end, quote, start } = highlight
  const isThere =
    frame.version === undefined && start !== null && end !== null && end <= text.length && start < end
  if (!isThere && frame.version === undefined && highlight.isLost) return undefined
  let place = isThere ? { start, end } : undefined
  if (place === undefined || text.slice(place.start, place.end) !== quote) {
    indexed.searched ??= searchable(text)
    place = findPassage(indexed.searched, highlight)
  }
  const range = place && rangeOf(place)
  return place && range && { highlight, ...place, range }
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
    indexOf(frame).index.text,
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
