import { plainText } from "../domain/PlainText.ts"
import { type Document, parseDocument } from "./Document.ts"
import { type JsonLd, readJsonLd } from "./JsonLd.ts"
import { isTooDeep } from "./Nesting.ts"

const MAX_TITLE = 300
const MAX_DESCRIPTION = 1_000
const MAX_NAME = 200
const MAX_URL = 2_048
/** RFC 5646, 4.4.1: the longest tag that is not made of private parts. */
const MAX_LANGUAGE = 35
/** How much of a page is parsed for its metadata, in UTF-16 units. */
const MAX_HEAD = 512 * 1024
/** The same of a page that nests its elements absurdly. */
const MAX_DEEP_HEAD = 4 * 1024

/** What a page states about itself, apart from its text; absolute addresses. */
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

/** What a part of a page says, as it stands there. */
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

/** The page up to the end of its head; where none is named, its beginning. */
const headOf = (html: string): string => {
  const end = html.search(/<\/head\s*>|<body[\s>]/i)
  const head = html.slice(0, Math.min(end === -1 ? MAX_HEAD : end, MAX_HEAD))
  return isTooDeep(head) ? head.slice(0, MAX_DEEP_HEAD) : head
}

const metaOf = (document: Document): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const element of document.querySelectorAll("meta[content]")) {
    const content = element.getAttribute("content")?.trim()
    if (content)
      for (const attribute of ["property", "name", "itemprop", "http-equiv"])
        for (const name of element.getAttribute(attribute)?.toLowerCase().split(/\s+/) ?? [])
          if (name !== "" && !found.has(name)) found.set(name, content)
  }
  return found
}

/** Links by their relation, a larger icon before a smaller. */
const linkOf = (document: Document, ...relations: ReadonlyArray<string>): string => {
  const links = [...document.querySelectorAll("link[rel][href]")]
  const size = (link: Element) => Number.parseInt(link.getAttribute("sizes") ?? "0", 10) || 0
  for (const relation of relations) {
    const fitting = links.filter((link) =>
      link.getAttribute("rel")?.toLowerCase().split(/\s+/).includes(relation)
    )
    const [best] = fitting.sort((a, b) => size(b) - size(a))
    const href = best?.getAttribute("href")?.trim()
    if (href) return href
  }
  return ""
}

const textOf = (document: Document, selector: string) => document.querySelector(selector)?.textContent ?? ""
const attributeOf = (document: Document, selector: string, name: string) =>
  document.querySelector(selector)?.getAttribute(name) ?? ""

const statementsOf = (part: string): Statements => {
  const document = parseDocument(part)
  return {
    meta: metaOf(document),
    title:
      [...document.querySelectorAll("title")].find((one) => one.closest("svg") === null)?.textContent ?? "",
    heading: textOf(document, "h1"),
    canonical: linkOf(document, "canonical"),
    imageLink: linkOf(document, "image_src"),
    icon: linkOf(document, "icon", "apple-touch-icon", "apple-touch-icon-precomposed"),
    base: attributeOf(document, "base[href]", "href"),
    language: attributeOf(document, "html[lang]", "lang"),
    time: attributeOf(document, "time[datetime]", "datetime"),
    jsonLd: readJsonLd(
      [...document.querySelectorAll('script[type="application/ld+json"]')].map(
        (script) => script.textContent ?? ""
      )
    )
  }
}

const firstOf = (limit: number, ...candidates: ReadonlyArray<string | undefined>): string => {
  for (const candidate of candidates) {
    const text = plainText(candidate ?? "", limit)
    if (text !== "") return text
  }
  return ""
}

/** An absolute address as somebody may read it: nothing in it that is not seen, or that a parser drops. */
const readable = /^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}]+$/iu

/** The first candidate that is an address of the web, made absolute; as it was written where that is readable. */
const urlOf = (base: string, ...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates) {
    const written = candidate?.trim() ?? ""
    const url = written === "" ? null : URL.parse(written, base)
    if (url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL)
      return written.length <= MAX_URL && readable.test(written) ? written : url.href
  }
  return null
}

/** A date or time as ISO 8601; null where it is none, or of no sensible year. */
const timeOf = (...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates) {
    const moment = new Date(candidate?.trim() ?? "")
    const year = moment.getUTCFullYear()
    if (year > 1900 && year < 2200) return moment.toISOString()
  }
  return null
}

/** A language as a BCP 47 tag in its canonical form; null where it is none, or an absurdly long one. */
const languageOf = (...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates)
    try {
      const tag = candidate
        ?.trim()
        .split(/[,;\s]/, 1)[0]
        ?.replaceAll("_", "-")
      if (tag && tag.length <= MAX_LANGUAGE) return new Intl.Locale(tag).toString()
    } catch {
      // No language tag: the next one may be.
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
  // A profile's address is no name.
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
 * Only the head is parsed where it says enough; a page that says nothing there is read on into its body.
 */
export const readMetadata = (html: string, url: URL): Metadata => {
  const head = headOf(html)
  const stated = statementsOf(head)
  const enough = titleOf(stated) !== "" && descriptionOf(stated) !== ""
  const body = html.slice(0, MAX_HEAD)
  const all = enough || isTooDeep(body) || head.length >= MAX_HEAD ? [stated] : [stated, statementsOf(body)]
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
