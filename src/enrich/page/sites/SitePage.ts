import type { Facts } from "../../../domain/Link.ts"
import { MAX_ARTICLE_HTML, MAX_FACT, MAX_PAGE_TEXT, MAX_TITLE } from "../../../shared/Limits.ts"
import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { cleanLine, cutText } from "../../../shared/Text.ts"
import { MAX_LANGUAGE } from "../Language.ts"
import { MAX_DESCRIPTION, MAX_NAME, MAX_URL } from "../Metadata.ts"

/** What a site states about one of its pages, apart from the page's own markup; a field that it does not state is absent. */
export interface SitePage {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Null if the page has no author, although its markup names one. */
  readonly author?: string | null | undefined
  /** ISO 8601: a day, or an instant in UTC. */
  readonly publishedAt?: string | undefined
  readonly siteName?: string | undefined
  /** An absolute http(s) address. */
  readonly image?: string | undefined
  /** A BCP 47 tag. */
  readonly language?: string | undefined
  readonly type?: LinkTypeName | undefined
  readonly facts?: Facts | undefined
  /** What a reader comes for, one paragraph a line; stands in place of the page's text. */
  readonly text?: string | undefined
  /** The text with its structure, as HTML; not sanitized. */
  readonly article?: string | undefined
}

/** The facts that are texts, and those that are counts. */
const factTexts = ["price", "isbn", "doi", "journal", "pdf", "show", "version", "size"] as const
const factCounts = ["duration", "pages", "score"] as const

/** A site's statements as its answer has them, unbounded and unchecked. */
export interface Stated extends Omit<SitePage, "facts" | "publishedAt"> {
  /** A day or time in ISO 8601, a time of another form with its zone, or seconds since the epoch. */
  readonly publishedAt?: string | number | undefined
  readonly facts?:
    | (Partial<Record<(typeof factTexts)[number], string | undefined>> &
        Partial<Record<(typeof factCounts)[number], number | undefined>> & { readonly paywall?: true })
    | undefined
}

const line = (text: string | undefined, limit: number): string | undefined =>
  cleanLine(text ?? "", limit) || undefined

const addressOf = (written: string | undefined): string | undefined => {
  const url = URL.parse(written?.trim() ?? "")
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL ? url.href : undefined
}

/** Tags for no language, an unknown one, and sites' private codes, such as X's for posts of hashtags alone (ISO 639-2). */
const noLanguage = /^(?:und|zxx|mis|mul|art|q[a-t][a-z])\b/i

const languageOf = (tag: string | undefined): string | undefined => {
  if (tag === undefined || tag === "" || tag.length > MAX_LANGUAGE || noLanguage.test(tag)) return undefined
  try {
    return new Intl.Locale(tag.replaceAll("_", "-")).toString()
  } catch {
    return undefined
  }
}

/** A day, or an instant in UTC, from 1901 to 2199. A time of day without a zone gives its day. */
const dateOf = (stated: string | number | undefined): string | undefined => {
  if (typeof stated === "number") return dateOf(new Date(stated * 1000).toJSON() ?? undefined)
  const written = stated?.trim().slice(0, 100) ?? ""
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.,]+)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(written) ?? []
  const isDay = day !== undefined && (time === undefined || zone === undefined)
  // The server's own zone says nothing about a time without one.
  if (!isDay && !/(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})$/i.test(written)) return undefined
  const moment = new Date(isDay ? `${day}T00:00:00Z` : written)
  const year = moment.getUTCFullYear()
  if (!(year > 1900 && year < 2200)) return undefined
  const instant = moment.toISOString()
  // A day that its month does not have would count on into the next month.
  if (isDay) return instant.startsWith(day) ? day : undefined
  return instant
}

const paragraphs = (text: string | undefined): string | undefined =>
  cutText(
    (text ?? "")
      .slice(0, MAX_PAGE_TEXT * 2)
      .split("\n")
      .map((paragraph) => cleanLine(paragraph, MAX_PAGE_TEXT))
      .filter((paragraph) => paragraph !== "")
      .join("\n"),
    MAX_PAGE_TEXT
  ) || undefined

const articleOf = (html: string | undefined): string | undefined =>
  html === undefined || html.length > MAX_ARTICLE_HTML ? undefined : html.toWellFormed() || undefined

const factsOf = (stated: Stated["facts"]): Facts | undefined => {
  if (stated === undefined) return undefined
  const texts = factTexts.map((name) => [name, line(stated[name], MAX_FACT)] as const)
  const counts = factCounts.map((name) => {
    const value = Math.round(stated[name] ?? Number.NaN)
    return [name, Number.isSafeInteger(value) && value >= 0 ? value : undefined] as const
  })
  const known = [...texts, ...counts].filter(([, value]) => value !== undefined)
  const facts: Facts = { ...Object.fromEntries(known), ...(stated.paywall ? { paywall: true } : {}) }
  return Object.keys(facts).length === 0 ? undefined : facts
}

/** Bounds and checks what a site's answer states; undefined if nothing is left but its kind of page and the site's name. */
export const sitePageOf = (stated: Stated): SitePage | undefined => {
  const { siteName, type, ...rest }: SitePage = {
    title: line(stated.title, MAX_TITLE),
    description: line(stated.description, MAX_DESCRIPTION),
    author: stated.author === null ? null : line(stated.author, MAX_NAME),
    publishedAt: dateOf(stated.publishedAt),
    siteName: line(stated.siteName, MAX_NAME),
    image: addressOf(stated.image),
    language: languageOf(stated.language),
    type: stated.type,
    facts: factsOf(stated.facts),
    text: paragraphs(stated.text),
    article: articleOf(stated.article)
  }
  return Object.values(rest).some((value) => value !== undefined && value !== null)
    ? { siteName, type, ...rest }
    : undefined
}
