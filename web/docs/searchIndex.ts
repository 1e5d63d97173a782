import type { SearchIndex, SearchSection } from "./browser/searchEngine.ts"
import type { Composed } from "./compose.ts"
import { pathOfPage } from "./links.ts"
import type { Section } from "./source.ts"
import { type Element, inOneLine, type Node, textOf } from "./tree.ts"

interface Part {
  readonly heading: string
  readonly id: string
  readonly texts: Array<string>
  /** Whether it is an entry of a generated reference. */
  readonly isEntry: boolean
}

/** How much the sections of the documentation count in a search: guides more than background. */
const sectionWeights: Readonly<Record<Section, number>> = { Start: 1.2, Use: 1, Run: 1, Know: 0.6 }
/** How much less an entry of a generated reference counts than its page. */
const ENTRY_WEIGHT = 0.6

/** The deepest heading level that starts a section; deeper headings are part of the text. */
const MAX_LEVEL = 4

const isHeading = ({ tagName }: Element) => /^h[2-6]$/.test(tagName) && Number(tagName.slice(1)) <= MAX_LEVEL

const containsHeading = (node: Node): boolean =>
  node.type === "element" && (isHeading(node) || node.children.some(containsHeading))

/** Splits a page at its headings, at any depth of the tree. */
const partsOf = ({ headings, nodes }: Composed): ReadonlyArray<Part> => {
  const parts: Array<Part> = [{ heading: "", id: "", texts: [], isEntry: false }]
  const textOfHeading = new Map(headings.map(({ id, text }) => [id, text]))
  const visit = (node: Node, isEntry: boolean) => {
    if (node.type === "element" && isHeading(node)) {
      const id = String(node.properties["id"] ?? "")
      parts.push({ heading: textOfHeading.get(id) ?? "", id, texts: [], isEntry })
    } else if (node.type === "element" && containsHeading(node)) {
      const isReference = isEntry || String(node.properties["className"]).includes("entry")
      for (const child of node.children) visit(child, isReference)
    } else parts.at(-1)?.texts.push(textOf(node))
  }
  for (const node of nodes) visit(node, false)
  return parts
}

/** Builds the index for the search in the browser: every page, split at its headings. */
export const searchIndexOf = (pages: ReadonlyArray<Composed>): SearchIndex => ({
  pages: pages.map(({ heading, source: { slug } }) => ({ path: pathOfPage(slug), title: heading })),
  sections: pages.flatMap((page, at) =>
    partsOf(page).flatMap(({ heading, id, isEntry, texts }): ReadonlyArray<SearchSection> => {
      const { section } = page.source
      const weight = (section === null ? 1 : sectionWeights[section]) * (isEntry ? ENTRY_WEIGHT : 1)
      const lead = id === "" ? `${page.source.description} ` : ""
      const text = inOneLine(lead + texts.join(" "))
      return text === "" && heading === "" ? [] : [{ page: at, heading, id, text, weight }]
    })
  )
})
