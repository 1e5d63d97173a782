/** A part of an article's text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Finds places in an article by their offset in its text, and the other way round. */
export interface TextIndex {
  /** The length of the text, in UTF-16 units. */
  readonly length: number
  readonly text: string
  /** Returns the range of a part of the text; undefined if the article is empty. */
  readonly rangeOf: (span: Span) => Range | undefined
  /** Returns the offset of the first character that is visible below `line`, in pixels from the top of the window. */
  readonly offsetBelow: (line: number) => number
}

/** The number of the first of `count` items for which `isAfter` holds, where it holds for all after it; else `count`. */
const firstOf = (count: number, isAfter: (at: number) => boolean): number => {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isAfter(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Indexes the text nodes of an article, which must not change. */
export const indexText = (article: HTMLElement): TextIndex => {
  const { ownerDocument: document } = article
  const walker = document.createTreeWalker(article, 4 /* NodeFilter.SHOW_TEXT */)
  const nodes: Array<Node> = []
  const starts: Array<number> = []
  let length = 0
  while (walker.nextNode() !== null) {
    const { currentNode } = walker
    nodes.push(currentNode)
    starts.push(length)
    length += currentNode.nodeValue?.length ?? 0
  }

  /** The end of a part belongs to the node before, so that it does not reach into the next block. */
  const placeOf = (offset: number, isEnd: boolean): readonly [Node, number] | undefined => {
    const isAfter = (start: number) => (isEnd ? start >= offset : start > offset)
    const at = firstOf(nodes.length, (n) => isAfter(starts[n] ?? 0)) - 1
    const node = nodes[Math.max(at, 0)]
    return node === undefined
      ? undefined
      : [node, Math.min(offset - (starts[Math.max(at, 0)] ?? 0), node.nodeValue?.length ?? 0)]
  }

  const rangeOf = ({ end, start }: Span): Range | undefined => {
    const from = placeOf(Math.max(0, Math.min(start, length)), false)
    const to = placeOf(Math.max(0, Math.min(end, length)), true)
    if (from === undefined || to === undefined) return undefined
    const range = document.createRange()
    range.setStart(...from)
    range.setEnd(...to)
    return range
  }

  /** The lower edge of a part of a node; undefined if it has no box, as white space between blocks. */
  const bottomOf = (node: Node, start: number, end: number): number | undefined => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    const { bottom, height } = range.getBoundingClientRect()
    return height === 0 ? undefined : bottom
  }

  return {
    length,
    text: article.textContent,
    rangeOf,
    offsetBelow: (line) => {
      const isBelow = (at: number): boolean => {
        // A node without a box is where the next one with a box is.
        for (let n = at; n < nodes.length; n++) {
          const node = nodes[n]
          const bottom = node === undefined ? undefined : bottomOf(node, 0, node.nodeValue?.length ?? 0)
          if (bottom !== undefined) return bottom > line
        }
        return true
      }
      const at = firstOf(nodes.length, isBelow)
      const node = nodes[at]
      if (node === undefined) return length
      const size = node.nodeValue?.length ?? 0
      const within = firstOf(size, (n) => (bottomOf(node, n, n + 1) ?? Number.POSITIVE_INFINITY) > line)
      return (starts[at] ?? 0) + (within === size ? 0 : within)
    }
  }
}
