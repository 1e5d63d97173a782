import { computed } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import { ownName } from "../../../src/shared/CollectionPath.ts"
import { folded } from "../../../src/shared/Text.ts"
import { needsService } from "../state/connection.ts"
import { close, open } from "../state/dialogs.ts"
import { showsTrash, trash } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { sections } from "../state/preferences.ts"
import {
  currentFilters,
  everything,
  type Filters,
  filtersOf,
  hrefOf,
  labelLink,
  narrowedBy,
  paramsOf,
  route,
  withoutSort
} from "../state/route.ts"
import { inTreeOrder, totalsIn } from "../tree.ts"
import { CollectionMark } from "./CollectionMark.tsx"
import { focusList, SIDEBAR_FILTER } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"

/** From this many entries on, the sections can be filtered. */
const MIN_FILTERED = 8
/** How many entries of a section are shown until all are asked for. */
const SHOWN = { collections: 20, categories: 10, tags: 15 }
/** How many matches of a section are shown. */
const MATCHES = 30

/** Finds the links whose page is not what it was. */
const TROUBLED = "is:broken or is:moved or is:changed"

const without = (filters: Filters, filter: Partial<Filters>): Filters => {
  const params = paramsOf(filters)
  for (const name of Object.keys(filter)) params.delete(name)
  return filtersOf(params)
}

interface EntryProps {
  /** What the entry narrows the view by; undefined for the whole library. */
  readonly filter?: Partial<Filters>
  readonly count?: number | undefined
  readonly icon?: IconName
  /** How far it is indented. */
  readonly depth?: number
  readonly children: ComponentChildren
}

/** How an entry relates to the shown view: part of it, all of it, or neither. */
const stateOf = (filter: Partial<Filters> | undefined): "true" | "page" | undefined => {
  if (route.value.page !== "library") return undefined
  const filters = currentFilters()
  const parts = paramsOf(withoutSort(filters)).size
  if (filter === undefined) return parts === 0 ? "page" : undefined
  if (hrefOf(narrowedBy(filters, filter)) !== hrefOf(filters)) return undefined
  return parts === 1 ? "page" : "true"
}

/** A link that narrows the view or, if the view is narrowed by it already, widens it again. */
const Entry = ({ children, count, depth = 0, filter, icon }: EntryProps) => {
  const state = stateOf(filter)
  const { href, ...alone } =
    filter === undefined ? { href: hrefOf(everything) } : labelLink(currentFilters(), filter)
  const isPart = filter !== undefined && state === "true"
  return (
    <li>
      <a
        class="entry"
        {...(depth === 0 ? {} : { style: { "--depth": depth } })}
        {...alone}
        href={isPart ? hrefOf(without(currentFilters(), filter)) : href}
        aria-current={state}
        onClick={close}
      >
        {icon === undefined ? null : <Icon name={icon} />}
        <span class="entry-name" dir="auto">
          {children}
        </span>
        {count === undefined ? null : <span class="entry-count">{count.toLocaleString("en")}</span>}
      </a>
    </li>
  )
}

interface Item {
  readonly key: number | string
  readonly name: string
  readonly count: number
  readonly filter: Partial<Filters>
  /** How deep a collection lies in others. */
  readonly depth?: number
  readonly mark?: ComponentChildren
}

interface SectionProps {
  readonly name: keyof typeof SHOWN
  readonly title: string
  readonly items: ReadonlyArray<Item>
  /** The text that the items must contain, folded. */
  readonly typed: string
}

