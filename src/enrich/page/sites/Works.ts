import { isObject } from "../../../domain/Json.ts"
import { elementsAt, readWholeXml, textWithin, textWithinAt, type XmlElement } from "../../../domain/Xml.ts"
import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { type LinkTypeName, linkTypes } from "../../../shared/SearchSyntax.ts"
import { oneLine } from "../../../shared/Text.ts"
import { joinNames } from "../fields/Bylines.ts"
import { firstDay, monthNumber } from "../fields/Dates.ts"
import { markupText } from "../Markup.ts"
import { numberAt, objectsAt, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { filled, jsonRule, type Parts, type SiteRow, textRule } from "./SiteRule.ts"

/** Larger originals on Wikipedia are scans and posters of many megabytes; the thumbnail stands for them. */
const MAX_PIXELS = 4_000_000

const pictureOf = (summary: unknown): string | undefined => {
  const original = textAt(summary, "originalimage.source")
  const [width, height] = ["width", "height"].map((side) => numberAt(summary, `originalimage.${side}`))
  const isFit = (width ?? MAX_PIXELS) * (height ?? MAX_PIXELS) <= MAX_PIXELS
  return isFit && /\.(?:jpe?g|png|webp)$/i.test(original ?? "")
    ? original
    : textAt(summary, "thumbnail.source")
}

const readSummary = (summary: unknown): SitePage | undefined => {
  // The start page, talk pages, files and the like are not articles.
  const isArticle = ["standard", "disambiguation"].includes(textAt(summary, "type") ?? "")
  if (!isArticle || valueAt(summary, "namespace.id") !== 0) return undefined
  return sitePageOf({
    title: textAt(summary, "titles.normalized title"),
    description: textAt(summary, "extract"),
    // The page names all who contribute to the foundation's projects.
    author: null,
    image: pictureOf(summary),
    language: textAt(summary, "lang"),
    siteName: "Wikipedia",
    type: "article"
  })
}

const summaryOf = ({ edition, title = "" }: Parts): string =>
  `https://${edition}.wikipedia.org/api/rest_v1/page/summary/${encodeURIComponent(title.replaceAll(" ", "_"))}`

/** The host of an edition, with or without `m.` for its mobile pages: `simple.wikipedia.org`, `zh-yue.m.wikipedia.org`. */
const edition = String.raw`^(?!www\.)(?<edition>[a-z][a-z-]{1,15})(?:\.m)?\.wikipedia\.org/`

const titlePageDate = (written: string | undefined): string | undefined => {
  const [, month, day, year = ""] =
    /^(?:([a-z]{3,9})\.? (?:(\d{1,2}),? )?)?(\d{4})$/i.exec(written?.trim().slice(0, 40) ?? "") ?? []
  return firstDay(
    Number(year),
    month === undefined ? 1 : monthNumber(month),
    day === undefined ? 1 : Number(day)
  )
}

const readEdition = (book: unknown): SitePage | undefined => {
  const title = textAt(book, "title")
  if (title === undefined) return undefined
  const subtitle = textAt(book, "subtitle")
  return sitePageOf({
    title: subtitle === undefined ? title : `${title}: ${subtitle}`,
    author: joinNames(textsAt(book, "authors", 50, "name")),
    publishedAt: titlePageDate(textAt(book, "publish_date")),
    image: textAt(book, "cover.large cover.medium"),
    siteName: "Open Library",
    type: "book",
    facts: {
      isbn: textAt(book, "identifiers.isbn_13.0 identifiers.isbn_10.0"),
      pages: numberAt(book, "number_of_pages")
    }
  })
}

const readWork = (found: unknown): SitePage | undefined => {
  const title = textAt(found, "title")
  const cover = numberAt(found, "cover_i")
  if (title === undefined) return undefined
  return sitePageOf({
    title,
    author: joinNames(textsAt(found, "author_name", 50)),
    publishedAt: firstDay(numberAt(found, "first_publish_year") ?? Number.NaN),
    image: cover === undefined ? undefined : `https://covers.openlibrary.org/b/id/${cover}-L.jpg`,
    siteName: "Open Library",
    type: "book"
  })
}

const bookApi =
  (key: string) =>
  ({ id = "" }: Parts) =>
    `https://openlibrary.org/api/books?bibkeys=${key}:${id.toUpperCase().replaceAll("-", "")}&format=json&jscmd=data`

const sites: ReadonlyArray<SiteRow> = [
  {
    // In every language (https://www.mediawiki.org/wiki/Specs/Summary). The time of the summary is that of the last edit.
    name: "wikipedia",
    forms: [
      // A variant such as `zh-hans`, a script or a region, may stand in the place of `wiki`.
      {
        at: new RegExp(`${edition}(?:wiki|[a-z]{2,3}-[a-z]{2,4})/(?<title>.{1,255})$`, "s"),
        api: summaryOf
      },
      { at: new RegExp(`${edition}w/index\\.php(?:/|$)`), query: { title: /^.{1,255}$/s }, api: summaryOf }
    ],
    read: readSummary
  },
  {
    // Editions by the API of books (https://openlibrary.org/dev/docs/api/books), works by the search
    // (https://openlibrary.org/dev/docs/api/search), because both name the authors in the same answer.
    name: "open-library",
    forms: [
      {
        at: /^(?:www\.)?openlibrary\.org\/works\/(?<work>OL\d{1,10}W)(?:\/|$)/i,
        api: ({ work = "" }) =>
          `https://openlibrary.org/search.json?q=key:/works/${work.toUpperCase()}&limit=1&fields=key,title,author_name,first_publish_year,cover_i`
      },
      { at: /^(?:www\.)?openlibrary\.org\/books\/(?<id>OL\d{1,10}M)(?:\/|$)/i, api: bookApi("OLID") },
      { at: /^(?:www\.)?openlibrary\.org\/isbn\/(?<id>[\dX-]{10,17})(?:\/|$)/i, api: bookApi("ISBN") }
    ],
    read: (said, _, { work }) => {
      if (work !== undefined) return readWork(objectsAt(said, "docs", 1)[0])
      return isObject(said) ? readEdition(Object.values(said)[0]) : undefined
    }
  }
]

/** No answer of an API reaches these limits. */
const parseXml = (answer: string) => readWholeXml(answer, { depth: 32, elements: 50_000 })

/** Some authors say how long their paper is in a comment, such as `15 pages, 5 figures`. */
const pagesInComment = (comment: string | undefined): number | undefined => {
  const [, pages] = /\b(\d{1,4}) pages\b/.exec(comment?.slice(0, 1_000) ?? "") ?? []
  return pages === undefined ? undefined : Number(pages)
}

const readArXiv = (answer: string, { view }: Parts): SitePage | undefined => {
  const entry = elementsAt(parseXml(answer), "feed/entry")[0]
  // An error is an entry too: its title is "Error", its id leads to a description of the error.
  if (entry === undefined || !/\/abs\//.test(textWithinAt(entry, "id") ?? "")) return undefined
  // The API wraps titles and abstracts in the middle of sentences; only an indented line begins a paragraph.
  const abstract = textWithinAt(entry, "summary")
    ?.trim()
    .replace(/\n(?!\s)/g, " ")
  const pdf = elementsAt(entry, "link").find(({ attributes }) => attributes.get("title") === "pdf")
  return sitePageOf({
    title: textWithinAt(entry, "title"),
    description: abstract,
    author: joinNames(elementsAt(entry, "author").map((author) => textWithinAt(author, "name"))),
    publishedAt: textWithinAt(entry, "published"),
    siteName: "arXiv",
    type: "paper",
    facts: {
      pdf: pdf?.attributes.get("href")?.replace(/^http:/, "https:"),
      doi: textWithinAt(entry, "arxiv:doi"),
      journal: textWithinAt(entry, "arxiv:journal_ref"),
      pages: pagesInComment(textWithinAt(entry, "arxiv:comment"))
    },
    // Other views have the whole paper.
    text: view === "abs" ? abstract : undefined
  })
}

const nameOfScientist = (author: XmlElement): string | undefined =>
  textWithinAt(author, "collectivename") ??
  [
    textWithinAt(author, "forename") ?? textWithinAt(author, "initials"),
    textWithinAt(author, "lastname"),
    textWithinAt(author, "suffix")
  ]
    .filter((part) => part !== undefined)
    .join(" ")

const abstractOf = (article: XmlElement): string =>
  elementsAt(article, "abstract/abstracttext")
    .map((section) => {
      const label = section.attributes.get("label")
      const text = oneLine(textWithin(section) ?? "")
      return label === undefined || label === "UNLABELLED" ? text : `${label}: ${text}`
    })
    .join("\n")

/** A date as year, month (a number or an English name) and day; old issues have one text, such as `1998 Dec-1999 Jan`. */
const issueDate = (date: XmlElement | undefined): string | undefined => {
  const [, year, month] =
    /(\d{4})(?:\s+([A-Za-z]{3}))?/.exec(textWithinAt(date, "medlinedate")?.slice(0, 100) ?? "") ?? []
  return firstDay(
    Number(textWithinAt(date, "year") ?? year),
    monthNumber(textWithinAt(date, "month") ?? month ?? "1") ?? 1,
    Number(textWithinAt(date, "day") ?? 1)
  )
}

const readPubMed = (answer: string): SitePage | undefined => {
  const found = elementsAt(parseXml(answer), "pubmedarticleset/pubmedarticle")[0]
  const article = elementsAt(found, "medlinecitation/article")[0]
  if (article === undefined) return undefined
  const abstract = abstractOf(article)
  const doi =
    elementsAt(article, "elocationid").find(({ attributes }) => attributes.get("eidtype") === "doi") ??
    elementsAt(found, "pubmeddata/articleidlist/articleid").find(
      ({ attributes }) => attributes.get("idtype") === "doi"
    )
  return sitePageOf({
    // Translated titles stand in brackets, and every title ends in a full stop.
    title: textWithinAt(article, "articletitle")
      ?.trim()
      .replace(/^\[(.*)\]\.?$/s, "$1")
      .replace(/(?<!\.)\.$/, ""),
    description: abstract,
    author: joinNames(elementsAt(article, "authorlist/author").map(nameOfScientist)),
    publishedAt:
      issueDate(elementsAt(article, "articledate")[0]) ??
      issueDate(elementsAt(article, "journal/journalissue/pubdate")[0]),
    siteName: "PubMed",
    type: "paper",
    facts: { doi: textWithin(doi), journal: textWithinAt(article, "journal/title") },
    text: abstract
  })
}

const papers: ReadonlyArray<SiteRow<string>> = [
  {
    // Every view of a paper gives the paper (https://info.arxiv.org/help/api/user-manual.html). Identifiers since April
    // 2007, and before: https://info.arxiv.org/help/arxiv_identifier.html.
    name: "arxiv",
    accept: "application/atom+xml",
    forms: [
      {
        at: /^(?:(?:www\.|export\.)?arxiv\.org|ar5iv(?:\.labs\.arxiv)?\.org)\/(?<view>abs|pdf|html|format|ps|src)\/(?<id>(?:\d{4}\.\d{4,5}|[a-zA-Z-]+(?:\.[a-zA-Z]{2})?\/\d{7})(?:[vV]\d{1,3})?)(?:\.pdf)?$/,
        api: "https://export.arxiv.org/api/query?id_list={id}"
      }
    ],
    read: (answer, _, parts) => readArXiv(answer, parts)
  },
  {
    // Unlike ESummary, EFetch has the abstract, and unlike the page, it never asks visitors to prove that they are human
    // (https://www.ncbi.nlm.nih.gov/books/NBK25499).
    name: "pubmed",
    accept: "application/xml, text/xml",
    forms: [
      {
        at: /^(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov\/pubmed)\/(?<id>\d{1,9})(?:\/|$)/,
        api: "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&id={id}&retmode=xml&tool=linkbower"
      }
    ],
    read: readPubMed
  }
]

export const workRules = [...sites.map(jsonRule), ...papers.map(textRule)]

/** The item types of CSL and Crossref that are not papers (https://docs.citationstyles.org, appendix III). */
const types: Readonly<Partial<Record<LinkTypeName, string>>> = {
  book: "book edited-book monograph reference-book",
  page: "journal journal-issue journal-volume dataset webpage",
  package: "software",
  article: "post-weblog",
  image: "graphic",
  video: "motion_picture",
  audio: "song"
}
const typeOf = (item: string | undefined): LinkTypeName =>
  linkTypes.find((type) => types[type]?.split(" ").includes(item ?? "")) ?? "paper"

/** A part of a date; some agencies send texts in place of numbers. Not a number if it is neither. */
const datePart = (date: unknown, index: number): number | undefined => {
  const part = valueAt(date, `date-parts.0.${index}`) ?? undefined
  return typeof part === "string" && /^\d{1,4}$/.test(part)
    ? Number(part)
    : part === undefined || typeof part === "number"
      ? part
      : Number.NaN
}

const dateOf = (date: unknown): string | undefined =>
  firstDay(datePart(date, 0) ?? Number.NaN, datePart(date, 1), datePart(date, 2))

const nameOf = (author: unknown): string =>
  textAt(author, "literal name") ??
  ["given", "non-dropping-particle", "family", "suffix"]
    .flatMap((part) => textAt(author, part) ?? [])
    .join(" ")

/** The length of an article whose pages are numbered, such as `123-45` for 23 pages. */
const pagesIn = (range: string | undefined): number | undefined => {
  const [, first = "", last = ""] = /^(\d{1,6})\s*[-\u2013]\s*(\d{1,6})$/.exec(range?.trim() ?? "") ?? []
  const end = Number(first.slice(0, Math.max(0, first.length - last.length)) + last)
  return first !== "" && end >= Number(first) ? end - Number(first) + 1 : undefined
}

const plain = (markup: string | undefined): string | undefined =>
  markupText(markup ?? "", MAX_PAGE_TEXT).trim() || undefined

const doiApi = (parts: Parts) =>
  (parts["doi"] ?? "").length > 200 ? undefined : filled("https://doi.org/{+doi}", parts)

const name = String.raw`(?<doi>10\.\d{4,9}(?:\.\d+)*/[^\s\p{C}]+?)`
const views =
  "(?:abs|abstract|epdf|epub|full|full-html|fulltext|html|meta|pdf|pdfdirect|pdfplus|references|reader|summary)"

/** DOIs by content negotiation (https://citation.doi.org/docs.html); the text is the page's, which may have more. */
export const doi = jsonRule({
  name: "doi",
  accept: "application/vnd.citationstyles.csl+json",
  forms: [
    { at: new RegExp(String.raw`^(?:(?:www|dx)\.)?doi\.org/${name}$`, "u"), api: doiApi },
    {
      at: new RegExp(
        String.raw`^(?!(?:(?:www|dx)\.)?doi\.org/)[^/]+/(?:(?!doi/)[^/]+/)*doi/(?:${views}/)?${name}(?:/${views})?$`,
        "u"
      ),
      api: doiApi
    }
  ],
  read: (item) => {
    // Some agencies send a list of texts.
    const title = plain(textAt(item, "title title.0"))
    if (title === undefined) return undefined
    const type = typeOf(textAt(item, "type"))
    // Publishers begin an abstract with a heading that says so.
    const abstract = plain(textAt(item, "abstract"))?.replace(/^(?:abstract|summary)[.:]?\n/i, "")
    const pdf = objectsAt(item, "link", 50).find((link) => textAt(link, "content-type") === "application/pdf")
    return sitePageOf({
      title,
      description: abstract,
      author: joinNames(objectsAt(item, "author", 1_000).map(nameOf)),
      publishedAt: dateOf(valueAt(item, "issued")) ?? dateOf(valueAt(item, "published")),
      type,
      facts: {
        doi: textAt(item, "DOI"),
        journal: plain(textAt(item, "container-title container-title.0")),
        pdf: textAt(pdf, "URL"),
        isbn: type === "book" ? textAt(item, "ISBN ISBN.0")?.replace(/[^\dX]/gi, "") : undefined,
        pages: pagesIn(textAt(item, "page")) ?? numberAt(item, "number-of-pages")
      }
    })
  }
})
