import type { SearchIndex, SearchSection } from "./browser/searchEngine.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import { type Element, inOneLine, type Node, textOf } from "./tree.ts"

interface Part {
  readonly heading: string
  readonly id: string
  readonly texts: Array<string>
}

/** The deepest heading level that starts a section; deeper headings are part of the text. */
const MAX_LEVEL = 4

const isHeading = ({ tagName }: Element) => /^h[2-6]$/.test(tagName) && Number(tagName.slice(1)) <= MAX_LEVEL

const containsHeading = (node: Node): boolean =>
  node.type === "element" && (isHeading(node) || node.children.some(containsHeading))

/** Splits a page at its headings, at any depth of the tree. */
const partsOf = ({ headings, nodes }: Composed): ReadonlyArray<Part> => {
  const parts: Array<Part> = [{ heading: "", id: "", texts: [] }]
  const textOfHeading = new Map(headings.map(({ id, text }) => [id, text]))
  const visit = (node: Node) => {
    if (node.type === "element" && isHeading(node)) {
      const id = String(node.properties["id"] ?? "")
      parts.push({ heading: textOfHeading.get(id) ?? "", id, texts: [] })
    } else if (node.type === "element" && containsHeading(node)) node.children.forEach(visit)
    else parts.at(-1)?.texts.push(textOf(node))
  }
  nodes.forEach(visit)
  return parts
}

/** Builds the index for the search in the browser: every page, split at its headings. */
export const searchIndexOf = (pages: ReadonlyArray<Composed>): SearchIndex => ({
  pages: pages.map(({ heading, source }) => ({ path: pathOfPage(source.slug), title: heading })),
  sections: pages.flatMap((page, at) =>
    partsOf(page).flatMap(({ heading, id, texts }): ReadonlyArray<SearchSection> => {
      const lead = id === "" ? `${page.source.description} ` : ""
      const text = inOneLine(lead + texts.join(" "))
      return text === "" && heading === "" ? [] : [{ page: at, heading, id, text }]
    })
  )
})
