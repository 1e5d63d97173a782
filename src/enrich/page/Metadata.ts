import { isObject, type Json } from "../../domain/Json.ts"
import type { Facts, LinkType } from "../../domain/Link.ts"
import { MAX_TITLE } from "../../shared/Limits.ts"
import { cleanLine } from "../../shared/Text.ts"
import { JSON_LD, walkMarkup } from "./Markup.ts"

/** What a page's JSON-LD (https://www.w3.org/TR/json-ld11/, schema.org) says about the page's main subject. */
interface JsonLd {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly author?: string | undefined
  readonly siteName?: string | undefined
  readonly publishedAt?: string | undefined
}

/** Maximum nesting depth of lists, graphs and nodes. */
const MAX_DEPTH = 4

/** A comment or CDATA mark that real pages put before their JSON. */
const leadingNoise = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--|<!\[CDATA\[)/
/** The end of a comment or CDATA section. */
const trailingNoise = /(?:-->|\]\]>)$/

/** Removes a `//` comment from the last line. */
const withoutLastComment = (text: string): string => {
  const comment = text.indexOf("//", text.lastIndexOf("\n") + 1)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Parses JSON leniently: real pages add comments, raw line breaks and CDATA marks. Undefined if no reading parses. */
const parseLeniently = (text: string): unknown => {
  const bare = text.replace(leadingNoise, "").trimEnd().replace(trailingNoise, "").trimEnd()
  const uncommented = withoutLastComment(bare)
  const onOneLine = [bare, uncommented].map((one) => one.replace(/\p{Cc}+/gu, " "))
  for (const candidate of [text, bare, uncommented, ...onOneLine])
    try {
      return JSON.parse(candidate)
    } catch {
      // Try the next, more lenient reading.
    }
  return undefined
}

/** The nodes of a document: itself, its main entity, and the contents of its lists and graphs. */
const nodesOf = (value: unknown, depth = 0): ReadonlyArray<Json> => {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.slice(0, 100).flatMap((one) => nodesOf(one, depth + 1))
  if (!isObject(value)) return []
  return [value, ...nodesOf(value["@graph"], depth + 1), ...nodesOf(value["mainEntity"], depth + 1)]
}

const typesOf = (node: Json) => [node["@type"]].flat().filter((type) => typeof type === "string")

const contentTypes =
  /(Article|Posting|NewsItem|Report|Recipe|Product|Book|Movie|VideoObject|SoftwareApplication|Event|Course|HowTo)$/

/** Ranks how directly a node describes the page: 2 for its content, 1 for the page, 0 for anything else. */
const rank = (node: Json) => {
  const types = typesOf(node)
  if (types.some((type) => contentTypes.test(type))) return 2
  return types.some((type) => /(WebPage|CreativeWork|AboutPage|ItemPage|ProfilePage)$/.test(type)) ? 1 : 0
}

/** The value if it is text, the first of a node's `names` that has text, or the same of a list's first item. */
const textOf = (value: unknown, names: ReadonlyArray<string> = [], depth = 0): string | undefined => {
  if (typeof value === "string") return value
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return textOf(value[0], names, depth + 1)
  if (!isObject(value)) return undefined
  for (const name of names) {
    const text = textOf(value[name], [], depth + 1)
    if (text !== undefined) return text
  }
  return undefined
}

/** Reads the JSON-LD of a page's scripts; skips invalid JSON and nodes about something else. */
export const readJsonLd = (scripts: ReadonlyArray<string>): JsonLd => {
  const nodes = scripts.slice(0, 20).flatMap((script) => nodesOf(parseLeniently(script)))
  const [node] = nodes.filter((one) => rank(one) > 0).sort((a, b) => rank(b) - rank(a))
  if (node === undefined) return {}
  return {
    title: textOf(node["headline"]) ?? textOf(node["name"]),
    description: textOf(node["description"]),
    image: textOf(node["image"], ["url", "contentUrl"]) ?? textOf(node["thumbnailUrl"]),
    author: textOf(node["author"], ["name"]),
    siteName: textOf(node["publisher"], ["name"]),
    publishedAt: textOf(node["datePublished"])
  }
}

/** Maximum lengths of a page's metadata besides its title, in UTF-16 units. */
export const MAX_DESCRIPTION = 1_000
export const MAX_NAME = 200
export const MAX_URL = 2_048
/** The longest language tag without private-use subtags (RFC 5646, 4.4.1). */
export const MAX_LANGUAGE = 35
/** How much of a page is read for its metadata, in UTF-16 units. */
const MAX_HEAD = 512 * 1024
/** Maximum `<link>` elements read from a page. */
const MAX_LINKS = 500

/** What a page states about itself, apart from its text; URLs are absolute. */
export interface Metadata {
  readonly title: string | null
  readonly description: string
  readonly canonicalUrl: string | null
  readonly image: string | null
  readonly favicon: string | null
  readonly siteName: string | null
  readonly author: string | null
  readonly publishedAt: string | null
  readonly language: string | null
  /** What the page says it is; null if it says nothing that is known. */
  readonly type: LinkType | null
  readonly facts: Facts
  /** The address of the page's oEmbed answer as JSON (https://oembed.com), if the page names one. */
  readonly oembed: string | null
}

/** The types of Open Graph (https://ogp.me/#types) that say what a link leads to, by their first word. */
const types: ReadonlyMap<string, LinkType> = new Map([
  ["article", "article"],
  ["video", "video"],
  ["music", "audio"],
  ["book", "book"],
  ["books", "book"],
  ["product", "product"]
])

/** The raw statements found in part of a page. */
interface Statements {
  readonly meta: ReadonlyMap<string, string>
  readonly title: string
  readonly heading: string
  readonly canonical: string
  readonly imageLink: string
  readonly icon: string
  readonly base: string
  readonly language: string
  readonly time: string
  readonly jsonLd: JsonLd
}

/** The page up to the end of its head; without head or body tags, its first `MAX_HEAD` units. */
const headOf = (html: string): string => {
  const beginning = html.slice(0, MAX_HEAD)
  const end = beginning.search(/<\/head\s*>|<body[\s>]/i)
  return end === -1 ? beginning : beginning.slice(0, end)
}

/** A `<link>` element that has an address. */
interface LinkElement {
  readonly relations: ReadonlyArray<string>
  readonly href: string
  readonly size: number
}

/** The address of the largest link with the first relation that has one, or an empty string. */
const linkOf = (links: ReadonlyArray<LinkElement>, ...relations: ReadonlyArray<string>): string => {
  for (const relation of relations) {
    const [best] = links
      .filter((link) => link.relations.includes(relation))
      .toSorted((one, other) => other.size - one.size)
    if (best !== undefined && best.href !== "") return best.href
  }
  return ""
}

const words = (value: string | undefined) => (value ?? "").toLowerCase().trim().split(/\s+/)

/** Tags that end a heading: its own closing tag, or another block. */
const endsHeading = /^(?:h[1-6]|p|div|section|article|header|main|ul|ol|table|body|html)$/

const statementsOf = (part: string): Statements => {
  const meta = new Map<string, string>()
  const links: Array<LinkElement> = []
  const scripts: Array<string> = []
  const first = new Map<string, string>()
  /** The texts collected so far, and the element being read. */
  let title: string | undefined
  let heading: string | undefined
  let reading: "title" | "script" | undefined
  let isInHeading = false
  let script = ""
  let openSvgs = 0

  const addMeta = (attributes: ReadonlyMap<string, string>) => {
    const content = attributes.get("content")?.trim()
    if (!content) return
    for (const attribute of ["property", "name", "itemprop", "http-equiv"])
      for (const name of words(attributes.get(attribute)))
        if (name !== "" && !meta.has(name)) meta.set(name, content)
  }
  const addLink = (attributes: ReadonlyMap<string, string>) => {
    const [rel, href] = [attributes.get("rel"), attributes.get("href")]
    if (rel === undefined || href === undefined || links.length >= MAX_LINKS) return
    const size = Number.parseInt(attributes.get("sizes") ?? "0", 10) || 0
    links.push({ relations: words(rel), href: href.trim(), size })
  }
  const addFirst = (name: string, value: string | undefined) => {
    if (value !== undefined && !first.has(name)) first.set(name, value)
  }

  walkMarkup(part, {
    open: (name, attributes, isClosed) => {
      if (isInHeading && endsHeading.test(name)) isInHeading = false
      switch (name) {
        case "meta":
          return addMeta(attributes)
        case "link":
          return addLink(attributes)
        case "base":
          return addFirst(name, attributes.get("href"))
        case "html":
          return addFirst(name, attributes.get("lang"))
        case "time":
          return addFirst(name, attributes.get("datetime"))
        case "svg":
          if (!isClosed) openSvgs++
          return
        case "title":
          if (openSvgs > 0 || title !== undefined || isClosed) return
          title = ""
          reading = "title"
          return
        case "h1":
          if (heading !== undefined || isClosed) return
          heading = ""
          isInHeading = true
          return
        case "script":
          if (attributes.get("type") !== JSON_LD || isClosed) return
          script = ""
          reading = "script"
      }
    },
    close: (name) => {
      if (name === "svg" && openSvgs > 0) openSvgs--
      if (isInHeading && endsHeading.test(name)) isInHeading = false
      if (name !== reading) return
      if (reading === "script") scripts.push(script)
      reading = undefined
    },
    text: (piece) => {
      if (reading === "title") title += piece
      else if (reading === "script") script += piece
      else if (isInHeading) heading += piece
      return true
    }
  })
  // An unclosed script may still hold complete JSON.
  if (reading === "script") scripts.push(script)
  return {
    meta,
    title: title ?? "",
    heading: heading ?? "",
    canonical: linkOf(links, "canonical"),
    imageLink: linkOf(links, "image_src"),
    icon: linkOf(links, "icon", "apple-touch-icon", "apple-touch-icon-precomposed"),
    base: first.get("base") ?? "",
    language: first.get("html") ?? "",
    time: first.get("time") ?? "",
    jsonLd: readJsonLd(scripts)
  }
}

const firstOf = (limit: number, ...candidates: ReadonlyArray<string | undefined>): string => {
  for (const candidate of candidates) {
    const text = cleanLine(candidate ?? "", limit)
    if (text !== "") return text
  }
  return ""
}

/** Matches an absolute URL that is safe to show as written: no invisible characters, and none that a parser drops. */
const readable = /^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}]+$/iu

