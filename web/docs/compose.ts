import GithubSlugger from "github-slugger"
import { isDirective, type MakeBlock } from "./directive.ts"
import { hrefOf, type Target, targetOf } from "./links.ts"
import { readMarkdown } from "./markdown.ts"
import { type Pictures, pictureElement } from "./pictures.ts"
import type { Fault, Source } from "./source.ts"
import { type Element, h, inOneLine, type Node, textOf } from "./tree.ts"

/** A heading that links can point to. */
export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** A page's link, not yet checked against all pages. */
export interface PageLink {
  readonly target: Target
  readonly line: number
  readonly href: string
}

/** A page's content, made from its source. */
export interface Composed {
  readonly source: Source
  /** The page's `h1`, or its title if it has none. */
  readonly heading: string
  readonly nodes: ReadonlyArray<Node>
  readonly headings: ReadonlyArray<Heading>
  readonly links: ReadonlyArray<PageLink>
  readonly faults: ReadonlyArray<Fault>
}

export interface Materials {
  readonly pictures: Pictures
  readonly makeBlock: MakeBlock
}

const levelOf = (tag: string) => (/^h[1-6]$/.test(tag) ? Number(tag.slice(1)) : null)

/** A directive inside other text, which is a fault. */
const LOOSE = /\{\{[^{}]*\}\}/

const onlyChild = ({ children }: Element): Node | undefined =>
  children.length === 1 ? children[0] : undefined

/** Composes a page's content: expands directives, gives headings anchors, and resolves pictures and links. */
export const compose = (source: Source, { makeBlock, pictures }: Materials): Composed => {
  const faults: Array<Fault> = []
  const links: Array<PageLink> = []
  const headings: Array<Heading> = []
  const slugger = new GithubSlugger()
  /** The line of the current node; generated nodes have no position and keep their directive's line. */
  let line = source.firstLine
  const fault = (message: string) => faults.push({ file: source.file, line, message })

  const picture = ({ properties }: Element): Node => {
    const src = String(properties["src"] ?? "")
    const alt = String(properties["alt"] ?? "").trim()
    if (alt === "") fault("a picture has no alternative text")
    const shown = pictureElement(pictures, src, alt)
    if (shown === null) fault(`there is no picture ${src}`)
    return shown ?? h("span", {})
  }

  const anchor = (element: Element): Node => {
    const href = String(element.properties["href"] ?? "")
    const target = targetOf(href, source.slug)
    links.push({ target, href, line })
    if (target.kind === "refused") return h("span", {}, element.children.map(finished))
    if (inOneLine(textOf(element)) === "") fault("a link has no text")
    return h(
      "a",
      { ...element.properties, href: hrefOf(target, source.slug) },
      element.children.map(finished)
    )
  }

  const heading = (element: Element, level: number): Node => {
    const text = inOneLine(textOf(element))
    const last = headings.at(-1)?.level ?? 1
    if (level === 1) fault("a page has only one title: this heading must be of a lower level")
    if (level > last + 1) fault(`the heading "${text}" skips a level`)
    const named = element.properties["id"]
    const id = typeof named === "string" ? named : slugger.slug(text)
    headings.push({ level, id, text })
    const jump = h("a", { class: "jump", href: `#${id}`, "aria-hidden": "true", tabindex: "-1" }, "#")
    return h(element.tagName, { ...element.properties, id }, element.children.map(finished), jump)
  }

  const directive = (text: string): ReadonlyArray<Node> => {
    const made = makeBlock(text, (headings.at(-1)?.level ?? 1) + 1)
    if ("unknown" in made) fault(made.unknown)
    return "unknown" in made ? [] : made.nodes.map(finished)
  }

  const paragraph = (element: Element): Node => {
    const only = onlyChild(element)
    const text = inOneLine(textOf(element))
    if (isDirective(text)) return h("div", { class: "generated" }, directive(text))
    if (only?.type === "element" && only.tagName === "img") return h("figure", {}, picture(only))
    return h("p", element.properties, element.children.map(finished))
  }

  /** A cell; an empty heading is an ordinary cell, because a heading without a name confuses screen readers. */
  const cell = ({ children, properties: { align, ...properties }, tagName }: Element): Node =>
    h(
      children.length === 0 ? "td" : tagName,
      { ...properties, "data-align": align === "left" ? null : align },
      children.map(finished)
    )

  const finished = (node: Node): Node => {
    if (node.position !== undefined) line = source.firstLine - 1 + node.position.start.line
    if (node.type === "text") {
      const loose = LOOSE.exec(node.value)
      if (loose !== null) {
        line += node.value.slice(0, loose.index).split("\n").length - 1
        fault(`${loose[0]} must be a paragraph of its own`)
      }
    }
    if (node.type !== "element" || node.tagName === "code") return node
    const { children, properties, tagName } = node
    const level = levelOf(tagName)
    if (level !== null) return heading(node, level)
    if (tagName === "p" && properties["className"] === undefined) return paragraph(node)
    if (tagName === "a") return anchor(node)
    if (tagName === "img" && properties["width"] === undefined) return picture(node)
    if (tagName === "td" || tagName === "th") return cell(node)
    const made = h(tagName, properties, children.map(finished))
    return tagName === "table" ? h("div", { class: "table", tabindex: "0" }, made) : made
  }

  const { faults: unread, nodes } = readMarkdown(source.body, source)
  const [first] = nodes
  const ownTitle = first?.type === "element" && first.tagName === "h1" ? first : null
  const made = (ownTitle === null ? nodes : nodes.slice(1)).map(finished)
  return {
    source,
    heading: ownTitle === null ? source.title : inOneLine(textOf(ownTitle)),
    nodes: made,
    headings,
    links,
    faults: [...unread, ...faults]
  }
}
