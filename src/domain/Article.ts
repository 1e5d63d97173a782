import { MAX_ADDRESS, MAX_ARTICLE_HTML } from "../shared/Limits.ts"

/**
 * What an article is: the readable part of a page as HTML of one canonical form, which is stored, shown, highlighted and
 * exported. Every tag, attribute and nesting that is not listed here is missing from it, so that showing it is safe and
 * a browser parses it to exactly the elements and texts that it is written as.
 */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "))

const blockNames = "p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote figure table hr"
const inlineNames = "br a em strong sub sup del mark q kbd code img"

const blocks = setOf(blockNames)
const inline = setOf(inlineNames)
const flow = setOf(`${blockNames} ${inlineNames}`)
const rows = setOf("tr")
const items = setOf("li")
const cells = setOf("td th")

interface Content {
  readonly elements: ReadonlySet<string>
  readonly text: boolean
}

const holding = (elements: ReadonlySet<string>, text: boolean): Content => ({ elements, text })
const phrasing = holding(inline, true)
const anything = holding(flow, true)
const nothing = holding(new Set(), false)

/** What each element of an article holds. Elements without content have no end tag. */
const contents: ReadonlyMap<string, Content> = new Map([
  ...[..."p h1 h2 h3 h4 h5 h6 dt pre caption a em strong sub sup del mark q kbd code".split(" ")].map(
    (name): [string, Content] => [name, phrasing]
  ),
  ...[..."li dd td th figure figcaption".split(" ")].map((name): [string, Content] => [name, anything]),
  ...[..."br hr img".split(" ")].map((name): [string, Content] => [name, nothing]),
  ["blockquote", holding(blocks, false)],
  ["ul", holding(items, false)],
  ["ol", holding(items, false)],
  ["dl", holding(setOf("dt dd"), false)],
  ["table", holding(setOf("caption thead tbody"), false)],
  ["thead", holding(rows, false)],
  ["tbody", holding(rows, false)],
  ["tr", holding(cells, false)]
])
const inFigure = holding(setOf(`${blockNames} ${inlineNames} figcaption`), true)
const root = holding(blocks, false)

const voidElements = setOf("br hr img")

export const articleElements: ReadonlySet<string> = new Set(contents.keys())

/** The attributes that every element of an article may have: a target of a link inside the article, and its text's language. */
export const commonAttributes: ReadonlySet<string> = setOf("id lang dir")

/** The other attributes of an article, by element. */
export const articleAttributes: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["a", setOf("href")],
  ["img", setOf("src alt width height")],
  ["code", setOf("class")],
  ["td", setOf("colspan rowspan")],
  ["th", setOf("colspan rowspan")],
  ["ol", setOf("start")]
])

const required: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["a", ["href"]],
  ["img", ["src", "alt"]]
])

/** Browsers put elements nested deeper than 512 beside each other (https://crbug.com/40302149). */
export const MAX_ARTICLE_DEPTH = 64
/** Maximum length of a picture's alternative text, in UTF-16 units. */
export const MAX_ALT = 500
export const MAX_TARGETS = 9_999

/** The names of the elements that links inside an article lead to: numbers, so that a page does not choose them. */
const target = /^r[1-9]\d{0,3}$/
const size = /^[1-9]\d{0,4}$/
const span = /^[1-9]\d{0,3}$/

/** An address as the URL parser writes it, so that no other parser reads another address from it. */
const isAddress = (value: string): boolean =>
  /^https?:\/\/[!-~]+$/.test(value) && value.length <= MAX_ADDRESS && URL.parse(value)?.href === value

const isValue: Readonly<Record<string, (value: string) => boolean>> = {
  id: (value) => target.test(value),
  lang: (value) => /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(value),
  dir: (value) => /^(?:ltr|rtl)$/.test(value),
  href: (value) => (value.startsWith("#") ? target.test(value.slice(1)) : isAddress(value)),
  src: isAddress,
  alt: (value) => value.length <= MAX_ALT,
  width: (value) => size.test(value),
  height: (value) => size.test(value),
  class: (value) => /^language-[a-z0-9+#._-]{1,32}$/.test(value),
  colspan: (value) => span.test(value),
  rowspan: (value) => span.test(value),
  start: (value) => /^(?:0|[1-9]\d{0,5})$/.test(value)
}

/** Whether an element of an article may have an attribute with this value, which has its entities decoded. */
export const isArticleAttribute = (element: string, name: string, value: string): boolean =>
  (commonAttributes.has(name) || articleAttributes.get(element)?.has(name) === true) &&
  isValue[name]?.(value) === true

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"'
}

