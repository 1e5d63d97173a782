import type { Fault } from "./fault.ts"
import { lineWith } from "./fault.ts"
import { type Attributes, h, type Node } from "./tree.ts"

/** The parser's output: React elements, whose shape is checked rather than trusted. */
type Parsed = unknown

const field = (value: Parsed, name: string): Parsed =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const childrenOf = (value: Parsed): ReadonlyArray<Parsed> => {
  const children = field(field(value, "props"), "children")
  return Array.isArray(children) ? children : children === undefined || children === null ? [] : [children]
}

const text = (value: Parsed): string | undefined => (typeof value === "string" ? value : undefined)

const attributesOf = (tag: string, props: Parsed): Attributes => {
  const align = text(field(props, "align"))
  const start = field(props, "start")
  if (tag === "a") return { href: text(field(props, "href")), title: text(field(props, "title")) }
  if (tag === "img")
    return {
      src: text(field(props, "src")),
      alt: text(field(props, "alt")) ?? "",
      title: text(field(props, "title"))
    }
  if (tag === "pre") return { "data-language": text(field(props, "language")) }
  if (tag === "ol" && typeof start === "number" && start !== 1) return { start: String(start) }
  if ((tag === "th" || tag === "td") && align !== undefined && align !== "left")
    return { "data-align": align }
  return {}
}

/** Whether a text is raw HTML: the parser emits each raw tag as a separate text, and an escaped `<` alone. */
const isRawHtml = (piece: string) => /^<[a-z/!?]/i.test(piece)

/**
 * Parses Markdown (CommonMark with GitHub's tables, strikethrough and bare addresses) into a tree.
 *
 * Raw HTML is not allowed: each piece is left out and reported as a fault.
 */
export const readMarkdown = (
  body: string,
  { file, lines }: { readonly file: string; readonly lines: ReadonlyArray<string> }
): { readonly nodes: ReadonlyArray<Node>; readonly faults: ReadonlyArray<Fault> } => {
  const faults: Array<Fault> = []
  const refuse = (html: string) => {
    const [first = html] = html.split("\n")
    faults.push({ file, line: lineWith(lines, first), message: `raw HTML is not taken: ${first}` })
    return []
  }
  const read = (value: Parsed, inCode: boolean): ReadonlyArray<Node> => {
    if (typeof value === "string") return !inCode && isRawHtml(value) ? refuse(value) : [value]
    const tag = field(value, "type")
    const within = (code: boolean) => childrenOf(value).flatMap((child) => read(child, code))
    if (typeof tag !== "string") return within(inCode)
    if (tag === "html") return refuse(childrenOf(value).join(""))
    return [
      h(tag, attributesOf(tag, field(value, "props")), within(inCode || tag === "code" || tag === "pre"))
    ]
  }
  const parsed: Parsed = Bun.markdown.react(body, {}, { autolinks: { url: true } })
  return { nodes: read(parsed, false), faults }
}

/** Parses trusted Markdown of one paragraph, such as a setting's meaning with `code` in it. */
export const inlineMarkdown = (line: string): ReadonlyArray<Node> => {
  const { nodes } = readMarkdown(line, { file: "", lines: [] })
  return nodes.flatMap((node) => (typeof node !== "string" && node.tag === "p" ? node.children : [node]))
}
