import { batch, signal } from "@preact/signals"
import { plainPages } from "../../../src/shared/AppPages.ts"
import { filterNames, MAX_SEED, readListParameters, type Sort } from "../../../src/shared/ListParameters.ts"
import { tokensOf, writeFilter } from "../../../src/shared/SearchSyntax.ts"
import { displayOf } from "./preferences.ts"

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
  /** Selects one of the random orders. */
  readonly seed?: number
}

/** The page that an address selects. */
export type Route =
  | { readonly page: "library"; readonly filters: Filters }
  | { readonly page: (typeof plainPages)[number] }
  | { readonly page: "job"; readonly id: number }
  | { readonly page: "add"; readonly params: URLSearchParams }
  /** A link's kept page: its current version, or an earlier one. */
  | { readonly page: "read"; readonly id: number; readonly version: number | undefined }
  /** No page has this address. */
  | { readonly page: "missing" }

export const everything: Filters = { q: "" }

const positive = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

/** Parses the filters of an address; invalid ones are ignored. */
export const filtersOf = (params: URLSearchParams): Filters => {
  const { category, collection, favorite, like, q, seed, shareable, sort, tag } = readListParameters(
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
    ...(sort === undefined ? {} : { sort }),
    ...(seed === undefined || sort !== "random" ? {} : { seed })
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

export const withoutSort = ({ seed: _, sort: __, ...filters }: Filters): Filters => filters

/** Whether any filter is active. */
export const isNarrowed = (filters: Filters): boolean => paramsOf(withoutSort(filters)).size > 0

/** The filters in this order; undefined is the default one. Each choice of the random order is another one. */
export const sorted = (filters: Filters, sort: Sort | undefined): Filters => ({
  ...withoutSort(filters),
  ...(sort === undefined ? {} : { sort }),
  ...(sort === "random" ? { seed: Math.floor(Math.random() * MAX_SEED) } : {})
})

/** The kind of a view: views of a kind remember one way of being shown, and each collection has its own. */
export const viewOf = ({ category, collection, favorite, like, q, shareable, tag }: Filters): string => {
  if (like !== undefined) return "similar"
  if (q.trim() !== "") return "search"
  if (collection !== undefined) return `collection:${collection}`
  if (tag !== undefined) return "tag"
  if (category !== undefined) return "category"
  if (favorite) return "favorites"
  return shareable ? "shared" : "all"
}

/** The filters with the order that was chosen for their kind of view, if they have none. */
const inRememberedOrder = (filters: Filters): Filters =>
  filters.sort === undefined ? sorted(filters, displayOf(viewOf(filters)).sort) : filters

/** The filters after a change of the shown view's; its order stays unless they are another kind of view. */
export const changedFrom = (before: Filters, filters: Filters): Filters =>
  viewOf(before) === viewOf(filters) ? filters : withoutSort(filters)

const isFilter = (q: string, name: "category" | "tag", value: string) =>
  tokensOf(q).some(
    (token) =>
      token.kind === "filter" &&
      !token.negated &&
      token.filter.field === name &&
      token.filter.value.toLowerCase() === value.toLowerCase()
  )

/** The search text, narrowed to a tag. It comes first, because a quotation mark that is never closed would enclose it. */
const withTag = (q: string, tag: string): string => {
  const written = writeFilter("tag", tag)
  if (written === undefined || isFilter(q, "tag", tag)) return q
  if (q.trim() === "") return written
  return `${written} ${tokensOf(q).some(({ kind }) => kind === "or") ? `(${q})` : q}`
}

/**
 * The filters of a view, narrowed by more. A second tag becomes part of the search text, because an address has one tag; a
 * category or collection replaces another one, because a link has only one.
 */
export const narrowedBy = (filters: Filters, { category, tag, ...others }: Partial<Filters>): Filters => {
  const { q } = filters
  return changedFrom(filters, {
    ...filters,
    ...others,
    ...(category === undefined || isFilter(q, "category", category) ? {} : { category }),
    ...(tag === undefined || filters.tag === tag
      ? {}
      : filters.tag === undefined && !isFilter(q, "tag", tag)
        ? { tag }
        : { q: withTag(q, tag) })
  })
}

export const routeOf = (url: URL): Route => {
  const path = url.pathname.replace(/\/+$/, "")
  const plain = plainPages.find((page) => path === `/dashboard/${page}`)
  if (plain !== undefined) return { page: plain }
  if (path === "/dashboard/add") return { page: "add", params: url.searchParams }
  const job = positive(/^\/dashboard\/jobs\/(\d+)$/.exec(path)?.[1] ?? null)
  if (job !== undefined) return { page: "job", id: job }
  const read = positive(/^\/dashboard\/read\/(\d+)$/.exec(path)?.[1] ?? null)
  if (read !== undefined)
    return { page: "read", id: read, version: positive(url.searchParams.get("version")) }
  return path === "/dashboard"
    ? { page: "library", filters: filtersOf(url.searchParams) }
    : { page: "missing" }
}

/** The address at which the app shows a link's kept page. */
export const readerHref = (id: number): string => `/dashboard/read/${id}`

/** The address of a highlight in its link's kept page. */
export const highlightHref = ({ id, linkId }: { readonly id: number; readonly linkId: number }): string =>
  `${readerHref(linkId)}#highlight-${id}`

/** The attributes of a link to a label: a click narrows the view, and with Alt or if it is narrowed, shows all links with it. */
export const labelLink = (filters: Filters, label: Partial<Filters>) => {
  const alone = hrefOf({ q: "", ...label })
  const narrowed = hrefOf(narrowedBy(filters, label))
  return { href: narrowed === hrefOf(filters) ? alone : narrowed, "data-alone": alone }
}

/** The address in the order that was chosen for its kind of view, if it is a view and names none. */
const orderedAddress = (url: URL): URL => {
  const now = routeOf(url)
  if (now.page !== "library") return url
  const filters = inRememberedOrder(now.filters)
  if (filters.sort === now.filters.sort) return url
  const ordered = new URL(hrefOf(filters), url)
  const link = url.searchParams.get("link")
  if (link !== null) ordered.searchParams.set("link", link)
  return ordered
}

const startAddress = orderedAddress(new URL(location.href))

/** Whether the start shows another order than the service has put into the page. */
export const startsInOtherOrder = startAddress.href !== location.href

/** The link that an address of the library shows in detail. */
const linkIn = (url: URL): number | undefined =>
  routeOf(url).page === "library" ? positive(url.searchParams.get("link")) : undefined

/** The link that is shown in detail beside the list. */
export const shownLink = signal(linkIn(new URL(location.href)))

/** From this width on, a link's details stand beside the list, whatever the list shows. */
export const wide = matchMedia("(min-width: 80rem)")

/** The address without the link that is shown in detail. */
const viewIn = (href: string): string => {
  const url = new URL(href)
  url.searchParams.delete("link")
  return url.href
}

let view = viewIn(location.href)

export const route = signal<Route>(routeOf(startAddress))

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
  const url = orderedAddress(new URL(href, location.href))
  const kept = shownLink.peek()
  if (kept !== undefined && wide.matches && routeOf(url).page === "library" && linkIn(url) === undefined)
    url.searchParams.set("link", String(kept))
  if (url.href === location.href) return
  if (replace) history.replaceState(history.state, "", url)
  else {
    leave()
    entry.value = crypto.randomUUID()
    history.pushState({ entry: entry.value, isInApp: true }, "", url)
  }
  arrive()
}

/** Follows the address. */
const arrive = () =>
  batch(() => {
    const url = new URL(location.href)
    shownLink.value = linkIn(url)
    view = viewIn(url.href)
    route.value = routeOf(url)
  })

/** Shows the view with these filters, in the order chosen for its kind if they name none. */
export const show = (filters: Filters, options?: { readonly replace?: boolean }): void =>
  navigate(hrefOf(filters), options)

/** The filters of the shown view; `everything` on other pages. */
export const currentFilters = (): Filters =>
  route.value.page === "library" ? route.value.filters : everything

export const startNavigation = (): void => {
  history.scrollRestoration = "manual"
  // Keeps the id over a reload.
  history.replaceState({ ...history.state, entry: entry.value }, "", startAddress)
  window.addEventListener("popstate", (event) => {
    const next = entryOf(event.state) ?? crypto.randomUUID()
    if (next === entry.value && viewIn(location.href) === view) {
      shownLink.value = linkIn(new URL(location.href))
      return
    }
    leave()
    entry.value = next
    arrive()
  })
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null
    if (!(anchor instanceof HTMLAnchorElement) || anchor.target !== "" || anchor.origin !== location.origin)
      return
    if (!/^\/dashboard(\/(?!api\/)|$)/.test(anchor.pathname)) return
    const alone = anchor.dataset["alone"]
    // With Alt, the browser would download the page.
    if (event.altKey && alone === undefined) return
    event.preventDefault()
    navigate(event.altKey && alone !== undefined ? alone : anchor.href)
  })
}
