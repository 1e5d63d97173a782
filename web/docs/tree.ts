import type { ElementContent, Element as HastElement } from "hast"
import { toHtml as serialized } from "hast-util-to-html"
import { h as created } from "hastscript"

/** An element of a page's tree, in the form of hast. */
export type Element = HastElement

export type Node = ElementContent

/** The children that `h` accepts, which it flattens; null is no child. */
export type Content = Node | string | null | ReadonlyArray<Content>

const flat = (content: Content): ReadonlyArray<Node | string> => {
  if (content === null || content === "") return []
  return typeof content === "string" || "type" in content ? [content] : content.flatMap(flat)
}

/** Creates an element; `true` is an attribute without a value. */
export const h = (
  tag: string,
  attributes: Readonly<Record<string, Element["properties"][string]>>,
  ...children: ReadonlyArray<Content>
): Element => created(tag, { ...attributes }, children.flatMap(flat))

/** The HTML of a node, with all text and attributes escaped. */
export const toHtml = (node: Node): string =>
  serialized(node, { characterReferences: { useNamedReferences: true } })

const inline = new Set(["a", "b", "br", "code", "del", "em", "kbd", "mark", "span", "strong"])

/** The text of a node as a screen reader would read it, without decoration and buttons. */
export const textOf = (node: Node): string => {
  if (node.type !== "element") return node.type === "text" ? node.value : ""
  const { children, properties, tagName } = node
  if (properties["ariaHidden"] === "true" || tagName === "button") return ""
  const text = children.map(textOf).join("")
  return inline.has(tagName) ? (tagName === "br" ? " " : text) : ` ${text} `
}

/** Trims a text and collapses every run of white space to one space. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()
