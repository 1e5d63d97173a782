import type { PublicMetaAnswer } from "../api/Answers.ts"
import { escapeHtml } from "./Html.ts"
import {
  collectionAddress,
  feedAddress,
  LIST_DESCRIPTION,
  LIST_TITLE,
  type ListView,
  pageAddress
} from "./ListAddress.ts"
import { byCollection, results, type Shown } from "./ListSections.ts"

/** One page of the list. */
export interface ListContent {
  readonly view: ListView
  readonly meta: PublicMetaAnswer
  readonly shown: ReadonlyArray<Shown>
  /** How many links the view holds on all its pages. */
  readonly total: number
  /** Whether the best match comes first, rather than collection by collection. */
  readonly ranked: boolean
  readonly next: string | undefined
}

/** How many tags are led to: more would be half of the page. */
const MAX_TAGS = 40

const isNarrowed = ({ category, collection, q, tag }: ListView) =>
  (category ?? collection ?? q ?? tag) !== undefined

const hidden = (name: string, value: string | undefined) =>
  value === undefined ? "" : `\n<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

const FEED_ICON = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 19h.01M5 12a7 7 0 017 7M5 5a14 14 0 0114 14"/></svg>`

const feedLink = (view: ListView) =>
  `<a class="icon-button" href="${escapeHtml(feedAddress(view))}" title="Feed">${FEED_ICON}<span class="visually-hidden">Feed</span></a>`

const searchForm = ({ category, collection, q = "", tag }: ListView) =>
  `<search class="public-search"><form action="/list" method="get">
<input class="input" type="search" name="q" value="${escapeHtml(q)}" aria-label="Search these links" placeholder="Search these links" autocomplete="off" dir="auto">${hidden("category", category)}${hidden("tag", tag)}${hidden("collection", collection)}
<noscript><button class="button">Search</button></noscript>
</form></search>`

interface Place {
  readonly href: string
  readonly name: string
  readonly count: number
}

const badge = (here: string, { count, href, name }: Place) =>
  `<li><a class="badge" href="${escapeHtml(href)}"${href === here ? ' aria-current="page"' : ""}><bdi>${escapeHtml(name)}</bdi> <span class="entry-count">${count.toLocaleString("en")}</span></a></li>`

/** So many places of a kind are shown at once; more of them unfold. */
const OPEN = 16

const navigation = (label: string, view: ListView, all: ReadonlyArray<Place>, whole?: Place) => {
  const { cursor: _, ...first } = view
  const here = pageAddress(first)
  const list = `<ul>
${[...(whole === undefined ? [] : [whole]), ...all].map((place) => badge(here, place)).join("\n")}
</ul>`
  return `<nav class="public-nav" aria-label="${label}">
${
  all.length <= OPEN
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

/** The other ways into the list stand at its end, where they push nothing down. */
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

const asked = ({ category, collection, q, tag }: ListView) =>
  [
    ["", q],
    ["category ", category],
    ["collection ", collection],
    ["tag ", tag]
  ]
    .flatMap(([kind = "", value]) =>
      value === undefined ? [] : [`${kind}“<bdi>${escapeHtml(value)}</bdi>”`]
    )
    .join(", ")

const nothing = (view: ListView) =>
  isNarrowed(view)
    ? `<div class="notice">
<h2>Nothing found for ${asked(view)}</h2>
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
      : [`<a class="button" rel="prev" href="${escapeHtml(pageAddress(first))}">First page</a>`]),
    ...(next === undefined
      ? []
      : [
          `<a class="button" rel="next" href="${escapeHtml(pageAddress({ ...first, cursor: next }))}">More</a>`
        ])
  ]
  return links.length === 0 ? "" : `\n<p class="public-more">${links.join("\n")}</p>`
}

/** The page between `<body>` and `</body>`: whole without scripts, every text as text, in the app's own elements. */
export const listBody = (content: ListContent): string => {
  const { meta, ranked, shown, total, view } = content
  const links = shown.length === 0 ? nothing(view) : ranked ? results(shown) : byCollection(shown)
  return `<div class="public">
<header class="public-header">
<div>
<h1>${LIST_TITLE}</h1>
<p class="hint">${LIST_DESCRIPTION}</p>
<p class="hint" role="status">${total.toLocaleString("en")} link${total === 1 ? "" : "s"}</p>
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
