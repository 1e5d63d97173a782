import { domainToASCII } from "node:url"
import type { Fragment } from "@effect/sql/Statement"
import type { Term } from "../../domain/LinkQuery.ts"
import { foldScripts, withoutMarks } from "../../shared/ScriptFolding.ts"
import { type Filter, isWordText } from "../../shared/SearchSyntax.ts"
import { normalizeOwnerTag } from "../../shared/Tags.ts"
import { withoutWww } from "../../shared/WebAddress.ts"
import { and, fragment, literal } from "../Fragment.ts"

export type Strictness = "all" | "any"

/** The tables in which links are searched: the owner's, or the projection of the shared ones. */
export interface LinkTables {
  readonly links: "links" | "public_links"
  /** The alias of a link's row in statements. */
  readonly alias: "l" | "p"
  readonly words: "links_fts" | "public_fts"
  readonly wordList: "links_words" | "public_words"
  readonly trigrams: "links_trigram" | "public_trigram"
  readonly trigramList: "links_trigrams" | "public_trigrams"
  /** The maximum number of trigrams that replace a term of one or two characters; -1 for all. */
  readonly mostTrigrams: number
}

export const LIBRARY: LinkTables = {
  links: "links",
  alias: "l",
  words: "links_fts",
  wordList: "links_words",
  trigrams: "links_trigram",
  trigramList: "links_trigrams",
  mostTrigrams: -1
}

export const PROJECTION: LinkTables = {
  links: "public_links",
  alias: "p",
  words: "public_fts",
  wordList: "public_words",
  trigrams: "public_trigram",
  trigramList: "public_trigrams",
  mostTrigrams: 500
}

export interface Matching {
  readonly table: LinkTables["words"] | LinkTables["trigrams"]
  readonly expression: Fragment
}

/** Whether the word index answers the term; the trigram index answers the others. */
export const isWordIndexed = ({ kind, text }: Term) => kind !== "part" && kind !== "name" && isWordText(text)

/** Quotes user input as an FTS5 string, in which nothing is syntax, in the spelling that the indexes hold. */
export const quoted = (text: string) => `"${foldScripts(text).replaceAll('"', '""')}"`

/** How an address may write words of another script: with escapes, in usual capitals, or as the name of a host. */
const addressForms = (text: string): ReadonlyArray<string> => {
  if (/^\p{ASCII}*$/u.test(text)) return []
  const lower = text.toLowerCase()
  const forms = [text, lower, lower.charAt(0).toUpperCase() + lower.slice(1)].map((form) =>
    encodeURIComponent(form.toWellFormed())
  )
  return [...new Set([...forms, domainToASCII(text)])].filter((form) => form !== "")
}

const wordExpression = ({ alternatives, kind, text }: Term): string => {
  if (alternatives !== undefined)
    return `(${alternatives.map((terms) => wordsExpression(terms) ?? '""').join(" OR ")})`
  const end = kind === "prefix" ? "*" : ""
  const forms = addressForms(text).map((form) => `url : ${quoted(form)}${end}`)
  return forms.length === 0
    ? `${quoted(text)}${end}`
    : `(${[`${quoted(text)}${end}`, ...forms].join(" OR ")})`
}

/**
 * Builds the FTS5 expression of the terms that the word index answers; undefined if it answers no wanted term. `column`
 * restricts the wanted terms to one column, or to several with spaces between them.
 */
export const wordsExpression = (
  terms: ReadonlyArray<Term>,
  strictness: Strictness = "all",
  column = ""
): string | undefined => {
  const wanted = terms.filter((term) => !term.negated && isWordIndexed(term))
  const unwanted = terms.filter((term) => term.negated && isWordIndexed(term)).map(wordExpression)
  if (wanted.length === 0) return undefined
  const isRequired = ({ kind, required }: Term) => kind === "phrase" || required === true
  const required = wanted.filter(isRequired).map(wordExpression)
  const words = wanted.filter((term) => !isRequired(term)).map(wordExpression)
  const joined = words.join(strictness === "all" ? " AND " : " OR ")
  const parts = [...required, ...(words.length === 0 ? [] : [`(${joined})`])]
  return `${column === "" ? "" : `{${column}} : `}(${parts.join(" AND ")})${unwanted.map((term) => ` NOT ${term}`).join("")}`
}

