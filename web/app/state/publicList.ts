import { computed, signal } from "@preact/signals"
import { type Highlights, type PublicLink, type PublicLinksPage, publicApi } from "../api.ts"

/** How many links are asked for at once. */
const PAGE = 50
/** The parameters of the public list's address that narrow it. */
const NAMES = ["q", "category", "tag", "collection"] as const

export interface Shown {
  readonly link: PublicLink
  readonly marks: Highlights | undefined
}

/** What the address asks for. */
export const asked = signal(new URLSearchParams())
export const shown = signal<ReadonlyArray<Shown>>([])
export const total = signal(0)
/** Whether words were looked for: then the best match comes first, wherever it is filed. */
export const ranked = signal(false)
export const failed = signal(false)
const cursor = signal<string | null>(null)
export const hasMore = computed(() => cursor.value !== null)

let request = new AbortController()

const narrowing = (search: string): URLSearchParams => {
  const given = new URLSearchParams(search)
  const params = new URLSearchParams()
  for (const name of NAMES) {
    const value = given.get(name)
    if (value !== null && value.trim() !== "") params.set(name, value)
  }
  return params
}

const take = (page: PublicLinksPage, before: ReadonlyArray<Shown>) => {
  shown.value = [...before, ...page.links.map((link, at) => ({ link, marks: page.highlights?.[at] }))]
  total.value = page.total
  ranked.value = page.highlights !== undefined
  cursor.value = page.nextCursor
}

const paramsFor = (after: string | null) => {
  const params = new URLSearchParams(asked.value)
  params.set("limit", String(PAGE))
  if (after !== null) params.set("cursor", after)
  return params
}

const load = async (after: string | null) => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  try {
    const page = await publicApi.links(paramsFor(after), signal)
    if (signal.aborted) return
    take(page, after === null ? [] : shown.value)
    failed.value = false
  } catch {
    if (!signal.aborted) failed.value = true
  }
}

export const loadMore = (): void => {
  if (cursor.value !== null) void load(cursor.value)
}

/** The address of the public list, narrowed so. */
export const listHref = (params: Readonly<Record<string, string>>): string => {
  const search = new URLSearchParams(params).toString()
  return search === "" ? "/list" : `/list?${search}`
}

/** The address of a collection's own page. The search language cannot write a quotation mark within a name. */
export const collectionHref = (name: string): string =>
  listHref(name.includes('"') ? { collection: name } : { q: `collection:"${name}"` })

const goTo = (search: string) => {
  asked.value = narrowing(search)
  void load(null)
}

/** Searches for what is typed; typing on leaves one entry to go back over. */
export const searchFor = (q: string, typing: boolean): void => {
  const href = listHref(q.trim() === "" ? {} : { q })
  if (typing) history.replaceState(null, "", href)
  else history.pushState(null, "", href)
  goTo(location.search)
}

/** Takes over what the page came with, and follows the address from there. */
export const startPublicList = (page: PublicLinksPage): void => {
  asked.value = narrowing(location.search)
  take(page, [])
  window.addEventListener("popstate", () => goTo(location.search))
  window.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null
    if (!(anchor instanceof HTMLAnchorElement) || anchor.target !== "" || anchor.origin !== location.origin)
      return
    if (anchor.pathname !== "/list" || (anchor.hash !== "" && anchor.search === location.search)) return
    event.preventDefault()
    history.pushState(null, "", anchor.href)
    window.scrollTo(0, 0)
    goTo(anchor.search)
  })
}