/** The first candidate that is a web address, made absolute; keeps an absolute address as written if it is readable. */
const urlOf = (base: string, ...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates) {
    const written = candidate?.trim() ?? ""
    const url = written === "" ? null : URL.parse(written, base)
    if (url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL)
      return written.length <= MAX_URL && readable.test(written) ? written : url.href
  }
  return null
}

/** The first candidate that is a date or time, as ISO 8601; null if none is valid, from 1901 to 2199. */
const timeOf = (...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates) {
    const moment = new Date(candidate?.trim() ?? "")
    const year = moment.getUTCFullYear()
    if (year > 1900 && year < 2200) return moment.toISOString()
  }
  return null
}

const typeOf = ({ meta }: Statements): LinkType | null => {
  const [first = ""] = (meta.get("og:type") ?? "").toLowerCase().replace(/^og:/, "").split(/[.:]/, 1)
  return types.get(first.trim()) ?? null
}

/** The first valid language as a canonical BCP 47 tag of at most `MAX_LANGUAGE` characters; null if no language is valid. */
const languageOf = (...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates)
    try {
      const tag = candidate
        ?.trim()
        .split(/[,;\s]/, 1)[0]
        ?.replaceAll("_", "-")
      if (tag && tag.length <= MAX_LANGUAGE) return new Intl.Locale(tag).toString()
    } catch {
      // Invalid tag: try the next candidate.
    }
  return null
}

