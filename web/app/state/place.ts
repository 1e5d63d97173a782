import { signal } from "@preact/signals"
import { filterNames, readListParameters, type Sort } from "../../../src/shared/ListParameters.ts"

/** What part of the library is looked at; the names are those of the interface's parameters. */
export interface Filters {
  readonly q: string
  readonly category?: string
  /** A collection's number, or `none` for the unfiled. */
  readonly collection?: number | "none"
  readonly tag?: string
  readonly favorite?: true
  readonly shareable?: true
  /** What is near this link in meaning. */
  readonly like?: number
  readonly sort?: Sort
}

/** Where the address bar points. */
export type Place =
  | { readonly page: "library"; readonly filters: Filters }
  | { readonly page: "duplicates" }
  | { readonly page: "job"; readonly id: number }
  | { readonly page: "add"; readonly params: URLSearchParams }

export const everything: Filters = { q: "" }

const positive = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

/** The filters that an address names, without those that it gets wrong. */
export const filtersOf = (params: URLSearchParams): Filters => {
  const { category, collection, favorite, like, q, shareable, sort, tag } = readListParameters(
    Object.fromEntries(params)
  ).values
  return {
    q: q ?? "",
    ...(category === undefined ? {} : { category }),
    ...(collection === undefined ? {} : { collection: collection ?? "none" }),
    ...(tag === undefined ? {} : { tag }),
    ...(favorite === true ? { favorite } : {}),
    ...(shareable === true ? { shareable } : {}),
    ...(like === undefined ? {} : { like }),
    ...(sort === undefined ? {} : { sort })
  }
}

/** The same as parameters, in one order, so that equal filters have equal addresses. */
export const paramsOf = (filters: Filters): URLSearchParams => {
  const params = new URLSearchParams()
  if (filters.q.trim() !== "") params.set("q", filters.q)
  for (const name of filterNames) if (filters[name] !== undefined) params.set(name, String(filters[name]))
  return params
}

/** The address of a view of the library. */
export const hrefOf = (filters: Filters): string => {
  const params = paramsOf(filters).toString()
  return params === "" ? "/dashboard" : `/dashboard?${params}`
}

/** Whether anything is filtered out. */
export const isNarrowed = ({ sort: _, ...filters }: Filters): boolean => paramsOf(filters).size > 0

export const placeOf = (url: URL): Place => {
  const path = url.pathname.replace(/\/+$/, "")
  if (path === "/dashboard/duplicates") return { page: "duplicates" }
  if (path === "/dashboard/add") return { page: "add", params: url.searchParams }
  const job = positive(/^\/dashboard\/jobs\/(\d+)$/.exec(path)?.[1] ?? null)
  if (job !== undefined) return { page: "job", id: job }
  return { page: "library", filters: filtersOf(url.searchParams) }
}

/** Where we are. */
export const place = signal<Place>(placeOf(new URL(location.href)))

const entryOf = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "entry" in state && typeof state.entry === "string"
    ? state.entry
    : undefined

/** The name of this history entry: what a view remembers, such as how far it was scrolled, is kept under it. */
export const entry = signal(entryOf(history.state) ?? crypto.randomUUID())

const leaving = new Set<() => void>()

/** Calls `listener` before another place is shown, so that it can remember how this one stood. */
export const onLeave = (listener: () => void): void => void leaving.add(listener)

const leave = () => {
  for (const listener of leaving) listener()
}

/** Goes to an address of the app; `replace` leaves no way back to this one. */
export const navigate = (href: string, { replace = false } = {}): void => {
  const url = new URL(href, location.href)
  if (url.href === location.href) return
  if (replace) history.replaceState(history.state, "", url)
  else {
    leave()
    entry.value = crypto.randomUUID()
    history.pushState({ entry: entry.value }, "", url)
  }
  place.value = placeOf(url)
}

/** Narrows the view that is shown by other filters. */
export const show = (filters: Filters, options?: { readonly replace?: boolean }): void =>
  navigate(hrefOf(filters), options)

/** The filters of the view that is shown; everything where no list is. */
export const currentFilters = (): Filters =>
  place.value.page === "library" ? place.value.filters : everything

/** Follows the browser's back and forward, and clicks on links within the app. */
export const startNavigation = (): void => {
  history.scrollRestoration = "manual"
  // A reload finds the entry under its name again.
  history.replaceState({ entry: entry.value }, "")
  window.addEventListener("popstate", (event) => {
    leave()
    entry.value = entryOf(event.state) ?? crypto.randomUUID()
    place.value = placeOf(new URL(location.href))
  })
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null
    if (!(anchor instanceof HTMLAnchorElement) || anchor.target !== "" || anchor.origin !== location.origin)
      return
    if (!/^\/dashboard(\/(?!api\/)|$)/.test(anchor.pathname)) return
    event.preventDefault()
    navigate(anchor.href)
  })
}
