/** @jsxImportSource preact */
import { type ComponentChildren, Fragment } from "preact"
import { isWithin, ownName, pathsTo, stepsOf } from "../../src/shared/CollectionPath.ts"
import { count } from "../../src/shared/Format.ts"
import {
  collectionAddress,
  feedAddress,
  firstPageAddress,
  isCollectionPage,
  LIST_DESCRIPTION,
  LIST_TITLE,
  type ListView,
  pageAddress,
  pictureAddress
} from "../../src/shared/ListAddress.ts"
import type { Highlights, PublicLink, PublicLinksPage, PublicMeta } from "../app/api.ts"
import { CardBody, type LabelLinks } from "../app/components/CardBody.tsx"
import { Icon } from "../app/components/Icon.tsx"
import { Favicon, Preview } from "../app/components/LinkImages.tsx"
import { SearchForm } from "./SearchForm.tsx"

/** A link with the positions of the search words in it. */
interface Shown {
  readonly link: PublicLink
  readonly marks: Highlights | undefined
}

const labelLinks: LabelLinks = {
  category: (category) => ({ href: pageAddress({ category }) }),
  tag: (tag) => ({ href: pageAddress({ tag }) }),
  collection: (collection) => ({
    href: collectionAddress(typeof collection === "string" ? collection : collection.name)
  })
}

const pictureOf = (kind: "image" | "favicon", url: string | null) =>
  url === null ? null : pictureAddress(kind, url)

interface CardProps extends Shown {
  readonly isLive: boolean
}

const PublicCard = ({ isLive, link, marks }: CardProps) => {
  const image = pictureOf("image", link.image)
  const favicon = pictureOf("favicon", link.favicon)
  return (
    <article class="card" data-density="cards" data-public="">
      <span class="card-select">
        <Favicon key={favicon} src={favicon} host={link.host} />
      </span>
      <CardBody
        link={link}
        heading="h3"
        marks={marks}
        labelLinks={labelLinks}
        saved={isLive ? "age" : "day"}
      />
      {image === null ? null : <Preview key={image} host={link.host} src={image} />}
    </article>
  )
}

interface SectionProps {
  readonly id: string
  readonly heading: string
  /** Whether only screen readers need the heading. */
  readonly isQuiet?: boolean
  readonly shown: ReadonlyArray<Shown>
  readonly isLive: boolean
}

const Section = ({ heading, id, isLive, isQuiet = false, shown }: SectionProps) => (
  <section class="public-group" id={id}>
    <h2 class={isQuiet ? "visually-hidden" : undefined} dir="auto">
      {heading}
    </h2>
    <ol>
      {shown.map(({ link, marks }) => (
        <li key={link.url}>
          <PublicCard link={link} marks={marks} isLive={isLive} />
        </li>
      ))}
    </ol>
  </section>
)

/** Returns a section's anchor, which is the same on every page and unique to the collection. */
const anchorOf = (collection: string | null): string =>
  collection === null ? "unfiled" : `collection-${encodeURIComponent(collection.toWellFormed())}`

/** Returns the heading of a collection's section: on the page of a collection around it, only the rest of its path. */
const headingOf = (name: string | null, page: string | undefined): string => {
  if (name === null) return "More links"
  return page !== undefined && isWithin(name, page)
    ? stepsOf(name).slice(stepsOf(page).length).join(" / ")
    : name
}

interface LinksProps {
  readonly view: ListView
  readonly shown: ReadonlyArray<Shown>
  /** Whether links are ordered by relevance rather than by collection. */
  readonly ranked: boolean
  /** Whether scripts keep the page up to date. */
  readonly isLive: boolean
}

/** The shared links: the results of a search in one section, all others in one section per collection. */
const Links = ({ isLive, ranked, shown, view }: LinksProps) =>
  ranked ? (
    <Section id="found" heading="Found" shown={shown} isLive={isLive} />
  ) : (
    [...Map.groupBy(shown, ({ link }) => link.collection)].map(([collection, group]) => (
      <Section
        key={collection ?? ""}
        id={anchorOf(collection)}
        heading={headingOf(collection, view.collection)}
        // The page's own title says it already.
        isQuiet={collection !== null && isCollectionPage(view) && collection === view.collection}
        shown={group}
        isLive={isLive}
      />
    ))
  )

/** A part of the public list, and the number of links in it. */
interface Part {
  readonly href: string
  readonly name: string
  readonly count: number
}

type CountedCollections = PublicMeta["collections"]

