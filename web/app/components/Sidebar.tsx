import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { close, open } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, everything, type Filters, hrefOf, paramsOf, route } from "../state/route.ts"
import { Icon, type IconName } from "./Icon.tsx"

/** How many entries of a section are shown initially. */
const SHOWN = { collections: 40, categories: 12, tags: 24 }

const isCurrent = (filters: Filters) => {
  const { sort: _, ...now } = currentFilters()
  return route.value.page === "library" && paramsOf(now).toString() === paramsOf(filters).toString()
}

interface EntryProps {
  readonly filters: Filters
  readonly count?: number | undefined
  readonly icon?: IconName
  readonly children: ComponentChildren
}

const Entry = ({ children, count, filters, icon }: EntryProps) => (
  <li>
    <a
      class="entry"
      href={hrefOf(filters)}
      aria-current={isCurrent(filters) ? "page" : undefined}
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

interface SectionProps<A> {
  readonly title: string
  readonly all: ReadonlyArray<A>
  readonly shown: number
  readonly entry: (one: A) => ComponentChildren
}

const Section = <A,>({ all, entry, shown, title }: SectionProps<A>) => {
  const [whole, setWhole] = useState(false)
  if (all.length === 0) return null
  return (
    <details class="section" open>
      <summary>{title}</summary>
      <ul>{(whole ? all : all.slice(0, shown)).map(entry)}</ul>
      {all.length > shown && !whole ? (
        <button type="button" class="button" data-kind="quiet" onClick={() => setWhole(true)}>
          All {all.length.toLocaleString("en")} {title.toLowerCase()}
        </button>
      ) : null}
    </details>
  )
}

const Views = () => {
  const now = meta.value
  return (
    <ul>
      <Entry filters={everything} icon="all" count={now?.total}>
        All
      </Entry>
      <Entry filters={{ q: "", favorite: true }} icon="star" count={now?.favorites}>
        Favorites
      </Entry>
      <Entry filters={{ q: "", shareable: true }} icon="share" count={now?.shareable}>
        Shared
      </Entry>
      <Entry filters={{ q: "", collection: "none" }} icon="inbox" count={now?.uncollected}>
        Unfiled
      </Entry>
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

/** Links to the views, collections, categories and tags. */
export const Navigation = () => {
  const now = meta.value
  return (
    <nav aria-label="Library">
      <Views />
      {now === null ? null : (
        <>
          <Section
            title="Collections"
            all={now.collections}
            shown={SHOWN.collections}
            entry={({ count, id, name }) => (
              <Entry key={id} filters={{ q: "", collection: id }} count={count}>
                {name}
              </Entry>
            )}
          />
          <Section
            title="Categories"
            all={now.categories}
            shown={SHOWN.categories}
            entry={({ count, name }) => (
              <Entry key={name} filters={{ q: "", category: name }} count={count}>
                {name}
              </Entry>
            )}
          />
          <Section
            title="Tags"
            all={now.tags}
            shown={SHOWN.tags}
            entry={({ count, name }) => (
              <Entry key={name} filters={{ q: "", tag: name }} count={count}>
                #{name}
              </Entry>
            )}
          />
        </>
      )}
    </nav>
  )
}

/** The sidebar's footer. */
export const Footer = () => (
  <footer class="sidebar-footer">
    <a href="/list">Public list</a>
    <button type="button" class="link-button" onClick={() => open({ kind: "import" })}>
      Import
    </button>
    <button type="button" class="link-button" onClick={() => open({ kind: "export" })}>
      Export
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
    <Navigation />
    <Footer />
  </div>
)
