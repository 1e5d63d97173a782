import { useComputed, useSignalEffect } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { headingIn } from "../headings.ts"
import { type ListRow, makeListRows, makeTwins } from "../listRows.ts"
import { groupingOf, layoutOf } from "../state/display.ts"
import { peekLink } from "../state/entities.ts"
import {
  firstVisible,
  type Listing,
  listing,
  loading,
  loadMore,
  resumeAt,
  scrollToTopRequests
} from "../state/list.ts"
import type { Grouping } from "../state/preferences.ts"
import { entry, everything, paramsOf } from "../state/route.ts"
import { current, selected } from "../state/selection.ts"
import { Card } from "./Card.tsx"
import { useVirtualRows } from "./useVirtualRows.ts"

/** Estimated heights of a card, a row, a grid's cell without its cover and a heading, in pixels, until they are measured. */
const HEIGHTS = { cards: 150, rows: 41, grid: 122, heading: 52 }
/** The gap between the cells of a grid, and their minimum widths on a wide and on a narrow screen, in pixels. */
const GRID = { gap: 12, wide: 208, narrow: 150, narrowBelow: 560 }
/** The share of a cover's width that is its height. */
const COVER = 9 / 16
/** The next page is requested when so many loaded links remain: more when more have been loaded, because then one scrolls. */
const AHEAD = { least: 24, most: 100 }
/** Maximum number of frames to wait for a card to be rendered after scrolling to it. */
const FRAMES = 20

/** Heights that the header covers at the top and the bulk bar at the bottom, in pixels. */
const COVERED = { top: 68, bottom: 150 }
/** Margin below a card after scrolling to it, in pixels. */
const FREE = 24

/** Scrolls to the row of a link. */
type ScrollTo = (index: number, align: "start" | "nearest") => void

const columnsIn = (width: number) => {
  const least = width < GRID.narrowBelow ? GRID.narrow : GRID.wide
  return Math.max(1, Math.floor((width + GRID.gap) / (least + GRID.gap)))
}

const idHeadings = (grouping: Grouping) => {
  const headingOf = headingIn(grouping)
  if (headingOf === undefined) return undefined
  return (id: number) => {
    const link = peekLink(id)
    return link === undefined ? "" : headingOf(link)
  }
}

/** What a card shows first; two links with the same need their paths to be told apart. */
const lineOf = (id: number) => {
  const link = peekLink(id)
  return link && `${link.title}\n${link.host}`
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  altKey || ctrlKey || metaKey || shiftKey

/** The keys that move within a grid, and by how many columns and rows. */
const steps: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

const focusCard = (id: number, frames = FRAMES) => {
  const card = document.getElementById(`link-${id}`)
  if (card !== null) {
    if (!card.contains(document.activeElement)) card.focus({ preventScroll: true })
  } else if (frames > 0) requestAnimationFrame(() => focusCard(id, frames - 1))
}

/** Whether the user is typing or in a dialog: then the list must not take the focus. */
const isElsewhere = () =>
  document.activeElement?.closest("input:not([type=checkbox]), textarea, select, dialog, [popover]") != null

const keyOf = ({ filters }: Listing) => `${entry.peek()} ${paramsOf(filters)}`

/** Follows the keyboard: scrolls to the current link and focuses it. */
const useFocusOnCurrent = (scrollTo: ScrollTo) => {
  const previous = useRef({ id: current.peek(), index: 0, view: "" })
  useSignalEffect(() => {
    const ids = listing.value?.ids ?? []
    const view = listing.value === null ? "" : keyOf(listing.value)
    const id = current.value
    if (id === null) return
    const index = ids.indexOf(id)
    if (index === -1) {
      // The link has left the list: the one that took its place becomes current.
      const next = ids[Math.min(previous.current.index, ids.length - 1)]
      current.value = next === undefined || view !== previous.current.view || isElsewhere() ? null : next
      return
    }
    const moved = previous.current.id !== id
    previous.current = { id, index, view }
    const card = document.getElementById(`link-${id}`)
    if (!moved || isElsewhere() || card?.contains(document.activeElement)) return
    scrollTo(index, "nearest")
    focusCard(id)
  })
}

/** Scrolls a new view to its starting position; a view that only grows or changes keeps its position. */
const useInitialScroll = (scrollTo: ScrollTo) => {
  const shown = useRef("")
  useSignalEffect(() => {
    const now = listing.value
    if (now === null) return
    const key = keyOf(now)
    if (key === shown.current) return
    const first = shown.current === ""
    shown.current = key
    const top = resumeAt.peek()
    resumeAt.value = 0
    if (top > 0) requestAnimationFrame(() => scrollTo(top, "start"))
    else if (!first) window.scrollTo(0, 0)
  })
}

const useScrollToTop = (scrollToTop: () => void) => {
  const handled = useRef(scrollToTopRequests.peek())
  useSignalEffect(() => {
    if (scrollToTopRequests.value === handled.current) return
    handled.current = scrollToTopRequests.value
    requestAnimationFrame(scrollToTop)
  })
}

const keyOfRow = (ids: ReadonlyArray<number>, row: ListRow | undefined, index: number) => {
  if (row === undefined) return index
  return row.kind === "heading" ? `heading ${ids[row.first]}` : (ids[row.from] ?? index)
}

/** The list's width, if its layout depends on it. */
const useWidth = (list: RefObject<HTMLElement | null>, matters: boolean): number => {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!matters || list.current === null) return
    setWidth(list.current.clientWidth)
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.target.clientWidth ?? 0))
    sizes.observe(list.current)
    return () => sizes.disconnect()
  }, [matters])
  return matters ? width : 0
}

