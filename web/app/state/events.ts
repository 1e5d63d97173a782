import { batch, signal } from "@preact/signals"
import type { Job, Link } from "../api.ts"
import { heard, isSignedOut } from "./connection.ts"
import { forgetLinks, peekLink, storeLinks } from "./entities.ts"
import { loadJobs, storeJob } from "./jobs.ts"
import {
  arrived,
  belongs,
  dropLinks,
  firstVisible,
  listing,
  putFirst,
  refill,
  reload,
  showsTrash
} from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { currentFilters, isNarrowed, route } from "./route.ts"
import { deselect } from "./selection.ts"

/** Whether the event stream is connected. */
export const connected = signal(false)

interface LinkEvent {
  readonly change: "saved" | "changed" | "deleted"
  readonly ids: ReadonlyArray<number>
  /** Empty if the links were deleted or are too many to include. */
  readonly links: ReadonlyArray<Link>
}

/** How long to wait for the browser's automatic reconnection before opening a new connection, in milliseconds. */
const RECONNECT_DELAY = 10_000
/** How long the stream may be interrupted before the service counts as unreachable, in milliseconds. */
const GRACE = 2_000
/** How long a hidden page stays connected, in milliseconds: browsers limit the number of connections. */
const HIDDEN_TIMEOUT = 30_000
/** Debounce before a search or a view with many changes is reloaded, in milliseconds. */
const DEBOUNCE = 1_000

let searchTimer: ReturnType<typeof setTimeout> | undefined

/** A search's results may have changed, but a list that the user has scrolled is not replaced. */
const repeatSearch = () => {
  if (searchTimer !== undefined) return
  searchTimer = setTimeout(() => {
    searchTimer = undefined
    if (firstVisible.index === 0) reload()
  }, DEBOUNCE)
}

let reloadTimer: ReturnType<typeof setTimeout> | undefined
let isChangedSince = false

/** Reloads the view at once, then at most once per interval while more changes arrive. */
const reloadThrottled = () => {
  isChangedSince = reloadTimer !== undefined
  if (isChangedSince) return
  reload()
  reloadTimer = setTimeout(() => {
    reloadTimer = undefined
    if (isChangedSince) reloadThrottled()
  }, DEBOUNCE)
}

export const showSaved = (links: ReadonlyArray<Link>) => {
  const filters = currentFilters()
  const now = listing.peek()
  if (route.peek().page !== "library" || now === null) return
  if (filters.q.trim() !== "" || filters.like !== undefined) return repeatSearch()
  const known = new Set([...now.ids, ...arrived.peek()])
  const fresh = links.filter((link) => !known.has(link.id) && belongs(filters, link)).map(({ id }) => id)
  // In other orders, new links do not belong at the top.
  if (fresh.length === 0 || (filters.sort !== undefined && filters.sort !== "newest")) return
  if (firstVisible.index === 0) putFirst(fresh)
  else arrived.value = [...fresh, ...arrived.peek()]
}

/** Removes links from a view that they no longer match, and adds those that match now. */
const showChanged = (links: ReadonlyArray<Link>) => {
  const now = listing.peek()
  if (now === null) return
  dropLinks(links.filter((link) => !belongs(now.filters, link)).map(({ id }) => id))
  refill()
  const shown = new Set(now.ids)
  const hasNew = links.some((link) => !shown.has(link.id) && belongs(now.filters, link))
  if (hasNew && isNarrowed(now.filters)) repeatSearch()
}

const handleLinkEvent = ({ change, ids, links }: LinkEvent) =>
  batch(() => {
    refreshMeta()
    if (change === "deleted") {
      dropLinks(ids)
      forgetLinks(ids)
      deselect(ids)
      // What leaves the library comes to the trash.
      if (showsTrash(currentFilters())) repeatSearch()
      return refill()
    }
    if (links.length === 0) return reloadThrottled()
    storeLinks(links, { ifNewer: true })
    // An event that is late must not take a link out of a list to which a later change has brought it back.
    const current = links.map((link) => peekLink(link.id) ?? link)
    if (change === "saved") showSaved(current)
    else showChanged(current)
  })

const handleJobEvent = (job: Job) => {
  storeJob(job)
  // These two jobs change the number of unread pages.
  if (job.action === "import" || job.action === "read") refreshMeta()
}

/** Reloads what may have changed while disconnected. */
const catchUp = () => {
  reload()
  refreshMeta()
  void loadJobs()
}

/**
 * Listens to the library's events while the page is visible. Reloads after an interruption, and if events after the
 * page's own `revision` were missed.
 */
export const startEvents = (revision: string | null): void => {
  let source: EventSource | undefined
  let interrupted = false
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let silenceTimer: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    source?.close()
    source = undefined
    clearTimeout(silenceTimer)
    connected.value = false
    interrupted = true
  }
  const listen = () => {
    if (source !== undefined || isSignedOut.peek()) return
    const opened = new EventSource("/dashboard/api/events")
    source = opened
    opened.addEventListener("open", () => {
      clearTimeout(silenceTimer)
      heard(true)
    })
    opened.addEventListener("revision", ({ data }: MessageEvent<string>) => {
      if (interrupted || JSON.parse(data).revision !== revision) catchUp()
      interrupted = false
      connected.value = true
    })
    opened.addEventListener("error", () => {
      connected.value = false
      interrupted = true
      if (source !== opened) return
      clearTimeout(silenceTimer)
      // An error response ends the browser's automatic reconnection; the counts show whether the service answers at all.
      if (opened.readyState !== EventSource.CLOSED) {
        silenceTimer = setTimeout(() => heard(false), GRACE)
        return
      }
      stop()
      refreshMeta()
      setTimeout(listen, RECONNECT_DELAY)
    })
    opened.addEventListener("link", ({ data }: MessageEvent<string>) => handleLinkEvent(JSON.parse(data)))
    opened.addEventListener("job", ({ data }: MessageEvent<string>) => handleJobEvent(JSON.parse(data)))
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(stop, HIDDEN_TIMEOUT)
    else listen()
  })
  // Without a session the stream would only be refused again.
  isSignedOut.subscribe((isOut) => (isOut ? stop() : listen()))
}
