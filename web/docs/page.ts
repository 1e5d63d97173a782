import { footer, header, type PageFiles, pageHtml, sidebar } from "./chrome.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import { pagesBySection, type Source } from "./source.ts"
import { type Element, h, type Node } from "./tree.ts"

/** The heading levels in a page's table of contents. */
const contentsLevels = [2, 3]
/** Minimum number of headings for a table of contents. */
const MIN_HEADINGS = 2

const contents = ({ headings }: Composed): Element | null => {
  const shown = headings.filter(({ level }) => contentsLevels.includes(level))
  if (shown.length < MIN_HEADINGS) return null
  return h(
    "nav",
    { class: "contents", "aria-labelledby": "contents-title" },
    h("p", { id: "contents-title", class: "contents-title" }, "On this page"),
    h(
      "ol",
      {},
      shown.map(({ id, level, text }) =>
        h("li", { "data-level": String(level) }, h("a", { href: `#${id}` }, text))
      )
    )
  )
}

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
  const main = h(
    "main",
    { id: "content", tabindex: "-1" },
    h("p", { class: "section-name" }, source.section),
    h("h1", {}, heading),
    h("p", { class: "lead" }, source.description),
    h("article", { class: "prose" }, nodes),
    neighbours(pages, source.slug)
  )
  const beside = contents(composed)
  return pageHtml(files, {
    title: `${source.title} · Linkbower`,
    description: source.description,
    kind: "page",
    body: framed(files, pages, source.slug, beside === null ? [main] : [main, beside])
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

const listPage = (
  files: PageFiles,
  pages: ReadonlyArray<Source>,
  {
    description,
    lead,
    title
  }: { readonly title: string; readonly lead: string; readonly description: string }
) =>
  pageHtml(files, {
    title: `${title} · Linkbower`,
    description,
    kind: "page",
    body: framed(files, pages, null, [
      h(
        "main",
        { id: "content", tabindex: "-1" },
        h("h1", {}, title),
        h("p", { class: "lead" }, lead),
        h("div", { class: "prose" }, list(pages))
      )
    ])
  })

/** The list of all pages, which the search form opens without a script. */
export const allPages = (files: PageFiles, pages: ReadonlyArray<Source>): string =>
  listPage(files, pages, {
    title: "Documentation",
    lead: "Everything about Linkbower, from the first start to how it works inside.",
    description: "All pages of Linkbower’s documentation."
  })

/** The page for an unknown address. */
export const missingPage = (files: PageFiles, pages: ReadonlyArray<Source>): string =>
  listPage(files, pages, {
    title: "Page not found",
    lead: "The address may be misspelt, or the page was removed. Use the search above or the list below.",
    description: "There is no page at this address."
  })