export const decodeEntities = (written: string): string =>
  written.includes("&")
    ? written.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity)
    : written

/** Control characters, which parsers drop or replace, except tabs and line feeds. */
const controls = /[\p{Cc}--[\t\n]]/v
const otherEntity = /&(?!(?:amp|lt|gt|quot);)/
const tag = /<(\/?)([a-z][a-z0-9]{0,9})((?: [a-z]{1,8}="[^"<>]*"){0,7})>/y

interface References {
  readonly ids: Set<string>
  readonly links: Set<string>
}

const areAttributes = (element: string, written: string, { ids, links }: References): boolean => {
  // Most elements have none, and an article may have 100,000.
  if (written === "") return !required.has(element)
  const names: Array<string> = []
  for (const [, name = "", value = ""] of written.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    if (names.includes(name) || !isArticleAttribute(element, name, decodeEntities(value))) return false
    names.push(name)
    if (name === "href" && value.startsWith("#")) links.add(value.slice(1))
    if (name !== "id") continue
    if (ids.has(value)) return false
    ids.add(value)
  }
  return required.get(element)?.every((name) => names.includes(name)) ?? true
}

const isInCanonicalForm = (html: string): boolean => {
  if (html.length > MAX_ARTICLE_HTML || controls.test(html) || otherEntity.test(html) || !html.isWellFormed())
    return false
  const open: Array<string> = []
  const references: References = { ids: new Set(), links: new Set() }
  let content = root
  const contentOf = (element: string | undefined): Content =>
    element === undefined ? root : element === "figure" ? inFigure : (contents.get(element) ?? nothing)
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf("<", at)
    const end = start === -1 ? html.length : start
    if (end > at && (!content.text || html.slice(at, end).includes(">"))) return false
    if (start === -1) break
    tag.lastIndex = start
    const [whole = "", slash, element = "", attributes = ""] = tag.exec(html) ?? []
    if (whole === "") return false
    at = start + whole.length
    if (slash === "/") {
      if (attributes !== "" || open.pop() !== element) return false
    } else {
      // A parser closes a link at the start of another one, and drops a line break at the start of `pre`.
      if (!content.elements.has(element) || (element === "a" && open.includes("a"))) return false
      if (!areAttributes(element, attributes, references)) return false
      if (element === "pre" && html[at] === "\n") return false
      if (voidElements.has(element)) continue
      if (open.push(element) > MAX_ARTICLE_DEPTH) return false
    }
    content = contentOf(open.at(-1))
  }
  return open.length === 0 && references.links.isSubsetOf(references.ids)
}

/** The article last found clean: one is checked where it arrives and again where it is kept, mostly in a row. */
let lastClean = ""

/**
 * Whether HTML is an article in its canonical form: only its elements, nested as HTML nests them and all closed; only its
 * attributes, each at most once and with an allowed value; links to absolute addresses or to elements that exist; text
 * only where text may stand, with `&amp;`, `&lt;`, `&gt;` and `&quot;` as its entities; at most `MAX_ARTICLE_HTML` UTF-16
 * units. Takes linear time on any text, an empty text is an article without content.
 */
export const isCleanArticle = (html: string): boolean => {
  if (html === lastClean) return true
  const isClean = isInCanonicalForm(html)
  if (isClean) lastClean = html
  return isClean
}

/** As `textContent` gives it in a browser; positions in an article are UTF-16 units of it. Linear time on any text. */
export const articleText = (html: string): string => {
  let text = ""
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf("<", at)
    if (start === -1) return text + decodeEntities(html.slice(at))
    text += decodeEntities(html.slice(at, start))
    const end = html.indexOf(">", start)
    if (end === -1) return text
    at = end + 1
  }
  return text
}