/**
 * Builds the expression that finds a text anywhere in the trigram index. A text of one or two characters has no trigram,
 * so it matches the indexed trigrams that begin with it.
 */
const trigramExpression = ({ mostTrigrams, trigramList }: LinkTables, { kind, text }: Term): Fragment => {
  const columns = kind === "name" ? "- {url} : " : ""
  const letters = withoutMarks(text)
  const forms = kind === "name" ? [] : addressForms(text).map((form) => `url : ${quoted(form)}`)
  if ([...letters].length >= 3) return fragment`${[columns + quoted(text), ...forms].join(" OR ")}`
  const start = letters.toLowerCase()
  const others = forms.map((form) => ` OR ${form}`).join("")
  return fragment`(SELECT ${columns} || '(' || coalesce(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), '""') || ')' || ${others}
    FROM (SELECT term FROM ${literal(trigramList)}
      WHERE term >= ${start} AND term < ${start} || char(1114111) LIMIT ${mostTrigrams}))`
}

/** Returns the table and the expression that match the terms; undefined if no term is wanted. */
export const matchTerms = (
  tables: LinkTables,
  terms: ReadonlyArray<Term>,
  strictness: Strictness = "all",
  column = ""
): Matching | undefined => {
  const words = wordsExpression(terms, strictness, column)
  if (words !== undefined) return { table: tables.words, expression: fragment`${words}` }
  const part = terms.find((term) => !term.negated)
  return part && { table: tables.trigrams, expression: trigramExpression(tables, part) }
}

export const containsTerm = (tables: LinkTables, term: Term): Fragment => {
  const match = matchTerms(tables, [{ ...term, negated: false }])
  if (match === undefined) return fragment`true`
  const table = literal(match.table)
  return negate(
    term.negated,
    fragment`${literal(tables.alias)}.id IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ${match.expression})`
  )
}

/** Returns the condition or its negation; a condition that is NULL satisfies the negation. */
export const negate = (negated: boolean, condition: Fragment): Fragment =>
  negated ? fragment`NOT coalesce(${condition}, false)` : condition

/** Converts a host to its stored ASCII form; an invalid host name is only lowercased and matches nothing. */
const inAscii = (host: string) =>
  (/^\p{ASCII}*$/u.test(host) ? "" : domainToASCII(host)) || host.toLowerCase()

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&")

const startsWith = (value: Fragment, start: string): Fragment =>
  fragment`${value} LIKE ${`${escapeLike(start)}%`} ESCAPE '\\'`

/**
 * Builds the condition that a link's host is this site or a subdomain, with or without `www.`; `site` may add the
 * a port (`nas.example:5000`) and the beginning of a path (`github.com/Effect-TS`), whose case is ignored.
 */
const onSite = (row: LinkRow, site: string): Fragment => {
  const [, name = "", port, path = ""] = /^([^/]*?)(?::(\d{1,5}))?(\/.*)?$/s.exec(site) ?? []
  const host = withoutWww(inAscii(name))
  const rest = fragment`substr(${row.address}, instr(${row.address}, '://') + 3)`
  const parts: Array<Fragment> = [
    fragment`(${row.host} IN (${host}, ${`www.${host}`}) OR ${row.host} LIKE ${`%.${escapeLike(host)}`} ESCAPE '\\')`
  ]
  if (port !== undefined) parts.push(atPort(row, rest, Number(port)))
  if (path !== "" && path !== "/")
    parts.push(startsWith(fragment`substr(${rest}, instr(${rest}, '/'))`, path))
  return fragment`(${and(parts)})`
}

