import { oneLine } from "../../../src/shared/Text.ts"
/** A heading of the article, as the contents show it. */
export interface Heading {
  readonly element: HTMLElement
  readonly text: string
  /** How deep it is among the headings: 0 for the outermost ones, whatever their levels are. */
  readonly depth: number
}

/** Maximum depth of the contents; deeper headings stand with those of this depth. */
const MAX_DEPTH = 3

/** Returns the depth of each heading, given their levels (1 to 6) in order: a level that was skipped is none. */
export const depthsOf = (levels: ReadonlyArray<number>): ReadonlyArray<number> => {
  const open: Array<number> = []
  return levels.map((level) => {
    while ((open.at(-1) ?? 0) >= level) open.pop()
    open.push(level)
    return Math.min(open.length - 1, MAX_DEPTH)
  })
}

/** Reads the headings of an article that have a text. */
export const outlineOf = (article: HTMLElement): ReadonlyArray<Heading> => {
  const elements = [...article.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")].flatMap((element) => {
    const text = oneLine(element.textContent)
    return text === "" || element.hasAttribute("data-repeated") ? [] : [{ element, text }]
  })
  const depths = depthsOf(elements.map(({ element }) => Number(element.localName.slice(1))))
  return elements.map((one, at) => ({ ...one, depth: depths[at] ?? 0 }))
}

/** Returns the index of the last of these tops, in ascending order, that is not below `line`; -1 if all are. */
export const lastAbove = (tops: ReadonlyArray<number>, line: number): number => {
  let [from, to] = [0, tops.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((tops[middle] ?? 0) <= line) from = middle + 1
    else to = middle
  }
  return from - 1
}
