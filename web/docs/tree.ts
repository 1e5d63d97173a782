/** What a page is made of until it is written: elements with children, text as it reads. */
export interface Element {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: ReadonlyArray<Node>
}

export type Node = string | Element

/** `true` stands for an attribute without a value; what is false or absent is not written. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** What may stand between an element's tags when it is put together; null stands for nothing. */
export type Content = Node | null | ReadonlyArray<Content>

const flat = (content: Content): ReadonlyArray<Node> => {
  if (content === null || content === "") return []
  if (typeof content === "string") return [content]
  return "tag" in content ? [content] : content.flatMap(flat)
}

/** An element. */
export const h = (tag: string, attributes: Attributes, ...children: ReadonlyArray<Content>): Element => ({
  tag,
  attributes,
  children: flat(children)
})

/** Elements that have no end tag (HTML Living Standard, 13.1.2). */
const empty = new Set(["br", "hr", "img", "input", "link", "meta", "source"])

const attribute = ([name, value]: readonly [string, string | boolean | undefined]) =>
  value === undefined || value === false
    ? ""
    : value === true
      ? ` ${name}`
      : ` ${name}="${Bun.escapeHTML(value)}"`

/** The HTML of a node; every text and every attribute is escaped. */
export const toHtml = (node: Node): string => {
  if (typeof node === "string") return Bun.escapeHTML(node)
  const open = `<${node.tag}${Object.entries(node.attributes).map(attribute).join("")}>`
  return empty.has(node.tag) ? open : `${open}${node.children.map(toHtml).join("")}</${node.tag}>`
}

const inline = new Set(["a", "b", "br", "code", "del", "em", "kbd", "mark", "span", "strong"])

/** The text of a node as one would read it out, without what only looks. */
export const textOf = (node: Node): string => {
  if (typeof node === "string") return node
  if (node.attributes["aria-hidden"] === "true" || node.tag === "button") return ""
  const text = node.children.map(textOf).join("")
  return inline.has(node.tag) ? (node.tag === "br" ? " " : text) : ` ${text} `
}

/** A text with every run of white space as one blank. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** Every element of the trees, outer ones before what they hold, in reading order. */
export const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...elementsOf(node.children)]))
