import { oneLine } from "../../../shared/Text.ts"
import { joinNames } from "../fields/Bylines.ts"
import { firstDay, monthNumber } from "../fields/Dates.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { type SiteRule, segmentsOn } from "./SiteRule.ts"
import { elementAt, elementsIn, parseXml, type XmlElement, xmlText, xmlTextAt } from "./Xml.ts"

/** The number of the article at an address, today's or that before 2020. */
const articleOf = (url: URL): string | undefined => {
  const current = segmentsOn(url, "pubmed.ncbi.nlm.nih.gov")
  const [room, number] =
    current === undefined
      ? (segmentsOn(url, "www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov") ?? [])
      : ["pubmed", ...current]
  return room === "pubmed" && number !== undefined && /^\d{1,9}$/.test(number) ? number : undefined
}

const nameOf = (author: XmlElement): string | undefined =>
  xmlTextAt(author, "CollectiveName") ??
  [
    xmlTextAt(author, "ForeName") ?? xmlTextAt(author, "Initials"),
    xmlTextAt(author, "LastName"),
    xmlTextAt(author, "Suffix")
  ]
    .filter((part) => part !== undefined)
    .join(" ")

/** The abstract, a labelled section a line. */
const abstractOf = (article: XmlElement): string =>
  elementsIn(elementAt(article, "Abstract"), "AbstractText")
    .map((section) => {
      const label = section.attributes["Label"]
      const text = oneLine(xmlText(section) ?? "")
      return label === undefined || label === "UNLABELLED" ? text : `${label}: ${text}`
    })
    .join("\n")

/** A date as year, month (a number or an English name) and day; old issues have one text, such as `1998 Dec-1999 Jan`. */
const dateIn = (date: XmlElement | undefined): string | undefined => {
  const [, year, month] =
    /(\d{4})(?:\s+([A-Za-z]{3}))?/.exec(xmlTextAt(date, "MedlineDate")?.slice(0, 100) ?? "") ?? []
  return firstDay(
    Number(xmlTextAt(date, "Year") ?? year),
    monthNumber(xmlTextAt(date, "Month") ?? month ?? "1") ?? 1,
    Number(xmlTextAt(date, "Day") ?? 1)
  )
}

const doiOf = (article: XmlElement, data: XmlElement | undefined): string | undefined =>
  xmlText(elementsIn(article, "ELocationID").find(({ attributes }) => attributes["EIdType"] === "doi")) ??
  xmlText(
    elementsIn(elementAt(data, "ArticleIdList"), "ArticleId").find(
      ({ attributes }) => attributes["IdType"] === "doi"
    )
  )

const read = (answer: string): SitePage | undefined => {
  const found = elementAt(parseXml(answer), "PubmedArticleSet", "PubmedArticle")
  const article = elementAt(found, "MedlineCitation", "Article")
  if (article === undefined) return undefined
  const abstract = abstractOf(article)
  return sitePageOf({
    // Translated titles stand in brackets, and every title ends in a full stop.
    title: xmlTextAt(article, "ArticleTitle")
      ?.trim()
      .replace(/^\[(.*)\]\.?$/s, "$1")
      .replace(/(?<!\.)\.$/, ""),
    description: abstract,
    author: joinNames(elementsIn(elementAt(article, "AuthorList"), "Author").map(nameOf)),
    publishedAt:
      dateIn(elementAt(article, "ArticleDate")) ??
      dateIn(elementAt(article, "Journal", "JournalIssue", "PubDate")),
    siteName: "PubMed",
    type: "paper",
    facts: {
      doi: doiOf(article, elementAt(found, "PubmedData")),
      journal: xmlTextAt(article, "Journal", "Title")
    },
    text: abstract
  })
}

/**
 * Articles on PubMed, by the E-utilities' EFetch (https://www.ncbi.nlm.nih.gov/books/NBK25499): unlike ESummary, it has
 * the abstract, and unlike the page, it never asks visitors to prove that they are human.
 */
export const pubMed: SiteRule = {
  name: "pubmed",
  request: (url) => {
    const id = articleOf(url)
    if (id === undefined) return undefined
    const address = new URL("https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi")
    address.search = new URLSearchParams({ db: "pubmed", id, retmode: "xml", tool: "linkbower" }).toString()
    return { address, accept: "application/xml, text/xml" }
  },
  read
}
