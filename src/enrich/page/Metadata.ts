import { plainText } from "../../domain/Note.ts"
import { MAX_TITLE } from "../../shared/Limits.ts"
import { type JsonLd, readJsonLd } from "./JsonLd.ts"
import { JSON_LD, walkMarkup } from "./Markup.ts"

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
}

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
    const text = plainText(candidate ?? "", limit)
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
    )
  }
}
