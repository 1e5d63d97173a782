import { signal } from "@preact/signals"
import { hydrate } from "preact"
import { type ListView, pageAddress, parseView, viewParams, viewTitle } from "../../src/shared/ListAddress.ts"
import type { PublicLinksPage, PublicMeta } from "../app/api.ts"
import { ThemeButton } from "../app/components/Appearance.tsx"
import { request as ask } from "../app/service.ts"
import { readStart } from "../app/start.ts"
import { startTheme } from "../app/state/preferences.ts"
import { type ListContent, PublicList } from "./PublicList.tsx"

interface PublicStart {
  readonly meta: PublicMeta
  readonly page: PublicLinksPage
}

/** Number of links to request at once. */
const PAGE = 50

/** The view that an address selects; the last value of a repeated parameter wins, as in the service. */
const viewOf = (search: string): ListView => {
  const params = new URLSearchParams(search)
  return parseView((name) => params.getAll(name).at(-1))
}

const contentOf = ({ collection, highlights, links, nextCursor, notices, total }: PublicLinksPage) => ({
  collection: collection ?? null,
  shown: links.map((link, at) => ({ link, marks: highlights?.[at] })),
  total,
  ranked: highlights !== undefined,
  next: nextCursor,
  notices
})

/** The state of the public list: starts with the page from the service, then follows the address. */
const openPublicList = ({ meta, page }: PublicStart) => {
  /** The view of the address, with the collection's name as its owner writes it. */
  const named = (view: ListView, { collection }: Pick<ListContent, "collection">): ListView =>
    collection === null ? view : { ...view, collection: collection.name }
  const content = signal<ListContent>({
    meta,
    view: named(viewOf(location.search), contentOf(page)),
    ...contentOf(page)
  })
  const failed = signal(false)
  let request = new AbortController()

  const load = async (view: ListView, previous: ListContent["shown"]) => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const params = viewParams(view)
    params.set("limit", String(PAGE))
    try {
      const found = contentOf(await ask<PublicLinksPage>(`/list/api/links?${params}`, { signal }))
      if (signal.aborted) return
      content.value = {
        ...content.value,
        ...found,
        view: named(content.value.view, found),
        shown: [...previous, ...found.shown]
      }
      failed.value = false
    } catch {
      if (!signal.aborted) failed.value = true
    }
  }

  /** Shows the first page of a view. */
  const goTo = (search: string) => {
    const { cursor: _, ...view } = viewOf(search)
    content.value = { ...content.value, view }
    document.title = viewTitle(view)
    void load(view, [])
  }

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

  return {
    content,
    failed,
    /** Adds the links of the next page. */
    loadMore: () => {
      const { next, shown, view } = content.value
      if (next !== null) void load({ ...view, cursor: next }, shown)
    },
    /** Searches the whole list, or the collection whose page is shown; a search that continues another replaces its history entry. */
    search: (text: string, typing: boolean) => {
      const { collection, view } = content.value
      const within =
        collection !== null && view.collection !== undefined ? { collection: collection.name } : {}
      const href = pageAddress(text.trim() === "" ? within : { ...within, q: text })
      if (typing) history.replaceState(null, "", href)
      else history.pushState(null, "", href)
      goTo(location.search)
    }
  }
}

const root = document.getElementById("app")
const start = readStart<PublicStart>()
if (root !== null && start !== null) {
  startTheme()
  const { content, failed, loadMore, search } = openPublicList(start)
  const isLive = signal(false)
  const App = () => (
    <PublicList
      {...content.value}
      {...(isLive.value
        ? { controls: { search, loadMore, failed: failed.value, tool: <ThemeButton /> } }
        : {})}
    />
  )
  // The first rendering must equal the service's, whose elements are kept.
  hydrate(<App />, root)
  isLive.value = true
}
