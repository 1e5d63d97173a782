import { useLayoutEffect, useRef } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { filteringParts } from "../filteringParts.ts"
import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { linkOf } from "../state/entities.ts"
import { lazyParts } from "../state/lazy.ts"
import { failure, listing } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import {
  changedFrom,
  currentFilters,
  type Filters,
  filtersOf,
  isNarrowed,
  paramsOf,
  show
} from "../state/route.ts"
import { focusList } from "./focus.ts"
import { Icon } from "./Icon.tsx"

/** An active filter, and the view without it. */
interface ActiveFilter {
  readonly label: string
  readonly without: Filters
}

const collectionLabel = (collection: number | "none") =>
  collection === "none"
    ? "unfiled"
    : `collection: ${meta.value?.collections.find(({ id }) => id === collection)?.name ?? collection}`

const withoutFilter = (filters: Filters, name: Exclude<keyof Filters, "q">): Filters => {
  const params = paramsOf(filters)
  params.delete(name)
  return filtersOf(params)
}

/** All active filters: those of the address, then the operators of the search text. */
const activeFilters = (filters: Filters): ReadonlyArray<ActiveFilter> => {
  const { category, collection, favorite, like, q, shareable, tag } = filters
  const one = (name: Exclude<keyof Filters, "q">, label: string | undefined): ReadonlyArray<ActiveFilter> =>
    label === undefined ? [] : [{ label, without: withoutFilter(filters, name) }]
  return [
    ...one("like", like === undefined ? like : `similar to: ${linkOf(like)?.value.title ?? `link ${like}`}`),
    ...one("collection", collection === undefined ? collection : collectionLabel(collection)),
    ...one("category", category && `category: ${category}`),
    ...one("tag", tag && `tag: ${tag}`),
    ...one("favorite", favorite && "favorite"),
    ...one("shareable", shareable && "shared"),
    ...filteringParts(q).map((part) => ({
      label: part.label,
      without: { ...filters, q: withoutToken(q, part) }
    }))
  ]
}

/** The view with all filters removed but the words of the search and the order kept. */
const withoutFilters = ({ q, seed, sort }: Filters): Filters => ({
  q: filteringParts(q).reduceRight(withoutToken, q),
  ...(sort === undefined ? {} : { sort }),
  ...(seed === undefined ? {} : { seed })
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
            show(changedFrom(filters, without))
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
              show(changedFrom(filters, withoutFilters(filters)))
            }}
          >
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}

/** The button that opens the display menu. */
const DisplayMenu = () => {
  const parts = lazyParts.value
  return (
    <div class="display">
      <button type="button" class="button" data-kind="quiet" popovertarget="display-menu">
        <Icon name="display" />
        Display
      </button>
      <div id="display-menu" class="display-menu" popover="auto" role="dialog" aria-label="Display">
        {parts === null ? null : <parts.DisplayPanel />}
      </div>
    </div>
  )
}

const countOf = (total: number | undefined): string => {
  if (total === undefined) return ""
  return total === 0 ? "Nothing found" : count(total, "link")
}

/** The bar above the list: the number of links, a chip that removes each active filter, and the display menu. */
export const FilterBar = () => {
  const filters = currentFilters()
  if (meta.value?.total === 0 && !isNarrowed(filters)) return null
  return (
    <div class="chips">
      <p class="chips-count" role="status">
        {failure.value === null ? countOf(listing.value?.total) : ""}
      </p>
      <FilterChips all={activeFilters(filters)} filters={filters} />
      {isNarrowed(filters) && filters.like === undefined ? (
        <button
          type="button"
          class="button"
          data-kind="quiet"
          {...needsService()}
          onClick={() => open({ kind: "search" })}
        >
          Save this search
        </button>
      ) : null}
      <DisplayMenu />
      {listing.value?.notices.map(({ text }) => (
        <p class="search-notice hint" key={text}>
          {text}
        </p>
      ))}
    </div>
  )
}
