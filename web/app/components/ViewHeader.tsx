import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { filteringParts } from "../filteringParts.ts"
import { open } from "../state/dialogs.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { failure, listing } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import {
  changedFrom,
  currentFilters,
  type Filters,
  filtersOf,
  isNarrowed,
  paramsOf,
  show,
  viewOf
} from "../state/route.ts"
import { baseOf, inView, isNarrowedFurther, splitQuery, type View, views } from "../views.ts"
import { Button } from "./Button.tsx"
import { focusList } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"

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

/** All filters that the header does not name: those of the address, then the operators of the search text. */
const activeFilters = (filters: Filters, base: View): ReadonlyArray<ActiveFilter> => {
  const { category, collection, favorite, q, shareable, tag } = filters
  const one = (name: Exclude<keyof Filters, "q">, label: string | undefined): ReadonlyArray<ActiveFilter> =>
    label === undefined || name in base.filters ? [] : [{ label, without: withoutFilter(filters, name) }]
  const { rest, view } = splitQuery(q)
  const text = base.filters.q === q ? "" : rest
  return [
    ...one("collection", collection === undefined ? collection : collectionLabel(collection)),
    ...one("category", category && `category: ${category}`),
    ...one("tag", tag && `tag: ${tag}`),
    ...one("favorite", favorite && "favorite"),
    ...one("shareable", shareable && "shared"),
    ...filteringParts(text).map((part) => ({
      label: part.label,
      without: { ...filters, q: inView(view, withoutToken(text, part)) }
    }))
  ]
}

/** The header's view with the words of the search and the order kept, without other filters. */
const withoutFilters = ({ q, seed, sort }: Filters, base: View): Filters => {
  const { rest, view } = splitQuery(q)
  return {
    ...base.filters,
    q: inView(view, filteringParts(rest).reduceRight(withoutToken, rest)),
    ...(sort === undefined ? {} : { sort }),
    ...(seed === undefined ? {} : { seed })
  }
}

const Chip = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <li>
    <Button class="chip" onClick={onRemove}>
      <span class="visually-hidden">Remove filter </span>
      <span class="chip-text one-line" dir="auto">
        {label}
      </span>
      <Icon name="close" />
    </Button>
  </li>
)

interface ChipsProps {
  readonly all: ReadonlyArray<ActiveFilter>
  readonly base: View
  readonly filters: Filters
}

const FilterChips = ({ all, base, filters }: ChipsProps) => {
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
          <Button
            kind="quiet"
            onClick={() => {
              removed.current = 0
              show(changedFrom(filters, withoutFilters(filters, base)))
            }}
          >
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

const DisplayMenu = () => {
  const parts = lazyParts.value
  return (
    <div class="display">
      <Button icon="display" kind="quiet" popovertarget="display-menu">
        Display
      </Button>
      <div
        id="display-menu"
        class="display-menu popover floating"
        popover="auto"
        role="dialog"
        aria-label="Display"
      >
        {parts === null ? null : <parts.DisplayPanel />}
      </div>
    </div>
  )
}

const countOf = (total: number | undefined): string => {
  if (total === undefined) return ""
  return total === 0 ? "Nothing found" : count(total, "link")
}

export interface HeaderProps {
  readonly icon: IconName
  readonly name: string
  readonly description?: string | undefined
  /** How many things the view shows, in words. */
  readonly count?: string
  /** Its buttons. */
  readonly actions?: ComponentChildren
  /** What narrows the view. */
  readonly children?: ComponentChildren
}

export const ViewHeader = ({
  actions,
  children,
  count: found = "",
  description,
  icon,
  name
}: HeaderProps) => (
  <header class="view-header">
    <div class="row">
      <Icon name={icon} />
      <h1 dir="auto">{name}</h1>
      <span class="view-count quiet" role="status">
        {found}
      </span>
      <div class="row push">{actions}</div>
    </div>
    {description === undefined || description === "" ? null : (
      <p class="quiet prose" dir="auto">
        {description}
      </p>
    )}
    {children}
  </header>
)

interface ActionProps {
  readonly icon: IconName
  readonly name: string
  readonly run: () => void
}

/** A button of a header, which shows only its icon on phones where it stands at the end. */
export const ViewAction = ({ icon, name, run }: ActionProps) => (
  <Button icon={icon} kind="quiet" needsService onClick={run}>
    <span class="action-name">{name}</span>
  </Button>
)

/** The header above the list: the view, what narrows it, and what can be done with it. */
export const ListHeader = () => {
  const filters = currentFilters()
  const base = baseOf(filters)
  const hasActions = /^(tag|category|collection)/.test(viewOf(base.filters)) || base === views.trash
  useEffect(() => void (hasActions && loadLazyParts()), [hasActions])
  if (meta.value?.total === 0 && !isNarrowed(filters)) return null
  const parts = lazyParts.value
  return (
    <ViewHeader
      icon={base.icon}
      name={base.name}
      description={base.description}
      count={failure.value === null ? countOf(listing.value?.total) : ""}
      actions={
        <>
          {parts === null ? null : <parts.ViewActions filters={base.filters} />}
          <DisplayMenu />
        </>
      }
    >
      <div class="row chips">
        <FilterChips all={activeFilters(filters, base)} base={base} filters={filters} />
        {isNarrowedFurther(filters) && filters.like === undefined ? (
          <ViewAction icon="plus" name="Save this search" run={() => open({ kind: "search" })} />
        ) : null}
      </div>
      {listing.value?.notices.map(({ text }) => (
        <p class="search-notice hint" key={text}>
          {text}
        </p>
      ))}
    </ViewHeader>
  )
}
