import { fieldsOf } from "./settings.ts"

/** A page as its reader sees it: the visible part of the document, without scripts, styles and anything typed in. */
export interface Article {
  /** A document of `html`, `head` and `body`, at most `MAX_ARTICLE` bytes in UTF-8. */
  readonly html: string
  readonly title: string
  readonly byline: string
  readonly lang: string
}

/** Maximum size of an article's HTML in bytes of UTF-8. */
export const MAX_ARTICLE = 2 * 1024 * 1024

/** What bounds the copy of a page. */
export interface CopyLimits {
  readonly bytes: number
  /** How long the copy may take, in milliseconds. */
  readonly millis: number
  /** Maximum depth of an element, and of all elements together: the service's parser has the same limits. */
  readonly depth: number
  readonly depths: number
}

export const LIMITS: CopyLimits = { bytes: MAX_ARTICLE, millis: 250, depth: 200, depths: 900_000 }

/**
 * Copies the page at `address` as its reader sees it, open shadow roots included; null if it shows no text, shows another
 * page by now, or is a document that the reader is writing.
 *
 * Of the page's `article` and `main` elements, the smallest with two thirds of the visible text stands for the page. A
 * copy that reaches a limit ends before the element that no longer fits.
 *
 * Runs in the page, so it must not use anything outside its body.
 */
