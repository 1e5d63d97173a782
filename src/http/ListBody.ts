import type { PublicLink } from "../domain/Link.ts"
import type { Highlights, Range } from "../domain/LinkQuery.ts"
import { count, dayText } from "../shared/Format.ts"
import { isHttpUrl } from "../shared/HttpUrl.ts"
import { withoutWww } from "../shared/WebAddress.ts"
import type { PublicMetaAnswer } from "./api/Answers.ts"
import {
  collectionAddress,
  feedAddress,
  LIST_DESCRIPTION,
  LIST_TITLE,
  type ListView,
  pageAddress,
  pictureAddress
} from "./ListAddress.ts"

/** Renders a text as markup, with its matches in `<mark>`; the ranges must be in order and must not overlap. */
const marked = (text: string, ranges: ReadonlyArray<Range> = []): string => {
  let html = ""
  let at = 0
  for (const [start, end] of ranges) {
    html += `${Bun.escapeHTML(text.slice(at, start))}<mark>${Bun.escapeHTML(text.slice(start, end))}</mark>`
    at = end
  }
  return html + Bun.escapeHTML(text.slice(at))
}

const favicon = ({ favicon, host }: PublicLink) =>
  favicon === null
    ? `<span class="favicon" aria-hidden="true">${Bun.escapeHTML(withoutWww(host).charAt(0))}</span>`
    : `<img class="favicon" src="${Bun.escapeHTML(pictureAddress("favicon", favicon))}" alt="" width="20" height="20" loading="lazy" decoding="async">`

const preview = ({ image }: PublicLink) =>
  image === null
    ? ""
    : `\n<div class="preview" data-state="there"><img src="${Bun.escapeHTML(pictureAddress("image", image))}" alt="" loading="lazy" decoding="async"></div>`

const title = ({ title, url }: PublicLink, ranges: Highlights["title"]) =>
  isHttpUrl(url)
    ? `<a href="${Bun.escapeHTML(url)}" target="_blank" rel="noopener noreferrer">${marked(title, ranges)}</a>`
    : marked(title, ranges)

const text = ({ description, summary }: PublicLink, ranges: Highlights) => {
  if (summary !== "") return `\n<p class="card-summary" dir="auto">${marked(summary, ranges.summary)}</p>`
  return description === ""
    ? ""
    : `\n<p class="card-summary" dir="auto" data-voice="page">${marked(description, ranges.description)}</p>`
}

const time = (createdAt: string) =>
  `<time datetime="${Bun.escapeHTML(createdAt)}">${dayText(createdAt)}</time>`

const label = (attributes: string, href: string, html: string) =>
  `<li><a ${attributes} href="${Bun.escapeHTML(href)}" dir="auto">${html}</a></li>`

const labels = ({ category, collection, tags }: PublicLink, ranges: Highlights) =>
  [
    label('class="badge" data-kind="category"', pageAddress({ category }), Bun.escapeHTML(category)),
    ...(collection === null
      ? []
      : [label('class="badge"', collectionAddress(collection), Bun.escapeHTML(collection))]),
    ...tags.map((tag, place) => {
      const found = ranges.tags?.filter(([at]) => at === place).map(([, start, end]) => [start, end] as const)
      return label('class="card-tag"', pageAddress({ tag }), `#${marked(tag, found)}`)
    })
  ].join("\n")

/** Renders a shared link with the same elements as the app's card, so that nothing moves when the app takes over. */
const listItem = (link: PublicLink, highlights: Highlights = {}): string => `<li>
<article class="card" data-density="cards" data-public>
<span class="card-select">${favicon(link)}</span>
<div class="card-body">
<h3 class="card-title" dir="auto">${title(link, highlights.title)}</h3>
<p class="card-source"><span>${Bun.escapeHTML(link.host)}</span> ${time(link.createdAt)}</p>${text(link, highlights)}
<ul class="card-labels">
${labels(link, highlights)}
</ul>
</div>${preview(link)}
</article>
</li>`

/** A link with the places where the search words occur in it. */
interface Shown {
  readonly link: PublicLink
  readonly highlights: Highlights | undefined
}

/** Returns a section's anchor, which is the same on every page and unique to the collection. */
const anchorOf = (collection: string | null): string =>
  collection === null ? "unfiled" : `collection-${encodeURIComponent(collection.toWellFormed())}`

const section = (anchor: string, heading: string, shown: ReadonlyArray<Shown>) =>
  `<section class="public-group" id="${Bun.escapeHTML(anchor)}">
<h2 dir="auto">${Bun.escapeHTML(heading)}</h2>
<ol>
${shown.map(({ highlights, link }) => listItem(link, highlights)).join("\n")}
</ol>
</section>`

/** Renders links, sorted by collection, in one section per collection; links without a collection come last. */
const byCollection = (shown: ReadonlyArray<Shown>): string =>
  [...Map.groupBy(shown, ({ link }) => link.collection)]
    .map(([collection, group]) => section(anchorOf(collection), collection ?? "More links", group))
    .join("\n")

/** Renders search results: the best match comes first, whatever its collection. */
const results = (shown: ReadonlyArray<Shown>): string => section("found", "Found", shown)

/** One page of the list. */
interface ListContent {
  readonly view: ListView
  readonly meta: PublicMetaAnswer
  readonly shown: ReadonlyArray<Shown>
  /** Number of links in the view, on all its pages. */
  readonly total: number
  /** Whether links are ordered by relevance rather than by collection. */
  readonly ranked: boolean
  readonly next: string | undefined
}

