import { domainToASCII } from "node:url"
import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Term } from "../../domain/LinkQuery.ts"
import { withoutWww } from "../../shared/WebAddress.ts"

/** How many of the words a link must contain: all, all but one, or any. */
export type Strictness = "all" | "most" | "any"

/** A full-text table and the expression to match in it. */
export interface Matching {
  readonly table: "links_fts" | "links_trigram"
  readonly expression: Fragment
}

/**
 * Whether FTS5's unicode61 tokenizer finds a token in the text (https://www.sqlite.org/fts5.html#unicode61_tokenizer).
 */
const hasToken = (text: string) => /[\p{L}\p{N}\p{Co}]/u.test(text)

/**
 * Scripts written without spaces: unicode61 treats a whole run as one token, so the trigram index has to find its
 * parts.
 */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether the word index answers the term; the trigram index answers the others. */
export const isWordIndexed = (term: Term) =>
  term.kind !== "part" && hasToken(term.text) && !unspacedScripts.test(term.text)

/** Quotes user input as an FTS5 string, in which nothing is syntax. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const wordExpression = ({ instead, kind, text }: Term) =>
  instead === undefined
    ? `${quoted(text)}${kind === "prefix" ? "*" : ""}`
    : `(${instead.map((word) => `${quoted(word)}*`).join(" OR ")})`

const joined = (wanted: ReadonlyArray<string>, strictness: Strictness): string => {
  if (strictness === "all" || wanted.length < 2) return wanted.join(" AND ")
  if (strictness === "any" || wanted.length === 2) return wanted.join(" OR ")
  return wanted.map((_, left) => `(${wanted.filter((__, i) => i !== left).join(" AND ")})`).join(" OR ")
}

/** With more words than this, `most` falls back to `any`, because the expression grows with their square. */
const MAX_LEAVE_OUT = 8

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
  // Quoted phrases are always required, at any strictness.
  const phrases = wanted.filter(({ kind }) => kind === "phrase").map(wordExpression)
  const words = wanted.filter(({ kind }) => kind !== "phrase").map(wordExpression)
  const loosely = words.length > MAX_LEAVE_OUT && strictness === "most" ? "any" : strictness
  const parts = [...phrases, ...(words.length === 0 ? [] : [`(${joined(words, loosely)})`])]
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
  { text }: Term,
  trigrams: Trigrams = "links_trigrams",
  most = -1
): Fragment => {
  if ([...text].length >= 3) return sql`${quoted(text)}`
  const start = text.toLowerCase()
  return sql`(SELECT coalesce(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), '""')
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

/** Returns the condition or its negation; a condition that is NULL satisfies the negation. */
export const negate = (sql: SqlClient.SqlClient, negated: boolean, condition: Fragment): Fragment =>
  negated ? sql`NOT coalesce(${condition}, false)` : condition

/** Converts a host to its stored ASCII form; an invalid host name is only lowercased and matches nothing. */
const inAscii = (host: string) =>
  (/^\p{ASCII}*$/u.test(host) ? "" : domainToASCII(host)) || host.toLowerCase()

const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&")

/** Builds the condition that a column's host is this site or a subdomain, with or without `www.`. */
export const onSite = (sql: SqlClient.SqlClient, column: Fragment, site: string): Fragment => {
  const host = withoutWww(inAscii(site))
  return sql`(${column} IN (${host}, ${`www.${host}`}) OR ${column} LIKE ${`%.${escapeLike(host)}`} ESCAPE '\\')`
}
