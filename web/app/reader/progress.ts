import { effect, signal } from "@preact/signals"
import { BEGUN, FINISHED, isBegun } from "../../../src/shared/Reading.ts"
import { api } from "../api.ts"
import { peekLink } from "../state/entities.ts"
import { setState } from "../state/linkChanges.ts"
import { markRead } from "../state/preferences.ts"
import { tell } from "../state/toasts.ts"
import { type ReaderFrame, scroll } from "./frame.ts"
import { pendingOf, sendPosition } from "./pendingPositions.ts"
import { font, leading, size, width } from "./settings.ts"
import { indexText } from "./textIndex.ts"

/** The part of the shown article that has been read, from 0 to 1. */
export const progress = signal(0)

/** Whether the end of the shown article is on the screen. */
export const isAtEnd = signal(false)

/** How long after a movement its position is sent, in milliseconds: at most once in this time. */
const REPORT_DELAY = 4_000
/** How long an article must be visible before its end marks it as read, in milliseconds: a look at the end does not. */
const MIN_READING = 10_000
/** How much the position of another device must differ to be offered, as a part of the article. */
const MIN_DIFFERENCE = 0.03
/** The room above the line at which an article is resumed, in pixels. */
const MARGIN = 24

/** The part of an article that has been read, given where it lies in its document and what is visible, in pixels. */
export const partRead = (
  { bottom, top }: { readonly top: number; readonly bottom: number },
  view: { readonly top: number; readonly visible: number }
): number => {
  // The last line is read when it can be seen.
  const last = bottom - view.visible
  const first = Math.min(top, Math.max(last, 0))
  if (last <= first) return 1
  return Math.min(1, Math.max(0, (view.top - first) / (last - first)))
}

/** Keeps the position of the article that is read, resumes it, and marks its link as read at the end. */
export const followProgress = (frame: ReaderFrame): (() => void) => {
  const { article, document, id, version, window } = frame
  const index = indexText(article)
  const isCurrent = version === undefined
  let shown = { at: 0, offset: 0 }
  /** The newest position that is known to the service, as an ISO 8601 time. */
  let known = ""
  let hasMoved = false
  let isMarked = false
  let readFor = 0
  let visibleSince = globalThis.document.hidden ? undefined : performance.now()
  let layout = ""
  /** Where the document was scrolled to by this part, which is not reading. */
  let restoredTop = window.scrollY
  let reportTimer: ReturnType<typeof setTimeout> | undefined
  let settleTimer: ReturnType<typeof setTimeout> | undefined

  const layoutOf = () =>
    [document.documentElement.clientWidth, size.value, width.value, leading.value, font.value].join()

  const scrollTo = (offset: number) => {
    const range = offset === 0 ? undefined : index.rangeOf({ start: offset, end: offset + 1 })
    const top = range === undefined ? 0 : range.getBoundingClientRect().top + window.scrollY - MARGIN
    window.scrollTo({ top, behavior: "instant" })
    restoredTop = window.scrollY
  }

  const place = () => {
    const box = article.getBoundingClientRect()
    const top = window.scrollY
    return { box: { top: box.top + top, bottom: box.bottom + top }, top }
  }

  const report = ({ isLast = false } = {}) => {
    clearTimeout(reportTimer)
    reportTimer = undefined
    if (!isCurrent || !hasMoved) return
    hasMoved = false
    void sendPosition(id, { ...shown, readAt: Date.now() }, { isLast }).then((newest) => {
      if (newest != null) known = newest.updatedAt
    })
  }

  const timeRead = () => readFor + (visibleSince === undefined ? 0 : performance.now() - visibleSince)

  const mark = () => {
    if (!isCurrent || isMarked || shown.at < FINISHED || timeRead() < MIN_READING) return
    isMarked = true
    if (markRead.peek() === "on" && peekLink(id)?.state === "unread") void setState([id], "read")
  }
  const markTimer = setInterval(mark, 1_000)

  const resume = async () => {
    const pending = pendingOf(id)
    const kept = await api.position(id).then(
      ({ position }) => position,
      () => null
    )
    known = kept?.updatedAt ?? ""
    const isNewer = pending !== undefined && new Date(pending.readAt).toISOString() > known
    const position = isNewer ? pending : kept
    const isUntouched = window.scrollY === restoredTop && new URL(document.URL).hash === ""
    if (position === null || !isBegun(position.at) || !isUntouched) return
    shown = position
    scrollTo(position.offset)
  }

  /** Offers the position of another device once this page is looked at again. */
  const compare = async () => {
    const newest = await api.position(id).then(
      ({ position }) => position,
      () => null
    )
    if (newest === null || newest.updatedAt <= known || hasMoved) return
    known = newest.updatedAt
    if (Math.abs(newest.at - shown.at) < MIN_DIFFERENCE) return
    tell(`You have read to ${Math.round(newest.at * 100)} % elsewhere.`, {
      action: { label: "Go there", run: () => scrollTo(newest.offset) }
    })
  }

  const ends = [
    effect(() => {
      const { top, visible } = scroll.value
      const now = layoutOf()
      // The lines have moved: the same text stays at the top.
      if (layout !== "" && now !== layout && shown.at >= BEGUN) scrollTo(shown.offset)
      layout = now
      const { box } = place()
      const at = partRead(box, { top, visible })
      progress.value = at
      isAtEnd.value = top + visible >= box.bottom - 1
      if (Math.abs(top - restoredTop) < 1) return
      restoredTop = Number.NaN
      clearTimeout(settleTimer)
      settleTimer = setTimeout(() => {
        shown = { at, offset: index.offsetBelow(0) }
        hasMoved = true
        reportTimer ??= setTimeout(report, REPORT_DELAY)
      }, 150)
    }),
    () => clearInterval(markTimer),
    () => clearTimeout(settleTimer)
  ]

  const onVisibility = () => {
    if (globalThis.document.hidden) {
      readFor = timeRead()
      visibleSince = undefined
      report({ isLast: true })
    } else {
      visibleSince = performance.now()
      if (isCurrent) void compare()
    }
  }
  const onLeave = () => report({ isLast: true })
  globalThis.document.addEventListener("visibilitychange", onVisibility)
  globalThis.window.addEventListener("pagehide", onLeave)
  if (isCurrent) void resume()
  return () => {
    onLeave()
    for (const end of ends) end()
    globalThis.document.removeEventListener("visibilitychange", onVisibility)
    globalThis.window.removeEventListener("pagehide", onLeave)
    progress.value = 0
    isAtEnd.value = false
  }
}
