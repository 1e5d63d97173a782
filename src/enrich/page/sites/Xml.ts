import { Parser } from "htmlparser2"

/** An element of an XML document. */
export interface XmlElement {
  /** With its prefix, as written. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Texts and elements, in document order. */
  readonly content: ReadonlyArray<string | XmlElement>
}

interface OpenElement extends XmlElement {
  readonly content: Array<string | XmlElement>
}

/** Limits that no answer of an API reaches. */
const MAX_DEPTH = 32
const MAX_ELEMENTS = 50_000
/** How much is parsed between checks of the limits, in UTF-16 units. */
const CHUNK = 16_384

/**
 * Parses XML (https://www.w3.org/TR/xml) into a tree; undefined if it is cut or exceeds the limits. Leaves entities that the
 * document declares as they are written, so that they cannot expand.
 */
export const parseXml = (xml: string): XmlElement | undefined => {
  const root: OpenElement = { name: "", attributes: {}, content: [] }
  const open: Array<OpenElement> = [root]
  let elements = 0
  let deepest = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element: OpenElement = { name, attributes, content: [] }
        elements++
        deepest = Math.max(deepest, open.length)
        // What is nested deeper is dropped here and refused below.
        if (open.length <= MAX_DEPTH && elements <= MAX_ELEMENTS) open.at(-1)?.content.push(element)
        open.push(element)
      },
      ontext: (text) => {
        open.at(-1)?.content.push(text)
      },
      onclosetag: () => {
        if (open.length > 1) open.pop()
      }
    },
    { xmlMode: true, decodeEntities: true }
  )
  for (let at = 0; at < xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK))
    if (elements > MAX_ELEMENTS || deepest > MAX_DEPTH) return undefined
  }
  if (open.length > 1) return undefined
  parser.end()
  return root
}

/** The elements of this name directly in another. */
export const elementsIn = (parent: XmlElement | undefined, name: string): ReadonlyArray<XmlElement> =>
  (parent?.content ?? []).flatMap((one) => (typeof one !== "string" && one.name === name ? [one] : []))

/** The first element at a path of names. */
export const elementAt = (
  parent: XmlElement | undefined,
  ...path: ReadonlyArray<string>
): XmlElement | undefined => {
  let found = parent
  for (const name of path) found = elementsIn(found, name)[0]
  return found
}

/** The text of an element and of all elements in it; undefined if it is empty. */
export const xmlText = (element: XmlElement | undefined): string | undefined =>
  (element?.content ?? []).map((one) => (typeof one === "string" ? one : (xmlText(one) ?? ""))).join("") ||
  undefined

/** The text of the first element at a path of names. */
export const xmlTextAt = (
  parent: XmlElement | undefined,
  ...path: ReadonlyArray<string>
): string | undefined => xmlText(elementAt(parent, ...path))
