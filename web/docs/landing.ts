import { footer, header, type PageFiles, pageHtml } from "./chrome.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import { type Source, sections } from "./source.ts"
import { type Element, h, type Node } from "./tree.ts"

/** Splits the content at its second-level headings; `opening` is the content above the first of them. */
const parts = (nodes: ReadonlyArray<Node>) => {
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
const shown = (part: ReadonlyArray<Node>): Element =>
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
    { class: "map", "aria-label": "All pages" },
    sections.map((section) => {
      const within = pages.filter((page) => page.section === section)
      return within.length === 0
        ? null
        : h(
            "div",
            {},
            h("p", { class: "map-title" }, section),
            h(
              "ul",
              {},
              within.map(({ slug, title }) => h("li", {}, h("a", { href: pathOfPage(slug) }, title)))
            )
          )
    })
  )

/** The landing page at `/`: what Linkbower is, and links into it. */
export const landingPage = (
  files: PageFiles,
  pages: ReadonlyArray<Source>,
  { heading, nodes, source }: Composed
): string => {
  const { cut, opening } = parts(nodes)
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
            button("/docs/start", "Start in ten minutes", true),
            button("/list", "Shared links"),
            button("/dashboard", "Dashboard")
          )
        ),
        opening.length === 0 ? null : h("div", { class: "prose opening" }, opening),
        cut.map(shown),
        allSections(pages)
      ),
      footer()
    ]
  })
}
