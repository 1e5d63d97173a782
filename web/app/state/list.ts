import { batch, effect, signal, untracked } from "@preact/signals"
import { MAX_LIMIT } from "../../../src/shared/ListParameters.ts"
import { ApiError, api, type Highlights, type Link, type LinksPage } from "../api.ts"
import { isGone, peekLink, takeLinks } from "./entities.ts"
import { type Filters, onLeave, paramsOf, place } from "./place.ts"
import { recall, recallPosition, remember, rememberPosition } from "./viewMemory.ts"

/** How many links a page holds. */
const PAGE = 60

/** What the view shows, in its order. */
export interface Listing {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  readonly cursor: string | null
  readonly highlights: ReadonlyMap<number, Highlights>
  /** What was not understood in the search text. */
  readonly notices: LinksPage["notices"]
  /** The filters these are the answer to. */
  readonly filters: Filters
}

export const listing = signal<Listing | null>(null)
/** Whether a view is being asked for: another one, the same one `again`, or `more` of it. */
export const loading = signal<"no" | "first" | "again" | "more">("no")
export const failure = signal<ApiError | null>(null)
/** Links that have come in since, and are not in the view yet. */
export const arrived = signal<ReadonlyArray<number>>([])
/** Where the list is to begin showing, after going back or a reload. */
export const resumeAt = signal<number>(0)

/** Set by the list: the index of the first link that can be seen. */
export const firstVisible = { index: 0 }

let request = new AbortController()

const asked = (filters: Filters, limit: number, cursor?: string | null) => {
  const params = paramsOf(filters)
  params.set("limit", String(limit))
  if (cursor != null) params.set("cursor", cursor)
  return params
}

const marksOf = ({ highlights, links }: LinksPage): ReadonlyArray<readonly [number, Highlights]> =>
  links.flatMap(({ id }, at) => {
    const marks = highlights?.[at]
    return marks === undefined ? [] : [[id, marks] as const]
  })

const take = (filters: Filters, page: LinksPage, before?: Listing) => {
  const links = page.links.filter(({ id }) => !isGone(id))
  takeLinks(links, { page: true })
  const known = new Set(before?.ids)
  listing.value = {
    ids: [...(before?.ids ?? []), ...links.map(({ id }) => id).filter((id) => !known.has(id))],
    total: page.total,
    cursor: page.nextCursor,
    highlights: new Map([...(before?.highlights ?? []), ...marksOf(page)]),
    notices: page.notices,
    filters
  }
}

const isShown = (filters: Filters): boolean => {
  const now = listing.peek()
  return now !== null && paramsOf(now.filters).toString() === paramsOf(filters).toString()
}

/** Asks for a view, or for the one that is shown anew: as much of it as `length`. */
export const load = async (filters: Filters, length = PAGE): Promise<void> => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  const again = isShown(filters)
  loading.value = again ? "again" : "first"
  try {
    const page = await api.links(asked(filters, Math.min(MAX_LIMIT, Math.max(PAGE, length))), signal)
    if (signal.aborted) return
    batch(() => {
      failure.value = null
      arrived.value = []
      take(filters, page)
      loading.value = "no"
    })
  } catch (error) {
    if (signal.aborted) return
    batch(() => {
      // A view that is there stays, as it is known; that the library cannot be reached is said elsewhere.
      if (!again)
        failure.value = error instanceof ApiError ? error : new ApiError(0, "unknown", String(error))
      loading.value = "no"
    })
  }
}

/** Asks for what comes after what is shown. */
export const loadMore = async (): Promise<void> => {
  const before = listing.value
  if (before === null || before.cursor === null || loading.value !== "no") return
  const { signal } = request
  loading.value = "more"
  try {
    const page = await api.links(asked(before.filters, PAGE, before.cursor), signal)
    if (signal.aborted) return
    batch(() => {
      // What was deleted meanwhile stays out.
      take(before.filters, page, listing.peek() ?? before)
      loading.value = "no"
    })
  } catch (error) {
    if (signal.aborted) return
    // Scrolling on asks again; a cursor the service no longer takes needs the view anew.
    loading.value = "no"
    if (error instanceof ApiError && error.status === 400) await load(before.filters, before.ids.length)
  }
}

