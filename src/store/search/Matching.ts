import { domainToASCII } from "node:url"
import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Term } from "../../domain/LinkQuery.ts"

/** How many of the words a link must hold: all of them, all but one, or any. */
export type Strictness = "all" | "most" | "any"

/** A full-text table and what to match in it. */
export interface Matching {
  readonly table: "links_fts" | "links_trigram"
  readonly expression: Fragment
}

/** Whether FTS5's unicode61 tokenizer finds a token in the text (https://www.sqlite.org/fts5.html#unicode61_tokenizer). */
const hasToken = (text: string) => /[\p{L}\p{N}\p{Co}]/u.test(text)

/** Scripts written without spaces: unicode61 takes a whole run for one token, so that its parts need another way. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether the word index answers the term; the trigram index answers the others. */
export const byWords = (term: Term) =>
  term.kind !== "part" && hasToken(term.text) && !unspaced.test(term.text)

/** Quotes a person's text as an FTS5 string, in which nothing is syntax. */
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

/** Words beyond this number are not left out in turn, for the expression grows with their square. */
const MAX_LEAVE_OUT = 8

/**
 * The terms the word index answers, as an FTS5 expression; none where it answers none of them. What is wanted may be
 * asked of one column alone.
 */
export const wordsExpression = (
  terms: ReadonlyArray<Term>,
  strictness: Strictness = "all",
  column = ""
): string | undefined => {
  const wanted = terms.filter((term) => !term.negated && byWords(term))
  const unwanted = terms.filter((term) => term.negated && byWords(term)).map(wordExpression)
  if (wanted.length === 0) return undefined
  // What was quoted is wanted as it stands, however loosely the rest is taken.
  const phrases = wanted.filter(({ kind }) => kind === "phrase").map(wordExpression)
  const words = wanted.filter(({ kind }) => kind !== "phrase").map(wordExpression)
  const loosely = words.length > MAX_LEAVE_OUT && strictness === "most" ? "any" : strictness
  const parts = [...phrases, ...(words.length === 0 ? [] : [`(${joined(words, loosely)})`])]
  return `${column === "" ? "" : `{${column}} : `}(${parts.join(" AND ")})${unwanted.map((term) => ` NOT ${term}`).join("")}`
}

/** The lists of trigrams in use, one an index. */
type Trigrams = "links_trigrams" | "public_trigrams"

/**
 * What to match in a trigram index for a text to be found anywhere. A text of one or two characters has no trigram: it
 * is looked up as the beginning of those in use, of `most` at the most.
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

/** The table to search for the terms; none where they name nothing that is wanted. */
export const matchingOf = (
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

/** The condition, or that it does not hold, which an unknown value satisfies. */
export const negate = (sql: SqlClient.SqlClient, negated: boolean, condition: Fragment): Fragment =>
  negated ? sql`NOT coalesce(${condition}, false)` : condition

/** A host as it is stored; a value that is no host name stays as it is and finds nothing. */
const inAscii = (host: string) =>
  (/^\p{ASCII}*$/u.test(host) ? "" : domainToASCII(host)) || host.toLowerCase()

const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&")

/** Whether a column's host is this site or below it, with or without `www.`. */
export const onSite = (sql: SqlClient.SqlClient, column: Fragment, site: string): Fragment => {
  const host = inAscii(site).replace(/^www\./, "")
  return sql`(${column} IN (${host}, ${`www.${host}`}) OR ${column} LIKE ${`%.${escapeLike(host)}`} ESCAPE '\\')`
}