/** Schemes that leave out their port. */
const schemeOf = new Map([
  [80, "http://"],
  [443, "https://"]
])

/** Builds the condition that the address, whose part after the scheme is `rest`, leads to this port. */
const atPort = (row: LinkRow, rest: Fragment, port: number): Fragment => {
  const authority = fragment`substr(${rest}, 1, instr(${rest}, '/') - 1)`
  const written = fragment`${authority} LIKE ${`%:${port}`}`
  const scheme = schemeOf.get(port)
  return scheme === undefined
    ? written
    : fragment`(${written} OR (${startsWith(row.address, scheme)} AND instr(${authority}, ':') = 0))`
}

/** A link's row, in the library or in the public projection. */
export interface LinkRow {
  readonly id: Fragment
  readonly title: Fragment
  readonly host: Fragment
  /** The normal form of the address. */
  readonly address: Fragment
  readonly category: Fragment
  readonly inCollection: (name: string) => Fragment
  readonly isUnfiled: Fragment
  readonly tags: Fragment
  readonly createdAt: Fragment
  readonly tagTable: Fragment
  /** The full-text table; undefined where the links have none. */
  readonly words: Fragment | undefined
  /** What a name of a tag or a category stands for, where names can have been renamed. */
  readonly meaning?: (kind: "tag" | "category", name: string) => Fragment
}

const nameOn = (row: LinkRow, kind: "tag" | "category", name: string): Fragment =>
  row.meaning?.(kind, name) ?? fragment`${name}`

const inTitle = (row: LinkRow, text: string): Fragment =>
  row.words !== undefined && isWordText(text)
    ? fragment`${row.id} IN (SELECT rowid FROM ${row.words} WHERE ${row.words} MATCH ${`{title} : ${quoted(text)}*`})`
    : fragment`${row.title} LIKE ${`%${escapeLike(text)}%`} ESCAPE '\\'`

/** Every filter that the library and the public projection answer alike. */
type CommonFilter = Exclude<
  Filter,
  | { readonly field: "favorite" }
  | { readonly field: "shareable" }
  | { readonly field: "shared" }
  | { readonly field: "unread" }
  | { readonly field: "read" }
  | { readonly field: "archived" }
  | { readonly field: "started" }
  | { readonly field: "trashed" }
  | { readonly field: "partial" }
  | { readonly field: "broken" }
  | { readonly field: "moved" }
  | { readonly field: "changed" }
  | { readonly field: "lang" }
  | { readonly field: "has" }
  | { readonly field: "type" }
>

/** Builds the condition of a filter on a row; ignores its negation. */
export const filterOnRow = (row: LinkRow, filter: CommonFilter): Fragment => {
  switch (filter.field) {
    case "untagged":
      return fragment`${row.tags} = '[]'`
    case "unfiled":
      return row.isUnfiled
    case "tag":
      return fragment`${row.id} IN (SELECT link_id FROM ${row.tagTable}
        WHERE tag IN (${nameOn(row, "tag", filter.value)},
          ${nameOn(row, "tag", normalizeOwnerTag(filter.value))}))`
    case "tagPrefix":
      return fragment`${row.id} IN (SELECT link_id FROM ${row.tagTable}
        WHERE tag >= ${filter.value} AND tag < ${filter.value} || char(1114111))`
    case "category":
      return fragment`${row.category} = ${nameOn(row, "category", filter.value.toLowerCase())}`
    case "collection":
      return row.inCollection(filter.value)
    case "site":
      return onSite(row, filter.value)
    case "title":
      return inTitle(row, filter.value)
    case "before":
      return fragment`${row.createdAt} < ${filter.value}`
    case "after":
      return fragment`${row.createdAt} >= ${filter.value}`
    case "added":
      // A year, a month or a day is the beginning of every time within it.
      return fragment`(${row.createdAt} >= ${filter.value} AND ${row.createdAt} < ${filter.value} || '~')`
  }
}