/** Asks for the view that is shown anew: something has changed that cannot be told from here. */
export const reload = (): void => {
  const now = place.peek()
  if (now.page === "library") void load(now.filters, listing.peek()?.ids.length)
}

const update = (change: (ids: ReadonlyArray<number>) => ReadonlyArray<number>) => {
  const now = listing.peek()
  if (now === null) return
  const ids = change(now.ids)
  listing.value = { ...now, ids, total: Math.max(0, now.total + ids.length - now.ids.length) }
}

/** Takes links out of the view. */
export const dropLinks = (ids: ReadonlyArray<number>): void => {
  const gone = new Set(ids)
  batch(() => {
    if (listing.peek()?.ids.some((id) => gone.has(id))) update((all) => all.filter((id) => !gone.has(id)))
    arrived.value = arrived.peek().filter((id) => !gone.has(id))
  })
}

/** Asks anew where everything that was loaded has left the view, and there is more. */
export const refill = (): void => {
  const now = listing.peek()
  if (now !== null && now.ids.length === 0 && now.cursor !== null) reload()
}

/** Puts links at the top of the view. */
export const putFirst = (ids: ReadonlyArray<number>): void => {
  const first = new Set(ids)
  update((all) => [...ids, ...all.filter((id) => !first.has(id))])
}

/** Puts links back where they stood in a view as it was: after a change that was refused. */
export const putBack = (ids: ReadonlyArray<number>, before: Listing): void => {
  if (listing.peek()?.filters !== before.filters) return
  const missing = new Set(ids)
  update((all) => {
    const shown = new Set(all)
    const result = [...all]
    let at = 0
    for (const id of before.ids) {
      if (shown.has(id)) at = result.indexOf(id, at) + 1
      else if (missing.has(id)) result.splice(at++, 0, id)
    }
    return result
  })
}

/** Whether a link belongs into a view, as far as that can be told without searching. */
export const belongs = (filters: Filters, link: Link): boolean =>
  (filters.category === undefined || link.category === filters.category) &&
  (filters.collection === undefined ||
    (filters.collection === "none"
      ? link.collection === null
      : link.collection?.id === filters.collection)) &&
  (filters.tag === undefined || link.tags.includes(filters.tag)) &&
  (filters.favorite === undefined || link.favorite) &&
  (filters.shareable === undefined || link.shareable)

/** Counts how often the list was asked to go to its top. */
export const toTop = signal(0)

/** Shows the arrivals, at the top. */
export const showArrived = (): void => {
  const ids = arrived.peek()
  batch(() => {
    arrived.value = []
    putFirst(ids)
    toTop.value++
  })
}

/** Shows a view as it was left, but for what has changed since, and asks what else has. */
const resume = (filters: Filters, view: Listing, top: number) => {
  const ids = view.ids.filter((id) => {
    const link = peekLink(id)
    return link !== undefined && belongs(filters, link)
  })
  batch(() => {
    // The filters of the address now: whether a view is still the same one is told by them.
    listing.value = { ...view, ids, filters }
    resumeAt.value = top
    failure.value = null
    arrived.value = []
  })
  void load(filters, ids.length)
}

/** Keeps the list in step with the address; `first` is what the page came with. */
export const startList = (first: LinksPage | null): void => {
  onLeave(() => {
    const now = listing.peek()
    if (now !== null && place.peek().page === "library") remember(now, firstVisible.index)
  })
  window.addEventListener("pagehide", () =>
    rememberPosition(firstVisible.index, listing.peek()?.ids.length ?? 0)
  )
  let initial = first
  effect(() => {
    const now = place.value
    if (now.page !== "library") return
    untracked(() => {
      const known = recall(paramsOf(now.filters))
      const { length, top } = recallPosition()
      if (known !== undefined) resume(now.filters, known.listing, known.top)
      else if (initial !== null && length <= initial.links.length) {
        take(now.filters, initial)
        resumeAt.value = top
      } else {
        resumeAt.value = initial === null ? 0 : top
        void load(now.filters, initial === null ? PAGE : length)
      }
      initial = null
    })
  })
}
