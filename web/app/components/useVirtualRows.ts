import type { RefObject } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { makeRowHeights, type Rows } from "../rowHeights.ts"

/** How far beyond the screen rows are rendered, and how little of that may be left before more are, in pixels. */
const BEYOND = 500
const LEAST = 300
/** How long the list must rest before its scroll position is corrected, in milliseconds. */
const REST = 150
/** Maximum number of frames that scrolling to a row takes, because rows on the way are measured. */
const FRAMES = 10

/** The rendered part of the list: its first row, and the one after its last. */
interface Range {
  readonly first: number
  readonly end: number
}

/** Where a row comes to stand: at the top of the screen, or anywhere on it with as little scrolling as possible. */
type Align = "start" | "nearest"

interface Options extends Rows {
  /** Changes with the rows. */
  readonly version: unknown
  /** Identifies the layout of the rows: their heights are forgotten when it changes. */
  readonly layout: string
  /** The parts of the screen that other things cover, in pixels. */
  readonly covered: { readonly top: number; readonly bottom: number }
  /** Called with the first row that is visible, whenever that may have changed. */
  readonly onScroll: (firstVisible: number) => void
}

/**
 * Renders only the rows of a list near the screen; the list scrolls with the window. Rows stand in the flow of the page,
 * below a padding in place of those before them, so that a measured height moves nothing by itself.
 */
const makeVirtualRows = (list: RefObject<HTMLElement | null>, redraw: () => void) => {
  const heights = makeRowHeights()
  let options: Options | undefined
  let listTop = 0
  let range: Range = { first: 0, end: 0 }
  /**
   * By how much the rows before the screen are higher than the scroll position assumes. It is paid back when scrolling
   * rests, because a correction in between would stop the momentum of a finger.
   */
  let debt = 0
  /** What was paid back and not yet scrolled by: the page scrolls as soon as the rows have moved by as much. */
  let paid = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0

  const screen = () => {
    const top = window.scrollY - listTop + debt + paid
    return { top, bottom: top + window.innerHeight }
  }
  const rangeAround = (): Range => {
    const { bottom, top } = screen()
    const count = options?.count ?? 0
    return {
      first: heights.rowAt(Math.max(0, top - BEYOND)),
      end: Math.min(count, heights.rowAt(bottom + BEYOND) + 1)
    }
  }
  const isEnough = () => {
    const { bottom, top } = screen()
    const count = options?.count ?? 0
    return (
      range.end <= count &&
      (range.first === 0 || heights.topOf(range.first) <= top - LEAST) &&
      (range.end === count || heights.topOf(range.end) >= bottom + LEAST)
    )
  }
  const report = () => options?.onScroll(heights.rowAt(screen().top + (options?.covered.top ?? 0)))
  const update = () => {
    report()
    if (!isEnough()) redraw()
  }
  const pay = () => {
    if (Math.abs(debt) < 1) return
    paid += debt
    debt = 0
    redraw()
  }
  const forgive = () => {
    debt = 0
    paid = 0
  }
  const offsetFor = (index: number, align: Align): number => {
    const covered = options?.covered ?? { top: 0, bottom: 0 }
    const start = listTop + heights.topOf(index) - covered.top
    const end = listTop + heights.topOf(index + 1) + covered.bottom - window.innerHeight
    if (align === "start" || window.scrollY > start) return start
    return window.scrollY < end ? Math.min(start, end) : window.scrollY
  }
  const onScroll = () => {
    clearTimeout(timer)
    timer = setTimeout(pay, REST)
    // Near the top, the rows must end where the list does.
    if (window.scrollY - listTop < 2 * BEYOND) pay()
    update()
  }
  const sizes = new ResizeObserver((entries) => {
    let moved = false
    for (const { borderBoxSize, target } of entries) {
      if (!target.isConnected) {
        sizes.unobserve(target)
        continue
      }
      if (!(target instanceof HTMLElement) || target.dataset["index"] === undefined) {
        // The page: the list's place in it may have changed.
        listTop = list.current?.offsetTop ?? 0
        continue
      }
      const index = Number(target.dataset["index"])
      const before = heights.topOf(index)
      const difference = heights.measure(index, borderBoxSize[0]?.blockSize ?? 0)
      if (difference === 0) continue
      moved = true
      if (before < screen().top) debt += difference
    }
    if (moved) redraw()
    update()
  })
  return {
    setOptions: (next: Options): void => {
      if (options !== undefined && options.layout !== next.layout) {
        heights.forget()
        forgive()
      }
      if (options?.version !== next.version || options?.layout !== next.layout) heights.setRows(next)
      options = next
    },
    /** The rows to render, and the heights of the whole list and of what stands before them. */
    take: () => {
      if (!isEnough()) range = rangeAround()
      const before = heights.topOf(range.first) - debt
      return { ...range, height: heights.total(), before: Math.max(0, before) }
    },
    start: (): (() => void) => {
      listTop = list.current?.offsetTop ?? 0
      window.addEventListener("scroll", onScroll, { passive: true })
      window.addEventListener("resize", update)
      const page = list.current?.closest("main")
      if (page != null) sizes.observe(page)
      update()
      return () => {
        window.removeEventListener("scroll", onScroll)
        window.removeEventListener("resize", update)
        sizes.disconnect()
        clearTimeout(timer)
        cancelAnimationFrame(frame)
      }
    },
    measure: (row: HTMLElement | null): void => {
      if (row !== null) sizes.observe(row)
    },
    /** Runs after the rows were drawn. */
    drawn: (): void => {
      if (paid === 0) return
      const by = paid
      paid = 0
      window.scrollBy({ top: by, behavior: "instant" })
    },
    scrollToRow: (index: number, align: Align): void => {
      cancelAnimationFrame(frame)
      const step = (left: number) => {
        if (debt !== 0 || paid !== 0) {
          forgive()
          redraw()
        }
        const top = Math.max(0, offsetFor(index, align))
        if (Math.abs(top - window.scrollY) >= 1) window.scrollTo({ top, behavior: "instant" })
        if (left > 0) frame = requestAnimationFrame(() => step(left - 1))
      }
      step(FRAMES)
    },
    scrollToTop: (): void => {
      cancelAnimationFrame(frame)
      forgive()
      window.scrollTo({ top: 0, behavior: "instant" })
      redraw()
    }
  }
}

/** Renders only those rows of a list that are near the screen. */
export const useVirtualRows = (list: RefObject<HTMLElement | null>, options: Options) => {
  const [, redraw] = useState(0)
  const [rows] = useState(() => makeVirtualRows(list, () => redraw((count) => count + 1)))
  rows.setOptions(options)
  useLayoutEffect(() => rows.start(), [rows])
  useLayoutEffect(rows.drawn)
  const { measure, scrollToRow, scrollToTop } = rows
  return { measure, scrollToRow, scrollToTop, ...rows.take() }
}
