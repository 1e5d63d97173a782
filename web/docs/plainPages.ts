import { type PageFiles, pageHtml } from "./chrome.ts"
import { pathOfPage } from "./links.ts"
import { framed } from "./page.ts"
import { type Source, sections } from "./source.ts"
import { type Element, h } from "./tree.ts"

const list = (pages: ReadonlyArray<Source>): ReadonlyArray<Element> =>
  sections.flatMap((section) => {
    const within = pages.filter((page) => page.section === section)
    if (within.length === 0) return []
    return [
      h("h2", {}, section),
      h(
        "ul",
        { class: "all-pages" },
        within.map(({ description, slug, title }) =>
          h("li", {}, h("a", { href: pathOfPage(slug) }, title), h("p", {}, description))
        )
      )
    ]
  })

const plain = (
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
  plain(files, pages, {
    title: "Documentation",
    lead: "Everything about Linkbower, from the first start to what it does with a link.",
    description: "All pages of Linkbower’s documentation."
  })

/** The page for an unknown address. */
export const missingPage = (files: PageFiles, pages: ReadonlyArray<Source>): string =>
  plain(files, pages, {
    title: "There is nothing here",
    lead: "The address may be misspelt, or what was here is gone. Search on top of this page, or look below.",
    description: "There is nothing at this address."
  })
