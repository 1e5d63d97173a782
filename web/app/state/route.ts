import { signal } from "@preact/signals"
import { filterNames, readListParameters, type Sort } from "../../../src/shared/ListParameters.ts"

/** The filters of a view, named like the parameters of the HTTP API. */
export interface Filters {
  readonly q: string
  readonly category?: string
  /** A collection's number, or `none` for unfiled links. */
  readonly collection?: number | "none"
  readonly tag?: string
  readonly favorite?: true
  readonly shareable?: true
  /** The number of a link: shows links with a similar meaning. */
  readonly like?: number
  readonly sort?: Sort
}

/** The page that an address selects. */
export type Route =
  | { readonly page: "library"; readonly filters: Filters }
  | { readonly page: "duplicates" }
  | { readonly page: "job"; readonly id: number }
  | { readonly page: "add"; readonly params: URLSearchParams }

export const everything: Filters = { q: "" }

const positive = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

/** Parses the filters of an address; invalid ones are ignored. */
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

/** Formats filters as parameters, in a fixed order, so that equal filters have equal addresses. */
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

/** Whether any filter is active. */
export const isNarrowed = ({ sort: _, ...filters }: Filters): boolean => paramsOf(filters).size > 0

export const routeOf = (url: URL): Route => {
  const path = url.pathname.replace(/\/+$/, "")
  if (path === "/dashboard/duplicates") return { page: "duplicates" }
  if (path === "/dashboard/add") return { page: "add", params: url.searchParams }
  const job = positive(/^\/dashboard\/jobs\/(\d+)$/.exec(path)?.[1] ?? null)
  if (job !== undefined) return { page: "job", id: job }
  return { page: "library", filters: filtersOf(url.searchParams) }
}

/** The current page. */
export const route = signal<Route>(routeOf(new URL(location.href)))

const entryOf = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "entry" in state && typeof state.entry === "string"
    ? state.entry
    : undefined

/** The id of the current history entry, under which its view and scroll position are stored. */
export const entry = signal(entryOf(history.state) ?? crypto.randomUUID())

const leaveListeners = new Set<() => void>()

/** Calls `listener` before another page is shown, so that it can remember this one. */
export const onLeave = (listener: () => void): void => void leaveListeners.add(listener)

const leave = () => {
  for (const listener of leaveListeners) listener()
}

/** Navigates to an address of the app; `replace` replaces the current history entry. */
export const navigate = (href: string, { replace = false } = {}): void => {
  const url = new URL(href, location.href)
  if (url.href === location.href) return
  if (replace) history.replaceState(history.state, "", url)
  else {
    leave()
    entry.value = crypto.randomUUID()
    history.pushState({ entry: entry.value }, "", url)
  }
  route.value = routeOf(url)
}

/** Shows the view with these filters. */
export const show = (filters: Filters, options?: { readonly replace?: boolean }): void =>
  navigate(hrefOf(filters), options)

/** The filters of the shown view; `everything` on other pages. */
export const currentFilters = (): Filters =>
  route.value.page === "library" ? route.value.filters : everything

/** Handles the browser's back and forward buttons, and clicks on links within the app. */
export const startNavigation = (): void => {
  history.scrollRestoration = "manual"
  // Keeps the id over a reload.
  history.replaceState({ entry: entry.value }, "")
  window.addEventListener("popstate", (event) => {
    leave()
    entry.value = entryOf(event.state) ?? crypto.randomUUID()
    route.value = routeOf(new URL(location.href))
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
