import { footer, header, type PageFiles, pageHtml, sidebar } from "./chrome.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import type { Source } from "./source.ts"
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
export const framed = (
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
