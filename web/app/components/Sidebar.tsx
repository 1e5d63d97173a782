import { computed } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import { ownName } from "../../../src/shared/CollectionPath.ts"
import { folded } from "../../../src/shared/Text.ts"
import { close } from "../state/dialogs.ts"
import { withParts } from "../state/lazy.ts"
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
import { pages, splitQuery, type View, views } from "../views.ts"
import { ThemeButton } from "./Appearance.tsx"
import { Button, IconButton } from "./Button.tsx"
import { CollectionMark } from "./CollectionMark.tsx"
import { focusList, SIDEBAR_FILTER } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"

/** From this many entries on, the sections can be filtered. */
const MIN_FILTERED = 8
/** How many entries of a section are shown until all are asked for. */
const SHOWN = { collections: 20, categories: 6, tags: 8 }
/** How many matches of a section are shown. */
const MATCHES = 30

const without = (filters: Filters, filter: Partial<Filters>): Filters => {
  const params = paramsOf(filters)
  for (const name of Object.keys(filter)) params.delete(name)
  return filtersOf(params)
}

interface PlaceProps {
  readonly icon?: IconName | undefined
  /** Shown in the place of an icon. */
  readonly mark?: ComponentChildren
  readonly href: string
  /** How it relates to the shown view, as in `stateOf`. */
  readonly current: "true" | "page" | undefined
  readonly count?: number | undefined
  readonly attributes?: object
  readonly children: ComponentChildren
}

const Place = ({ attributes, children, count, current, href, icon, mark }: PlaceProps) => (
  <li>
    <a class="entry" {...attributes} href={href} aria-current={current} onClick={close}>
      {icon ? <Icon name={icon} /> : mark}
      <span class="grow one-line" dir="auto">
        {children}
      </span>
      {count ? <span class="entry-count">{count.toLocaleString("en")}</span> : null}
    </a>
  </li>
)