const siteOf = ({ jsonLd, meta }: Statements) =>
  firstOf(MAX_NAME, meta.get("og:site_name"), meta.get("application-name"), jsonLd.siteName)

const titleOf = ({ heading, jsonLd, meta, title }: Statements) =>
  firstOf(
    MAX_TITLE,
    meta.get("og:title"),
    meta.get("twitter:title"),
    jsonLd.title,
    title,
    meta.get("dc.title"),
    meta.get("dcterms.title"),
    meta.get("title"),
    heading,
    meta.get("name")
  )

const descriptionOf = ({ jsonLd, meta }: Statements) =>
  firstOf(
    MAX_DESCRIPTION,
    meta.get("og:description"),
    meta.get("twitter:description"),
    meta.get("description"),
    meta.get("dc.description"),
    meta.get("dcterms.description"),
    jsonLd.description
  )

const imagesOf = ({ imageLink, jsonLd, meta }: Statements) => [
  meta.get("og:image"),
  meta.get("og:image:url"),
  meta.get("og:image:secure_url"),
  meta.get("twitter:image"),
  meta.get("twitter:image:src"),
  imageLink,
  jsonLd.image,
  meta.get("image"),
  meta.get("thumbnail")
]

const authorOf = ({ jsonLd, meta }: Statements) => {
  const names = [
    meta.get("author"),
    meta.get("article:author"),
    meta.get("dc.creator"),
    jsonLd.author,
    meta.get("twitter:creator")
  ]
  // Some pages give a profile URL instead of a name.
  return firstOf(MAX_NAME, ...names.filter((name) => name !== undefined && !/^https?:/i.test(name)))
}

