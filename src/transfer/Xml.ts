import { readMarkup } from "./Markup.ts"

/** An element of an XML file. Names are in lower case. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** The line of its start tag, counted from 1. */
  readonly line: number
  readonly children: ReadonlyArray<XmlElement>
  /** Its own text, without that of its children and without white space at both ends. */
  readonly text: string
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

interface OpenElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly line: number
  readonly children: Array<XmlElement>
  text: string
}

const every = { has: () => true }

/**
 * Reads an XML file as a tree of limited depth, in time and memory proportional to the file. Damage costs only what it
 * touches: end tags may be missing or too many. Drops the text of the elements named in `skipped`.
 */
export const readXml = (
  source: string,
  { skipped = new Set() }: { readonly skipped?: ReadonlySet<string> } = {}
): XmlElement => {
  const root: OpenElement = { name: "", attributes: new Map(), line: 1, children: [], text: "" }
  const open: Array<OpenElement> = []
  /** How many open elements have a name, to find out at once that an end tag closes none of them. */
  const named = new Map<string, number>()
  const close = () => {
    const closed = open.pop()
    if (closed === undefined) return
    named.set(closed.name, (named.get(closed.name) ?? 1) - 1)
    closed.text = closed.text.trim()
  }
  readMarkup(
    source,
    every,
    {
      open: (name, attributes, line) => {
        const element: OpenElement = { name, attributes, line, children: [], text: "" }
        const parent = open[Math.min(open.length, MAX_DEPTH) - 1] ?? root
        parent.children.push(element)
        open.push(element)
        named.set(name, (named.get(name) ?? 0) + 1)
      },
      close: (name) => {
        if ((named.get(name) ?? 0) === 0) return
        while (open.at(-1)?.name !== name) close()
        close()
      },
      text: (piece) => {
        const element = open.at(-1)
        if (element !== undefined && !skipped.has(element.name)) element.text += piece
      }
    },
    { xml: true }
  )
  while (open.length > 0) close()
  return root
}

/** Returns the first child with this name. */
export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((one) => one.name === name)

/** Returns the text of the first child with this name; empty if there is none. */
export const childText = (element: XmlElement, name: string): string => child(element, name)?.text ?? ""

/** Yields the elements with this name in the file's order, outermost ones only. */
export function* elements(root: XmlElement, name: string): Generator<XmlElement> {
  const waiting = [...root.children].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.name === name) yield next
    else for (const inner of next.children.toReversed()) waiting.push(inner)
  }
}