/** The navigation of collections: those in none of the others, or those directly in one, each with all that lies in it. */
const collectionsIn = (all: CountedCollections, within?: string): ReadonlyArray<Part> => {
  const names = new Set(all.map(({ name }) => name.toLowerCase()))
  const parts = new Map<string, Part>()
  for (const { count, name } of all) {
    if (within !== undefined && !isWithin(name, within)) continue
    // The outermost collection around it that is on the list, below the one that the page shows.
    const shown = pathsTo(name).find(
      (path) => names.has(path.toLowerCase()) && (within === undefined || isWithin(path, within))
    )
    if (shown === undefined) continue
    const key = shown.toLowerCase()
    const known = parts.get(key)
    parts.set(key, {
      href: collectionAddress(shown),
      name: headingOf(shown, within),
      count: (known?.count ?? 0) + count
    })
  }
  return [...parts.values()]
}

/** Maximum number of parts of a kind shown at once; a longer list is collapsed. */
const MAX_UNFOLDED = 16

interface NavigationProps {
  readonly label: string
  /** The address of the current view, from its first page. */
  readonly here: string
  readonly parts: ReadonlyArray<Part>
  /** Whether the label is shown. */
  readonly isNamed?: boolean
  /** Shown before the parts, and not counted with them. */
  readonly whole?: ReadonlyArray<Part>
}

