/** An element of a page's tree; text nodes are unescaped strings. */
export interface Element {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: ReadonlyArray<Node>
}

export type Node = string | Element

/** `true` is an attribute without a value; false and undefined attributes are not written. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** The children that `h` accepts, which it flattens; null is no child. */
export type Content = Node | null | ReadonlyArray<Content>

const flat = (content: Content): ReadonlyArray<Node> => {
  if (content === null || content === "") return []
  if (typeof content === "string") return [content]
  return "tag" in content ? [content] : content.flatMap(flat)
}

/** Creates an element. */
export const h = (tag: string, attributes: Attributes, ...children: ReadonlyArray<Content>): Element => ({
  tag,
  attributes,
  children: flat(children)
})

/** Void elements, which have no end tag (HTML Living Standard, 13.1.2). */
const voidElements = new Set(["br", "hr", "img", "input", "link", "meta", "source"])

const attribute = ([name, value]: readonly [string, string | boolean | undefined]) =>
  value === undefined || value === false
    ? ""
    : value === true
      ? ` ${name}`
      : ` ${name}="${Bun.escapeHTML(value)}"`

/** The HTML of a node, with all text and attributes escaped. */
export const toHtml = (node: Node): string => {
  if (typeof node === "string") return Bun.escapeHTML(node)
  const open = `<${node.tag}${Object.entries(node.attributes).map(attribute).join("")}>`
  return voidElements.has(node.tag) ? open : `${open}${node.children.map(toHtml).join("")}</${node.tag}>`
}

const inline = new Set(["a", "b", "br", "code", "del", "em", "kbd", "mark", "span", "strong"])

/** The text of a node as a screen reader would read it, without decoration and buttons. */
export const textOf = (node: Node): string => {
  if (typeof node === "string") return node
  if (node.attributes["aria-hidden"] === "true" || node.tag === "button") return ""
  const text = node.children.map(textOf).join("")
  return inline.has(node.tag) ? (node.tag === "br" ? " " : text) : ` ${text} `
}

/** Trims a text and collapses every run of white space to one space. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** All elements of the trees in document order, parents before their children. */
export const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...elementsOf(node.children)]))
