import { setOf, voidElements, walkMarkup } from "../../../domain/Markup.ts"
import { escapeText } from "../../../shared/Text.ts"
import { MAX_URL } from "../WebAddress.ts"
import { MAX_SET } from "./ArticleAttributes.ts"
import { MAX_FORMULA } from "./Formula.ts"
import {
  EMBED_LINK,
  type Embed,
  embedOf,
  isPictureElement,
  lostAddress,
  MAX_SOURCES,
  mayEmbed
} from "./Media.ts"

interface Cleaning {
  /** Menus, headers, footers, sidebars and small forms. */
  readonly menus: boolean
  readonly pieces: number
}

export interface CleanPage {
  readonly markup: string
  /** How many elements and texts a document parser makes of it, where each reference (`&`) divides a text. */
  readonly nodes: number
}

/**
 * Code is never text. Browsers without scripts show `noscript`; one picture in it stays, because scripts load it late.
 * Hidden parts stay if they are most of the page, which scripts show later. Notices ask for consent, menus and
 * containers lead elsewhere: long notices and containers stay.
 */
type Reason = "code" | "noscript" | "hidden" | "notice" | "menu" | "container"

const codeElements = setOf(
  "script style template svg iframe object canvas select button textarea audio video"
)
const rawText = setOf("script style")
const sourced = setOf("video audio object")
const droppedVoid = setOf("area col embed link param track wbr")
/** Elements that another start tag may end: only the document parser knows where such a part ends. */
const optionallyClosed = setOf(
  "html head body p li dt dd tr td th thead tbody tfoot option optgroup colgroup caption rt rp"
)
const menus = setOf("nav footer aside menu dialog")
const containers = setOf("header form")
const menuRoles = setOf(
  "navigation menu menubar toolbar complementary contentinfo search dialog alertdialog tablist"
)

/** Classes and ids of consent notices: those of the common products, and of notices by their words. */
const notices =
  /(?:^|[\s_-])(?:onetrust|didomi|cybot|cookiebot|truste|usercentrics|osano|iubenda-cs|qc-cmp2?|fc-consent|sp_message|cmplz|cky|borlabs)[\w-]*|(?:cookies?|consent|gdpr|ccpa|privacy)[_-]?(?:banner|notice|bar|bars|popup|pop-up|modal|overlay|dialog|message|alert|law|wall|prompt|disclaimer|info)\b/i

const furniture =
  /(?:^|[\s_-])(?:comments?|respond|disqus|related|recommended|recirc|newsletter|share|sharing|social|breadcrumbs?|pagination|pager|sidebar|menu|navbar|navigation|nav|footer|promo|trending|outbrain|taboola|advert|ads?)(?:$|[\s_-])/i

/** Longer parts are kept, in UTF-16 units of text. */
const MAX_NOTICE = 5_000
const MAX_CONTAINER = 1_000
/** A page that shows less text than this, and much less than it hides, is shown by its scripts. */
const MIN_SHOWN = 500

const kept = setOf(
  `alt alttext aria-hidden aria-modal class colspan content data-lang data-language datetime dir encoding height href id
  itemprop itemtype lang name property rel role rowspan src srcset start summary width`
)
const addresses = setOf("href src")
const media = setOf("img picture source figure")
/** Extraction drops headings and formulas by classes such as "header-anchor", which say nothing about their content. */
const unclassed = setOf("h1 h2 h3 h4 h5 h6 mjx-container")
/** Classes of text that is not shown, or shown to screen readers alone, where it repeats what is seen. */
const hiddenClasses =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-(?:only|text)|w-condition-invisible|mejs-offscreen)(?:\s|$)/i
/** Classes of formulas as MathJax 2 shows them; their TeX stands in a script behind them. */
const shownFormula = /(?:^|\s)(?:MathJax(?:_Preview|_CHTML|_SVG|_Display)?|MJX_Assistive_MathML)(?:\s|$)/
const texScript = /^math\/(?:la)?tex/i
const hasTexScript = /<script[^>]{0,200}\stype=["']?math\/(?:la)?tex/i
/** Maximum length of other attributes than addresses, in UTF-16 units; maximum attributes per element. */
const MAX_VALUE = 512
const MAX_ATTRIBUTES = 32
const MAX_PARTS = 32
const MAX_EMBEDS = 100

const nameOf = (written: string) => (isPictureElement(written) ? "img" : written)

const isKept = (attribute: string, element: string) =>
  kept.has(attribute) ||
  attribute === "style" ||
  attribute === "hidden" ||
  ((element === "script" || element === "source") && attribute === "type") ||
  mayEmbed(element) ||
  (media.has(element) && attribute.startsWith("data-"))

/** In UTF-16 units; undefined if the attribute is dropped. */
const mostOf = (attribute: string, written: string): number | undefined => {
  const element = nameOf(written)
  if (!isKept(attribute, element)) return undefined
  // The beginning of an address is another address.
  if (addresses.has(attribute)) return MAX_URL + 1
  if (attribute.endsWith("srcset")) return MAX_SET + 1
  if (attribute === "alttext") return MAX_FORMULA
  return attribute === "content" || media.has(element) || mayEmbed(element) ? MAX_URL : MAX_VALUE
}

interface Part {
  readonly name: string
  readonly reason: Reason
  readonly attributes: Map<string, string>
  embed: Embed | undefined
  open: number
  readonly pieces: number
  readonly nodes: number
  readonly text: number
}

interface Range {
  readonly from: number
  readonly to: number
  readonly nodes: number
  readonly text: number
}

const isHiddenStyle = (style: string) =>
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)