/** Maximum number of linked tags: more would fill half of the page. */
const MAX_TAGS = 40

const isNarrowed = ({ category, collection, q, tag }: ListView) =>
  (category ?? collection ?? q ?? tag) !== undefined

const hidden = (name: string, value: string | undefined) =>
  value === undefined ? "" : `\n<input type="hidden" name="${name}" value="${Bun.escapeHTML(value)}">`

const FEED_ICON = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 19h.01M5 12a7 7 0 017 7M5 5a14 14 0 0114 14"/></svg>`

const feedLink = (view: ListView) =>
  `<a class="icon-button" href="${Bun.escapeHTML(feedAddress(view))}" title="Feed">${FEED_ICON}<span class="visually-hidden">Feed</span></a>`

const searchForm = ({ category, collection, q = "", tag }: ListView) =>
  `<search class="public-search"><form action="/list" method="get">
<input class="input" type="search" name="q" value="${Bun.escapeHTML(q)}" aria-label="Search these links" placeholder="Search these links" autocomplete="off" dir="auto">${hidden("category", category)}${hidden("tag", tag)}${hidden("collection", collection)}
<noscript><button class="button">Search</button></noscript>
</form></search>`

interface Place {
  readonly href: string
  readonly name: string
  readonly count: number
}

const badge = (here: string, { count, href, name }: Place) =>
  `<li><a class="badge" href="${Bun.escapeHTML(href)}"${href === here ? ' aria-current="page"' : ""}><bdi>${Bun.escapeHTML(name)}</bdi> <span class="entry-count">${count.toLocaleString("en")}</span></a></li>`

/** Maximum number of places of a kind shown at once; a longer list is collapsed. */
const MAX_UNFOLDED = 16

const navigation = (label: string, view: ListView, all: ReadonlyArray<Place>, whole?: Place) => {
  const { cursor: _, ...first } = view
  const here = pageAddress(first)
  const list = `<ul>
${[...(whole === undefined ? [] : [whole]), ...all].map((place) => badge(here, place)).join("\n")}
</ul>`
  return `<nav class="public-nav" aria-label="${label}">
${
  all.length <= MAX_UNFOLDED
    ? list
    : `<details>\n<summary>${all.length.toLocaleString("en")} ${label.toLowerCase()}</summary>\n${list}\n</details>`
}
</nav>`
}

const collections = (view: ListView, { collections, total }: PublicMetaAnswer) =>
  collections.length === 0
    ? ""
    : navigation(
        "Collections",
        view,
        collections.map(({ count, name }) => ({ href: collectionAddress(name), name, count })),
        { href: "/list", name: "All", count: total }
      )

/** Renders the links to categories and tags, at the end of the page so that they push nothing down. */
const footer = (view: ListView, { categories, tags }: PublicMetaAnswer) => {
  const groups = [
    ...(categories.length === 0
      ? []
      : [
          navigation(
            "Categories",
            view,
            categories.map((one) => ({ ...one, href: pageAddress({ category: one.name }) }))
          )
        ]),
    ...(tags.length === 0
      ? []
      : [
          navigation(
            "Tags",
            view,
            tags
              .slice(0, MAX_TAGS)
              .map(({ count, name }) => ({ href: pageAddress({ tag: name }), name: `#${name}`, count }))
          )
        ])
  ]
  return groups.length === 0 ? "" : `\n<footer class="public-footer">\n${groups.join("\n")}\n</footer>`
}

const describeView = ({ category, collection, q, tag }: ListView) =>
  [
    ["", q],
    ["category ", category],
    ["collection ", collection],
    ["tag ", tag]
  ]
    .flatMap(([kind = "", value]) =>
      value === undefined ? [] : [`${kind}“<bdi>${Bun.escapeHTML(value)}</bdi>”`]
    )
    .join(", ")

const emptyNotice = (view: ListView) =>
  isNarrowed(view)
    ? `<div class="notice">
<h2>Nothing found for ${describeView(view)}</h2>
<p><a class="button" href="/list">Show all shared links</a></p>
</div>`
    : `<div class="notice">
<h2>Nothing shared yet.</h2>
</div>`

const pager = ({ next, view }: ListContent) => {
  const { cursor, ...first } = view
  const links = [
    ...(cursor === undefined
      ? []
      : [`<a class="button" rel="prev" href="${Bun.escapeHTML(pageAddress(first))}">First page</a>`]),
    ...(next === undefined
      ? []
      : [
          `<a class="button" rel="next" href="${Bun.escapeHTML(pageAddress({ ...first, cursor: next }))}">More</a>`
        ])
  ]
  return links.length === 0 ? "" : `\n<p class="public-more">${links.join("\n")}</p>`
}

/** Renders the content of `<body>`: complete without scripts, all texts escaped, with the app's own elements. */
export const listBody = (content: ListContent): string => {
  const { meta, ranked, shown, total, view } = content
  const links = shown.length === 0 ? emptyNotice(view) : ranked ? results(shown) : byCollection(shown)
  return `<div class="public">
<header class="public-header">
<div>
<h1>${LIST_TITLE}</h1>
<p class="hint">${LIST_DESCRIPTION}</p>
<p class="hint" role="status">${count(total, "link")}</p>
</div>
<div class="header-tools">${feedLink(view)}</div>
${searchForm(view)}
${collections(view, meta)}
</header>
<main>
${links}${pager(content)}
</main>${footer(view, meta)}
</div>`
}
