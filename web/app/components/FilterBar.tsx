import { type Filter, type Mark, hasWords, tokensOf, withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { linkOf } from "../state/entities.ts"
import { meta } from "../state/meta.ts"
import { type Filters, currentFilters, filtersOf, isNarrowed, paramsOf, show } from "../state/place.ts"
import { useLayoutEffect, useRef } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { type Sort, defaultSort } from "../../../src/shared/ListParameters.ts"
import { failure, listing } from "../state/list.ts"
import { focusList } from "./focus.ts"
import { Icon } from "./Icon.tsx"

/** A filter that is on, and the view without it. */
export interface ActiveFilter {
  readonly label: string
  readonly without: Filters
}

const collectionLabel = (collection: number | "none") =>
  collection === "none"
    ? "unfiled"
    : `collection: ${meta.value?.collections.find(({ id }) => id === collection)?.name ?? collection}`

const marks: Readonly<Record<Mark, string>> = {
  favorite: "favorite",
  shareable: "shared",
  partial: "incomplete"
}

const labelOf = (filter: Filter): string => {
  const plain = "value" in filter ? `${filter.field}: ${filter.value}` : marks[filter.field]
  return filter.negated ? `not ${plain}` : plain
}

const dropped = (filters: Filters, name: Exclude<keyof Filters, "q">): Filters => {
  const params = paramsOf(filters)
  params.delete(name)
  return filtersOf(params)
}

/** Every filter that is on: those of the address, then the operators of the search text. */
export const activeFilters = (filters: Filters): ReadonlyArray<ActiveFilter> => {
  const { category, collection, favorite, like, q, shareable, tag } = filters
  const one = (name: Exclude<keyof Filters, "q">, label: string | undefined): ReadonlyArray<ActiveFilter> =>
    label === undefined ? [] : [{ label, without: dropped(filters, name) }]
  return [
    ...one("like", like === undefined ? like : `similar to: ${linkOf(like)?.value.title ?? `link ${like}`}`),
    ...one("collection", collection === undefined ? collection : collectionLabel(collection)),
    ...one("category", category && `category: ${category}`),
    ...one("tag", tag && `tag: ${tag}`),
    ...one("favorite", favorite && "favorite"),
    ...one("shareable", shareable && "shared"),
    ...tokensOf(q).flatMap((token) =>
      token.kind === "filter"
        ? [{ label: labelOf(token.filter), without: { ...filters, q: withoutToken(q, token) } }]
        : []
    )
  ]
}

/** The view with nothing filtered out but by words. */
const cleared = ({ q, sort }: Filters): Filters => ({
  q: tokensOf(q)
    .filter(({ kind }) => kind !== "filter")
    .map(({ end, start }) => q.slice(start, end))
    .join(" "),
  ...(sort === undefined ? {} : { sort })
})

const Chip = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <li>
    <button type="button" class="chip" onClick={onRemove}>
      <span class="visually-hidden">Remove filter </span>
      <span class="chip-text" dir="auto">
        {label}
      </span>
      <Icon name="close" />
    </button>
  </li>
)

const FilterChips = ({ all, filters }: { all: ReadonlyArray<ActiveFilter>; filters: Filters }) => {
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (removed.current === undefined) return
    const buttons = list.current?.querySelectorAll("button")
    const next = buttons?.[Math.min(removed.current, buttons.length - 1)]
    removed.current = undefined
    if (next === undefined) focusList()
    else next.focus()
  }, [all])
  return (
    <ul ref={list} aria-label="Filters">
      {all.map(({ label, without }, at) => (
        <Chip
          key={`${at} ${label}`}
          label={label}
          onRemove={() => {
            removed.current = at
            show(without)
          }}
        />
      ))}
      {all.length < 2 ? null : (
        <li>
          <button
            type="button"
            class="button"
            data-kind="quiet"
            onClick={() => {
              removed.current = 0
              show(cleared(filters))
            }}
          >
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}

const sortNames: Readonly<Record<Sort, string>> = {
  relevance: "Best match",
  newest: "Newest",
  oldest: "Oldest",
  title: "Title",
  collection: "Collection"
}
const plainSorts: ReadonlyArray<Sort> = ["newest", "oldest", "title"]

const SortChoice = ({ filters }: { readonly filters: Filters }) => {
  const isSearch = hasWords(filters.q) || filters.like !== undefined
  const usual = defaultSort(isSearch)
  // Without words there is no best match, whatever the address says.
  const chosen =
    filters.sort === undefined || (filters.sort === "relevance" && !isSearch) ? usual : filters.sort
  const offered = new Set<Sort>([...(isSearch ? (["relevance"] as const) : []), ...plainSorts, chosen])
  return (
    <label class="chips-sort">
      Sort
      <select
        value={chosen}
        onChange={({ currentTarget }) => {
          const { sort: _, ...rest } = filters
          const sort = [...offered].find((one) => one === currentTarget.value)
          show(sort === undefined || sort === usual ? rest : { ...rest, sort })
        }}
      >
        {[...offered].map((one) => (
          <option key={one} value={one}>
            {sortNames[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

const countOf = (total: number | undefined): string => {
  if (total === undefined) return ""
  return total === 0 ? "Nothing found" : count(total, "link")
}

/** What the list is narrowed by, each to be taken away; how many links that leaves, and in what order. */
export const Chips = () => {
  const filters = currentFilters()
  if (meta.value?.total === 0 && !isNarrowed(filters)) return null
  return (
    <div class="chips">
      <p class="chips-count" role="status">
        {failure.value === null ? countOf(listing.value?.total) : ""}
      </p>
      <FilterChips all={activeFilters(filters)} filters={filters} />
      <SortChoice filters={filters} />
    </div>
  )
}
