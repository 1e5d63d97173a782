import { batch, effect, signal, untracked } from "@preact/signals"
import { ApiError, api, type Highlights, type Link, type LinksPage } from "../api.ts"
import { takeLinks } from "./entities.ts"
import { entry, type Filters, onLeave, paramsOf, place } from "./place.ts"

/** How many links a page holds; the most that the service answers at once when a longer view is taken up again. */
const PAGE = 60
const MOST = 1_000
/** How many views are remembered for going back to. */
const REMEMBERED = 20

/** What the view shows, in its order. */
export interface Listing {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  readonly cursor: string | null
  readonly highlights: ReadonlyMap<number, Highlights>
  /** The filters these are the answer to. */
  readonly filters: Filters
}

export const listing = signal<Listing | null>(null)
export const loading = signal<"no" | "first" | "more">("no")
export const failure = signal<ApiError | null>(null)
/** Links that have come in since, and are not in the view yet. */
export const arrived = signal<ReadonlyArray<number>>([])
/** Where the list is to begin showing, after going back or a reload. */
export const resumeAt = signal<number>(0)

interface Remembered {
  readonly listing: Listing
  readonly top: number
}
const remembered = new Map<string, Remembered>()

/** Set by the list: the index of the first link that can be seen. */
export const firstVisible = { index: 0 }

const positionKey = () => `linkbower.position.${entry.peek()}`

const remember = () => {
  const now = listing.peek()
  if (now === null || place.peek().page !== "library") return
  const key = entry.peek()
  remembered.delete(key)
  remembered.set(key, { listing: now, top: firstVisible.index })
  for (const oldest of [...remembered.keys()].slice(0, -REMEMBERED)) remembered.delete(oldest)
}

const rememberPosition = () => {
  try {
    sessionStorage.setItem(
      positionKey(),
      JSON.stringify([firstVisible.index, listing.peek()?.ids.length ?? 0])
    )
  } catch {
    // Without storage a reload begins at the top.
  }
}

const position = (): readonly [top: number, length: number] => {
  try {
    const [top, length]: ReadonlyArray<unknown> = JSON.parse(sessionStorage.getItem(positionKey()) ?? "[]")
    return typeof top === "number" && typeof length === "number" ? [top, length] : [0, 0]
  } catch {
    return [0, 0]
  }
}

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
  takeLinks(page.links, { page: true })
  const known = new Set(before?.ids)
  listing.value = {
    ids: [...(before?.ids ?? []), ...page.links.map(({ id }) => id).filter((id) => !known.has(id))],
    total: page.total,
    cursor: page.nextCursor,
    highlights: new Map([...(before?.highlights ?? []), ...marksOf(page)]),
    filters
  }
}

/** Asks for the view anew, at least as much of it as is shown. */
export const load = async (filters: Filters, length = PAGE): Promise<void> => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  loading.value = "first"
  try {
    const page = await api.links(asked(filters, Math.min(MOST, Math.max(PAGE, length))), signal)
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

/** Restores a view as it was: after a change that was refused. */
export const restore = (before: Listing): void => {
  if (listing.peek()?.filters === before.filters) listing.value = before
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

/** Shows the arrivals. */
export const showArrived = (): void => {
  const ids = arrived.peek()
  batch(() => {
    arrived.value = []
    putFirst(ids)
  })
}

/** Keeps the list in step with the address; `first` is what the page came with. */
export const startList = (first: LinksPage | null): void => {
  onLeave(remember)
  window.addEventListener("pagehide", rememberPosition)
  let initial = first
  effect(() => {
    const now = place.value
    if (now.page !== "library") return
    untracked(() => {
      const known = remembered.get(entry.peek())
      const [top, length] = position()
      // Typing replaces the address of one entry: what was remembered for it is of another search.
      const same =
        known !== undefined && paramsOf(known.listing.filters).toString() === paramsOf(now.filters).toString()
      if (initial !== null && length <= initial.links.length) {
        const page = initial
        batch(() => {
          take(now.filters, page)
          resumeAt.value = top
        })
      } else if (same) {
        request.abort()
        request = new AbortController()
        batch(() => {
          listing.value = known.listing
          resumeAt.value = known.top
          loading.value = "no"
          failure.value = null
          arrived.value = []
        })
      } else {
        resumeAt.value = initial === null ? 0 : top
        void load(now.filters, initial === null ? PAGE : length)
      }
      initial = null
    })
  })
}
