import { codeOf } from "./code.ts"
import { isDirective, type MakeBlock } from "./directive.ts"
import { type Fault, lineWith } from "./fault.ts"
import { hrefOf, type Target, targetOf } from "./links.ts"
import { readMarkdown } from "./markdown.ts"
import { type Pictures, pictureElement } from "./pictures.ts"
import { makeAnchors } from "./slug.ts"
import type { Source } from "./source.ts"
import { type Element, elementsOf, h, inOneLine, type Node, textOf } from "./tree.ts"

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
  const anchorFor = makeAnchors()
  const fault = (message: string, needle: string) =>
    faults.push({ file: source.file, line: lineWith(source.lines, needle), message })

  const picture = ({ attributes }: Element): Node => {
    const src = String(attributes["src"] ?? "")
    const alt = String(attributes["alt"] ?? "").trim()
    if (alt === "") fault("a picture has no text that stands for it", src)
    const shown = pictureElement(pictures, src, alt)
    if (shown === null) fault(`there is no picture ${src}`, src)
    return shown ?? ""
  }

  const anchor = (element: Element): Node => {
    const href = String(element.attributes["href"] ?? "")
    const target = targetOf(href, source.slug)
    links.push({ target, href, line: lineWith(source.lines, href) })
    if (target.kind === "refused") return h("span", {}, element.children.map(finished))
    if (inOneLine(textOf(element)) === "") fault("a link has no text", href)
    return h(
      "a",
      { ...element.attributes, href: hrefOf(target, source.slug) },
      element.children.map(finished)
    )
  }

  const heading = (element: Element, level: number): Node => {
    const text = inOneLine(textOf(element))
    const last = headings.at(-1)?.level ?? 1
    if (level > last + 1) fault(`"${text}" leaves a level of headings out`, text)
    const named = element.attributes["id"]
    const id = typeof named === "string" ? named : anchorFor(text)
    headings.push({ level, id, text })
    const jump = h("a", { class: "jump", href: `#${id}`, "aria-hidden": "true", tabindex: "-1" }, "#")
    return h(element.tag, { ...element.attributes, id }, element.children.map(finished), jump)
  }

  const directive = (text: string): ReadonlyArray<Node> => {
    const made = makeBlock(text, (headings.at(-1)?.level ?? 1) + 1)
    if ("unknown" in made) fault(made.unknown, text)
    return "unknown" in made ? [] : made.nodes.map(finished)
  }

  const paragraph = (element: Element): Node => {
    const only = onlyChild(element)
    const text = inOneLine(textOf(element))
    if (isDirective(text)) return h("div", { class: "generated" }, directive(text))
    if (typeof only === "object" && only.tag === "img") return h("figure", {}, picture(only))
    return h("p", element.attributes, element.children.map(finished))
  }

  const finished = (node: Node): Node => {
    if (typeof node === "string") {
      const [loose] = LOOSE.exec(node) ?? []
      if (loose !== undefined) fault(`${loose} must be a paragraph of its own`, loose)
      return node
    }
    if (node.tag === "code") return node
    const level = levelOf(node.tag)
    if (level !== null) return heading(node, level)
    if (node.tag === "p" && node.attributes["class"] === undefined) return paragraph(node)
    if (node.tag === "a") return anchor(node)
    if (node.tag === "img" && node.attributes["width"] === undefined) return picture(node)
    if (node.tag === "pre" && node.attributes["tabindex"] === undefined) return codeOf(node)
    const made = h(node.tag, node.attributes, node.children.map(finished))
    return node.tag === "table" ? h("div", { class: "table", tabindex: "0" }, made) : made
  }

  const { faults: unread, nodes } = readMarkdown(source.body, source)
  const content = nodes.filter((node) => typeof node !== "string" || node.trim() !== "")
  const [first] = content
  const ownTitle = typeof first === "object" && first.tag === "h1" ? first : null
  const rest = ownTitle === null ? content : content.slice(1)
  const title = elementsOf(rest).find(({ tag }) => tag === "h1")
  if (title !== undefined)
    fault("a page has one title: this heading must be of a lower level", inOneLine(textOf(title)))
  const made = rest.map(finished)
  return {
    source,
    heading: ownTitle === null ? source.title : inOneLine(textOf(ownTitle)),
    nodes: made,
    headings,
    links,
    faults: [...unread, ...faults]
  }
}