const countReferences = (markup: string): number => {
  let count = 0
  for (let at = markup.indexOf("&"); at !== -1; at = markup.indexOf("&", at + 1)) count++
  return count
}

/** In linear time; a part without an end tag stays. Undefined beyond the limit of tags, attributes and texts. */
export const cleanMarkup = (
  html: string,
  { menus: dropsMenus, pieces: limit }: Cleaning
): CleanPage | undefined => {
  const pieces: Array<string> = []
  const parts: Array<Part> = []
  const hidden: Array<Range> = []
  let nodes = 0
  let text = 0
  let read = 0

  let name = ""
  let attributes: Map<string, string> = new Map()
  let sources: Array<ReadonlyMap<string, string>> = []
  let embeds = 0

  const hasTex = hasTexScript.test(html)
  let isInTex = false

  const isHiddenElement = (stated = attributes) => {
    const classes = stated.get("class") ?? ""
    return (
      stated.has("hidden") ||
      isHiddenStyle(stated.get("style") ?? "") ||
      hiddenClasses.test(classes) ||
      (hasTex && !unclassed.has(name) && shownFormula.test(classes))
    )
  }

  const reasonOf = (): Reason | undefined => {
    if (codeElements.has(name)) return "code"
    if (name === "noscript") return name
    if (optionallyClosed.has(name)) return undefined
    if (isHiddenElement()) return "hidden"
    if (notices.test(attributes.get("id") ?? "") || notices.test(attributes.get("class") ?? ""))
      return "notice"
    if (!dropsMenus) return undefined
    if (menus.has(name) || menuRoles.has(attributes.get("role") ?? "")) return "menu"
    if (furniture.test(attributes.get("id") ?? "") || furniture.test(attributes.get("class") ?? ""))
      return "container"
    return containers.has(name) ? "container" : undefined
  }

  const dropRangesFrom = (piece: number) => {
    while ((hidden.at(-1)?.from ?? -1) >= piece) hidden.pop()
  }

  const addPiece = (piece: string) => {
    pieces.push(piece)
    read++
  }

  const truncate = (part: Part) => {
    pieces.length = part.pieces
    nodes = part.nodes
    text = part.text
    dropRangesFrom(part.pieces)
  }

  const addEmbed = (embed: Embed | undefined) => {
    if (embed === undefined || ++embeds > MAX_EMBEDS) return
    const { address, label, picture } = embed
    const quoted = (said: string) => said.replaceAll('"', "&quot;").replaceAll("<", "&lt;")
    if (picture !== undefined) addPiece(`<p><img src="${quoted(picture)}" alt=""></p>`)
    addPiece(`<p><${EMBED_LINK} href="${quoted(address)}">`)
    addPiece(quoted(label))
    addPiece(`</${EMBED_LINK}></p>`)
    nodes += 5
    text += label.length
  }

  const posterOf = ({ attributes: stated, name: element }: Part) =>
    element === "video" && !isHiddenElement(stated)
      ? embedOf(element, new Map([...stated, ["src", stated.get("poster") ?? ""]]))
      : undefined

  const endPart = (part: Part) => {
    const length = text - part.text
    switch (part.reason) {
      case "hidden":
        dropRangesFrom(part.pieces)
        hidden.push({ from: part.pieces, to: pieces.length, nodes: nodes - part.nodes, text: length })
        return
      case "noscript":
        if (length > 0 || nodes - part.nodes !== 2) truncate(part)
        return
      case "notice":
        if (length <= MAX_NOTICE) truncate(part)
        return
      case "container":
        if (length <= MAX_CONTAINER) truncate(part)
        return
      default:
        truncate(part)
        addEmbed(part.embed ?? posterOf(part))
    }
  }

  const readMedia = () => {
    if (name === "picture") sources = []
    else if (name === "img") {
      const address = lostAddress(attributes, sources)
      if (address !== undefined) attributes.set("src", address)
    } else if (name === "source" || name === "embed") {
      const part = parts.at(-1)
      if (part !== undefined && sourced.has(part.name))
        part.embed ??= isHiddenElement(part.attributes)
          ? undefined
          : embedOf(part.name, new Map([...part.attributes, ...attributes]))
      else if (name === "embed") addEmbed(isHiddenElement() ? undefined : embedOf(name, attributes))
      else if (sources.length < MAX_SOURCES) sources.push(attributes)
    }
  }

  const writeTag = () => {
    let tag = `<${name}`
    for (const [key, said] of attributes)
      if ((kept.has(key) || key.startsWith("data-")) && !(key === "class" && unclassed.has(name)))
        tag += ` ${key}="${said.replaceAll('"', "&quot;")}"`
    if (optionallyClosed.has(name) && name !== "html" && name !== "body" && isHiddenElement())
      tag += ' hidden=""'
    read += attributes.size
    addPiece(`${tag}>`)
  }

  const endOfStartTag = (isClosed: boolean) => {
    if (name === "script" && texScript.test(attributes.get("type") ?? "") && !isClosed) {
      isInTex = true
      nodes++
      addPiece('<code class="language-latex">')
      return
    }
    readMedia()
    const isVoid = voidElements.has(name)
    if (isVoid ? !droppedVoid.has(name) && !isHiddenElement() : !(isClosed && name === "svg")) {
      if (!isVoid) {
        for (const part of parts) if (part.name === name) part.open++
        const embed = mayEmbed(name) && !isHiddenElement() ? embedOf(name, attributes) : undefined
        const reason = embed === undefined ? reasonOf() : "code"
        if (reason !== undefined && parts.length < MAX_PARTS)
          parts.push({ name, reason, attributes, embed, open: 1, pieces: pieces.length, nodes, text })
      }
      nodes++
      writeTag()
    }
  }

  const endTag = (ended: string) => {
    name = ""
    if (voidElements.has(ended) && ended !== "br") return
    if (isInTex && ended === "script") {
      isInTex = false
      addPiece("</code>")
      return
    }
    if (ended === "picture") sources = []
    addPiece(`</${ended}>`)
    let first = parts.length
    for (const [at, part] of parts.entries())
      if (part.name === ended && --part.open === 0) {
        first = at
        break
      }
    // An end tag also ends the parts within its element.
    for (let at = parts.length - 1; at >= first; at--) {
      const part = parts.pop()
      if (part !== undefined) endPart(part)
    }
  }

  walkMarkup(
    html,
    {
      open: (written, given, isClosed) => {
        name = nameOf(written)
        attributes = new Map(given)
        for (const [key, said] of given)
          if (addresses.has(key) && said.length > MAX_URL) attributes.set(key, "")
        endOfStartTag(isClosed)
        return read <= limit
      },
      close: (written) => endTag(nameOf(written)),
      text: (written) => {
        if (rawText.has(parts.at(-1)?.name ?? "")) return true
        const piece = name === "title" ? written.slice(0, MAX_VALUE) : written
        if (/\S/.test(piece)) text += piece.length
        nodes++
        addPiece(isInTex ? escapeText(piece) : piece)
        return read <= limit
      }
    },
    // The next parser decodes entities.
    { decodes: false, attributes: MAX_ATTRIBUTES, most: mostOf }
  )
  if (read > limit) return undefined

  const shown: Array<string> = []
  const hiddenText = hidden.reduce((sum, range) => sum + range.text, 0)
  const isHidden = text - hiddenText >= MIN_SHOWN || text <= 5 * (text - hiddenText)
  let at = 0
  for (const range of isHidden ? hidden : []) {
    shown.push(pieces.slice(at, range.from).join(""))
    at = range.to
    nodes -= range.nodes
  }
  shown.push(pieces.slice(at).join(""))
  const markup = shown.join("")
  return { markup, nodes: nodes + countReferences(markup) }
}
