import type { IconName } from "./components/Icon.tsx"
import { meta } from "./state/meta.ts"
import { everything, type Filters, hrefOf, paramsOf, type Route, withoutSort } from "./state/route.ts"

/** A way to see the library, with what its header says. */
export interface View {
  readonly icon: IconName
  readonly name: string
  readonly description?: string
  readonly filters: Filters
}

/** The links whose page is not what it was. */
const TROUBLED = "(is:broken or is:moved or is:changed)"

/** The library's own views. An operator that makes one does not show in the search field. */
export const views = {
  all: {
    icon: "all",
    name: "All links",
    filters: everything
  },
  favorites: {
    icon: "star",
    name: "Favorites",
    filters: { q: "", favorite: true }
  },
  shared: {
    icon: "share",
    name: "Shared",
    description: "Everyone can see these links on the public list.",
    filters: { q: "", shareable: true }
  },
  unfiled: {
    icon: "inbox",
    name: "Unfiled",
    description: "Links in no collection.",
    filters: { q: "", collection: "none" }
  },
  unread: {
    icon: "unread",
    name: "Unread",
    filters: { q: "is:unread" }
  },
  archive: {
    icon: "archive",
    name: "Archive",
    description: "Done with, but still found by every search.",
    filters: { q: "is:archived" }
  },
  troubled: {
    icon: "attention",
    name: "Needs attention",
    description: "Pages that are gone, have moved, or are other pages now.",
    filters: { q: TROUBLED }
  },
  incomplete: {
    icon: "attention",
    name: "Incomplete",
    description:
      "The page could not be read, or there is no summary. Linkbower retries, less often over time.",
    filters: { q: "is:partial" }
  },
  trash: {
    icon: "trash",
    name: "Trash",
    description: "Links stay here for 30 days. Then they are deleted forever.",
    filters: { q: "is:trashed" }
  }
} as const satisfies Readonly<Record<string, View>>

const operatorViews: ReadonlyArray<View> = [
  views.unread,
  views.archive,
  views.troubled,
  views.incomplete,
  views.trash
]

/** The view that a search text begins with, and what follows its operator. */
export const splitQuery = (q: string): { readonly view: View | undefined; readonly rest: string } => {
  const view = operatorViews.find(({ filters }) => q === filters.q || q.startsWith(`${filters.q} `))
  const rest = view === undefined ? q : q.slice(view.filters.q.length + 1)
  // "is:unread or …" is no part of the view.
  return view === undefined || /(^|\s)or(\s|$)/i.test(rest) ? { view: undefined, rest: q } : { view, rest }
}

/** The search text of `rest` among the links of the view that `q` begins with. */
export const inView = (view: View | undefined, rest: string): string =>
  view === undefined ? rest : rest.trim() === "" ? view.filters.q : `${view.filters.q} ${rest}`

/** The same view without anything that narrows it further. */
export const baseOf = (filters: Filters): View => {
  const { category, collection, favorite, like, q, shareable, tag } = filters
  const { view } = splitQuery(q)
  if (view !== undefined) return view
  const search = meta.value?.searches.find((one) => hrefOf({ q: one.query }) === hrefOf(withoutSort(filters)))
  if (search !== undefined) return { icon: "search", name: search.name, filters: { q } }
  if (like !== undefined) return { icon: "similar", name: "Similar links", filters: { q: "", like } }
  if (collection === "none") return views.unfiled
  if (collection !== undefined) {
    const { description = "", name = "Collection" } =
      meta.value?.collections.find(({ id }) => id === collection) ?? {}
    return { icon: "folder", name, description, filters: { q: "", collection } }
  }
  if (tag !== undefined) return { icon: "tag", name: `#${tag}`, filters: { q: "", tag } }
  if (category !== undefined) return { icon: "category", name: category, filters: { q: "", category } }
  if (favorite) return views.favorites
  if (shareable) return views.shared
  return q.trim() === "" ? views.all : { icon: "search", name: "Search", filters: everything }
}

/** Whether anything narrows the view further than its header says. */
export const isNarrowedFurther = (filters: Filters): boolean =>
  paramsOf(withoutSort(filters)).toString() !== paramsOf(baseOf(filters).filters).toString()

/** The header of each page that is no list of links. */
export const pages = {
  duplicates: { icon: "copies", name: "Duplicates" },
  settings: { icon: "settings", name: "Settings" },
  statistics: { icon: "chart", name: "Statistics" },
  tags: { icon: "tag", name: "Tags" },
  categories: { icon: "category", name: "Categories" },
  collections: { icon: "folder", name: "Collections" },
  searches: { icon: "search", name: "Saved searches" },
  highlights: { icon: "highlight", name: "Highlights" },
  add: { icon: "plus", name: "Add a link" }
} as const satisfies Partial<Record<Route["page"], Omit<View, "filters">>>

export type PageName = keyof typeof pages
