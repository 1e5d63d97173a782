import { effect } from "@preact/signals"
import { api } from "../api.ts"
import { isSignedOut, outage } from "../state/connection.ts"
import { deletionClock, peekLink } from "../state/entities.ts"
import { offline } from "../state/preferences.ts"
import type { ReaderFrame } from "./frame.ts"
import {
  dropOffline,
  forgetOffline,
  keepOffline,
  listOffline,
  offlineArticles,
  refreshOffline
} from "./offline.ts"
import { forgetPending, sendPending } from "./pendingPositions.ts"

/** How long after its opening an article is kept, in milliseconds, so that its own pictures come first. */
const KEEP_DELAY = 1_500
/** How long after a deletion the kept articles are compared with the library, in milliseconds. */
const TIDY_DELAY = 2_000

/** Keeps the article that is shown in this browser, unless it is an earlier version or the owner does not want it. */
export const keepShown = ({ document, id, version }: ReaderFrame): (() => void) => {
  const timer = setTimeout(() => {
    const link = peekLink(id)
    if (version !== undefined || link === undefined || offline.peek() === "off") return
    if (outage.peek() !== undefined || isSignedOut.peek()) return
    const { host, title, updatedAt } = link
    void keepOffline({ id, title, host, updatedAt, pictures: [...document.images].map(({ src }) => src) })
  }, KEEP_DELAY)
  return () => clearTimeout(timer)
}

/** Removes the kept articles whose links have left the library. */
const tidy = async () => {
  const kept = (await listOffline()).map(({ id }) => id)
  if (kept.length === 0 || outage.peek() !== undefined) return
  const there = new Set((await api.linksByIds(kept)).links.map(({ id }) => id))
  const gone = new Set(kept.filter((id) => !there.has(id)))
  if (gone.size > 0) await dropOffline(gone)
}

/**
 * Follows the library: sends positions that wait once the service answers, removes kept articles that were deleted, and
 * all of them once nobody is signed in or the owner does not want them. Call it once.
 */
export const followOffline = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    if (outage.value === undefined && !isSignedOut.value) void sendPending()
  })
  effect(() => {
    void deletionClock.value
    clearTimeout(timer)
    timer = setTimeout(() => void tidy().catch(() => undefined), TIDY_DELAY)
  })
  effect(() => {
    if (offline.value === "off" || isSignedOut.value) void forgetOffline()
  })
  effect(() => {
    if (isSignedOut.value) forgetPending()
  })
  // Looked up when it may be shown.
  effect(() => {
    if (outage.value !== undefined && offlineArticles.peek() === null) void refreshOffline()
  })
}