interface EntryProps {
  /** What the entry narrows the view by; undefined for the whole library. */
  readonly filter?: Partial<Filters> | undefined
  readonly count?: number | undefined
  readonly icon?: IconName
  readonly mark?: ComponentChildren
  /** How far it is indented. */
  readonly depth?: number
  /** The collection that it shows, which can be moved, and takes links and collections in; links can be dropped on none. */
  readonly collection?: number | "none" | undefined
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
const Entry = ({ children, collection, depth = 0, filter, ...others }: EntryProps) => {
  const current = stateOf(filter)
  const { href, ...alone } =
    filter === undefined ? { href: hrefOf(everything) } : labelLink(currentFilters(), filter)
  return (
    <Place
      {...others}
      href={filter !== undefined && current === "true" ? hrefOf(without(currentFilters(), filter)) : href}
      current={current}
      attributes={{
        ...alone,
        style: depth ? { "--depth": depth } : undefined,
        "data-collection": collection
      }}
    >
      {children}
    </Place>
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

interface FoldProps {
  readonly name: keyof typeof sections
  /** Opens it whatever was chosen, and remembers nothing. */
  readonly forced?: boolean
  readonly children: ComponentChildren
}

/** A section that folds, remembers it, and leads to the page of all its things. */
const Fold = ({ children, forced = false, name }: FoldProps) => {
  const state = sections[name]
  const title = pages[name].name
  return (
    <div class="section">
      <details
        open={forced || state.value === "open"}
        onToggle={({ currentTarget }) => {
          if (!forced) state.value = currentTarget.open ? "open" : "closed"
        }}
      >
        <summary>
          <Icon name="down" />
          {title}
        </summary>
        {children}
      </details>
      <a
        class="icon-button section-manage"
        href={`/dashboard/${name}`}
        title={`Manage ${title.toLowerCase()}`}
        aria-label={`Manage ${title.toLowerCase()}`}
        onClick={close}
      >
        <Icon name="more" />
      </a>
    </div>
  )
}

interface SectionProps {
  readonly name: keyof typeof SHOWN
  readonly items: ReadonlyArray<Item>
  /** The text that the items must contain, folded. */
  readonly typed: string
}

const Section = ({ items, name, typed }: SectionProps) => {
  const [whole, setWhole] = useState(false)
  const matching = typed === "" ? items : items.filter((item) => folded(item.name).includes(typed))
  if (matching.length === 0) return null
  const limit = typed === "" ? SHOWN[name] : MATCHES
  return (
    <Fold name={name} forced={typed !== ""}>
      <ul>
        {(whole ? matching : matching.slice(0, limit)).map(
          ({ count, depth = 0, filter, key, mark, name: text }) => (
            <Entry
              key={key}
              filter={filter}
              mark={mark}
              count={count}
              depth={typed === "" ? depth : 0}
              collection={typeof key === "number" ? key : undefined}
            >
              {depth > 0 && typed === "" ? ownName(text) : text}
            </Entry>
          )
        )}
      </ul>
      {matching.length > limit ? (
        <Button class="entry entry-more" onClick={() => setWhole(!whole)}>
          {whole ? "Show fewer" : `All ${matching.length.toLocaleString("en")} ${name}`}
        </Button>
      ) : null}
    </Fold>
  )
}

/** A view of the library, with a count where links wait in it. */
const ViewEntry = ({ count, view }: { readonly view: View; readonly count?: number | undefined }) =>
  view.filters.q === "" ? (
    <Entry
      icon={view.icon}
      filter={view === views.all ? undefined : view.filters}
      count={count}
      collection={view === views.unfiled ? "none" : undefined}
    >
      {view.name}
    </Entry>
  ) : (
    <Place
      icon={view.icon}
      href={hrefOf(view.filters)}
      count={count}
      current={
        route.value.page === "library" && splitQuery(currentFilters().q).view === view ? "page" : undefined
      }
    >
      {view.name}
    </Place>
  )

const PageEntry = ({ page }: { readonly page: "highlights" | "duplicates" }) => (
  <Place
    icon={pages[page].icon}
    href={`/dashboard/${page}`}
    current={route.value.page === page ? "page" : undefined}
  >
    {pages[page].name}
  </Place>
)

/** The library's views. Only what waits for the owner is counted. */
const Views = () => {
  const now = meta.value
  return (
    <ul>
      <ViewEntry view={views.all} />
      <ViewEntry view={views.unread} count={now?.states.unread} />
      <ViewEntry view={views.favorites} />
      <ViewEntry view={views.unfiled} count={now?.uncollected} />
      <ViewEntry view={views.shared} />
      <PageEntry page="highlights" />
      <ViewEntry view={views.archive} />
      <PageEntry page="duplicates" />
      {now === null || now.troubled === 0 ? null : <ViewEntry view={views.troubled} count={now.troubled} />}
      <ViewEntry view={views.trash} />
    </ul>
  )
}

/** The saved searches, each of which replaces the shown view. */
const Searches = () => {
  const searches = meta.value?.searches ?? []
  if (searches.length === 0) return null
  return (
    <Fold name="searches">
      <ul>
        {searches.map(({ id, name, query, sort }) => {
          const filters = { q: query, ...(sort === null ? {} : { sort }) }
          return (
            <Place
              key={id}
              icon="search"
              href={hrefOf(filters)}
              current={isShown(filters) ? "page" : undefined}
            >
              {name}
            </Place>
          )
        })}
      </ul>
    </Fold>
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
    mark: <CollectionMark color={color} icon={icon} />
  }))
})

const sectionsOf = (): ReadonlyArray<Omit<SectionProps, "typed">> => {
  const { categories = [], tags = [] } = meta.value ?? {}
  return [
    { name: "collections", items: collectionItems.value },
    {
      name: "tags",
      items: tags.map(({ count, name }) => ({ key: name, name: `#${name}`, count, filter: { tag: name } }))
    },
    {
      name: "categories",
      items: categories.map(({ count, name }) => ({ key: name, name, count, filter: { category: name } }))
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

/** What does not belong to the library, always in sight. */
export const Footer = () => (
  <footer class="sidebar-footer row">
    <a class="entry grow" href="/dashboard/settings" onClick={close}>
      <Icon name="settings" />
      <span>Settings</span>
    </a>
    <ThemeButton />
    <a class="icon-button" href="/docs" target="_blank" title="Help" rel="noopener">
      <Icon name="help" />
      <span class="visually-hidden">Help</span>
    </a>
    <IconButton
      icon="exit"
      label="Sign out"
      onClick={() => void withParts(({ session }) => session.signOut())}
    />
  </footer>
)

export const Sidebar = () => (
  <div class="sidebar">
    <Navigation field={SIDEBAR_FILTER} />
    <Footer />
  </div>
)
