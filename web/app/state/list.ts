import { batch, effect, signal, untracked } from "@preact/signals"
import { MAX_LIMIT } from "../../../src/shared/ListParameters.ts"
import type { Highlights, Link, LinksPage } from "../api.ts"
import { ApiError, firstApi } from "../service.ts"
import { deletionClock, isDeletedSince, peekLink, storeLinks } from "./entities.ts"
import { entry, type Filters, isNarrowed, onLeave, paramsOf, route } from "./route.ts"
import { readStored, writeStored } from "./storage.ts"

/** Maximum number of views remembered for going back. */
const MAX_VIEWS = 20

/** A view as the user left it, and the index of its first visible link. */
interface View {
  readonly listing: Listing
  readonly top: number
}

const views = new Map<string, View>()

/** Remembers the view of the current history entry. */
const remember = (listing: Listing, top: number): void => {
  const key = entry.peek()
  views.delete(key)
  views.set(key, { listing, top })
  for (const oldest of [...views.keys()].slice(0, -MAX_VIEWS)) views.delete(oldest)
}

/** The remembered view of the current history entry; undefined if its address has changed since, as typing does. */
const recall = (params: URLSearchParams): View | undefined => {
  const view = views.get(entry.peek())
  return view !== undefined && paramsOf(view.listing.filters).toString() === params.toString()
    ? view
    : undefined
}

const positionName = () => `position.${entry.peek()}`

/** Where a reload starts: the scroll position of the current history entry, and its number of loaded links. */
const readPosition = (): { readonly top: number; readonly length: number } => {
  const stored = readStored(positionName(), "session")
  const [top, length]: ReadonlyArray<unknown> = Array.isArray(stored) ? stored : []
  return typeof top === "number" && typeof length === "number" ? { top, length } : { top: 0, length: 0 }
}

/** Links on the first page, and on the pages that scrolling loads. */
const PAGE = 60
const NEXT_PAGE = 100

/** The links of a view, in display order. */
export interface Listing {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  readonly cursor: string | null
  readonly highlights: ReadonlyMap<number, Highlights>
  /** What was not understood in the search text. */
  readonly notices: LinksPage["notices"]
  /** The filters that were requested. */
  readonly filters: Filters
}

export const listing = signal<Listing | null>(null)
/** Whether a view is being loaded: the `first` page of another one, the same one `again`, or `more` of it. */
export const loading = signal<"no" | "first" | "again" | "more">("no")
export const failure = signal<ApiError | null>(null)
/** New links that are not in the view yet. */
export const arrived = signal<ReadonlyArray<number>>([])
/** The index of the link to scroll to after going back or a reload. */
export const resumeAt = signal<number>(0)

/** Set by the list component: the index of the first visible link. */
export const firstVisible = { index: 0 }

let request = new AbortController()

const paramsFor = (filters: Filters, limit: number, cursor?: string | null) => {
  const params = paramsOf(filters)
  params.set("limit", String(limit))
  if (cursor != null) params.set("cursor", cursor)
  return params
}

const highlightsOf = ({ highlights, links }: LinksPage): ReadonlyArray<readonly [number, Highlights]> =>
  links.flatMap(({ id }, at) => {
    const marks = highlights?.[at]
    return marks === undefined ? [] : [[id, marks] as const]
  })

/** Shows a page that was requested at this moment. */
const showPage = (filters: Filters, page: LinksPage, moment: number, before?: Listing) => {
  const links = page.links.filter(({ id }) => !isDeletedSince(id, moment))
  storeLinks(links, { ifNewer: true })
  const known = new Set(before?.ids)
  listing.value = {
    ids: [...(before?.ids ?? []), ...links.map(({ id }) => id).filter((id) => !known.has(id))],
    total: page.total,
    cursor: page.nextCursor,
    highlights: new Map([...(before?.highlights ?? []), ...highlightsOf(page)]),
    notices: page.notices,
    filters
  }
}

const isShown = (filters: Filters): boolean => {
  const now = listing.peek()
  return now !== null && paramsOf(now.filters).toString() === paramsOf(filters).toString()
}

/** Loads a view, or reloads the shown one, with at least `length` links if the service allows that many. */
export const load = async (filters: Filters, length = PAGE): Promise<void> => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  const again = isShown(filters)
  loading.value = again ? "again" : "first"
  const params = paramsFor(filters, Math.min(MAX_LIMIT, Math.max(PAGE, length)))
  const ask = async (isComplete: boolean) => {
    const moment = deletionClock.peek()
    // A search is first shown as its words find it; links with a similar meaning join when the service has them.
    if (isComplete) params.delete("wait")
    else params.set("wait", "false")
    const page = await firstApi.links(params, signal)
    if (signal.aborted) return
    batch(() => {
      failure.value = null
      arrived.value = []
      showPage(filters, page, moment)
      loading.value = page.complete === false ? "again" : "no"
    })
    if (page.complete === false) await ask(true)
  }
  try {
    await ask(again)
  } catch (error) {
    if (signal.aborted) return
    batch(() => {
      // A view that is already shown stays; the live indicator shows that the service is unreachable.
      if (!isShown(filters))
        failure.value = error instanceof ApiError ? error : new ApiError(0, "unknown", String(error))
      loading.value = "no"
    })
  }
}

