import type { Piece, Result } from "./searchEngine.ts"

const element = (tag: string, name: string, ...children: ReadonlyArray<Node | string>) => {
  const made = document.createElement(tag)
  if (name !== "") made.className = name
  made.append(...children)
  return made
}

const piece = ({ marked, text }: Piece) => (marked ? element("mark", "", text) : text)

const item = ({ excerpt, heading, href, page }: Result) => {
  const link = document.createElement("a")
  link.href = href
  link.append(
    element("span", "found-where", heading === "" ? page : `${page} › ${heading}`),
    element("span", "found-text", ...excerpt.map(piece))
  )
  return element("li", "", link)
}

/** The number of results in words, for screen readers. */
export const said = (count: number): string =>
  count === 0 ? "Nothing found" : count === 1 ? "1 place found" : `${count} places found`

/** The results as a list of links, or a sentence if there are none. */
export const shownResults = (query: string, results: ReadonlyArray<Result>): HTMLElement =>
  results.length > 0
    ? element("ul", "", ...results.map(item))
    : element("p", "found-nothing", `Nothing is found for “${query}”. Try fewer or other words.`)
