import { domainToASCII } from "node:url"
import type { SqlClient } from "@effect/sql"
import type { Fragment, Statement } from "@effect/sql/Statement"
import type { Term } from "../../domain/LinkQuery.ts"
import { foldScripts, withoutMarks } from "../../shared/ScriptFolding.ts"
import { type Filter, isWordText } from "../../shared/SearchSyntax.ts"
import { normalizeOwnerTag } from "../../shared/Tags.ts"
import { withoutWww } from "../../shared/WebAddress.ts"

/** How many of the words a link must contain. */
export type Strictness = "all" | "any"

/** A full-text table and the expression to match in it. */
export interface Matching {
  readonly table: "links_fts" | "links_trigram"
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
 * restricts the wanted terms to one column.
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

/** The vocabulary tables of the trigram indexes. */
type Trigrams = "links_trigrams" | "public_trigrams"

/**
 * Builds the expression that finds a text anywhere in a trigram index. A text of one or two characters has no trigram,
 * so it matches the indexed trigrams that begin with it, at most `most` of them (-1: all).
 */
export const trigramExpression = (
  sql: SqlClient.SqlClient,
  { kind, text }: Term,
  trigrams: Trigrams = "links_trigrams",
  most = -1
): Fragment => {
  const columns = kind === "name" ? "- {url} : " : ""
  const letters = withoutMarks(text)
  const forms = kind === "name" ? [] : addressForms(text).map((form) => `url : ${quoted(form)}`)
  if ([...letters].length >= 3) return sql`${[columns + quoted(text), ...forms].join(" OR ")}`
  const start = letters.toLowerCase()
  const others = forms.map((form) => ` OR ${form}`).join("")
  return sql`(SELECT ${columns} || '(' || coalesce(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), '""') || ')' || ${others}
    FROM (SELECT term FROM ${sql.literal(trigrams)}
      WHERE term >= ${start} AND term < ${start} || char(1114111) LIMIT ${most}))`
}

/** Returns the table and the expression that match the terms; undefined if no term is wanted. */
export const matchTerms = (
  sql: SqlClient.SqlClient,
  terms: ReadonlyArray<Term>,
  strictness: Strictness = "all",
  column = ""
): Matching | undefined => {
  const words = wordsExpression(terms, strictness, column)
  if (words !== undefined) return { table: "links_fts", expression: sql`${words}` }
  const part = terms.find((term) => !term.negated)
  return part && { table: "links_trigram", expression: trigramExpression(sql, part) }
}

/** The full-text tables of words, and the tables of their vocabularies. */
type WordTable = "links_fts" | "public_fts"
type WordList = "links_words" | "public_words"

/** Counts the links that contain each of the terms that the word index answers, up to `most`; 0 for other terms. */
export const countsOf = (
  sql: SqlClient.SqlClient,
  table: WordTable,
  terms: ReadonlyArray<Term>,
  most: number
): Statement<unknown> => {
  const words = sql.literal(table)
  const expressions = terms.map((term) => wordsExpression([{ ...term, negated: false }]) ?? '""')
  return sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM ${words} WHERE ${words} MATCH asked.value LIMIT ${most}))
    FROM json_each(${JSON.stringify(expressions)}) AS asked ORDER BY asked.key`
}

/** Reads the next indexed words after this one, folded and stemmed, with the number of links that contain them. */
export const wordsAfter = (
  sql: SqlClient.SqlClient,
  list: WordList,
  after: string,
  limit: number
): Statement<unknown> => sql`SELECT term, doc FROM ${sql.literal(list)} WHERE term > ${after} LIMIT ${limit}`

/** Returns the condition or its negation; a condition that is NULL satisfies the negation. */
export const negate = (sql: SqlClient.SqlClient, negated: boolean, condition: Fragment): Fragment =>
  negated ? sql`NOT coalesce(${condition}, false)` : condition

/** Converts a host to its stored ASCII form; an invalid host name is only lowercased and matches nothing. */
const inAscii = (host: string) =>
  (/^\p{ASCII}*$/u.test(host) ? "" : domainToASCII(host)) || host.toLowerCase()

/** Escapes a text for `LIKE … ESCAPE '\\'`. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&")

const startsWith = (sql: SqlClient.SqlClient, value: Fragment, start: string): Fragment =>
  sql`${value} LIKE ${`${escapeLike(start)}%`} ESCAPE '\\'`

/**
 * Builds the condition that a link's host is this site or a subdomain, with or without `www.`; `site` may add the
 * a port (`nas.example:5000`) and the beginning of a path (`github.com/Effect-TS`), whose case is ignored.
 */
const onSite = (sql: SqlClient.SqlClient, row: LinkRow, site: string): Fragment => {
  const [, name = "", port, path = ""] = /^([^/]*?)(?::(\d{1,5}))?(\/.*)?$/s.exec(site) ?? []
  const host = withoutWww(inAscii(name))
  const rest = sql`substr(${row.address}, instr(${row.address}, '://') + 3)`
  const parts: Array<Fragment> = [
    sql`(${row.host} IN (${host}, ${`www.${host}`}) OR ${row.host} LIKE ${`%.${escapeLike(host)}`} ESCAPE '\\')`
  ]
  if (port !== undefined) parts.push(atPort(sql, row, rest, Number(port)))
  if (path !== "" && path !== "/")
    parts.push(startsWith(sql, sql`substr(${rest}, instr(${rest}, '/'))`, path))
  return sql`(${sql.and(parts)})`
}

/** Schemes that leave out their port. */
const schemeOf = new Map([
  [80, "http://"],
  [443, "https://"]
])

/** Builds the condition that the address, whose part after the scheme is `rest`, leads to this port. */
const atPort = (sql: SqlClient.SqlClient, row: LinkRow, rest: Fragment, port: number): Fragment => {
  const authority = sql`substr(${rest}, 1, instr(${rest}, '/') - 1)`
  const written = sql`${authority} LIKE ${`%:${port}`}`
  const scheme = schemeOf.get(port)
  return scheme === undefined
    ? written
    : sql`(${written} OR (${startsWith(sql, row.address, scheme)} AND instr(${authority}, ':') = 0))`
}

/** A link's row, in the library or in the public projection. */
export interface LinkRow {
  readonly id: Fragment
  readonly title: Fragment
  readonly host: Fragment
  /** The normal form of the address. */
  readonly address: Fragment
  readonly category: Fragment
  /** Whether the link is in the collection of this name, or in none. */
  readonly inCollection: (name: string) => Fragment
  readonly isUnfiled: Fragment
  readonly tags: Fragment
  readonly createdAt: Fragment
  /** The table of tags by link. */
  readonly tagTable: Fragment
  /** The full-text table; undefined where the links have none. */
  readonly words: Fragment | undefined
  /** What a name of a tag or a category stands for, where names can have been renamed. */
  readonly meaning?: (kind: "tag" | "category", name: string) => Fragment
}

const nameOn = (sql: SqlClient.SqlClient, row: LinkRow, kind: "tag" | "category", name: string): Fragment =>
  row.meaning?.(kind, name) ?? sql`${name}`

const inTitle = (sql: SqlClient.SqlClient, row: LinkRow, text: string): Fragment =>
  row.words !== undefined && isWordText(text)
    ? sql`${row.id} IN (SELECT rowid FROM ${row.words} WHERE ${row.words} MATCH ${`{title} : ${quoted(text)}*`})`
    : sql`${row.title} LIKE ${`%${escapeLike(text)}%`} ESCAPE '\\'`

/** Maximum number of titles and of addresses that are read for `begun`, and of links that begin with a text. */
const MOST_BEGUN = 150
export const BEGUN = 50
/** Possible beginnings of an address before its host. */
const schemes = ["https://", "https://www.", "http://", "http://www."]

/**
 * Builds the statement that finds the ids in a table of links whose title, or whose address without its scheme, begins
 * with this text; shortest titles first.
 */
export const begun = (sql: SqlClient.SqlClient, table: "links" | "public_links", text: string): Fragment => {
  const end = `${text}${String.fromCodePoint(0x10ffff)}`
  const titles = sql`SELECT * FROM (SELECT id, title FROM ${sql.literal(table)}
    WHERE title COLLATE NOCASE >= ${text} AND title COLLATE NOCASE < ${end} LIMIT ${MOST_BEGUN})`
  const addresses = /^[^\s/]+(?:\/\S*)?$/.test(text)
    ? schemes.map(
        (scheme) => sql` UNION SELECT * FROM (SELECT id, title FROM ${sql.literal(table)}
          WHERE normalized_url >= ${scheme + text.toLowerCase()} AND normalized_url < ${scheme + end.toLowerCase()} LIMIT ${MOST_BEGUN})`
      )
    : []
  return addresses.reduce((all, one) => sql`${all}${one}`, titles)
}

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
export const filterOnRow = (sql: SqlClient.SqlClient, row: LinkRow, filter: CommonFilter): Fragment => {
  switch (filter.field) {
    case "untagged":
      return sql`${row.tags} = '[]'`
    case "unfiled":
      return row.isUnfiled
    case "tag":
      return sql`${row.id} IN (SELECT link_id FROM ${row.tagTable}
        WHERE tag IN (${nameOn(sql, row, "tag", filter.value)},
          ${nameOn(sql, row, "tag", normalizeOwnerTag(filter.value))}))`
    case "tagPrefix":
      return sql`${row.id} IN (SELECT link_id FROM ${row.tagTable}
        WHERE tag >= ${filter.value} AND tag < ${filter.value} || char(1114111))`
    case "category":
      return sql`${row.category} = ${nameOn(sql, row, "category", filter.value.toLowerCase())}`
    case "collection":
      return row.inCollection(filter.value)
    case "site":
      return onSite(sql, row, filter.value)
    case "title":
      return inTitle(sql, row, filter.value)
    case "before":
      return sql`${row.createdAt} < ${filter.value}`
    case "after":
      return sql`${row.createdAt} >= ${filter.value}`
    case "added":
      // A year, a month or a day is the beginning of every time within it.
      return sql`(${row.createdAt} >= ${filter.value} AND ${row.createdAt} < ${filter.value} || '~')`
  }
}