export const loadMore = async (): Promise<void> => {
  const before = listing.value
  if (before === null || before.cursor === null || loading.value !== "no") return
  const { signal } = request
  loading.value = "more"
  const moment = deletionClock.peek()
  try {
    const page = await firstApi.links(paramsFor(before.filters, NEXT_PAGE, before.cursor), signal)
    if (signal.aborted) return
    batch(() => {
      // Links deleted in the meantime stay out.
      showPage(before.filters, page, moment, listing.peek() ?? before)
      loading.value = "no"
    })
  } catch (error) {
    if (signal.aborted) return
    // Scrolling retries; if the service rejects the cursor, the whole view is reloaded.
    loading.value = "no"
    if (error instanceof ApiError && error.status === 400) await load(before.filters, before.ids.length)
  }
}

/** Counts the calls of `reload`, after which links that a page other than the list shows may be out of date. */
export const reloads = signal(0)

/** Reloads the shown view, after a change whose effect on it is unknown here. */
export const reload = (): void => {
  reloads.value++
  const now = route.peek()
  if (now.page === "library") void load(now.filters, listing.peek()?.ids.length)
}

export const update = (change: (ids: ReadonlyArray<number>) => ReadonlyArray<number>) => {
  const now = listing.peek()
  if (now === null) return
  const ids = change(now.ids)
  listing.value = { ...now, ids, total: Math.max(0, now.total + ids.length - now.ids.length) }
}

export const dropLinks = (ids: ReadonlyArray<number>): void => {
  const dropped = new Set(ids)
  batch(() => {
    if (listing.peek()?.ids.some((id) => dropped.has(id)))
      update((all) => all.filter((id) => !dropped.has(id)))
    arrived.value = arrived.peek().filter((id) => !dropped.has(id))
  })
}

/** Reloads the view if all loaded links have left it and there are more. */
export const refill = (): void => {
  const now = listing.peek()
  if (now !== null && now.ids.length === 0 && now.cursor !== null) reload()
}

export const putFirst = (ids: ReadonlyArray<number>): void => {
  const first = new Set(ids)
  update((all) => [...ids, ...all.filter((id) => !first.has(id))])
}

export const trash: Filters = { q: "is:trashed" }

/** Whether a view shows the links in the trash instead of the library. */
export const showsTrash = ({ q }: Filters): boolean => /(?:^|\s)is:trashed(?=\s|$)/i.test(q)

/** Whether a view shows links in a state: archived links are hidden where nothing but words narrows it. */
const showsState = (filters: Filters, state: Link["state"]): boolean => {
  const { q } = filters
  const [only] = /^is:(?:unread|read|archived)(?=\s|$)/i.exec(q.trim()) ?? []
  if (only !== undefined && !/\bor\b/i.test(q)) return only.toLowerCase() === `is:${state}`
  return state !== "archived" || showsTrash(filters) || q.includes(":") || isNarrowed({ ...filters, q: "" })
}

/** Whether a link matches a view's filters, ignoring the words of its search text. */
export const belongs = (filters: Filters, link: Link): boolean =>
  (link.deletedAt !== undefined) === showsTrash(filters) &&
  showsState(filters, link.state) &&
  (filters.category === undefined || link.category === filters.category) &&
  (filters.collection === undefined ||
    (filters.collection === "none"
      ? link.collection === null
      : link.collection?.id === filters.collection)) &&
  (filters.tag === undefined || link.tags.includes(filters.tag)) &&
  (filters.favorite === undefined || link.favorite) &&
  (filters.shareable === undefined || link.shareable)

/** Incremented to make the list scroll to its top. */
export const scrollToTopRequests = signal(0)

/** Inserts the new links at the top and scrolls there. */
export const showArrived = (): void => {
  const ids = arrived.peek()
  batch(() => {
    arrived.value = []
    putFirst(ids)
    scrollToTopRequests.value++
  })
}

/** Shows a remembered view without links that no longer match, and reloads it. */
const resume = (filters: Filters, view: Listing, top: number) => {
  const ids = view.ids.filter((id) => {
    const link = peekLink(id)
    return link !== undefined && belongs(filters, link)
  })
  batch(() => {
    // Takes the filters object of the current address, because views are compared by it.
    listing.value = { ...view, ids, filters }
    resumeAt.value = top
    failure.value = null
    arrived.value = []
  })
  void load(filters, ids.length)
}

/** Keeps the list in sync with the address; `first` is the list embedded in the page. */
export const startList = (first: LinksPage | null): void => {
  onLeave(() => {
    const now = listing.peek()
    if (now !== null && route.peek().page === "library") remember(now, firstVisible.index)
  })
  window.addEventListener("pagehide", () =>
    writeStored(positionName(), [firstVisible.index, listing.peek()?.ids.length ?? 0], "session")
  )
  let initial = first
  effect(() => {
    const now = route.value
    if (now.page !== "library") return
    untracked(() => {
      const known = recall(paramsOf(now.filters))
      const { length, top } = readPosition()
      if (known !== undefined) resume(now.filters, known.listing, known.top)
      else if (initial !== null && length <= initial.links.length) {
        showPage(now.filters, initial, deletionClock.peek())
        resumeAt.value = top
        if (initial.complete === false) void load(now.filters, length)
      } else {
        resumeAt.value = initial === null ? 0 : top
        void load(now.filters, initial === null ? PAGE : length)
      }
      initial = null
    })
  })
}
