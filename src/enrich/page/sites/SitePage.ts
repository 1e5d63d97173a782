import type { Facts } from "../../../domain/Link.ts"
import { MAX_DESCRIPTION, MAX_FACT, MAX_PAGE_NAME, MAX_PAGE_TEXT, MAX_TITLE } from "../../../shared/Limits.ts"
import type { LinkTypeName } from "../../../shared/SearchSyntax.ts"
import { cleanLine, cutText } from "../../../shared/Text.ts"
import { articleOfMarkup } from "../article/Articles.ts"
import type { Article } from "../article/ArticleWriter.ts"
import { readDate } from "../fields/Dates.ts"
import { languageOf } from "../fields/Language.ts"
import { textAt } from "../UntrustedJson.ts"
import { webAddress } from "../WebAddress.ts"

export interface SitePage {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Null if the page has no author, although its markup names one. */
  readonly author?: string | null | undefined
  readonly publishedAt?: string | undefined
  readonly siteName?: string | undefined
  readonly image?: string | undefined
  readonly language?: string | undefined
  readonly type?: LinkTypeName | undefined
  readonly facts?: Facts | undefined
  /** One paragraph a line; replaces the page's text. */
  readonly text?: string | undefined
  /** The HTML of an `Article`. */
  readonly article?: string | undefined
}

const factTexts = ["price", "isbn", "doi", "journal", "pdf", "show", "version", "size"] as const
const factCounts = ["duration", "pages", "score"] as const

/** Unbounded and unchecked. */
export interface Stated extends Omit<SitePage, "article" | "facts" | "publishedAt"> {
  readonly article?: Article | undefined
  /** A date in any notation that `readDate` reads, or in seconds since 1970. */
  readonly publishedAt?: string | number | undefined
  readonly facts?:
    | (Partial<Record<(typeof factTexts)[number], string | undefined>> &
        Partial<Record<(typeof factCounts)[number], number | undefined>> & { readonly paywall?: true })
    | undefined
}

const line = (text: string | undefined, limit: number): string | undefined =>
  cleanLine((text ?? "").slice(0, limit * 8), limit) || undefined

const dateOf = (stated: string | number | undefined): string | undefined => {
  const written = typeof stated === "number" ? new Date(stated * 1000).toJSON() : stated
  return readDate(written ?? "") ?? undefined
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

/** Addresses are relative to `url`; undefined if the article has no text. */
export const articleAt = (value: unknown, url: URL, path: string): Article | undefined => {
  const article = articleOfMarkup(textAt(value, path) ?? "", url)
  return article.text === "" ? undefined : article
}

/** Undefined if nothing is left but the kind of page and the site's name. */
export const sitePageOf = (stated: Stated): SitePage | undefined => {
  const { siteName, type, ...rest }: SitePage = {
    title: line(stated.title, MAX_TITLE),
    description: line(stated.description, MAX_DESCRIPTION),
    author: stated.author === null ? null : line(stated.author, MAX_PAGE_NAME),
    publishedAt: dateOf(stated.publishedAt),
    siteName: line(stated.siteName, MAX_PAGE_NAME),
    image: webAddress(stated.image) ?? undefined,
    language: languageOf(stated.language ?? "") ?? undefined,
    type: stated.type,
    facts: factsOf(stated.facts),
    text: paragraphs(stated.text ?? stated.article?.text),
    article: stated.article?.html || undefined
  }
  return Object.values(rest).some((value) => value !== undefined && value !== null)
    ? { siteName, type, ...rest }
    : undefined
}
