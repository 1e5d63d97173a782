/** @jsxImportSource preact */
import { type ComponentChildren, Fragment } from "preact"
import { count } from "../../src/shared/Format.ts"
import {
  collectionAddress,
  feedAddress,
  firstPageAddress,
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
  category: (category) => pageAddress({ category }),
  tag: (tag) => pageAddress({ tag }),
  collection: (collection) => collectionAddress(typeof collection === "string" ? collection : collection.name)
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
      {image === null ? null : <Preview key={image} src={image} isStatic={!isLive} />}
    </article>
  )
}

interface SectionProps {
  readonly id: string
  readonly heading: string
  readonly shown: ReadonlyArray<Shown>
  readonly isLive: boolean
}

const Section = ({ heading, id, isLive, shown }: SectionProps) => (
  <section class="public-group" id={id}>
    <h2 dir="auto">{heading}</h2>
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

interface LinksProps {
  readonly shown: ReadonlyArray<Shown>
  /** Whether links are ordered by relevance rather than by collection. */
  readonly ranked: boolean
  /** Whether scripts keep the page up to date. */
  readonly isLive: boolean
}

/** The shared links: the results of a search in one section, all others in one section per collection. */
const Links = ({ isLive, ranked, shown }: LinksProps) =>
  ranked ? (
    <Section id="found" heading="Found" shown={shown} isLive={isLive} />
  ) : (
    [...Map.groupBy(shown, ({ link }) => link.collection)].map(([collection, group]) => (
      <Section
        key={collection ?? ""}
        id={anchorOf(collection)}
        heading={collection ?? "More links"}
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

/** Maximum number of parts of a kind shown at once; a longer list is collapsed. */
const MAX_UNFOLDED = 16

interface NavigationProps {
  readonly label: string
  /** The address of the current view, from its first page. */
  readonly here: string
  readonly parts: ReadonlyArray<Part>
  /** Shown before the parts, and not counted with them. */
  readonly whole?: ReadonlyArray<Part>
}

/** Links to the parts of the public list of one kind; renders nothing without parts. */
const Navigation = ({ here, label, parts, whole = [] }: NavigationProps) => {
  if (parts.length === 0) return null
  const list = (
    <ul>
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
      {parts.length <= MAX_UNFOLDED ? (
        list
      ) : (
        <details>
          <summary>
            {parts.length.toLocaleString("en")} {label.toLowerCase()}
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

const Header = ({ controls, meta, notices, total, view }: Props) => (
  <header class="public-header">
    <div>
      <h1>{LIST_TITLE}</h1>
      <p class="hint">{LIST_DESCRIPTION}</p>
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
    <Navigation
      label="Collections"
      here={firstPageAddress(view)}
      whole={[{ name: "All", href: "/list", count: meta.total }]}
      parts={meta.collections.map(({ count, name }) => ({ name, count, href: collectionAddress(name) }))}
    />
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

const Nothing = ({ view }: { readonly view: ListView }) => (
  <div class="notice">
    {firstPageAddress(view) === "/list" ? (
      <h2>Nothing shared yet.</h2>
    ) : (
      <>
        <h2>Nothing found for {describeView(view)}</h2>
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

/** The links to categories and tags, at the end of the page so that the shared links come first. */
const Footer = ({ meta: { categories, tags }, view }: Props) =>
  categories.length + tags.length === 0 ? null : (
    <footer class="public-footer">
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

/**
 * The public list, which anyone can view but not change. The service renders the complete page, and the browser hydrates
 * it.
 */
export const PublicList = (props: Props) => {
  const { controls, ranked, shown, view } = props
  return (
    <div class="public">
      <Header {...props} />
      <main>
        {shown.length === 0 ? (
          <Nothing view={view} />
        ) : (
          <Links shown={shown} ranked={ranked} isLive={controls !== undefined} />
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
