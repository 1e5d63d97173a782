import { MAX_SNAPSHOT } from "../../src/shared/Limits.ts"

/** What bounds the snapshot of a page. */
export interface SnapshotLimits {
  /** Maximum size of the HTML as a JSON string, in bytes. */
  readonly bytes: number
  /** How long fetching pictures, fonts and styles may take, in milliseconds, and how many are fetched. */
  readonly millis: number
  readonly resources: number
  /** Maximum number of nodes. */
  readonly nodes: number
}

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  bytes: MAX_SNAPSHOT,
  millis: 12_000,
  resources: 300,
  nodes: 200_000
}

/** A page as one HTML file. */
export interface Snapshot {
  readonly html: string
}

/** A snapshot, or why there is none: the page is too large even without its pictures, or it shows another address. */
export type SnapshotResult = Snapshot | { readonly problem: "large" | "elsewhere" }

/**
 * Copies the page at `address` as one HTML file: its elements as they are now, with its styles, and with its pictures and
 * fonts inside, as far as the browser lets the page read them and they fit. Without scripts, handlers, frames, and what is
 * typed into fields.
 *
 * Runs in the page, so it must not use anything outside its body.
 */
export const copySnapshot = async (address: string, limits: SnapshotLimits): Promise<SnapshotResult> => {
  if (location.href !== address) return { problem: "elsewhere" }
  const deadline = performance.now() + limits.millis
  const encoder = new TextEncoder()
  const sizeOf = (text: string) =>
    /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? text.length : encoder.encode(JSON.stringify(text)).length
  const setOf = (names: string) => new Set(names.split(" "))
  const left = setOf(
    "script noscript template iframe frame frameset fencedframe portal object embed applet link meta base audio source track style title"
  )
  const empty = setOf("area br col hr img input wbr")
  const droppedAttributes = setOf(
    "srcdoc ping action formaction nonce integrity srcset sizes imagesrcset background poster loading autofocus http-equiv crossorigin target"
  )
  const pieces: Array<string> = []
  let size = 0
  let nodes = 0
  let isTooLarge = false
  const escaped = (text: string) =>
    text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark] ?? "&quot;")
  const write = (markup: string) => {
    size += sizeOf(markup)
    isTooLarge ||= size > limits.bytes
    if (!isTooLarge) pieces.push(markup)
  }

  let fetched = 0
  const resources = new Map<string, Promise<string>>()
  /** Fetches what a page may read of an address, as text or as a `data:` address; empty if it may not, or too late. */
  const fetchOnce = (url: string, as: "text" | "data"): Promise<string> => {
    const key = `${as} ${url}`
    const known = resources.get(key)
    if (known !== undefined) return known
    const load = async () => {
      const time = deadline - performance.now()
      if (!/^(https?|blob):/.test(url) || ++fetched > limits.resources || time <= 0) return ""
      const response = await fetch(url, { signal: AbortSignal.timeout(time), cache: "force-cache" })
      if (!response.ok) return ""
      if (as === "text") return response.text()
      const blob = await response.blob()
      if (
        blob.size > limits.bytes ||
        !/^(image|font|application\/(x-)?font|application\/octet)/.test(blob.type)
      )
        return ""
      return new Promise<string>((resolve) => {
        const reader = new FileReader()
        reader.onload = () => resolve(String(reader.result))
        reader.onerror = () => resolve("")
        reader.readAsDataURL(blob)
      })
    }
    const loading = load().catch(() => "")
    resources.set(key, loading)
    return loading
  }
  /** What is still being fetched while the page is copied: its place in `pieces`, and what to write there. */
  const pending: Array<{ readonly at: number; readonly markup: Promise<string> }> = []
  const later = (markup: () => Promise<string>) => {
    pending.push({ at: pieces.length, markup: markup().catch(() => "") })
    pieces.push("")
  }

  const absolute = (url: string, base: string): string => URL.parse(url, base)?.href ?? ""
  /** Replaces the addresses in a style by what is at them; those that cannot be read lead nowhere. */
  const inlined = async (css: string, base: string): Promise<string> => {
    const plain = css.replace(/@import[^;]*;/gi, "")
    const address = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/g
    const found = [...plain.matchAll(address)].map(([, a, b, c]) => a ?? b ?? c ?? "")
    const data = new Map<string, string>()
    for (const url of new Set(found))
      data.set(url, /^(data:|#)/.test(url) ? url : await fetchOnce(absolute(url, base), "data"))
    return plain.replace(address, (_, a, b, c) => `url("${data.get(a ?? b ?? c ?? "") ?? ""}")`)
  }
  const rulesOf = async (sheet: CSSStyleSheet, depth = 0): Promise<string> => {
    const base = sheet.href ?? document.baseURI
    let text: string
    let imported = ""
    try {
      const rules = [...sheet.cssRules]
      text = rules.map((rule) => rule.cssText).join("\n")
      if (depth < 4)
        for (const rule of rules)
          if (rule instanceof CSSImportRule && rule.styleSheet !== null)
            imported += await rulesOf(rule.styleSheet, depth + 1)
    } catch {
      // Another site's style, whose rules the page may not read; it may allow to fetch it.
      text = sheet.href === null ? "" : await fetchOnce(sheet.href, "text")
    }
    const media = sheet.media.mediaText
    const css = imported + (await inlined(text, base))
    return media === "" || media === "all" ? css : `@media ${media} {\n${css}\n}`
  }
  const addStyles = (sheets: ReadonlyArray<CSSStyleSheet>) => {
    for (const sheet of sheets)
      if (!sheet.disabled)
        later(async () => {
          const css = (await rulesOf(sheet)).replace(/<\/?(style)/gi, "\\3c $1")
          return css === "" ? "" : `<style>${css}</style>`
        })
  }

  const attributesOf = (element: Element): string => {
    let all = ""
    const isSecret = element instanceof HTMLInputElement && /^(password|hidden)$/.test(element.type)
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name) || droppedAttributes.has(name) || !/^[a-z_:][\w:.-]*$/i.test(name)) continue
      if (name === "src" || name === "style" || (name === "value" && isSecret)) continue
      if (/^(xlink:)?href$/.test(name)) {
        const link = value.startsWith("#") ? value : absolute(value, document.baseURI)
        if (/^(#|https?:|mailto:)/.test(link)) all += ` ${name}="${escaped(link)}"`
      } else all += ` ${name}="${escaped(value)}"`
    }
    return all
  }
  /** A picture in place of what shows one: its data, or only its size. */
  const addPicture = (element: Element, url: string) => {
    const { height, width } = element.getBoundingClientRect()
    const sized = `${attributesOf(element)} style="${escaped(element.getAttribute("style") ?? "")};width:${Math.round(width)}px;height:${Math.round(height)}px"`
    later(async () => {
      const data = url.startsWith("data:image/") ? url : await fetchOnce(url, "data")
      return `<img${sized}${/^data:image\//.test(data) ? ` src="${escaped(data)}"` : ""}>`
    })
  }
  const canvasData = (canvas: HTMLCanvasElement): string => {
    try {
      return canvas.toDataURL()
    } catch {
      // It shows another site's picture.
      return ""
    }
  }
  const addStyled = (element: Element, name: string) => {
    const style = element.getAttribute("style") ?? ""
    if (!/url\(/i.test(style))
      return write(`<${name}${attributesOf(element)}${style === "" ? "" : ` style="${escaped(style)}"`}>`)
    const attributes = attributesOf(element)
    later(async () => `<${name}${attributes} style="${escaped(await inlined(style, document.baseURI))}">`)
  }
  const addChildren = (parent: ParentNode) => {
    for (let node = parent.firstChild; node !== null && !isTooLarge; node = node.nextSibling) addNode(node)
  }
  const addNode = (node: Node) => {
    isTooLarge ||= ++nodes > limits.nodes
    if (node instanceof Text) return write(escaped(node.data))
    if (!(node instanceof Element) || left.has(node.localName)) return
    const name = node.localName
    if (!/^[a-z][a-z0-9-]*$/i.test(name)) return addChildren(node)
    if (node instanceof HTMLImageElement) return addPicture(node, node.currentSrc || node.src)
    if (node instanceof HTMLCanvasElement) return addPicture(node, canvasData(node))
    if (node instanceof HTMLVideoElement) return addPicture(node, node.poster)
    addStyled(node, name)
    if (empty.has(name)) return
    if (node.shadowRoot !== null) {
      write('<template shadowrootmode="open">')
      addStyles([...node.shadowRoot.styleSheets, ...node.shadowRoot.adoptedStyleSheets])
      addChildren(node.shadowRoot)
      write("</template>")
    }
    // What is typed is not in the document; what it starts with may be a draft.
    if (!(node instanceof HTMLTextAreaElement)) addChildren(node)
    write(`</${name}>`)
  }

  const { body, documentElement: root } = document
  write(`<!doctype html><html${attributesOf(root)}`)
  const rootStyle = root.getAttribute("style") ?? ""
  write(rootStyle === "" || /url\(/i.test(rootStyle) ? ">" : ` style="${escaped(rootStyle)}">`)
  write(`<head><title>${escaped(document.title)}</title>`)
  addStyles([...document.styleSheets, ...document.adoptedStyleSheets])
  write("</head>")
  if (body !== null) addNode(body)
  write("</html>")
  for (const { at, markup } of pending) {
    const text = await markup
    const bytes = sizeOf(text)
    // What does not fit is left out; a picture keeps its place.
    const fitting = size + bytes <= limits.bytes ? text : text.replace(/ src="data:[^"]*"/, "")
    const fits = size + sizeOf(fitting) <= limits.bytes
    if (fits) {
      size += sizeOf(fitting)
      pieces[at] = fitting
    } else isTooLarge ||= !fitting.startsWith("<style>")
  }
  return isTooLarge ? { problem: "large" } : { html: pieces.join("") }
}