const firstLinkOf = (row: ListRow | undefined): number => {
  if (row === undefined) return 0
  return row.kind === "heading" ? row.first : row.from
}

export const LinkList = () => {
  const now = listing.value
  const ids = now?.ids ?? []
  const filters = now?.filters ?? everything
  const layout = layoutOf(filters)
  const grouping = groupingOf(filters)
  const isGrid = layout === "grid"
  const element = useRef<HTMLOListElement & HTMLDivElement>(null)
  const width = useWidth(element, isGrid)
  const columns = isGrid ? columnsIn(width) : 1
  const rowsFor = useMemo(
    () => makeListRows({ columns, headingOf: idHeadings(grouping) }),
    [columns, grouping]
  )
  const twinsIn = useMemo(() => makeTwins(lineOf), [])
  const { rowOf, rows } = rowsFor(ids)
  const twins = twinsIn(ids)
  const hasHighlights = useComputed(() => (listing.value?.highlights.size ?? 0) > 0)
  const cover = isGrid ? ((width - GRID.gap * (columns - 1)) / columns) * COVER : 0
  const virtual = useVirtualRows(element, {
    version: rows,
    layout: `${layout} ${width}`,
    count: rows.length,
    keyOf: (index) => keyOfRow(ids, rows[index], index),
    estimate: (index) => (rows[index]?.kind === "heading" ? HEIGHTS.heading : HEIGHTS[layout] + cover),
    covered: { top: COVERED.top, bottom: selected.value.size === 0 ? FREE : COVERED.bottom },
    onScroll: (row) => {
      firstVisible.index = firstLinkOf(rows[row])
    }
  })
  const scrollTo = useRef<ScrollTo>(() => {})
  scrollTo.current = (index, align) => virtual.scrollToRow(rowOf(index), align)
  const scrollToLink: ScrollTo = (index, align) => scrollTo.current(index, align)
  useFocusOnCurrent(scrollToLink)
  useInitialScroll(scrollToLink)
  useScrollToTop(virtual.scrollToTop)

  const shown = rows.slice(virtual.first, virtual.end)
  const ahead = Math.min(AHEAD.most, Math.max(AHEAD.least, ids.length / 3))
  useLayoutEffect(() => {
    const last = shown.at(-1)
    const rest = ids.length - (last?.kind === "links" ? last.to : firstLinkOf(last))
    if (now?.cursor != null && rest < ahead && loading.value === "no") void loadMore()
  })

  const total = now?.total ?? ids.length
  const cardAt = (index: number) => {
    const id = ids[index]
    if (id === undefined) return null
    const marks = now?.highlights.get(id)
    return (
      <Card
        key={id}
        id={id}
        layout={layout}
        heading={grouping === "none" ? "h2" : "h3"}
        marks={marks}
        byMeaning={hasHighlights.value && marks !== undefined && Object.keys(marks).length === 0}
        hasTwin={twins.has(id)}
      />
    )
  }
  /** Moves through the lines of a grid; headings are no stops. */
  const walk = (event: KeyboardEvent) => {
    const [across, along] = steps[event.key] ?? [0, 0]
    const at = current.peek() === null ? -1 : ids.indexOf(current.peek() ?? 0)
    const line = rows[rowOf(at)]
    if (at === -1 || line?.kind !== "links" || hasModifier(event) || (across === 0 && along === 0)) return
    const column = at - line.from
    const next = rows[rowOf(along > 0 ? line.to : line.from - 1)]
    const target =
      along === 0
        ? at + across
        : next?.kind === "links" && next !== line
          ? Math.min(next.from + column, next.to - 1)
          : at
    current.value = ids[target] ?? current.peek()
    event.preventDefault()
  }
  const lines = shown.map((row, at) => {
    const index = virtual.first + at
    const key = keyOfRow(ids, row, index)
    const place = { "data-index": index, ref: virtual.measure }
    if (row.kind === "heading") {
      const Line = isGrid ? "div" : "li"
      return (
        <Line key={key} class="links-item links-heading one-line" {...place}>
          <h2 dir="auto">{row.text}</h2>
        </Line>
      )
    }
    if (!isGrid)
      return (
        <li key={key} class="links-item" aria-setsize={total} aria-posinset={row.from + 1} {...place}>
          {cardAt(row.from)}
        </li>
      )
    return (
      <ol key={key} class="links-item links-cells" {...place}>
        {ids.slice(row.from, row.to).map((id, at) => (
          <li key={id} aria-setsize={total} aria-posinset={row.from + at + 1}>
            {cardAt(row.from + at)}
          </li>
        ))}
      </ol>
    )
  })
  const style = {
    height: `${virtual.height}px`,
    paddingBlockStart: `${virtual.before}px`,
    "--columns": columns
  }
  return isGrid ? (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the cards, which have the focus.
    <div class="links" ref={element} style={style} onKeyDown={walk}>
      {lines}
    </div>
  ) : (
    <ol class="links" ref={element} style={style}>
      {lines}
    </ol>
  )
}
