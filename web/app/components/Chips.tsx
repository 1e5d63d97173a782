import { useLayoutEffect, useRef } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { defaultSort, type Sort } from "../../../src/shared/ListParameters.ts"
import { hasWords, withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { failure, listing } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, type Filters, isNarrowed, show } from "../state/place.ts"
import { type ActiveFilter, activeFilters, filteringParts } from "./activeFilters.ts"
import { focusList } from "./focus.ts"
import { Icon } from "./Icon.tsx"

/** The view with nothing filtered out but by words. */
const cleared = ({ q, sort }: Filters): Filters => ({
  q: filteringParts(q).reduceRight(withoutToken, q),
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
      {listing.value?.notices.map(({ text }) => (
        <p class="chips-notice hint" key={text}>
          {text}
        </p>
      ))}
    </div>
  )
}
