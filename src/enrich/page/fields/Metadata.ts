import type { Facts, LinkType } from "../../../domain/Link.ts"
import { MAX_DESCRIPTION, MAX_PAGE_NAME, MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { MAX_URL, webAddress } from "../WebAddress.ts"
import { joinAuthors, namesInByline } from "./Bylines.ts"
import { readDate } from "./Dates.ts"
import { readGraph } from "./JsonLd.ts"
import { languageOf } from "./Language.ts"
import { factsOfMeta } from "./PageFacts.ts"
import { endsInPlaceholder } from "./Placeholders.ts"
import { type Described, readDescribed } from "./SchemaOrg.ts"
import { isSiteName, siteInTitle, withoutSite } from "./SiteNames.ts"
import { type AuthorText, readStatements, type Statements } from "./Statements.ts"

/** URLs are absolute. */
export interface Metadata {
  readonly title: string | null
  readonly description: string
  readonly canonicalUrl: string | null
  readonly image: string | null
  readonly favicon: string | null
  readonly siteName: string | null
  /** Joined with ", ". */
  readonly author: string | null
  /** An instant in UTC, or a day if the page states no time or no zone. */
  readonly publishedAt: string | null
  readonly language: string | null
  /** Null if the page states no known kind. */
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
const urlOf = (base: URL, ...candidates: ReadonlyArray<string | undefined>): string | null => {
  for (const candidate of candidates) {
    const address = webAddress(candidate, base)
    const written = candidate?.trim() ?? ""
    if (address !== null) return readable.test(written) ? written : address
  }
  return null
}

interface Source {
  readonly stated: Statements
  readonly described: Described
  /** The address that the page was read from, and the one that it states for itself. */
  readonly url: URL
  readonly page: URL
  /** The values of several names of meta elements, the first name's first. */
  readonly all: (...names: ReadonlyArray<string>) => ReadonlyArray<string>
}

const sitesOf = ({ all, described }: Source) => [
  ...all(
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "al:ios:app_name",
    "twitter:app:name:iphone"
  ),
  ...described.siteNames
]

/** The statements that tell the title from the site's name; `title` is the chosen one. */
const namedOf = (source: Source, title: string) => ({
  sites: sitesOf(source).map((name) => cleanLine(name, MAX_PAGE_NAME)),
  host: source.page.hostname,
  others: [
    ...new Set(source.all("og:title", "twitter:title").slice(0, 4)),
    ...new Set(source.described.titles.slice(0, 4)),
    source.stated.heading
  ]
    .map((other) => cleanLine(other, MAX_TITLE))
    .filter((other) => other !== title)
})

const siteOf = (source: Source) => {
  const { all, described, stated } = source
  const title = cleanLine(stated.title, MAX_TITLE)
  const named = namedOf(source, title)
  const account = all("twitter:site")[0]?.replace(/^@/, "") ?? ""
  const names = [
    ...all("og:site_name", "application-name"),
    ...described.siteNames,
    siteInTitle(title, named),
    // Apps add their purpose: "Acme - News and more".
    ...all("apple-mobile-web-app-title", "al:ios:app_name", "twitter:app:name:iphone").map(
      (name) => name.split(/ [-–|] |: /, 1)[0]
    ),
    isSiteName(account, { ...named, sites: [] }) ? account : ""
  ]
  return firstOf(MAX_PAGE_NAME, ...names.filter((name) => !/^https?:/i.test(name?.trim() ?? "")))
}

const titleOf = (source: Source) => {
  const { all, described, stated } = source
  const main = firstOf(MAX_TITLE, ...all("og:title", "twitter:title", "citation_title"), stated.title)
  const title = firstOf(
    MAX_TITLE,
    // A title that is the same on all pages of a site.
    isSiteName(main, namedOf(source, main)) ? described.subject : "",
    main,
    ...described.titles,
    ...all("parsely-title", "sailthru.title", "dc.title", "dcterms.title", "title"),
    stated.heading,
    ...all("name")
  )
  return withoutSite(title, namedOf(source, title))
}

const descriptionOf = ({ all, described }: Source) =>
  firstOf(
    MAX_DESCRIPTION,
    ...all("og:description", "twitter:description", "description", "dc.description", "dcterms.description"),
    ...described.descriptions,
    ...all("sailthru.description", "dcterms.abstract", "citation_abstract")
  )

const imagesOf = ({ all, described, stated }: Source) => [
  ...all("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"),
  ...stated.links("image_src"),
  ...described.images,
  ...all("image", "thumbnail", "parsely-image-url", "sailthru.image.full")
]

/** The most text between two authors of one byline, such as ", " or " and ". */
const MAX_BETWEEN = 12

/** The names in the first text of a kind that names somebody, and in the texts that follow it closely. */
const namesBy = (authors: ReadonlyArray<AuthorText>, by: AuthorText["by"]): ReadonlyArray<string> => {
  const names: Array<string> = []
  let end: number | undefined
  for (const author of authors) {
    // An element around one that has been read repeats it.
    if (author.by !== by || (end !== undefined && author.start < end)) continue
    if (end !== undefined && author.start - end > MAX_BETWEEN) break
    const found = namesInByline(author.text)
    names.push(...found)
    if (names.length > 0) end = author.end
  }
  return names
}

/** Whether an address is a site's first page: names and dates in its text belong to other pages. */
const isHome = (url: URL) => url.pathname === "/" && url.search === ""

const authorOf = (source: Source) => {
  const { all, described, stated, url } = source
  const inText = isHome(url) ? [] : (["property", "link", "name", "byline", "profile"] as const)
  return joinAuthors(
    [
      all("citation_author", "citation_authors", "bepress_citation_author"),
      described.authors,
      all("author"),
      all("parsely-author"),
      all("sailthru.author"),
      all("byl"),
      all("article:author", "og:article:author", "og:author", "book:author"),
      all("dc.creator", "dcterms.creator", "dc.creator.personalname"),
      ...inText.map((by) => namesBy(stated.authors, by)),
      all("article:author_name", "twitter:creator")
    ],
    sitesOf(source)
  )
}

const datesOf = ({ all, described, stated, url }: Source) => [
  ...all("article:published_time", "og:article:published_time", "og:published_time"),
  ...all("citation_publication_date", "citation_date", "citation_online_date", "bepress_citation_date"),
  ...described.published,
  ...all(
    "datepublished",
    "uploaddate",
    "datecreated",
    "parsely-pub-date",
    "sailthru.date",
    "article.published",
    "publish_date",
    "publish-date",
    "publication_date",
    "date"
  ),
  ...all(
    "dc.date",
    "dcterms.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.created",
    "pubdate",
    "ptime",
    "article:published",
    "video:release_date",
    "og:video:release_date",
    "music:release_date",
    "book:release_date"
  ),
  ...(isHome(url) ? [] : stated.dates)
]

const typeOf = ({ all, described }: Source): LinkType | null => {
  const isPaper =
    all("citation_title").length > 0 &&
    all(
      "citation_journal_title",
      "citation_conference_title",
      "citation_doi",
      "citation_pdf_url",
      "citation_arxiv_id",
      "citation_dissertation_institution"
    ).length > 0
  if (isPaper) return "paper"
  const [first = ""] = (all("og:type")[0] ?? "").toLowerCase().replace(/^og:/, "").split(/[.:]/, 1)
  const stated = types.get(first.trim()) ?? null
  if (stated !== "article") return stated ?? described.type
  // Many sites state an article for everything; a video or a picture may lie in an article.
  const isSpecific = ["paper", "post", "book", "product"].includes(described.type ?? "")
  return isSpecific ? described.type : stated
}

/** Whatever their protocols, queries and fragments. */
const pageKey = (url: URL) => `${url.hostname.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}`

/** Open Graph, Twitter cards, JSON-LD, microdata, Highwire, Dublin Core, Parse.ly, HTML, bylines; in linear time. */
export const readMetadata = (html: string, url: URL): Metadata => {
  const stated = readStatements(html)
  const all = (...names: ReadonlyArray<string>) => names.flatMap(stated.meta)
  const base = URL.parse(stated.base, url) ?? url
  const canonicalUrl = urlOf(base, ...stated.links("canonical"), ...all("og:url"))
  const page = URL.parse(canonicalUrl ?? "") ?? url
  const keys = new Set([url, page].map(pageKey))
  const isAbout = (address: string) => {
    const other = address.length > MAX_URL ? null : URL.parse(address, base)
    return other !== null && keys.has(pageKey(other))
  }
  const described = readDescribed(readGraph(stated.jsonLd, stated.microdata), isAbout)
  const source: Source = { stated, described, all, url, page }
  const languages = [
    ...stated.languages,
    ...all(
      "og:locale",
      "content-language",
      "dc.language",
      "dcterms.language",
      "language",
      "citation_language"
    ),
    ...described.languages
  ]
  const language = languages.map(languageOf).find((tag) => tag !== null) ?? null
  const dayFirst = language !== null && !/^en$|-US\b/.test(language)
  const pdf = urlOf(base, ...all("citation_pdf_url", "bepress_citation_pdf_url"))
  return {
    title: titleOf(source) || null,
    description: descriptionOf(source),
    canonicalUrl,
    image: urlOf(base, ...imagesOf(source).filter((address) => !endsInPlaceholder(address))),
    favicon: urlOf(
      base,
      ...["icon", "apple-touch-icon", "apple-touch-icon-precomposed"].map(
        (relation) => stated.links(relation)[0]
      ),
      "/favicon.ico"
    ),
    siteName: siteOf(source) || null,
    author: authorOf(source) || null,
    publishedAt:
      datesOf(source)
        .map((date) => readDate(date, dayFirst))
        .find((date) => date !== null) ?? null,
    language,
    type: typeOf(source),
    facts: { ...described.facts, ...factsOfMeta(stated.meta, pdf) },
    oembed: urlOf(
      base,
      ...stated.links("alternate", "application/json+oembed"),
      ...stated.links("alternative", "application/json+oembed")
    )
  }
}
