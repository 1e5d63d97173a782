import { articleElements, MAX_ARTICLE_DEPTH } from "./Article.ts"
import { voidElements, walkMarkup } from "./Markup.ts"

/** A text of an article. `start` is its place in the article's text (`articleText`), in UTF-16 units. */
export interface ArticleText {
  readonly name: "#text"
  readonly text: string
  readonly start: number
}

export interface ArticleElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<ArticleNode>
}

export type ArticleNode = ArticleText | ArticleElement

const inline: ReadonlySet<string> = new Set("br a em strong sub sup del mark q kbd code img".split(" "))

export const isText = (node: ArticleNode): node is ArticleText => node.name === "#text"
export const isInline = (node: ArticleNode): boolean => isText(node) || inline.has(node.name)
export const isSpace = (node: ArticleNode): boolean => isText(node) && /^\s*$/.test(node.text)

const element = (
  name: string,
  children: ReadonlyArray<ArticleNode>,
  attributes: ArticleElement["attributes"] = {}
): ArticleElement => ({ name, attributes, children })

const withoutParts = (nodes: ReadonlyArray<ArticleNode>, kept: ArticleNode | undefined, name: string) =>
  nodes.flatMap((node): ReadonlyArray<ArticleNode> => {
    if (isText(node) || node === kept || node.name !== name) return [node]
    return node.children.every(isInline) ? [element("p", node.children, node.attributes)] : node.children
  })

/** Arranges a table as one caption, one head and bodies; further captions become paragraphs before it. */
const tableOf = ({ attributes, children }: ArticleElement): ReadonlyArray<ArticleNode> => {
  const caption = children.find(({ name }) => name === "caption")
  const captions = children.filter(({ name }) => name === "caption")
  const rows = children.flatMap((node) =>
    isText(node) || node.name === "caption" || node.children.length === 0 ? [] : [node]
  )
  const grid = rows.map((part, n) =>
    part.name === "thead" && n > 0 ? element("tbody", part.children, part.attributes) : part
  )
  if (grid.length === 0) return withoutParts(captions, undefined, "caption")
  const before = withoutParts(
    captions.filter((one) => one !== caption),
    undefined,
    "caption"
  )
  return [...before, element("table", caption === undefined ? grid : [caption, ...grid], attributes)]
}

/** Makes a list of terms begin with a term and end with a description. */
const termsOf = ({ attributes, children }: ArticleElement): ArticleElement => {
  const before = children[0]?.name === "dd" ? [element("dt", [])] : []
  const after = children.at(-1)?.name === "dt" ? [element("dd", [])] : []
  return element("dl", [...before, ...children, ...after], attributes)
}

/** Keeps one caption of a figure, where it is the first or the last part; others become paragraphs. */
const figureOf = ({ attributes, children }: ArticleElement): ArticleElement => {
  const content = children.filter((node) => !isSpace(node))
  const kept = [content.at(-1), content[0]].find((node) => node?.name === "figcaption")
  return element("figure", withoutParts(content, kept, "figcaption"), attributes)
}

/** Arranges an element, whose children are arranged, as the content model of HTML asks beyond that of an article. */
const arranged = (node: ArticleElement): ReadonlyArray<ArticleNode> => {
  switch (node.name) {
    case "table":
      return tableOf(node)
    case "figure":
      return [figureOf(node)]
    case "dl":
      return node.children.length === 0 ? [] : [termsOf(node)]
    case "ul":
    case "ol":
      return node.children.length === 0 ? [] : [node]
    default:
      return [node]
  }
}

/** In linear time, arranged as https://html.spec.whatwg.org/#content-models asks; loses no text, limits the depth. */
export const parseArticle = (html: string): ReadonlyArray<ArticleNode> => {
  interface Open extends ArticleElement {
    readonly children: Array<ArticleNode>
  }
  const open: Array<Open> = [{ name: "#root", attributes: {}, children: [] }]
  /** For each open element of the markup, whether it is in the tree. */
  const isKept: Array<boolean> = []
  let at = 0
  const place = (closed: Open | undefined) => {
    if (closed !== undefined) open.at(-1)?.children.push(...arranged(closed))
  }
  walkMarkup(html, {
    open: (name, attributes) => {
      const keeps = articleElements.has(name) && open.length <= MAX_ARTICLE_DEPTH
      const element = { name, attributes: Object.fromEntries(attributes), children: [] }
      if (voidElements.has(name)) return place(keeps ? element : undefined)
      isKept.push(keeps)
      if (keeps) open.push(element)
    },
    close: () => place(isKept.pop() === true ? open.pop() : undefined),
    text: (text) => {
      const siblings = open.at(-1)?.children ?? []
      const last = siblings.at(-1)
      if (last !== undefined && isText(last))
        siblings[siblings.length - 1] = { ...last, text: last.text + text }
      else siblings.push({ name: "#text", text, start: at })
      at += text.length
    }
  })
  return open[0]?.children ?? []
}

export const textOfNodes = (nodes: ReadonlyArray<ArticleNode>): string =>
  nodes.map((node) => (isText(node) ? node.text : textOfNodes(node.children))).join("")

export const elementsIn = (nodes: ReadonlyArray<ArticleNode>, names: string): ReadonlyArray<ArticleElement> =>
  nodes.filter((node): node is ArticleElement => !isText(node) && names.split(" ").includes(node.name))

export const runsOf = (
  nodes: ReadonlyArray<ArticleNode>
): ReadonlyArray<Array<ArticleNode> | ArticleElement> => {
  const runs: Array<Array<ArticleNode> | ArticleElement> = []
  for (const node of nodes) {
    const last = runs.at(-1)
    if (!isText(node) && !isInline(node)) runs.push(node)
    else if (Array.isArray(last)) last.push(node)
    else runs.push([node])
  }
  return runs
}