const Section = ({ items, name, title, typed }: SectionProps) => {
  const [whole, setWhole] = useState(false)
  const matching = typed === "" ? items : items.filter((item) => folded(item.name).includes(typed))
  if (matching.length === 0) return null
  const limit = typed === "" ? SHOWN[name] : MATCHES
  const isLong = matching.length > limit
  const state = sections[name]
  return (
    <details
      class="section"
      open={typed !== "" || state.value === "open"}
      onToggle={({ currentTarget }) => {
        if (typed === "") state.value = currentTarget.open ? "open" : "closed"
      }}
    >
      <summary>
        {title} <span class="entry-count">{matching.length.toLocaleString("en")}</span>
      </summary>
      <ul>
        {(whole ? matching : matching.slice(0, limit)).map(
          ({ count, depth = 0, filter, key, mark, name }) => (
            <Entry key={key} filter={filter} count={count} depth={typed === "" ? depth : 0}>
              {mark}
              {depth > 0 && typed === "" ? ownName(name) : name}
            </Entry>
          )
        )}
      </ul>
      {isLong ? (
        <button type="button" class="button" data-kind="quiet" onClick={() => setWhole(!whole)}>
          {whole ? "Show fewer" : `All ${matching.length.toLocaleString("en")} ${title.toLowerCase()}`}
        </button>
      ) : null}
      <a class="entry entry-manage" href={`/dashboard/${name}`} onClick={close}>
        Manage {title.toLowerCase()}
      </a>
    </details>
  )
}

const Views = () => {
  const now = meta.value
  return (
    <ul>
      <Entry icon="all" count={now === null ? undefined : now.total - now.states.archived}>
        All
      </Entry>
      <Entry filter={{ favorite: true }} icon="star" count={now?.favorites}>
        Favorites
      </Entry>
      <Entry filter={{ shareable: true }} icon="share" count={now?.shareable}>
        Shared
      </Entry>
      <Entry filter={{ collection: "none" }} icon="inbox" count={now?.uncollected}>
        Unfiled
      </Entry>
      <Entry filter={{ q: "is:unread" }} icon="unread" count={now?.states.unread}>
        Unread
      </Entry>
      <Entry filter={{ q: "is:archived" }} icon="archive" count={now?.states.archived}>
        Archive
      </Entry>
      {now === null || now.troubled === 0 ? null : (
        <Entry filter={{ q: TROUBLED }} icon="attention" count={now.troubled}>
          Needs attention
        </Entry>
      )}
      <li>
        <a
          class="entry"
          href={hrefOf(trash)}
          aria-current={route.value.page === "library" && showsTrash(currentFilters()) ? "page" : undefined}
          onClick={close}
        >
          <Icon name="trash" />
          <span class="entry-name">Trash</span>
          {now === null ? null : <span class="entry-count">{now.trash.toLocaleString("en")}</span>}
        </a>
      </li>
      <li>
        <a
          class="entry"
          href="/dashboard/highlights"
          aria-current={route.value.page === "highlights" ? "page" : undefined}
          onClick={close}
        >
          <Icon name="highlight" />
          <span class="entry-name">Highlights</span>
        </a>
      </li>
      <li>
        <a
          class="entry"
          href="/dashboard/duplicates"
          aria-current={route.value.page === "duplicates" ? "page" : undefined}
          onClick={close}
        >
          <Icon name="copies" />
          <span class="entry-name">Duplicates</span>
        </a>
      </li>
    </ul>
  )
}

