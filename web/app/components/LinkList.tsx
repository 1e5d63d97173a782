import { useComputed, useSignalEffect } from "@preact/signals"
import type { Virtualizer } from "@tanstack/virtual-core"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { firstVisible, type Listing, listing, loading, loadMore, resumeAt, toTop } from "../state/list.ts"
import { entry, paramsOf } from "../state/place.ts"
import { density } from "../state/preferences.ts"
import { current, selected } from "../state/selection.ts"
import { Card } from "./Card.tsx"
import { useWindowVirtualizer } from "./virtual.ts"

/** What a card and a row are likely to measure, in pixels, before they are measured. */
const HEIGHTS = { cards: 150, rows: 41 }
/** How many links before the end of what is loaded more is asked for. */
const AHEAD = 24
/** How many frames a card that was scrolled to has to appear. */
const FRAMES = 20

/** What the header covers at the top, and the bar for many links at the bottom, in pixels. */
const COVERED = { top: 68, bottom: 150 }
/** What stays free below a card that is scrolled to. */
const FREE = 24

type List = Virtualizer<Window, HTMLElement>

const focusCard = (id: number, frames = FRAMES) => {
  const card = document.getElementById(`link-${id}`)
  if (card !== null) {
    if (!card.contains(document.activeElement)) card.focus({ preventScroll: true })
  } else if (frames > 0) requestAnimationFrame(() => focusCard(id, frames - 1))
}

/** Whether somebody is writing, or busy in a dialog: then the list does not take the focus. */
const isElsewhere = () =>
  document.activeElement?.closest("input:not([type=checkbox]), textarea, select, dialog, [popover]") != null

const keyOf = ({ filters }: Listing) => `${entry.peek()} ${paramsOf(filters)}`

/** Follows the keyboard: the link it stands on is scrolled to and has the focus. */
const useCurrent = (virtualizer: List) => {
  const stood = useRef({ id: current.peek(), index: 0, view: "" })
  useSignalEffect(() => {
    const ids = listing.value?.ids ?? []
    const view = listing.value === null ? "" : keyOf(listing.value)
    const id = current.value
    if (id === null) return
    const index = ids.indexOf(id)
    if (index === -1) {
      // The link has left the list: whoever stood on it goes on with the one that took its place.
      const next = ids[Math.min(stood.current.index, ids.length - 1)]
      current.value = next === undefined || view !== stood.current.view || isElsewhere() ? null : next
      return
    }
    const moved = stood.current.id !== id
    stood.current = { id, index, view }
    const card = document.getElementById(`link-${id}`)
    if (!moved || isElsewhere() || card?.contains(document.activeElement)) return
    virtualizer.scrollToIndex(index, { align: "auto" })
    focusCard(id)
  })
}

/** Shows a view from where it is to begin; a view that only grows or changes stays where it is. */
const useBeginning = (virtualizer: List) => {
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

/** Goes to the top when it is asked for; the virtualizer sees it through, for the list changes its height meanwhile. */
const useTop = (virtualizer: List) => {
  const asked = useRef(toTop.peek())
  useSignalEffect(() => {
    if (toTop.value === asked.current) return
    asked.current = toTop.value
    requestAnimationFrame(() => virtualizer.scrollToOffset(0))
  })
}

/** The links of the view. */
export const LinkList = () => {
  const now = listing.value
  const ids = now?.ids ?? []
  const list = useRef<HTMLOListElement>(null)
  const [margin, setMargin] = useState(0)
  const words = useComputed(() => (listing.value?.highlights.size ?? 0) > 0)
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
  useCurrent(virtualizer)
  useBeginning(virtualizer)
  useTop(virtualizer)

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
              byMeaning={words.value && marks !== undefined && Object.keys(marks).length === 0}
            />
          </li>
        )
      })}
    </ol>
  )
}
