import { batch, signal } from "@preact/signals"
import type { Job, Link } from "../api.ts"
import { forgetLinks, takeLinks } from "./entities.ts"
import { loadJobs, takeJob } from "./jobs.ts"
import { arrived, belongs, dropLinks, firstVisible, listing, putFirst, refill, reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { currentFilters, isNarrowed, place } from "./place.ts"
import { deselect } from "./selection.ts"

/** Whether the library tells us what happens in it. */
export const connected = signal(false)

interface LinkEvent {
  readonly change: "saved" | "changed" | "deleted"
  readonly ids: ReadonlyArray<number>
  /** Empty where they were deleted, or are too many to be sent along. */
  readonly links: ReadonlyArray<Link>
}

/** How long the browser's own attempts are waited for before a new connection is made, in milliseconds. */
const AGAIN = 10_000
/** How long a page that nobody looks at stays connected, in milliseconds: a browser has few connections to give. */
const UNSEEN = 30_000
/** How long changes are gathered before a search, or a view with many changes, is asked for again; in milliseconds. */
const GATHER = 1_000

let searching: ReturnType<typeof setTimeout> | undefined

/** What a search finds may be something else now; a list that is being read is not pulled away. */
const searchAgain = () => {
  if (searching !== undefined) return
  searching = setTimeout(() => {
    searching = undefined
    if (firstVisible.index === 0) reload()
  }, GATHER)
}

let looking: ReturnType<typeof setTimeout> | undefined
let isChangedSince = false

/** Asks for the view again: at once, and then once a gathering time for as long as more changes come. */
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
  // In another order they stand where the reader is not.
  if (fresh.length === 0 || (filters.sort !== undefined && filters.sort !== "newest")) return
  if (firstVisible.index === 0) putFirst(fresh)
  else arrived.value = [...fresh, ...arrived.peek()]
}

/** Links leave a view that they no longer belong to, and come into one that they belong to now. */
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
  // How many pages are still to be read changes with these two.
  if (job.action === "import" || job.action === "read") refreshMeta()
}

/** What was missed while nobody listened. */
const catchUp = () => {
  reload()
  refreshMeta()
  void loadJobs()
}

/** Listens to the library while somebody looks at the page; after an interruption asks for what was missed. */
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
      // A refusal ends the browser's own attempts.
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
