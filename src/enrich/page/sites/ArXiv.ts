import { joinNames } from "../fields/Bylines.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { type SiteRule, segmentsOn } from "./SiteRule.ts"
import { elementAt, elementsIn, parseXml, type XmlElement, xmlTextAt } from "./Xml.ts"

const hosts = ["arxiv.org", "www.arxiv.org", "export.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org"]

/** The views of a paper in the first segment of an address. */
const views: ReadonlySet<string> = new Set(["abs", "pdf", "html", "format", "ps", "src"])

/** A paper's identifier since April 2007, and before (https://info.arxiv.org/help/arxiv_identifier.html). */
const identifier = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i

/** The view and the identifier of the paper at an address, with its version if the address has one. */
const paperOf = (url: URL): { readonly view: string; readonly id: string } | undefined => {
  const [view = "", ...rest] = segmentsOn(url, ...hosts) ?? []
  const id = rest.join("/").replace(/\.pdf$/i, "")
  return views.has(view) && identifier.test(id) ? { view, id } : undefined
}

/** The address of a paper's PDF. */
const pdfOf = (entry: XmlElement): string | undefined => {
  const link = elementsIn(entry, "link").find(({ attributes }) => attributes["title"] === "pdf")
  return link?.attributes["href"]?.replace(/^http:/, "https:")
}

/** Some authors say how long their paper is in a comment, such as `15 pages, 5 figures`. */
const pagesIn = (comment: string | undefined): number | undefined => {
  const [, pages] = /\b(\d{1,4}) pages\b/.exec(comment?.slice(0, 1_000) ?? "") ?? []
  return pages === undefined ? undefined : Number(pages)
}

const read = (answer: string, url: URL): SitePage | undefined => {
  const entry = elementAt(parseXml(answer), "feed", "entry")
  // An error is an entry too: its title is "Error", its id leads to a description of the error.
  if (entry === undefined || !/\/abs\//.test(xmlTextAt(entry, "id") ?? "")) return undefined
  // The API wraps titles and abstracts in the middle of sentences; only an indented line begins a paragraph.
  const abstract = xmlTextAt(entry, "summary")
    ?.trim()
    .replace(/\n(?!\s)/g, " ")
  return sitePageOf({
    title: xmlTextAt(entry, "title"),
    description: abstract,
    author: joinNames(elementsIn(entry, "author").map((author) => xmlTextAt(author, "name"))),
    publishedAt: xmlTextAt(entry, "published"),
    siteName: "arXiv",
    type: "paper",
    facts: {
      pdf: pdfOf(entry),
      doi: xmlTextAt(entry, "arxiv:doi"),
      journal: xmlTextAt(entry, "arxiv:journal_ref"),
      pages: pagesIn(xmlTextAt(entry, "arxiv:comment"))
    },
    // Other views have the whole paper.
    text: paperOf(url)?.view === "abs" ? abstract : undefined
  })
}

/** Papers on arXiv, by its API (https://info.arxiv.org/help/api/user-manual.html); every view of a paper gives the paper. */
export const arXiv: SiteRule = {
  name: "arxiv",
  request: (url) => {
    const paper = paperOf(url)
    if (paper === undefined) return undefined
    const address = new URL("https://export.arxiv.org/api/query")
    address.searchParams.set("id_list", paper.id)
    return { address, accept: "application/atom+xml" }
  },
  read
}
