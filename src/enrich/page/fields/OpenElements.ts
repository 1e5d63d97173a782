import { setOf, voidElements } from "../../../domain/Markup.ts"

/** Follows the open elements in a walk over markup, in time and memory linear in its length. */

/** Deeper elements are not followed: no page needs more. */
const MAX_DEPTH = 512
/** Maximum texts collected at once, and maximum length of each, in UTF-16 units. */
const MAX_CAPTURES = 16
const MAX_CAPTURED = 1_000
const MAX_LOOK = 32

const blocks = setOf(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody td tfoot th thead tr ul"
)

const hidden = setOf("script style noscript template textarea select")

/** Elements whose start ends an element of the same kind (HTML Standard, "optional tags"), and the elements between. */
const siblings: ReadonlyMap<
  string,
  { readonly ends: ReadonlySet<string>; readonly within: ReadonlySet<string> }
> = new Map([
  ["li", { ends: setOf("li"), within: setOf("ul ol") }],
  ["dt", { ends: setOf("dt dd"), within: setOf("dl") }],
  ["dd", { ends: setOf("dt dd"), within: setOf("dl") }],
  ["td", { ends: setOf("td th"), within: setOf("table tr") }],
  ["th", { ends: setOf("td th"), within: setOf("table tr") }],
  ["tr", { ends: setOf("tr"), within: setOf("table") }]
])

interface Capture {
  text: string
  readonly limit: number
  readonly atLimit?: () => void
}

interface OpenElement {
  readonly name: string
  readonly ends: Array<() => void>
  readonly isHidden: boolean
  readonly isAside: boolean
  readonly isInArticle: boolean
}

export interface OpenElements {
  /** Opens an element. `isAside`: its content is not about the page's subject; `isHidden`: its text is not shown. */
  readonly open: (name: string, isAside: boolean, isHidden: boolean) => void
  /** Ends the element opened last if it has no content. `isClosed`: its tag ends in a slash. */
  readonly endEmpty: (name: string, isClosed: boolean) => void
  readonly close: (name: string) => void
  readonly text: (piece: string) => void
  /** Calls `done` when the element opened last ends; never if it lies too deep to be followed. */
  readonly onEnd: (done: () => void) => void
  /** Collects the text of the element opened last; block elements and line breaks in it are `\n`, other white space is not. */
  readonly capture: (done: (text: string) => void) => void
  /** Collects the text after the element opened last, up to `limit` UTF-16 units or a little more. */
  readonly captureAfter: (limit: number, done: (text: string) => void) => void
  readonly end: () => void
  readonly isAside: () => boolean
  readonly isInArticle: () => boolean
  /** How much text has been seen, in UTF-16 units without white space at the ends of pieces. */
  readonly position: () => number
}

export const openElements = (): OpenElements => {
  const stack: Array<OpenElement> = []
  const counts = new Map<string, number>()
  const captures: Array<Capture> = []
  let deeper = 0
  let position = 0

  const remove = (capture: Capture) => {
    captures.splice(captures.indexOf(capture), 1)
  }
  const top = () => stack.at(-1)
  const breakLine = () => {
    for (const capture of captures) if (capture.text.length < capture.limit) capture.text += "\n"
  }
  const pop = () => {
    const element = stack.pop()
    if (element === undefined) return
    counts.set(element.name, (counts.get(element.name) ?? 1) - 1)
    if (blocks.has(element.name)) breakLine()
    for (const done of element.ends.toReversed()) done()
  }
  const isOpen = (name: string) => (counts.get(name) ?? 0) > 0

  /** Ends the elements up to the nearest of `ends`, if it is open within the nearest of `within`. */
  const endNearest = (ends: ReadonlySet<string>, within: ReadonlySet<string>) => {
    for (let at = stack.length - 1; at >= 0 && at >= stack.length - MAX_LOOK; at--) {
      const name = stack[at]?.name ?? ""
      if (within.has(name)) return
      if (!ends.has(name)) continue
      while (stack.length > at) pop()
      return
    }
  }

  const close = (name: string) => {
    if (deeper > 0) {
      deeper--
      return
    }
    if (!isOpen(name)) return
    if (!blocks.has(name) && !hidden.has(name))
      // The end tag of an inline element does not end the block around it.
      for (let at = stack.length - 1; at >= stack.length - MAX_LOOK; at--) {
        const open = stack[at]?.name
        if (open === name) break
        if (open === undefined || blocks.has(open)) return
      }
    while (isOpen(name)) {
      const isLast = top()?.name === name
      pop()
      if (isLast) return
    }
  }

  return {
    open: (name, isAside, isHidden) => {
      if (blocks.has(name)) {
        if (isOpen("p")) close("p")
        breakLine()
      } else if (name === "br") breakLine()
      const sibling = siblings.get(name)
      if (sibling !== undefined) endNearest(sibling.ends, sibling.within)
      if (stack.length >= MAX_DEPTH || deeper > 0) {
        deeper++
        return
      }
      const around = top()
      stack.push({
        name,
        ends: [],
        isHidden: isHidden || (around?.isHidden ?? false) || hidden.has(name),
        isAside: (around?.isAside ?? false) || isAside,
        isInArticle: (around?.isInArticle ?? false) || name === "article" || name === "main"
      })
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    endEmpty: (name, isClosed) => {
      // HTML ignores the slash; the foreign elements in a page do not.
      if (voidElements.has(name) || (isClosed && (isOpen("svg") || isOpen("math")))) close(name)
    },
    close,
    text: (piece) => {
      if (top()?.isHidden) return
      const line = piece.trim()
      position += line.length
      if (captures.length === 0) return
      const short = piece.slice(0, MAX_CAPTURED).replace(/\s+/g, " ")
      for (const capture of [...captures]) {
        if (capture.text.length < capture.limit) capture.text += short
        if (capture.text.length >= capture.limit) capture.atLimit?.()
      }
    },
    onEnd: (done) => {
      if (deeper === 0) top()?.ends.push(done)
    },
    capture: (done) => {
      if (captures.length >= MAX_CAPTURES || deeper > 0) return
      const capture: Capture = { text: "", limit: MAX_CAPTURED }
      captures.push(capture)
      top()?.ends.push(() => {
        remove(capture)
        done(capture.text)
      })
    },
    captureAfter: (limit, done) => {
      if (deeper > 0) return
      top()?.ends.push(() => {
        if (captures.length >= MAX_CAPTURES) return
        const capture: Capture = {
          text: "",
          limit,
          atLimit: () => {
            remove(capture)
            done(capture.text)
          }
        }
        captures.push(capture)
      })
    },
    end: () => {
      while (stack.length > 0) pop()
      for (const capture of [...captures]) capture.atLimit?.()
    },
    isAside: () => top()?.isAside ?? false,
    isInArticle: () => top()?.isInArticle ?? false,
    position: () => position
  }
}
