import { Parser } from "htmlparser2"

/** A text of an article. `start` is its place in the article's text (`articleText`), in UTF-16 units. */
export interface ArticleText {
  readonly name: "#text"
  readonly text: string
  readonly start: number
}

/** An element of an article. */
export interface ArticleElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<ArticleNode>
}

export type ArticleNode = ArticleText | ArticleElement

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "))

const inline = setOf("a em strong sub sup del mark q kbd code")
/** The inline elements that may hold blocks, if they stand where blocks may. */
const transparent = setOf("a del")
/** Blocks that hold text and inline elements only. */
const lines = setOf("p h1 h2 h3 h4 h5 h6 pre")
const lists = setOf("ul ol")
const sections = setOf("thead tbody")
const cells = setOf("td th")
/** Elements that mean something within one other kind of element only. */
const parts = setOf("li dt dd figcaption caption thead tbody tr td th")
const blocks = setOf("ul ol dl blockquote figure table hr p h1 h2 h3 h4 h5 h6 pre")
const known = new Set([...inline, ...blocks, ...parts, "br", "img"])

/** Elements nested deeper lose their tags, so that a writer may recurse. */
const MAX_DEPTH = 48

export const isText = (node: ArticleNode): node is ArticleText => node.name === "#text"
/** Whether a node stands in a line of text. A link or a deletion around blocks is a block. */
export const isInline = (node: ArticleNode): boolean =>
  isText(node) ||
  node.name === "br" ||
  node.name === "img" ||
  (inline.has(node.name) && node.children.every(isInline))

const isSpace = (node: ArticleNode) => isText(node) && /^\s*$/.test(node.text)

const element = (
  name: string,
  children: ReadonlyArray<ArticleNode>,
  attributes: ArticleElement["attributes"] = {}
): ArticleElement => ({ name, attributes, children })

/** Puts each run of other nodes into an element that `wrap` makes; runs of white space alone are dropped. */
const wrapRuns = (
  nodes: ReadonlyArray<ArticleNode>,
  fits: (node: ArticleNode) => boolean,
  wrap: (run: ReadonlyArray<ArticleNode>) => ArticleNode
): ReadonlyArray<ArticleNode> => {
  const done: Array<ArticleNode> = []
  let run: Array<ArticleNode> = []
  const flush = () => {
    if (!run.every(isSpace)) done.push(wrap(run))
    run = []
  }
  for (const node of nodes)
    if (fits(node)) {
      flush()
      done.push(node)
    } else run.push(node)
  flush()
  return done
}

/** Makes a paragraph of a part that stands outside its element; one with blocks in it loses only its tags. */
const displaced = ({ attributes, children }: ArticleElement): ReadonlyArray<ArticleNode> =>
  children.every(isInline) ? [element("p", children, attributes)] : children

/** Returns nodes without the parts that belong into an element of another kind. */
const withoutParts = (
  nodes: ReadonlyArray<ArticleNode>,
  keeps: (name: string) => boolean = () => false
): ReadonlyArray<ArticleNode> =>
  nodes.flatMap((node) =>
    isText(node) || !parts.has(node.name) || keeps(node.name)
      ? [node]
      : withoutParts(displaced(node), (name) => keeps(name))
  )

const cell = (run: ReadonlyArray<ArticleNode>) => element("td", withoutParts(run))
const row = (run: ReadonlyArray<ArticleNode>) => element("tr", [cell(run)])

const rowOf = ({ attributes, children }: ArticleElement) =>
  element(
    "tr",
    wrapRuns(children, ({ name }) => cells.has(name), cell),
    attributes
  )

const rowsOf = (nodes: ReadonlyArray<ArticleNode>): ReadonlyArray<ArticleNode> =>
  wrapRuns(nodes, ({ name }) => name === "tr", row)

/** Arranges a table as a caption, a head and bodies; further captions become paragraphs before it. */
const tableOf = ({ attributes, children }: ArticleElement): ReadonlyArray<ArticleNode> => {
  const elements = children.filter((node): node is ArticleElement => !isText(node))
  const [caption, ...more] = elements.filter(({ name }) => name === "caption")
  const rest = children.filter(({ name }) => name !== "caption")
  const [first, ...others] = rest.filter((node) => !isSpace(node))
  const head = first !== undefined && first.name === "thead" && !isText(first) ? first : undefined
  const bodies = wrapRuns(
    head === undefined ? rest : others,
    ({ name }) => sections.has(name),
    (run) => element("tbody", rowsOf(run))
  ).map((node) => (isText(node) ? node : element("tbody", rowsOf(node.children), node.attributes)))
  const grid = [
    ...(head === undefined ? [] : [element("thead", rowsOf(head.children), head.attributes)]),
    ...bodies
  ].filter(({ children: rows }) => rows.length > 0)
  const before = more.flatMap(displaced)
  if (grid.length === 0) return [...before, ...(caption === undefined ? [] : displaced(caption))]
  return [...before, element("table", caption === undefined ? grid : [caption, ...grid], attributes)]
}

