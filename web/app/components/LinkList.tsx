import { useComputed, useSignalEffect } from "@preact/signals"
import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll
} from "@tanstack/virtual-core"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import {
  firstVisible,
  type Listing,
  listing,
  loading,
  loadMore,
  resumeAt,
  scrollToTopRequests
} from "../state/list.ts"
import { density } from "../state/preferences.ts"
import { entry, paramsOf } from "../state/route.ts"
import { current, selected } from "../state/selection.ts"
import { Card } from "./Card.tsx"

type VirtualizerChoices = Pick<
  VirtualizerOptions<Window, HTMLElement>,
  | "count"
  | "estimateSize"
  | "getItemKey"
  | "overscan"
  | "scrollMargin"
  | "scrollPaddingStart"
  | "scrollPaddingEnd"
>

/** A list that scrolls with the window and renders only what is visible (TanStack Virtual). */
const useWindowVirtualizer = (options: VirtualizerChoices): Virtualizer<Window, HTMLElement> => {
  const [, redraw] = useState(0)
  const all: VirtualizerOptions<Window, HTMLElement> = {
    ...options,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    onChange: () => redraw((count) => count + 1)
  }
  const [virtualizer] = useState(() => new Virtualizer(all))
  virtualizer.setOptions(all)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  return virtualizer
}

/** Estimated heights of a card and a row, in pixels, until they are measured. */
const HEIGHTS = { cards: 150, rows: 41 }
/** The next page is requested when this many loaded links remain. */
const AHEAD = 24
/** Maximum number of frames to wait for a card to be rendered after scrolling to it. */
const FRAMES = 20

/** Heights that the header covers at the top and the bulk bar at the bottom, in pixels. */
const COVERED = { top: 68, bottom: 150 }
/** Margin below a card after scrolling to it, in pixels. */
const FREE = 24

type List = Virtualizer<Window, HTMLElement>

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
const useFocusOnCurrent = (virtualizer: List) => {
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
    virtualizer.scrollToIndex(index, { align: "auto" })
    focusCard(id)
  })
}

/** Scrolls a new view to its starting position; a view that only grows or changes keeps its position. */
const useInitialScroll = (virtualizer: List) => {
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
    if (top > 0) requestAnimationFrame(() => virtualizer.scrollToIndex(top, { align: "start" }))
    else if (!first) window.scrollTo(0, 0)
  })
}

/** Scrolls to the top on request; the virtualizer does it, because the list's height changes meanwhile. */
const useScrollToTop = (virtualizer: List) => {
  const handled = useRef(scrollToTopRequests.peek())
  useSignalEffect(() => {
    if (scrollToTopRequests.value === handled.current) return
    handled.current = scrollToTopRequests.value
    requestAnimationFrame(() => virtualizer.scrollToOffset(0))
  })
}

/** The links of the view. */
export const LinkList = () => {
  const now = listing.value
  const ids = now?.ids ?? []
  const list = useRef<HTMLOListElement>(null)
  const [margin, setMargin] = useState(0)
  const hasHighlights = useComputed(() => (listing.value?.highlights.size ?? 0) > 0)
  const mode = density.value
  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => HEIGHTS[mode],
    getItemKey: (index) => ids[index] ?? index,
    overscan: mode === "rows" ? 12 : 5,
    scrollMargin: margin,
    scrollPaddingStart: COVERED.top,
    scrollPaddingEnd: selected.value.size === 0 ? FREE : COVERED.bottom
  })
  useLayoutEffect(() => {
    const top = list.current?.offsetTop ?? 0
    if (top !== margin) setMargin(top)
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, mode])
  useFocusOnCurrent(virtualizer)
  useInitialScroll(virtualizer)
  useScrollToTop(virtualizer)

  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    const top = (virtualizer.scrollOffset ?? 0) + COVERED.top
    firstVisible.index = items.find(({ end }) => end > top)?.index ?? 0
    if (now?.cursor != null && last >= ids.length - AHEAD && loading.value === "no") void loadMore()
  })

  return (
    <ol class="links" ref={list} style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {items.map(({ index, key, start }) => {
        const id = ids[index]
        if (id === undefined) return null
        const marks = now?.highlights.get(id)
        return (
          <li
            key={key}
            class="links-item"
            data-index={index}
            ref={virtualizer.measureElement}
            aria-setsize={now?.total ?? ids.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <Card
              id={id}
              marks={marks}
              byMeaning={hasHighlights.value && marks !== undefined && Object.keys(marks).length === 0}
            />
          </li>
        )
      })}
    </ol>
  )
}
