import { lineCounter, walkMarkup } from "./Markup.ts"

/** An element of an XML file. Names are in lower case, with their prefixes. */
export class XmlElement {
  /** Texts and elements, in the file's order. */
  readonly content: Array<string | XmlElement> = []

  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** The line of its start tag, counted from 1. */
  readonly line: number

  constructor(name: string, attributes: ReadonlyMap<string, string>, line: number) {
    this.name = name
    this.attributes = attributes
    this.line = line
  }

  get children(): ReadonlyArray<XmlElement> {
    return this.content.filter((part) => typeof part !== "string")
  }

  /** Its own text, without that of its children and without white space at both ends. */
  get text(): string {
    return this.content
      .filter((part) => typeof part === "string")
      .join("")
      .trim()
  }
}

/** Maximum depth of the tree: a deeper element counts as a child of its ancestor at this depth. */
const MAX_DEPTH = 100

/** Number of characters in which the first element must begin. */
const PROLOG = 8_192

/** Returns the name of an XML file's first element in lower case; empty if the text begins otherwise. Cheap. */
export const xmlRoot = (text: string): string => {
  const start = text.slice(0, PROLOG).trimStart()
  if (!start.startsWith("<")) return ""
  const [, name = ""] = /<([a-z_][\w.:-]*)/i.exec(start.replace(/<!--[\s\S]*?(?:-->|$)/g, "")) ?? []
  return name.toLowerCase()
}

interface Limits {
  readonly depth: number
  readonly elements: number
}

const build = (source: string, skipped: ReadonlySet<string>, most: Limits) => {
  // XML 1.0, "end-of-line handling".
  const xml = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source
  const lineAt = lineCounter(xml)
  const root = new XmlElement("", new Map(), 1)
  const open: Array<XmlElement> = []
  /** How many open elements have a name, to find out at once that an end tag closes none of them. */
  const named = new Map<string, number>()
  let left = most.elements
  let isWithin = true
  const closeLast = () => {
    const name = open.pop()?.name ?? ""
    named.set(name, (named.get(name) ?? 1) - 1)
  }
  walkMarkup(
    xml,
    {
      open: (name, attributes, isClosed, place) => {
        const element = new XmlElement(name, attributes, lineAt(place))
        const parent = open[Math.min(open.length, MAX_DEPTH) - 1] ?? root
        parent.content.push(element)
        if (--left < 0 || open.length >= most.depth) isWithin = false
        if (!isClosed) {
          open.push(element)
          named.set(name, (named.get(name) ?? 0) + 1)
        }
        return isWithin
      },
      close: (name) => {
        if ((named.get(name) ?? 0) === 0) return
        while (open.at(-1)?.name !== name) closeLast()
        closeLast()
      },
      text: (piece) => {
        const element = open.at(-1)
        if (element !== undefined && !skipped.has(element.name)) element.content.push(piece)
      }
    },
    { xml: true, attributes: Infinity, most: () => Infinity }
  )
  return { root, isWhole: isWithin && open.length === 0 }
}

/** A tree of limited depth, in linear time; damage costs only what it touches. Drops the text of `skipped` elements. */
export const readXml = (
  source: string,
  { skipped = new Set() }: { readonly skipped?: ReadonlySet<string> } = {}
): XmlElement => build(source, skipped, { depth: Infinity, elements: Infinity }).root

/** Reads XML as `readXml` does; undefined if it is cut or exceeds the limits. */
export const readWholeXml = (source: string, most: Limits): XmlElement | undefined => {
  const { isWhole, root } = build(source, new Set(), most)
  return isWhole ? root : undefined
}

export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((one) => one.name === name)

/** Returns the text of the first child with this name, or an empty text. */
export const childText = (element: XmlElement, name: string): string => child(element, name)?.text ?? ""

/** Yields the elements with this name in the file's order, outermost ones only. */
export function* elements(root: XmlElement, name: string): Generator<XmlElement> {
  const waiting = [...root.children].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.name === name) yield next
    else for (const inner of next.children.toReversed()) waiting.push(inner)
  }
}

/** Returns the elements at a path of names such as `feed/entry`: all children with the last name. */
export const elementsAt = (parent: XmlElement | undefined, path: string): ReadonlyArray<XmlElement> => {
  const [name = "", ...rest] = path.split("/")
  const found = parent?.children.filter((one) => one.name === name) ?? []
  return rest.length === 0 ? found : elementsAt(found[0], rest.join("/"))
}

/** Returns the text in an element and in all elements in it; undefined if it is empty. Recurses. */
export const textWithin = (element: XmlElement | undefined): string | undefined =>
  element?.content.map((part) => (typeof part === "string" ? part : (textWithin(part) ?? ""))).join("") ||
  undefined

export const textWithinAt = (parent: XmlElement | undefined, path: string): string | undefined =>
  textWithin(elementsAt(parent, path)[0])