/** Arranges a list of terms as terms and descriptions, which begin with a term and end with a description. */
const termsOf = ({ attributes, children }: ArticleElement): ArticleElement => {
  const items = wrapRuns(
    withoutParts(children, (name) => name === "dt" || name === "dd"),
    ({ name }) => name === "dt" || name === "dd",
    (run) => element("dd", run)
  )
  const before = items[0]?.name === "dd" ? [element("dt", [])] : []
  const after = items.at(-1)?.name === "dt" ? [element("dd", [])] : []
  return element("dl", [...before, ...items, ...after], attributes)
}

/** Keeps one caption of a figure, where it is the first or the last part. */
const figureOf = ({ attributes, children }: ArticleElement): ArticleElement => {
  const content = children.filter((node) => !isSpace(node))
  const kept = [content.at(-1), content[0]].find((node) => node?.name === "figcaption")
  const arranged = content.flatMap((node) =>
    isText(node) || node === kept || !parts.has(node.name) ? [node] : withoutParts([node])
  )
  return element("figure", arranged, attributes)
}

/** Arranges an element, whose children are arranged, for a place where blocks may stand. */
const arrangedBlock = (node: ArticleElement): ReadonlyArray<ArticleNode> => {
  const { attributes, children, name } = node
  if (lists.has(name)) {
    const items = wrapRuns(
      withoutParts(children, (part) => part === "li"),
      (item) => item.name === "li",
      (run) => element("li", run)
    )
    return items.length === 0 ? [] : [element(name, items, attributes)]
  }
  if (name === "dl") return children.every(isSpace) ? [] : [termsOf(node)]
  if (name === "table") return tableOf(node)
  if (name === "figure") return [figureOf(node)]
  if (name === "tr") return [rowOf(node)]
  if (sections.has(name)) return [node]
  return [element(name, withoutParts(children), attributes)]
}

/**
 * Arranges the nodes of a place. `inLine`: only text and inline elements may stand there; `inLink`: links may not.
 * Elements that may not stand there lose their tags and keep their content.
 */
const arrange = (
  nodes: ReadonlyArray<ArticleNode>,
  inLine: boolean,
  inLink: boolean
): ReadonlyArray<ArticleNode> =>
  nodes.flatMap((node): ReadonlyArray<ArticleNode> => {
    if (isText(node) || node.name === "br" || node.name === "img") return [node]
    const { name } = node
    const isInlineElement = inline.has(name)
    const children = arrange(
      node.children,
      inLine || lines.has(name) || name === "dt" || name === "caption",
      inLink || name === "a"
    )
    if (!isInlineElement) return inLine ? children : arrangedBlock({ ...node, children })
    const isDissolved =
      (name === "a" && inLink) || (!transparent.has(name) && !children.every(isInline))
    return isDissolved ? children : [{ ...node, children: withoutParts(children) }]
  })

/**
 * Parses the HTML of an article (`isCleanArticle`) in linear time, and arranges it as the content model of HTML asks
 * (https://html.spec.whatwg.org/#content-models): items in lists, rows in tables, no blocks in lines of text. Every text
 * is kept in its order, but for white space between blocks.
 */
export const parseArticle = (html: string): ReadonlyArray<ArticleNode> => {
  interface Open extends ArticleElement {
    readonly children: Array<ArticleNode>
  }
  const root: Open = { name: "#root", attributes: {}, children: [] }
  const open: Array<Open> = [root]
  /** For each open element of the markup, whether it is in the tree. */
  const isKept: Array<boolean> = []
  let at = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const keeps = known.has(name) && open.length <= MAX_DEPTH
        isKept.push(keeps)
        if (!keeps) return
        const made: Open = { name, attributes, children: [] }
        open.at(-1)?.children.push(made)
        open.push(made)
      },
      onclosetag: () => {
        if (isKept.pop() === true) open.pop()
      },
      ontext: (text) => {
        const siblings = open.at(-1)?.children ?? []
        const last = siblings.at(-1)
        if (last !== undefined && isText(last))
          siblings[siblings.length - 1] = { ...last, text: last.text + text }
        else siblings.push({ name: "#text", text, start: at })
        at += text.length
      }
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false }
  )
  parser.end(html)
  return withoutParts(arrange(root.children, false, false))
}

/** Returns the text of nodes, as `articleText` gives it for their HTML. */
export const textOfNodes = (nodes: ReadonlyArray<ArticleNode>): string =>
  nodes.map((node) => (isText(node) ? node.text : textOfNodes(node.children))).join("")
