import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { joinNames } from "../fields/Bylines.ts"
import { firstDay } from "../fields/Dates.ts"
import { markupText } from "../Markup.ts"
import { numberAt, objectsAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { type SiteRule, segmentsOf } from "./SiteRule.ts"

const resolvers: ReadonlySet<string> = new Set(["doi.org", "www.doi.org", "dx.doi.org"])

/** A DOI: a prefix of digits and a suffix of any printable characters (https://www.doi.org/doi-handbook). */
const wellFormed = /^10\.\d{4,9}(?:\.\d+)*\/[^\s\p{C}]+$/u

/** The views of an article that publishers name before its DOI, or after it. */
const views: ReadonlySet<string> = new Set(
  "abs abstract epdf epub full full-html fulltext html meta pdf pdfdirect pdfplus references reader summary".split(
    " "
  )
)

/** The DOI in the path of a publisher's page, such as `/doi/abs/10.1145/1234567`. */
const doiInPath = (segments: ReadonlyArray<string>): string | undefined => {
  const at = segments.indexOf("doi")
  if (at === -1) return undefined
  const after = segments.slice(at + 1)
  const rest = views.has(after[0] ?? "") ? after.slice(1) : after
  return (views.has(rest.at(-1) ?? "") ? rest.slice(0, -1) : rest).join("/")
}

/** The DOI that an address has: after the resolver's host, or below `/doi/`, where many publishers have it. */
const doiOf = (url: URL): string | undefined => {
  const segments = segmentsOf(url)
  if (segments === undefined) return undefined
  const found = resolvers.has(url.host) ? segments.join("/") : doiInPath(segments)
  return found !== undefined && found.length <= 200 && wellFormed.test(found) ? found : undefined
}

/** The item types of CSL and Crossref that are not papers (https://docs.citationstyles.org, appendix III). */
const types: ReadonlyMap<string, LinkTypeName> = new Map([
  ["book", "book"],
  ["edited-book", "book"],
  ["monograph", "book"],
  ["reference-book", "book"],
  ["journal", "page"],
  ["journal-issue", "page"],
  ["journal-volume", "page"],
  ["dataset", "page"],
  ["software", "package"],
  ["webpage", "page"],
  ["post-weblog", "article"],
  ["graphic", "image"],
  ["motion_picture", "video"],
  ["song", "audio"]
])

/** A part of a date; some agencies send texts in place of numbers. Not a number if it is neither. */
const datePart = (date: unknown, index: number): number | undefined => {
  const part = valueAt(date, "date-parts", 0, index) ?? undefined
  return typeof part === "string" && /^\d{1,4}$/.test(part)
    ? Number(part)
    : part === undefined || typeof part === "number"
      ? part
      : Number.NaN
}

/** A date of CSL: year, month and day, of which the last two may be absent. */
const dateOf = (date: unknown): string | undefined =>
  firstDay(datePart(date, 0) ?? Number.NaN, datePart(date, 1), datePart(date, 2))

const nameOf = (author: unknown): string =>
  textAt(author, "literal") ??
  textAt(author, "name") ??
  [
    textAt(author, "given"),
    textAt(author, "non-dropping-particle"),
    textAt(author, "family"),
    textAt(author, "suffix")
  ]
    .filter((part) => part !== undefined)
    .join(" ")

/** The first text of a field that is a text or, in some agencies' answers, a list of texts. */
const firstText = (item: unknown, name: string): string | undefined =>
  textAt(item, name) ?? textAt(item, name, 0)

/** The length of an article whose pages are numbered, such as `123-45` for 23 pages. */
const pagesIn = (range: string | undefined): number | undefined => {
  const [, first = "", last = ""] = /^(\d{1,6})\s*[-\u2013]\s*(\d{1,6})$/.exec(range?.trim() ?? "") ?? []
  const end = Number(first.slice(0, Math.max(0, first.length - last.length)) + last)
  return first !== "" && end >= Number(first) ? end - Number(first) + 1 : undefined
}

/** The text of a field that holds HTML or JATS, a block a line. */
const plain = (markup: string | undefined): string | undefined =>
  markupText(markup ?? "", MAX_PAGE_TEXT).trim() || undefined

const read = (answer: string): SitePage | undefined => {
  const item = parseJson(answer)
  const title = plain(firstText(item, "title"))
  if (title === undefined) return undefined
  const type = types.get(textAt(item, "type") ?? "") ?? "paper"
  // Publishers begin an abstract with a heading that says so.
  const abstract = plain(textAt(item, "abstract"))?.replace(/^(?:abstract|summary)[.:]?\n/i, "")
  const pdf = objectsAt(item, 50, "link").find((link) => textAt(link, "content-type") === "application/pdf")
  return sitePageOf({
    title,
    description: abstract,
    author: joinNames(objectsAt(item, 1_000, "author").map(nameOf)),
    publishedAt: dateOf(valueAt(item, "issued")) ?? dateOf(valueAt(item, "published")),
    type,
    facts: {
      doi: textAt(item, "DOI"),
      journal: plain(firstText(item, "container-title")),
      pdf: textAt(pdf, "URL"),
      isbn: type === "book" ? firstText(item, "ISBN")?.replace(/[^\dX]/gi, "") : undefined,
      pages: pagesIn(textAt(item, "page")) ?? numberAt(item, "number-of-pages")
    }
  })
}

/**
 * Works with a DOI, by the resolver's content negotiation
 * (https://citation.doi.org/docs.html, https://docs.citationstyles.org): the agency that registered the DOI answers. The
 * text is the page's, which may have more than the abstract.
 */
export const doi: SiteRule = {
  name: "doi",
  request: (url) => {
    const found = doiOf(url)
    if (found === undefined) return undefined
    const path = found.split("/").map(encodeURIComponent).join("/")
    return { address: new URL(`https://doi.org/${path}`), accept: "application/vnd.citationstyles.csl+json" }
  },
  read
}
