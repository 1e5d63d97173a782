import { ALL_PAGES, footer, header, type PageFiles, pageHtml } from "./chrome.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import { pagesBySection, type Source } from "./source.ts"
import { type Element, h, type Node } from "./tree.ts"

/** Splits the content at its second-level headings; `opening` is the content above the first of them. */
const splitAtHeadings = (nodes: ReadonlyArray<Node>) => {
  const opening: Array<Node> = []
  const cut: Array<Array<Node>> = []
  for (const node of nodes) {
    if (node.type === "element" && node.tagName === "h2") cut.push([])
    const part = cut.at(-1) ?? opening
    part.push(node)
  }
  return { opening, cut }
}

const isFigure = (node: Node) => node.type === "element" && node.tagName === "figure"

/** A section of the landing page; a picture is placed beside the text. */
const featureSection = (part: ReadonlyArray<Node>): Element =>
  part.some(isFigure)
    ? h(
        "section",
        { class: "prose feature" },
        h(
          "div",
          {},
          part.filter((node) => !isFigure(node))
        ),
        part.filter(isFigure)
      )
    : h("section", { class: "prose" }, part)

const button = (href: string, text: string, primary = false): Element =>
  h("a", { class: "button", href, ...(primary ? { "data-kind": "primary" } : {}) }, text)

const allSections = (pages: ReadonlyArray<Source>): Element =>
  h(
    "nav",
    { class: "map", id: ALL_PAGES, "aria-label": "All pages" },
    pagesBySection(pages).map(({ section, within }) =>
      h(
        "div",
        {},
        h("p", { class: "map-title" }, section),
        h(
          "ul",
          {},
          within.map(({ slug, title }) => h("li", {}, h("a", { href: pathOfPage(slug) }, title)))
        )
      )
    )
  )

/** The front page at `/docs`: what Linkbower is, and links into its documentation. */
export const landingPage = (
  files: PageFiles,
  pages: ReadonlyArray<Source>,
  { heading, nodes, source }: Composed
): string => {
  const { cut, opening } = splitAtHeadings(nodes)
  return pageHtml(files, {
    title: source.title,
    description: source.description,
    kind: "landing",
    body: [
      ...header(files, false),
      h(
        "main",
        { id: "content", tabindex: "-1" },
        h(
          "div",
          { class: "hero" },
          h("h1", {}, heading),
          h("p", { class: "lead" }, source.description),
          h(
            "p",
            { class: "ways-in" },
            button("/docs/start", "Start in three minutes", true),
            button("/list", "Shared links"),
            button("/dashboard", "Dashboard")
          )
        ),
        opening.length === 0 ? null : h("div", { class: "prose opening" }, opening),
        cut.map(featureSection),
        allSections(pages)
      ),
      footer()
    ]
  })
}