/** The saved searches, each of which replaces the shown view. */
const Searches = () => {
  const searches = meta.value?.searches ?? []
  if (searches.length === 0) return null
  return (
    <div>
      <h2 class="section-title">Saved searches</h2>
      <ul>
        {searches.map(({ id, name, query, sort }) => {
          const filters = { q: query, ...(sort === null ? {} : { sort }) }
          return (
            <li key={id}>
              <a
                class="entry"
                href={hrefOf(filters)}
                aria-current={isShown(filters) ? "page" : undefined}
                onClick={close}
              >
                <Icon name="search" />
                <span class="entry-name" dir="auto">
                  {name}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
      <a class="entry entry-manage" href="/dashboard/searches" onClick={close}>
        Manage saved searches
      </a>
    </div>
  )
}

const isShown = (filters: Filters): boolean =>
  route.value.page === "library" &&
  paramsOf(withoutSort(currentFilters())).toString() === paramsOf(withoutSort(filters)).toString()

/** Collections as a tree, each with the number of links in it and in those inside it. */
const collectionItems = computed<ReadonlyArray<Item>>(() => {
  const entries = inTreeOrder(meta.value?.collections ?? [])
  const totals = totalsIn(entries)
  return entries.map(({ depth, one: { color, count, icon, id, name } }) => ({
    key: id,
    name,
    depth,
    count: totals.get(id) ?? count,
    filter: { collection: id },
    mark: icon === null && color === null ? null : <CollectionMark color={color} icon={icon} />
  }))
})

const sectionsOf = (): ReadonlyArray<Omit<SectionProps, "typed">> => {
  const { categories = [], tags = [] } = meta.value ?? {}
  return [
    {
      name: "collections",
      title: "Collections",
      items: collectionItems.value
    },
    {
      name: "categories",
      title: "Categories",
      items: categories.map(({ count, name }) => ({ key: name, name, count, filter: { category: name } }))
    },
    {
      name: "tags",
      title: "Tags",
      items: tags.map(({ count, name }) => ({ key: name, name: `#${name}`, count, filter: { tag: name } }))
    }
  ]
}

const linksIn = (nav: HTMLElement | null) => [
  ...(nav?.querySelectorAll<HTMLElement>(".section .entry") ?? [])
]

interface NavigationProps {
  /** The id of the field that filters the sections. */
  readonly field?: string
}

/** Links to the views, collections, categories and tags, with a field that filters the latter three. */
export const Navigation = ({ field }: NavigationProps) => {
  const [text, setText] = useState("")
  const id = useId()
  const all = sectionsOf()
  const typed = folded(text.trim()).replace(/^#/, "")
  const total = all.reduce((sum, { items }) => sum + items.length, 0)
  const nav = useRef<HTMLElement>(null)
  const isEmpty = !all.some(({ items }) => items.some(({ name }) => folded(name).includes(typed)))
  return (
    <nav ref={nav} aria-label="Library">
      <Views />
      <Searches />
      {total < MIN_FILTERED ? null : (
        <div class="sidebar-filter">
          <label class="visually-hidden" for={field ?? id}>
            Filter collections, categories and tags
          </label>
          <input
            id={field ?? id}
            class="input"
            dir="auto"
            autoComplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="Filter"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              const [first] = linksIn(nav.current)
              if (event.isComposing) return
              if (event.key === "Escape" && text !== "") setText("")
              else if (event.key === "Escape" && field !== undefined) focusList()
              else if (event.key === "Enter" && typed !== "") first?.click()
              else if (event.key === "ArrowDown") first?.focus()
              else return
              event.preventDefault()
            }}
          />
        </div>
      )}
      {all.map((section) => (
        <Section key={section.name} {...section} typed={typed} />
      ))}
      {isEmpty && typed !== "" ? <p class="hint">No matches.</p> : null}
    </nav>
  )
}

/** The sidebar's footer. */
export const Footer = () => (
  <footer class="sidebar-footer">
    <a href="/dashboard/settings" onClick={close}>
      Settings and help
    </a>
    <a href="/dashboard/statistics" onClick={close}>
      Statistics
    </a>
    <a href="/list">Public list</a>
    <button type="button" class="link-button" {...needsService()} onClick={() => open({ kind: "import" })}>
      Import
    </button>
    <button type="button" class="link-button" {...needsService()} onClick={() => open({ kind: "export" })}>
      Export
    </button>
    <button type="button" class="link-button" onClick={() => open({ kind: "history" })}>
      Changes
    </button>
    <button type="button" class="link-button" onClick={() => open({ kind: "shortcuts" })}>
      Keyboard shortcuts
    </button>
    {meta.value === null ? null : <span class="hint">Linkbower {meta.value.version}</span>}
  </footer>
)

/** The sidebar: views, collections, categories and tags with their counts. */
export const Sidebar = () => (
  <div class="sidebar">
    <Navigation field={SIDEBAR_FILTER} />
    <Footer />
  </div>
)