/** Links to the parts of the public list of one kind; renders nothing without parts. */
const Navigation = ({ here, isNamed = false, label, parts, whole = [] }: NavigationProps) => {
  if (parts.length === 0) return null
  const list = (
    <ul class="row">
      {[...whole, ...parts].map(({ count, href, name }) => (
        <li key={href}>
          <a class="badge" href={href} aria-current={href === here ? "page" : undefined}>
            <bdi>{name}</bdi> <span class="entry-count">{count.toLocaleString("en")}</span>
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <nav class="public-nav" aria-label={label}>
      {isNamed && parts.length <= MAX_UNFOLDED ? <p class="hint">{label}</p> : null}
      {parts.length <= MAX_UNFOLDED ? (
        list
      ) : (
        <details class="fold">
          <summary>
            {parts.length.toLocaleString("en")} {isNamed ? "collections" : label.toLowerCase()}
          </summary>
          {list}
        </details>
      )}
    </nav>
  )
}

/** One page of the public list. */
export interface ListContent {
  readonly view: ListView
  /** The shared collection that the view names; null if it names none or another one. */
  readonly collection: NonNullable<PublicLinksPage["collection"]> | null
  readonly meta: PublicMeta
  readonly shown: ReadonlyArray<Shown>
  /** Number of links in the view, on all its pages. */
  readonly total: number
  /** Whether links are ordered by relevance rather than by collection. */
  readonly ranked: boolean
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
  /** What was not understood in the search text. */
  readonly notices: PublicLinksPage["notices"]
}

/** Whether a page is that of a collection that is not shared and has no shared link; nobody can tell it from none. */
export const isMissingCollection = ({
  collection,
  total,
  view
}: Pick<ListContent, "view" | "total" | "collection">) =>
  isCollectionPage(view) && collection === null && total === 0

/** The controls that scripts add to the page. */
interface Controls {
  /** Searches within the page; `typing` continues the previous keystroke's search. */
  readonly search: (text: string, typing: boolean) => void
  /** Adds the links of the next page. */
  readonly loadMore: () => void
  /** Whether the last search or page could not be loaded. */
  readonly failed: boolean
  /** An additional tool in the header, which has room for one so that the layout does not shift. */
  readonly tool: ComponentChildren
}

interface Props extends ListContent {
  /** Absent when the service renders the page: then links and forms are used instead. */
  readonly controls?: Controls
}

/** Maximum number of linked tags, so that they do not fill half of the page. */
const MAX_TAGS = 40

/** The title and description of the page: a shared collection's own, with the way to the collections around it. */
const Title = ({ collection }: Pick<Props, "collection">) => {
  if (collection === null)
    return (
      <>
        <h1>{LIST_TITLE}</h1>
        <p class="hint">{LIST_DESCRIPTION}</p>
      </>
    )
  const { description, name } = collection
  return (
    <>
      <nav class="public-path hint" aria-label="Path">
        <a href="/list">{LIST_TITLE}</a>
        {pathsTo(name)
          .slice(0, -1)
          .map((path) => (
            <Fragment key={path}>
              {" / "}
              <a href={collectionAddress(path)} dir="auto">
                {ownName(path)}
              </a>
            </Fragment>
          ))}
      </nav>
      <h1 dir="auto">{ownName(name)}</h1>
      {description === "" ? null : (
        <p class="public-description" dir="auto">
          {description}
        </p>
      )}
    </>
  )
}

const Collections = ({ meta, view }: Pick<Props, "meta" | "view">) => (
  <Navigation
    label="Collections"
    here={firstPageAddress(view)}
    whole={[{ name: "All", href: "/list", count: meta.total }]}
    parts={collectionsIn(meta.collections)}
  />
)

const Header = ({ collection, controls, meta, notices, total, view }: Props) => (
  <header class="public-header">
    <div>
      <Title collection={collection} />
      <p class="hint" role="status">
        {count(total, "link")}
      </p>
    </div>
    <div class="header-tools">
      {controls?.tool}
      <a class="icon-button" href={feedAddress(view)} title="Feed">
        <Icon name="feed" />
        <span class="visually-hidden">Feed</span>
      </a>
    </div>
    <SearchForm view={view} search={controls?.search} />
    {notices.map(({ text }) => (
      <p class="search-notice hint" key={text}>
        {text}
      </p>
    ))}
    {collection === null ? (
      <Collections meta={meta} view={view} />
    ) : (
      <Navigation
        label="In this collection"
        isNamed
        here={firstPageAddress(view)}
        parts={collectionsIn(meta.collections, collection.name)}
      />
    )}
  </header>
)

const describeView = ({ category, collection, q, tag }: ListView) =>
  [
    ["", q],
    ["category ", category],
    ["collection ", collection],
    ["tag ", tag]
  ]
    .filter(([, value]) => value !== undefined)
    .map(([kind, value], place) => (
      <Fragment key={kind}>
        {place === 0 ? "" : ", "}
        {kind}“<bdi>{value}</bdi>”
      </Fragment>
    ))

const Nothing = ({ isMissing, view }: Pick<Props, "view"> & { readonly isMissing: boolean }) => (
  <div class="notice">
    {firstPageAddress(view) === "/list" && !isMissing ? (
      <h2>Nothing shared yet.</h2>
    ) : (
      <>
        <h2>
          {isMissing ? (
            "No shared collection has this name."
          ) : isCollectionPage(view) ? (
            "This collection is still empty."
          ) : (
            <>Nothing found for {describeView(view)}</>
          )}
        </h2>
        <p>
          <a class="button" href="/list">
            Show all shared links
          </a>
        </p>
      </>
    )}
  </div>
)

const Pager = ({ controls, next, view }: Props) => {
  if (view.cursor === undefined && next === null) return null
  return (
    <p class="public-more">
      {view.cursor === undefined ? null : (
        <a class="button" rel="prev" href={firstPageAddress(view)}>
          First page
        </a>
      )}{" "}
      {next === null ? null : controls === undefined ? (
        <a class="button" rel="next" href={pageAddress({ ...view, cursor: next })}>
          More
        </a>
      ) : (
        <button type="button" class="button" onClick={controls.loadMore}>
          More
        </button>
      )}
    </p>
  )
}

/**
 * The links to categories and tags, at the end of the page so that the shared links come first, and on the page of a
 * collection also those to the others.
 */
const Footer = ({ collection, meta, view }: Props) => {
  const { categories, tags } = meta
  if (categories.length + tags.length === 0 && collection === null) return null
  return (
    <footer class="public-footer stack">
      {collection === null ? null : <Collections meta={meta} view={view} />}
      <Navigation
        label="Categories"
        here={firstPageAddress(view)}
        parts={categories.map((one) => ({ ...one, href: pageAddress({ category: one.name }) }))}
      />
      <Navigation
        label="Tags"
        here={firstPageAddress(view)}
        parts={tags
          .slice(0, MAX_TAGS)
          .map(({ count, name }) => ({ count, name: `#${name}`, href: pageAddress({ tag: name }) }))}
      />
    </footer>
  )
}

/**
 * The public list, which anyone can view but not change. The service renders the complete page, and the browser hydrates
 * it.
 */
export const PublicList = (given: Props) => {
  const isMissing = isMissingCollection(given)
  // The page of a collection that is not shared is the same for every name.
  const props = isMissing ? { ...given, view: {} } : given
  const { controls, ranked, shown, view } = props
  return (
    <div class="public">
      <Header {...props} />
      <main>
        {shown.length === 0 ? (
          <Nothing isMissing={isMissing} view={view} />
        ) : (
          <Links view={view} shown={shown} ranked={ranked} isLive={controls !== undefined} />
        )}
        {controls?.failed === true ? (
          <p class="problem" role="alert">
            The links could not be loaded.
          </p>
        ) : null}
        <Pager {...props} />
      </main>
      <Footer {...props} />
    </div>
  )
}
