import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { folded } from "../../../src/shared/Text.ts"
import type { Answer } from "./Answer.ts"
import { bytesOf, CONTENT_TYPE, type TestPage } from "./Pages.ts"

/** The words of a text, folded: letters and digits only, so that case, accents and punctuation make no difference. */
const wordsOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A text reduced to its words, to compare titles and descriptions. */
const plain = (text: string): string => wordsOf(text.replace(/&(?:amp|quot|apos|#0?39);/g, " ")).join(" ")

const byline = /^\s*(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|od|af|door)[:\s]+/i
const isHandle = (name: string) => /^@\S+$/.test(name.trim())
const isAddress = (name: string) => /^(?:https?:)?\//i.test(name.trim())

/** A person's name as its words in alphabetical order: "Jong, Michiel de" and "Michiel de Jong" are the same. */
const nameKey = (name: string): string => wordsOf(name.replace(byline, "")).toSorted().join(" ")

/** The keys of the names that a list such as "Ann Lee, Bob Ray and Cy Fox" holds. */
const keysOf = (names: string): ReadonlyArray<string> =>
  names
    .replace(byline, "")
    .split(/\s*(?:[,;&|、，]|\band\b|\bund\b|\bet\b|\by\b)\s*/iu)
    .map(nameKey)
    .filter((key) => key !== "")

/**
 * Whether a statement of authors is right: the same as one of the gold's, a list of names that the gold has too, or the
 * full name with which a longer line of the gold begins. A handle is right only where the gold knows no name.
 */
const isAuthor = (value: string, gold: ReadonlyArray<string>): boolean => {
  const stated = gold.filter((one) => !isAddress(one))
  const names = stated.filter((one) => !isHandle(one))
  const right = names.length > 0 ? names : stated
  const known = new Set(right.flatMap((one) => [nameKey(one), ...keysOf(one)]))
  const keys = keysOf(value)
  const start = wordsOf(value.replace(byline, ""))
  const begins = (one: string) =>
    `${wordsOf(one.replace(byline, "")).join(" ")} `.startsWith(`${start.join(" ")} `)
  return (
    known.has(nameKey(value)) ||
    (keys.length > 0 && keys.every((key) => known.has(key))) ||
    (start.length > 1 && right.some(begins))
  )
}

/** Whether the gold names an author at all. */
const hasAuthor = (gold: ReadonlyArray<string>): boolean => gold.some((one) => !isAddress(one))

/** A site's name or address as one word: without a scheme, "www." or a domain's ending. */
const siteKey = (name: string): string =>
  wordsOf(
    name
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/^www\./i, "")
      .replace(/\/+$/, "")
      .replace(/\.(?:com|org|net|co\.uk|io)$/i, "")
  ).join("")

/** Whether two statements name the same site. */
const isSite = (value: string, gold: ReadonlyArray<string>): boolean =>
  gold.some((one) => siteKey(one) === siteKey(value))

const separator = String.raw`\s+[|\-–—·•:»«/<>]{1,2}\s+|\s*[|»«｜]\s*|:\s+|\s*[–—]\s*`

/** The ways to read a title as a title and a site's name at one end: both parts for every separator. */
const divided = (title: string): ReadonlyArray<readonly [part: string, other: string]> =>
  [...title.matchAll(new RegExp(separator, "gu"))].flatMap(({ 0: mark, index }) => {
    const [before, after] = [title.slice(0, index), title.slice(index + mark.length)]
    return before === "" || after === ""
      ? []
      : ([
          [before, after],
          [after, before]
        ] as const)
  })

/** Whether a title ends or begins with the name of its site, apart from the rest of it. */
const holdsSite = (title: string, sites: ReadonlyArray<string>): boolean =>
  divided(title).some(([, name]) => isSite(name, sites))

/**
 * Whether a title is right: one of the page's own titles, whole or without a part that a separator divides from it.
 * A site's name alone is no title unless the page says so.
 */
const isTitle = (value: string, stated: ReadonlyArray<string>, sites: ReadonlyArray<string>): boolean => {
  const key = plain(value)
  if (stated.some((one) => plain(one) === key)) return true
  if (key === "" || isSite(value, sites)) return false
  return stated.some((one) => divided(one).some(([part]) => plain(part) === key))
}

const isYear = (moment: Date) => moment.getUTCFullYear() > 1900 && moment.getUTCFullYear() < 2200

/** The day that a written date names, and the day in UTC if it names an instant; empty if it is no date. */
const daysOf = (written: string): ReadonlyArray<string> => {
  // A duration and a time of day hold no date, whatever a parser makes of them.
  if (!/\d{4}/.test(written) || written.startsWith("P")) return []
  const asWritten = /(\d{4})[-/](\d{2})[-/](\d{2})/.exec(written)?.slice(1).join("-")
  // A time without a zone is read as UTC; one that names its zone parses only as it is.
  const moment = [new Date(`${written} UTC`), new Date(written)].find(isYear)
  return [asWritten, moment?.toISOString().slice(0, 10)].filter((day) => day !== undefined)
}

/** The gold's dates that name a day; the weak ones only where no other does. */
const datesOf = (strong: ReadonlyArray<string>, weak: ReadonlyArray<string>): ReadonlyArray<string> => {
  const dates = (written: ReadonlyArray<string>) => written.filter((one) => daysOf(one).length > 0)
  return dates(strong).length > 0 ? dates(strong) : dates(weak)
}

/** Whether a date names a day that one of the gold's dates names, in its own zone or in UTC. */
const isDate = (value: string, gold: ReadonlyArray<string>): boolean => {
  const right = new Set(gold.flatMap(daysOf))
  return daysOf(value).some((day) => right.has(day))
}

/** A field that is judged. */
export type Field = keyof Answer

const present = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.flatMap((value) => (typeof value === "string" && value.trim() !== "" ? [value] : []))

/** The addresses that a page names in attributes of some elements. */
const addressesIn = (html: string, found: Places) => {
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

type Places = ReadonlyArray<readonly [selector: string, attribute: string]>
const icons: Places = ["icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"].map((rel) => [
  `link[rel~="${rel}" i]`,
  "href"
])
const images: Places = [
  ...["property", "name"].flatMap(
    (name): Places => ["og:image", "twitter:image"].map((start) => [`meta[${name}^="${start}" i]`, "content"])
  ),
  ['link[rel~="image_src" i]', "href"]
]

/** Everything that counts as right for a page, in every field; a field without values is not asked of the page. */
interface Right {
  readonly titles: ReadonlyArray<string>
  readonly sites: ReadonlyArray<string>
  /** For each field, the right values as they are written. */
  readonly values: Readonly<Record<Field, ReadonlyArray<string>>>
  readonly base: string
}

/** Collects what is right for a page: the gold file's values, and for the others the page's own tags. */
export const rightOf = ({ gold, id, tags, url }: TestPage): Right => {
  const html = decodePage(bytesOf(id), CONTENT_TYPE)
  const stated = (...names: ReadonlyArray<string>) => present(names.map((name) => tags[name]))
  /** Values of tags, and if there are any, what elements of the page name too. */
  const withMore = (values: ReadonlyArray<string>, more: typeof icons) =>
    values.length === 0 ? [] : [...values, ...present(addressesIn(html, more))]
  const jsonLd = tags.jsonLd.flatMap(({ headline, name }) => [headline, name])
  const titles = [
    ...stated("ogTitle", "twitterTitle", "title", "h1", "dcTitle"),
    ...present(jsonLd.map((one) => (one ? String(one) : null)))
  ]
  const authors = [...gold.author, ...gold.authorWeak]
  return {
    titles,
    sites: present([...gold.site, tags["ogSiteName"], new URL(url).hostname]),
    base: URL.parse(String(tags["base"] ?? ""), url)?.href ?? url,
    values: {
      title: titles,
      description: stated("ogDescription", "twitterDescription", "metaDescription"),
      image: withMore(stated("ogImage", "twitterImage"), images),
      canonical: stated("canonical", "ogUrl"),
      icon: withMore(stated("icon", "appleIcon"), icons),
      site: gold.site,
      author: hasAuthor(authors) ? authors : [],
      published: datesOf(gold.published, gold.publishedWeak),
      language: gold.lang
    }
  }
}

const addressKey = (address: string, base: string): string =>
  (URL.parse(address.trim(), base)?.href ?? address).replace(/^https?:/, "").replace(/\/$/, "")

/** How much of a description must be there where it is shortened, in characters. */
const ENOUGH = 100

const isDescription = (value: string, stated: ReadonlyArray<string>): boolean => {
  const key = plain(value)
  return stated.map(plain).some((one) => {
    const [short, long] = key.length < one.length ? [key, one] : [one, key]
    return short === long || (short.length >= ENOUGH && long.startsWith(short.slice(0, -10)))
  })
}

const languageKey = (language: string) => language.trim().toLowerCase().split(/[-_]/, 1)[0]

/** Whether a value is right for a field. */
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

/** On how many of the pages that state a field it is right. */
export const scoreOf = (
  answers: ReadonlyMap<string, Answer>,
  rights: ReadonlyMap<string, Right>,
  field: Field
): { readonly right: number; readonly asked: number } => {
  const asked = [...rights].filter(([, right]) => right.values[field].length > 0)
  const right = asked.filter(([id, one]) => isRight(field, answers.get(id)?.[field] ?? null, one))
  return { right: right.length, asked: asked.length }
}

/** How many titles still hold their site's name. */
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
