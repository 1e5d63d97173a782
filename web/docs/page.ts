import { footer, header, type PageFiles, pageHtml, sidebar } from "./chrome.ts"
import type { Composed, Heading } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import { pagesBySection, type Source } from "./source.ts"
import { type Element, h, type Node } from "./tree.ts"

/** The heading levels in a page's table of contents. */
const contentsLevels = [2, 3]
/** Minimum number of headings for a table of contents. */
const MIN_HEADINGS = 2

/** The entries of a page's table of contents; none if the page is short. */
const contentsOf = ({ headings }: Composed): ReadonlyArray<Heading> => {
  const shown = headings.filter(({ level }) => contentsLevels.includes(level))
  return shown.length < MIN_HEADINGS ? [] : shown
}

const contentsList = (entries: ReadonlyArray<Heading>): Element =>
  h(
    "ol",
    {},
    entries.map(({ id, level, text }) =>
      h("li", { "data-level": String(level) }, h("a", { href: `#${id}` }, text))
    )
  )

const CONTENTS_TITLE = "On this page"

/** The table of contents beside the text, on wide screens. */
const contentsBeside = (entries: ReadonlyArray<Heading>): Element =>
  h(
    "nav",
    { class: "contents", "aria-labelledby": "contents-title" },
    h("p", { id: "contents-title", class: "contents-title" }, CONTENTS_TITLE),
    contentsList(entries)
  )

/** The same above the text, folded, on screens without room beside it. */
const contentsAbove = (entries: ReadonlyArray<Heading>): Element =>
  h(
    "details",
    { class: "contents-above" },
    h("summary", {}, CONTENTS_TITLE),
    h("nav", { "aria-label": CONTENTS_TITLE }, contentsList(entries))
  )

const neighbour = (page: Source | undefined, rel: "prev" | "next") =>
  page === undefined
    ? null
    : h(
        "a",
        { href: pathOfPage(page.slug), rel },
        h("span", { class: "quiet" }, rel === "prev" ? "Previous" : "Next"),
        page.title
      )

const neighbours = (pages: ReadonlyArray<Source>, slug: string) => {
  const at = pages.findIndex((page) => page.slug === slug)
  return h(
    "nav",
    { class: "neighbours", "aria-label": "Previous and next page" },
    neighbour(pages[at - 1], "prev"),
    neighbour(pages[at + 1], "next")
  )
}

/** The frame of every page except the landing page: header, sidebar and footer around the content `within`. */
const framed = (
  files: PageFiles,
  pages: ReadonlyArray<Source>,
  current: string | null,
  within: ReadonlyArray<Node>
): ReadonlyArray<Node> => [
  ...header(files, true),
  h("div", { class: "frame" }, sidebar(pages, current), ...within),
  footer()
]

/** The HTML of a documentation page. `pages` are all pages in reading order. */
export const documentPage = (files: PageFiles, pages: ReadonlyArray<Source>, composed: Composed): string => {
  const { heading, nodes, source } = composed
  const entries = contentsOf(composed)
  const main = h(
    "main",
    { id: "content", tabindex: "-1" },
    h("p", { class: "section-name" }, source.section),
    h("h1", {}, heading),
    h("p", { class: "lead" }, source.description),
    entries.length === 0 ? null : contentsAbove(entries),
    h("article", { class: "prose" }, nodes),
    neighbours(pages, source.slug)
  )
  return pageHtml(files, {
    title: `${source.title} · Linkbower`,
    description: source.description,
    kind: "page",
    body: framed(files, pages, source.slug, entries.length === 0 ? [main] : [main, contentsBeside(entries)])
  })
}

const list = (pages: ReadonlyArray<Source>): ReadonlyArray<Element> =>
  pagesBySection(pages).flatMap(({ section, within }) => [
    h("h2", {}, section),
    h(
      "ul",
      { class: "all-pages" },
      within.map(({ description, slug, title }) =>
        h("li", {}, h("a", { href: pathOfPage(slug) }, title), h("p", {}, description))
      )
    )
  ])

/** The page for an unknown address, with the list of all pages. */
export const missingPage = (files: PageFiles, pages: ReadonlyArray<Source>): string =>
  pageHtml(files, {
    title: "Page not found · Linkbower",
    description: "There is no page at this address.",
    kind: "page",
    body: framed(files, pages, null, [
      h(
        "main",
        { id: "content", tabindex: "-1" },
        h("h1", {}, "Page not found"),
        h(
          "p",
          { class: "lead" },
          "The address may be misspelt, or the page was removed. Use the search above or the list below."
        ),
        h("div", { class: "prose" }, list(pages))
      )
    ])
  })
