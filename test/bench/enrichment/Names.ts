import { folded } from "../../../src/shared/Text.ts"

/** The words of a text, folded: letters and digits only, so that case, accents and punctuation make no difference. */
export const wordsOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A text reduced to its words, to compare titles and descriptions. */
export const plain = (text: string): string =>
  wordsOf(text.replace(/&(?:amp|quot|apos|#0?39);/g, " ")).join(" ")

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
export const isAuthor = (value: string, gold: ReadonlyArray<string>): boolean => {
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
export const hasAuthor = (gold: ReadonlyArray<string>): boolean => gold.some((one) => !isAddress(one))

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
export const isSite = (value: string, gold: ReadonlyArray<string>): boolean =>
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
export const holdsSite = (title: string, sites: ReadonlyArray<string>): boolean =>
  divided(title).some(([, name]) => isSite(name, sites))

/**
 * Whether a title is right: one of the page's own titles, whole or without a part that a separator divides from it.
 * A site's name alone is no title unless the page says so.
 */
export const isTitle = (
  value: string,
  stated: ReadonlyArray<string>,
  sites: ReadonlyArray<string>
): boolean => {
  const key = plain(value)
  if (stated.some((one) => plain(one) === key)) return true
  if (key === "" || isSite(value, sites)) return false
  return stated.some((one) => divided(one).some(([part]) => plain(part) === key))
}