const timesOf = ({ jsonLd, meta, time }: Statements) => [
  meta.get("article:published_time"),
  jsonLd.publishedAt,
  meta.get("datepublished"),
  meta.get("date"),
  meta.get("dc.date"),
  meta.get("dcterms.date"),
  meta.get("pubdate"),
  time
]

/**
 * Reads the metadata of a page: Open Graph (https://ogp.me), Twitter cards, JSON-LD, Dublin Core, plain HTML.
 *
 * Reads only the head if it has a title and a description; otherwise reads the body too.
 */
export const readMetadata = (html: string, url: URL): Metadata => {
  const head = headOf(html)
  const stated = statementsOf(head)
  const enough = titleOf(stated) !== "" && descriptionOf(stated) !== ""
  const body = html.slice(0, MAX_HEAD)
  const all = enough || head.length >= body.length ? [stated] : [stated, statementsOf(body)]
  const text = (read: (from: Statements) => string) => all.map(read).find((one) => one !== "") ?? ""
  const base = URL.parse(stated.base, url)?.href ?? url.href
  return {
    title: text(titleOf) || null,
    description: text(descriptionOf),
    canonicalUrl: urlOf(base, ...all.flatMap(({ canonical, meta }) => [canonical, meta.get("og:url")])),
    image: urlOf(base, ...all.flatMap(imagesOf)),
    favicon: urlOf(base, ...all.map(({ icon }) => icon), "/favicon.ico"),
    siteName: text(siteOf) || null,
    author: text(authorOf) || null,
    publishedAt: timeOf(...all.flatMap(timesOf)),
    language: languageOf(
      ...all.flatMap(({ language, meta }) => [language, meta.get("og:locale"), meta.get("content-language")])
    ),
    type: all.map(typeOf).find((one) => one !== null) ?? null,
    facts: {},
    oembed: null
  }
}
