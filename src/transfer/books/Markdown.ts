import {
  type ArticleElement,
  type ArticleNode,
  elementsIn,
  isInline,
  isSpace,
  isText,
  runsOf,
  textOfNodes
} from "../../domain/ArticleTree.ts"
import { oneLine } from "../../shared/Text.ts"

/** The marks of elements; `sub`, `sup`, `kbd` and `mark` are written as HTML tags without attributes. */
const marks: Readonly<Record<string, string>> = { em: "*", strong: "**", del: "~~" }

/** CommonMark, GFM, mathematics, entities and HTML; not underscores in words, exclamation marks only before `[`. */
const escapeInline = (text: string): string =>
  text.replace(
    /[\\`*[\]<~$]|&(?=#?\w)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!(?=\[|$)/gu,
    (sign) => `\\${sign}`
  )

/** Escapes headings, lists, quotations, rules, underlines and tables at the start of a line. */
const escapeStart = (line: string): string =>
  line
    .replace(/^[#+>=|-]/, "\\$&")
    .replace(/^:(?=-)/, "\\:")
    .replace(/^(\d{1,9})(?=[.)])/, "$1\\")

/** Removes control characters, and white space that Markdown would read as a break or as code. */
const singleSpaced = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[[\p{Cc}]--[\t\n\r]]/gv, "")
    .replace(/[ \t\n\r\f\v]+/g, " ")

/** Escapes the characters that would end the destination of a link. */
const destination = (address: string): string =>
  address
    .replace(
      /[\s<>()\\[\]`|"]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`
    )
    .replace(/&(?=#?\w+;)/g, "\\&")

const longestRun = (code: string): number =>
  Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length))

/** Writes code within a line (CommonMark, 6.1); a table's cell ends at a bar, even within code. */
const codeSpan = (code: string, inTable: boolean): string => {
  const line = singleSpaced(code)
  if (line.trim() === "") return line
  const fence = "`".repeat(longestRun(line) + 1)
  const space = /^`|`$|^ .* $/.test(line) ? " " : ""
  return `${fence}${space}${inTable ? line.replaceAll("|", "\\|") : line}${space}${fence}`
}

const isEscaped = (written: string, at: number): boolean => {
  let first = at
  while (written[first - 1] === "\\") first--
  return (at - first) % 2 === 1
}

/** A backslash at the end is a line break, unless it is escaped itself. */
const endsEscaped = (written: string) => isEscaped(written, written.length)

const endsWithMark = (written: string, signs: string) =>
  written !== "" && signs.includes(written.slice(-1)) && !isEscaped(written, written.length - 1)

/** Puts marks around a text; white space goes outside them, because Markdown does not read marks beside it. */
const wrapped = (text: string, before: string, after = before): string => {
  const inner = text.trim()
  // A line break at the end would escape the mark.
  if (inner === "" || endsEscaped(inner)) return text
  const start = text.indexOf(inner)
  return `${text.slice(0, start)}${before}${inner}${after}${text.slice(start + inner.length)}`
}

const isWord = (sign: string) => /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(sign)
const isSign = (sign: string) => sign !== "" && !/[\p{L}\p{N}\s]/u.test(sign)

/** Markdown (CommonMark, 6.2) reads marks beside a letter only if the text begins or ends with a letter. */
const canFlank = (before: string, written: string, after: string): boolean => {
  const inner = written.trim()
  return (
    !(isSign(inner.charAt(0)) && isWord(before)) && !(isSign(inner.charAt(inner.length - 1)) && isWord(after))
  )
}

interface Place {
  readonly kind: "paragraph" | "heading" | "cell"
  readonly open: ReadonlyArray<string>
}

const leadsOut = ({ attributes }: ArticleElement) => /^https?:/.test(attributes["href"] ?? "")

/** Drops elements inside one of their own kind, and links inside the article, which Markdown has no ids for. */
const flattened = (nodes: ReadonlyArray<ArticleNode>, { open }: Place): ReadonlyArray<ArticleNode> => {
  const flat: Array<ArticleNode> = []
  // Appended to in place, because there may be tens of thousands side by side.
  let code: Array<ArticleNode> = []
  const add = (node: ArticleNode) => {
    const last = flat.at(-1)
    if (isText(node)) flat.push(node)
    else if (open.includes(node.name) || (node.name === "a" && !leadsOut(node))) node.children.forEach(add)
    else if (node.name === "code" && last !== undefined && !isText(last) && last.name === "code")
      code.push(...node.children)
    else if (node.name === "code") {
      code = [...node.children]
      flat.push({ ...node, children: code })
    } else flat.push(node)
  }
  nodes.forEach(add)
  return flat
}

const inlineElement = (node: ArticleElement, written: string, after: string, place: Place): string => {
  const { attributes, children, name } = node
  if (name === "br") return place.kind === "paragraph" ? "\\\n" : " "
  if (name === "img") return picture(node, place)
  if (name === "code") {
    const code = textOfNodes(children)
    // Code beside code would be read as one.
    return endsWithMark(written, "`") ? plainText(code, place) : codeSpan(code, place.kind === "cell")
  }
  const mark = marks[name]
  // Marks beside marks would be read as other ones.
  if (mark !== undefined && endsWithMark(written, "*~")) return withoutMarks(children, written, place)
  const within = { ...place, open: [...place.open, name] }
  if (name === "a")
    return wrapped(inlineText(children, "[", within), "[", `](${destination(attributes["href"] ?? "")})`)
  if (name === "q") return wrapped(inlineText(children, "“", within), "“", "”")
  if (mark === undefined) return wrapped(inlineText(children, ">", within), `<${name}>`, `</${name}>`)
  const content = inlineText(children, "", within)
  return canFlank(written.slice(-1), content, after.slice(0, 1))
    ? wrapped(content, mark)
    : withoutMarks(children, written, place)
}

const textAfter = (nodes: ReadonlyArray<ArticleNode>, n: number): string =>
  nodes
    .slice(n + 1, n + 9)
    .map((node) => textOfNodes([node]))
    .find((text) => text !== "") ?? ""

const withoutMarks = (nodes: ReadonlyArray<ArticleNode>, before: string, place: Place): string =>
  inlineText(nodes, before, { ...place, open: [...place.open, ...Object.keys(marks)] })

const inlineText = (nodes: ReadonlyArray<ArticleNode>, before: string, place: Place): string => {
  const context = before.slice(-64)
  const flat = flattened(nodes, place)
  let written = context
  for (const [n, node] of flat.entries())
    written += isText(node)
      ? plainText(node.text, place)
      : inlineElement(node, written, textAfter(flat, n), place)
  return written.slice(context.length)
}

/** Writes a text in a line; a bar would end the cell of a table. */
const plainText = (text: string, { kind }: Place): string => {
  const escaped = escapeInline(singleSpaced(text))
  return kind === "cell" ? escaped.replaceAll("|", "\\|") : escaped
}

const picture = ({ attributes }: ArticleElement, place: Place): string =>
  `![${plainText(attributes["alt"] ?? "", place).trim()}](${destination(attributes["src"] ?? "")})`

const inParagraph: Place = { kind: "paragraph", open: [] }

const withoutEnds = (nodes: ReadonlyArray<ArticleNode>): ReadonlyArray<ArticleNode> => {
  const isEnd = (node: ArticleNode): boolean =>
    isText(node) ? isSpace(node) : node.name !== "img" && node.children.every(isEnd)
  const first = nodes.findIndex((node) => !isEnd(node))
  return first === -1 ? [] : nodes.slice(first, nodes.findLastIndex((node) => !isEnd(node)) + 1)
}

/** No line of the paragraph reads as the start of another block. */
const paragraph = (nodes: ReadonlyArray<ArticleNode>): string => {
  const lines = inlineText(withoutEnds(nodes), "", inParagraph)
    .split("\n")
    .map((line) => escapeStart(line.trim()))
    .join("\n")
    .trim()
  // A line break inside the last element breaks no line.
  return endsEscaped(lines) ? lines.slice(0, -1).trimEnd() : lines
}

const indented = (text: string, first: string, others: string): string =>
  text
    .split("\n")
    .map((line, n) => (n === 0 ? `${first}${line}` : line === "" ? "" : `${others}${line}`))
    .join("\n")

const codeBlock = ({ children }: ArticleElement): string => {
  const [only] = children.filter((node) => !isSpace(node))
  const language =
    only !== undefined && !isText(only) && only.name === "code"
      ? (/^language-([\w+#.-]+)$/.exec(only.attributes["class"] ?? "")?.[1] ?? "")
      : ""
  const code = lineBroken(children)
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[[\p{Cc}]--[\t\n]]/gv, "")
    .replace(/(?<!\n)\n+$/, "")
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

const lineBroken = (nodes: ReadonlyArray<ArticleNode>): string =>
  nodes
    .map((node) => (isText(node) ? node.text : node.name === "br" ? "\n" : lineBroken(node.children)))
    .join("")

/** The signs of a list: one beside another list has the other sign, or both would be read as one. */
const bullets = [
  { ul: "-", ol: "." },
  { ul: "*", ol: ")" }
] as const

const list = ({ attributes, children, name }: ArticleElement, isSecond: boolean): string => {
  const { ol, ul } = bullets[isSecond ? 1 : 0]
  const start = Number(attributes["start"] ?? 1)
  const items = elementsIn(children, "li").map((item, n) => {
    const bullet = name === "ol" ? `${start + n}${ol} ` : `${ul} `
    const content = blocksText(item.children)
    return content === "" ? "" : indented(content, bullet, " ".repeat(bullet.length))
  })
  const isLoose = children.some((item) => !isText(item) && elementsIn(item.children, "p").length > 1)
  return items.filter((item) => item !== "").join(isLoose ? "\n\n" : "\n")
}

const terms = ({ children }: ArticleElement): string =>
  children
    .map((node) => {
      if (isText(node)) return ""
      if (node.name === "dd") return blocksText(node.children)
      return paragraph([{ name: "strong", attributes: {}, children: withoutEnds(node.children) }])
    })
    .filter((text) => text !== "")
    .join("\n\n")

/** Maximum columns of a table; more cells in a row are joined. */
const MAX_COLUMNS = 64

const cellText = (nodes: ReadonlyArray<ArticleNode>): string =>
  oneLine(
    runsOf(nodes)
      .map((run) =>
        Array.isArray(run)
          ? inlineText(withoutEnds(run), "", { kind: "cell", open: [] })
          : cellText(run.children)
      )
      .join(" ")
  )

/** Writes a GFM table: a cell over several columns is followed by empty ones, and blocks in a cell become one line. */
const table = ({ children }: ArticleElement): string => {
  const captions = elementsIn(children, "caption").map((one) => paragraph(one.children))
  const head = elementsIn(children, "thead").flatMap((one) => elementsIn(one.children, "tr"))
  const body = elementsIn(children, "tbody").flatMap((one) => elementsIn(one.children, "tr"))
  const rows = [...head, ...body].map((row) => {
    const cells = elementsIn(row.children, "td th").flatMap(({ attributes, children }) => {
      const span = Math.min(MAX_COLUMNS, Number(attributes["colspan"] ?? 1) || 1)
      return [cellText(children), ...Array.from({ length: span - 1 }, () => "")]
    })
    return cells.length <= MAX_COLUMNS
      ? cells
      : [
          ...cells.slice(0, MAX_COLUMNS - 1),
          cells
            .slice(MAX_COLUMNS - 1)
            .filter(Boolean)
            .join(" ")
        ]
  })
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${Array.from({ length: columns }, (_, n) => cells[n] ?? "").join(" | ")} |`
  // A table of Markdown has one row of headings. Without headings it is empty.
  const [headings = [], ...rest] = head.length > 0 || isHeaded(body[0]) ? rows : [[], ...rows]
  const grid = [line(headings), line(Array.from({ length: columns }, () => "---")), ...rest.map(line)]
  return [...captions.filter(Boolean), grid.join("\n")].join("\n\n")
}

const isHeaded = (row: ArticleElement | undefined) =>
  row !== undefined && elementsIn(row.children, "td").length === 0 && row.children.length > 0

const block = (node: ArticleElement, isSecondList: boolean): string => {
  const { children, name } = node
  switch (name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6": {
      const text = oneLine(inlineText(children, "", { kind: "heading", open: [] }))
      return text === "" ? "" : `${"#".repeat(Number(name.slice(1)))} ${text.replace(/(?<!#)(#+)$/, "\\$1")}`
    }
    case "pre":
      return codeBlock(node)
    case "ul":
    case "ol":
      return list(node, isSecondList)
    case "dl":
      return terms(node)
    case "blockquote":
      return blocksText(children)
        .split("\n")
        .map((line) => (line === "" ? ">" : `> ${line}`))
        .join("\n")
    case "table":
      return table(node)
    case "hr":
      return "---"
    default:
      return children.every(isInline) ? paragraph(children) : blocksText(children)
  }
}

/** A list that may follow a text without an empty line: a paragraph is not interrupted by a number other than 1. */
const isTight = ({ attributes, name }: ArticleElement) =>
  name === "ul" || (name === "ol" && (attributes["start"] ?? "1") === "1")

const blocksText = (nodes: ReadonlyArray<ArticleNode>): string => {
  let written = ""
  let last = ""
  let isSecond = false
  for (const run of runsOf(nodes)) {
    const isRun = Array.isArray(run)
    isSecond = !isRun && run.name === last && !isSecond
    const text = isRun ? paragraph(run) : block(run, isSecond)
    if (text === "") continue
    const isTightList = !isRun && isTight(run) && last === "text"
    written += written === "" ? text : `${isTightList ? "\n" : "\n\n"}${text}`
    last = isRun ? "text" : run.name
  }
  return written
}

/** GitHub Flavored Markdown; pictures keep their addresses. */
export const markdownOf = (nodes: ReadonlyArray<ArticleNode>): string => blocksText(nodes)
