import type { Answer } from "./Answer.ts"
import { datesOf, isDate } from "./Dates.ts"
import { hasAuthor, holdsSite, isAuthor, isSite, isTitle, plain } from "./Names.ts"
import { htmlOf, type TestPage } from "./Pages.ts"

/** The fields that the libraries are compared in. */
export type Field = Exclude<keyof Answer, "article" | "text">

const present = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  values.flatMap((value) => (typeof value === "string" && value.trim() !== "" ? [value] : []))

/** The addresses that a page names in attributes of some elements. */
const addressesIn = (
  html: string,
  ...found: ReadonlyArray<readonly [selector: string, attribute: string]>
) => {
  const addresses: Array<string> = []
  const rewriter = new HTMLRewriter()
  for (const [selector, attribute] of found)
    rewriter.on(selector, {
      element: (element) => {
        addresses.push((element.getAttribute(attribute) ?? "").replaceAll("&amp;", "&"))
      }
    })
  rewriter.transform(html)
  return addresses
}

const icons = [
  ['link[rel~="icon" i]', "href"],
  ['link[rel~="apple-touch-icon" i]', "href"],
  ['link[rel~="apple-touch-icon-precomposed" i]', "href"],
  ['link[rel~="mask-icon" i]', "href"]
] as const
const images = [
  ['meta[property^="og:image" i]', "content"],
  ['meta[name^="og:image" i]', "content"],
  ['meta[name^="twitter:image" i]', "content"],
  ['meta[property^="twitter:image" i]', "content"],
  ['link[rel~="image_src" i]', "href"]
] as const

/** Everything that counts as right for a page, in every field; a field without values is not asked of the page. */
export interface Right {
  readonly titles: ReadonlyArray<string>
  readonly sites: ReadonlyArray<string>
  /** For each field, the right values as they are written. */
  readonly values: Readonly<Record<Field, ReadonlyArray<string>>>
  readonly base: string
}

/** Collects what is right for a page: the gold file's values, and for the others the page's own tags. */
export const rightOf = ({ gold, id, tags, url }: TestPage): Right => {
  const html = htmlOf(id)
  const titles = present([
    tags.ogTitle,
    tags.twitterTitle,
    tags.title,
    tags.h1,
    tags.dcTitle,
    ...tags.jsonLd.flatMap(({ headline, name }) => [headline, name].map((one) => (one ? String(one) : null)))
  ])
  const authors = [...gold.author, ...gold.authorWeak]
  return {
    titles,
    sites: present([...gold.site, tags.ogSiteName, new URL(url).hostname]),
    base: URL.parse(tags.base ?? "", url)?.href ?? url,
    values: {
      title: titles,
      description: present([tags.ogDescription, tags.twitterDescription, tags.metaDescription]),
      image:
        present([tags.ogImage, tags.twitterImage]).length === 0
          ? []
          : present([tags.ogImage, tags.twitterImage, ...addressesIn(html, ...images)]),
      canonical: present([tags.canonical, tags.ogUrl]),
      icon:
        present([tags.icon, tags.appleIcon]).length === 0
          ? []
          : present([tags.icon, tags.appleIcon, ...addressesIn(html, ...icons)]),
      site: gold.site,
      author: hasAuthor(authors) ? authors : [],
      published: datesOf(gold.published, gold.publishedWeak),
      language: gold.lang
    }
  }
}

const addressKey = (address: string, base: string): string =>
  (URL.parse(address.trim(), base)?.href ?? address).replace(/^https?:/, "").replace(/\/$/, "")

/** How much of a description must be there where a library shortens it, in characters. */
const ENOUGH = 100

const isDescription = (value: string, stated: ReadonlyArray<string>): boolean => {
  const key = plain(value)
  return stated.map(plain).some((one) => {
    const [short, long] = key.length < one.length ? [key, one] : [one, key]
    return short === long || (short.length >= ENOUGH && long.startsWith(short.slice(0, -10)))
  })
}

const languageKey = (language: string) => language.trim().toLowerCase().split(/[-_]/, 1)[0]

/** Whether a library's value for a field is right. */
export const isRight = (field: Field, value: string | null, right: Right): boolean => {
  if (value === null) return false
  const stated = right.values[field]
  switch (field) {
    case "title":
      return isTitle(value, stated, right.sites)
    case "description":
      return isDescription(value, stated)
    case "site":
      return isSite(value, stated)
    case "author":
      return isAuthor(value, stated)
    case "published":
      return isDate(value, stated)
    case "language":
      return stated.some((one) => languageKey(one) === languageKey(value))
    default:
      return stated.some((one) => addressKey(one, right.base) === addressKey(value, right.base))
  }
}

/** Whether a title still holds its site's name. */
export const hasSiteInTitle = ({ title }: Answer, { sites }: Right): boolean =>
  title !== null && holdsSite(title, sites)

/** On how many of the pages that are asked for a field a library is right. */
export const scoreOf = (
  answers: ReadonlyMap<string, Answer>,
  rights: ReadonlyMap<string, Right>,
  field: Field
): { readonly right: number; readonly asked: number } => {
  const asked = [...rights].filter(([, right]) => right.values[field].length > 0)
  const right = asked.filter(([id, one]) => isRight(field, answers.get(id)?.[field] ?? null, one))
  return { right: right.length, asked: asked.length }
}

/** How many of a library's titles still hold their site's name. */
export const titlesWithSite = (
  answers: ReadonlyMap<string, Answer>,
  rights: ReadonlyMap<string, Right>
): { readonly held: number; readonly titles: number } => {
  const titled = [...answers].filter(([, { title }]) => title !== null)
  const held = titled.filter(([id, answer]) => {
    const right = rights.get(id)
    return right !== undefined && hasSiteInTitle(answer, right)
  })
  return { held: held.length, titles: titled.length }
}
