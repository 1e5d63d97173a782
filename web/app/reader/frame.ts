import { signal } from "@preact/signals"
import { handleKey } from "../keys.ts"

/**
 * The document of a kept page, as the parts of the reader work on it from outside: it has no scripts of its own. Nothing
 * may add, remove or change a text within `article`: its text is what positions and highlights count in.
 */
export interface ReaderFrame {
  readonly id: number
  /** The earlier version that is shown; undefined for the current one. */
  readonly version: number | undefined
  readonly element: HTMLIFrameElement
  /** The frame's window: its classes, `CSS.highlights` and its scrolling. */
  readonly window: WindowProxy & typeof globalThis
  readonly document: Document
  /** The article alone, without the title and the byline above it. */
  readonly article: HTMLElement
}

/** The document that is shown; null while none is. */
export const readerFrame = signal<ReaderFrame | null>(null)

/** Where the document is scrolled to, in CSS pixels of the frame. */
export interface Scroll {
  readonly top: number
  /** The height of the visible part, and of the whole document. */
  readonly visible: number
  readonly height: number
}

export const scroll = signal<Scroll>({ top: 0, visible: 0, height: 0 })

/** The text that is selected in the article; null if none is. */
export const selectedRange = signal<Range | null>(null)

type Listener = (event: MouseEvent) => void

const clickListeners = new Set<Listener>()

/**
 * Calls `listener` for each click in the document, before the browser follows a link; returns a function that ends it. An
 * event's target is of no class of this window: `closest` works, `instanceof` does not.
 */
export const onFrameClick = (listener: Listener): (() => void) => {
  clickListeners.add(listener)
  return () => void clickListeners.delete(listener)
}

/** How often a document is looked at whose browser reports no events, in milliseconds. */
const POLLING = 250

const isSameRange = (one: Range, other: Range) =>
  one.startContainer === other.startContainer &&
  one.startOffset === other.startOffset &&
  one.endContainer === other.endContainer &&
  one.endOffset === other.endOffset

const readScroll = ({ document: { documentElement }, window }: ReaderFrame) => {
  const now = {
    top: window.scrollY,
    visible: documentElement.clientHeight,
    height: documentElement.scrollHeight
  }
  const { height, top, visible } = scroll.peek()
  if (now.top !== top || now.visible !== visible || now.height !== height) scroll.value = now
}

const rangeIn = ({ article, document }: ReaderFrame): Range | null => {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  return range.intersectsNode(article) ? range.cloneRange() : null
}

const readSelection = (frame: ReaderFrame) => {
  const before = selectedRange.peek()
  const now = rangeIn(frame)
  if (before === null || now === null ? before !== now : !isSameRange(before, now)) selectedRange.value = now
}

/**
 * Follows what happens in a document until the returned function is called. Safari reports no events of a frame without
 * scripts (https://bugs.webkit.org/218086): scrolling and selecting are then seen by looking, until the first event arrives.
 */
export const watchFrame = (frame: ReaderFrame): (() => void) => {
  const { document } = frame
  const end = new AbortController()
  const { signal } = end
  const polling = setInterval(() => {
    readScroll(frame)
    readSelection(frame)
  }, POLLING)
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => void,
    options: AddEventListenerOptions = {}
  ) =>
    document.addEventListener(
      type,
      (event) => {
        clearInterval(polling)
        listener(event)
      },
      { ...options, signal }
    )
  listen("scroll", () => readScroll(frame), { passive: true })
  listen("selectionchange", () => readSelection(frame))
  // Enter follows the link that has the focus.
  listen("keydown", (event) => event.key !== "Enter" && handleKey(event))
  listen("click", (event) => {
    for (const listener of clickListeners) listener(event)
  })
  const resized = new ResizeObserver(() => readScroll(frame))
  resized.observe(document.documentElement)
  // The height of what is visible is the frame's.
  resized.observe(frame.element)
  // What happened before this is reported by no event.
  readScroll(frame)
  readSelection(frame)
  return () => {
    end.abort()
    clearInterval(polling)
    resized.disconnect()
    selectedRange.value = null
  }
}