export const copyPage = (address: string, limits: CopyLimits): Article | null => {
  const { body, documentElement: root, head } = document
  if (
    location.href !== address ||
    document.designMode === "on" ||
    document.body?.isContentEditable ||
    !(body instanceof HTMLElement)
  )
    return null
  const deadline = performance.now() + limits.millis
  const encoder = new TextEncoder()
  const left = new Set(
    [
      "audio canvas embed iframe link map meta noscript object script style svg template video",
      // What is typed or chosen in controls.
      "datalist input meter option output progress select textarea"
    ].flatMap((names) => names.split(" "))
  )
  const drafts =
    "[hidden], [contenteditable]:not([contenteditable=false i]), [role=textbox], [role=searchbox], .CodeMirror, .ace_editor, .monaco-editor"
  const empty = new Set(["br", "hr", "img", "wbr"])
  const kept = new Set(
    "alt class colspan datetime dir id itemprop itemscope itemtype lang rel role rowspan start".split(" ")
  )
  const isRightToLeft = getComputedStyle(root).direction === "rtl"
  const parts: Array<string> = []
  const wholes: Array<{ readonly from: number; readonly to: number; readonly letters: number }> = []
  let room = limits.bytes
  let depths = 0
  let letters = 0
  let visited = 0
  let isFull = false

  const escaped = (text: string) =>
    text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark] ?? "&quot;")
  const bytesOf = (text: string) => (/^[\0-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length)
  /** Adds markup if it fits, and reserves room for the end tag that it needs; otherwise ends the copy. */
  const write = (markup: string, end = ""): boolean => {
    room -= bytesOf(markup) + end.length
    isFull ||= room < 0
    if (!isFull) parts.push(markup)
    return !isFull
  }
  const link = (name: string, value: string) =>
    /^https?:/i.test(value) && value.length <= 2_048 ? ` ${name}="${escaped(value)}"` : ""
  const attributesOf = (element: Element, names: ReadonlyArray<string>): string => {
    let all = ""
    for (const name of names)
      if (kept.has(name)) all += ` ${name}="${escaped(element.getAttribute(name)?.slice(0, 300) ?? "")}"`
    if (element instanceof HTMLAnchorElement) all += link("href", element.href)
    if (element instanceof HTMLImageElement) all += link("src", element.currentSrc || element.src)
    return all
  }
  /** The element's name in the copy: a parser does not know whether an element of the page's own is a block. */
  const nameOf = (element: Element): string => {
    const name = element.localName
    if (/^[a-z][a-z0-9]*$/.test(name)) return name
    return getComputedStyle(element).display.startsWith("inline") ? "span" : "div"
  }
  /** Whether an element is out of reach of any scrolling, or cut to a pixel: texts for screen readers and machines. */
  const isAway = (element: Element): boolean => {
    const { overflow, position } = getComputedStyle(element)
    if (position !== "absolute" && position !== "fixed") return false
    const { bottom, height, right, width } = element.getBoundingClientRect()
    const isBeside = width > 0 && (right + scrollX <= 0 || bottom + scrollY <= 0)
    return (isBeside && !isRightToLeft) || (width <= 1 && height <= 1 && overflow !== "visible")
  }
  /** Whether the element is shown, only its content, only elements within it, or nothing. */
  const shownOf = (element: Element): "element" | "content" | "elements" | "nothing" => {
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      return isAway(element) ? "nothing" : "element"
    const { display, opacity, visibility } = getComputedStyle(element)
    if (display === "contents") return visibility === "visible" ? "content" : "elements"
    return display === "none" || visibility === "visible" || Number(opacity) === 0 ? "nothing" : "elements"
  }
  /** The nodes that are drawn in an element. */
  const contentOf = (element: Element): Iterable<Node> | ParentNode => {
    if (element instanceof HTMLSlotElement) {
      const assigned = element.assignedNodes()
      return assigned.length > 0 ? assigned : element
    }
    if (element instanceof HTMLDetailsElement && !element.open)
      return [...element.children].filter(({ localName }) => localName === "summary").slice(0, 1)
    return element.shadowRoot ?? element
  }
  const addText = (text: string, isPreformatted: boolean) => {
    const words = isPreformatted ? text : text.replace(/\s+/g, " ")
    if (words !== "" && write(escaped(words))) letters += words.trim().length
  }
  const addNode = (node: Node, depth: number, shown: boolean, isPreformatted: boolean) => {
    if (node instanceof Text && shown) addText(node.data, isPreformatted)
    else if (node instanceof Element) addElement(node, depth, isPreformatted)
  }
  const addContent = (element: Element, depth: number, shown: boolean, isPreformatted: boolean) => {
    const content = contentOf(element)
    if (content instanceof Node)
      for (let node = content.firstChild; node !== null && !isFull; node = node.nextSibling)
        addNode(node, depth, shown, isPreformatted)
    else if (Symbol.iterator in content)
      for (const node of content) addNode(node, depth, shown, isPreformatted)
  }
  const addElement = (element: Element, depth: number, isPreformatted: boolean) => {
    if (++visited % 64 === 0) isFull ||= performance.now() > deadline
    if (isFull || depth > limits.depth || left.has(element.localName)) return
    const names = element.getAttributeNames()
    if (names.length > 0 && element.matches(drafts)) return
    const shown = shownOf(element)
    if (shown === "nothing") return
    if (shown !== "element") return addContent(element, depth, shown === "content", isPreformatted)
    depths += depth
    isFull ||= depths > limits.depths
    const name = nameOf(element)
    const end = empty.has(name) ? "" : `</${name}>`
    const from = parts.length
    const before = letters
    if (!write(`<${name}${attributesOf(element, names)}>`, end)) return
    addContent(element, depth + 1, true, isPreformatted || name === "pre")
    parts.push(end)
    if (/^(article|main)$/.test(element.role ?? name))
      wholes.push({ from, to: parts.length, letters: letters - before })
  }

  const textOf = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? ""
  const named = (name: string) => head?.querySelector(`meta[name="${name}" i]`)?.getAttribute("content") ?? ""
  const about = [...(head?.querySelectorAll("meta[name], meta[property]") ?? [])]
    .map(
      (meta) =>
        [
          meta.getAttribute("property") ?? meta.getAttribute("name") ?? "",
          meta.getAttribute("content") ?? ""
        ] as const
    )
    // Others may be secrets of the page, such as a token against forged requests.
    .filter(([name]) =>
      /^(author|date|description|keywords|(article|citation_|dc|dcterms|og|twitter)[.:_]?.{0,40})$/i.test(
        name
      )
    )
    .slice(0, 100)
    .map(
      ([name, content]) => `<meta property="${escaped(name)}" content="${escaped(content.slice(0, 1_000))}">`
    )
  const title = document.title.slice(0, 1_000)
  const lang = root.lang.slice(0, 40)
  const start = `<!doctype html><html lang="${escaped(lang)}"><head><title>${escaped(title)}</title>${about.join("")}</head><body>`
  const end = "</body></html>"
  room -= bytesOf(start + end)
  addContent(body, 2, true, false)
  if (letters === 0) return null
  const most = wholes
    .filter((whole) => whole.letters * 3 >= letters * 2)
    .sort((a, b) => a.letters - b.letters)[0]
  const shown = parts.slice(most?.from, most?.to).join("")
  const byline = (named("author") || textOf("[rel~=author], [itemprop=author]"))
    .replace(/\s+/g, " ")
    .slice(0, 300)
  return { html: start + shown + end, title, byline, lang }
}

/** Reads an article from an unvalidated value; undefined if it is none. */
export const asArticle = (value: unknown): Article | undefined => {
  const { byline, html, lang, title } = fieldsOf(value)
  return typeof html === "string" &&
    typeof title === "string" &&
    typeof byline === "string" &&
    typeof lang === "string"
    ? { html, title, byline, lang }
    : undefined
}
