import { batch, signal } from "@preact/signals"
import type { Job, Link } from "../api.ts"
import { forgetLinks, takeLinks } from "./entities.ts"
import { loadJobs, takeJob } from "./jobs.ts"
import { arrived, belongs, dropLinks, firstVisible, listing, putFirst, refill, reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { currentFilters, isNarrowed, place } from "./place.ts"
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
const AGAIN = 10_000
/** How long a hidden page stays connected, in milliseconds: browsers limit the number of connections. */
const UNSEEN = 30_000
/** Debounce before a search or a view with many changes is reloaded, in milliseconds. */
const GATHER = 1_000

let searching: ReturnType<typeof setTimeout> | undefined

/** A search's results may have changed, but a list that the user has scrolled is not replaced. */
const searchAgain = () => {
  if (searching !== undefined) return
  searching = setTimeout(() => {
    searching = undefined
    if (firstVisible.index === 0) reload()
  }, GATHER)
}

let looking: ReturnType<typeof setTimeout> | undefined
let isChangedSince = false

/** Reloads the view at once, then at most once per interval while more changes arrive. */
const lookAgain = () => {
  isChangedSince = looking !== undefined
  if (isChangedSince) return
  reload()
  looking = setTimeout(() => {
    looking = undefined
    if (isChangedSince) lookAgain()
  }, GATHER)
}

const saved = (links: ReadonlyArray<Link>) => {
  const filters = currentFilters()
  const now = listing.peek()
  if (place.peek().page !== "library" || now === null) return
  if (filters.q.trim() !== "" || filters.like !== undefined) return searchAgain()
  const known = new Set([...now.ids, ...arrived.peek()])
  const fresh = links.filter((link) => !known.has(link.id) && belongs(filters, link)).map(({ id }) => id)
  // In other orders, new links do not belong at the top.
  if (fresh.length === 0 || (filters.sort !== undefined && filters.sort !== "newest")) return
  if (firstVisible.index === 0) putFirst(fresh)
  else arrived.value = [...fresh, ...arrived.peek()]
}

/** Removes links from a view that they no longer match, and adds those that match now. */
const changed = (links: ReadonlyArray<Link>) => {
  const now = listing.peek()
  if (now === null) return
  dropLinks(links.filter((link) => !belongs(now.filters, link)).map(({ id }) => id))
  refill()
  const shown = new Set(now.ids)
  const comes = links.some((link) => !shown.has(link.id) && belongs(now.filters, link))
  if (comes && isNarrowed(now.filters)) searchAgain()
}

const took = ({ change, ids, links }: LinkEvent) =>
  batch(() => {
    refreshMeta()
    if (change === "deleted") {
      dropLinks(ids)
      forgetLinks(ids)
      deselect(ids)
      return refill()
    }
    if (links.length === 0) return lookAgain()
    takeLinks(links)
    if (change === "saved") saved(links)
    else changed(links)
  })

const tookJob = (job: Job) => {
  takeJob(job)
  // These two jobs change the number of unread pages.
  if (job.action === "import" || job.action === "read") refreshMeta()
}

/** Reloads what may have changed while disconnected. */
const catchUp = () => {
  reload()
  refreshMeta()
  void loadJobs()
}

/** Listens to the library's events while the page is visible; reloads after an interruption. */
export const startEvents = (): void => {
  let source: EventSource | undefined
  let interrupted = false
  let unseen: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    source?.close()
    source = undefined
    connected.value = false
    interrupted = true
  }
  const listen = () => {
    if (source !== undefined) return
    const opened = new EventSource("/dashboard/api/events")
    source = opened
    opened.addEventListener("open", () => {
      connected.value = true
      if (interrupted) catchUp()
      interrupted = false
    })
    opened.addEventListener("error", () => {
      connected.value = false
      interrupted = true
      // An error response ends the browser's automatic reconnection.
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return
      stop()
      setTimeout(listen, AGAIN)
    })
    opened.addEventListener("link", ({ data }: MessageEvent<string>) => took(JSON.parse(data)))
    opened.addEventListener("job", ({ data }: MessageEvent<string>) => tookJob(JSON.parse(data)))
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(unseen)
    if (document.hidden) unseen = setTimeout(stop, UNSEEN)
    else listen()
  })
  listen()
}
