import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Filter, PublicQuery, Term } from "../../domain/LinkQuery.ts"
import { ownersTag } from "../../domain/Tags.ts"
import { byWords, negate, onSite, type Strictness, trigramExpression, wordsExpression } from "../Matching.ts"

/** An index of the projection and what to match in it. */
export interface PublicMatch {
  readonly table: "public_fts" | "public_trigram"
  readonly expression: Fragment
}

/** How many trigrams stand in for a text of one or two characters. */
const MOST_TRIGRAMS = 500

const partMatch = (sql: SqlClient.SqlClient, term: Term): PublicMatch => ({
  table: "public_trigram",
  expression: trigramExpression(sql, term, "public_trigrams", MOST_TRIGRAMS)
})

/** The index that answers the terms, and what to match in it; undefined where they want nothing. */
export const publicMatch = (
  sql: SqlClient.SqlClient,
  terms: ReadonlyArray<Term>,
  strictness: Strictness = "all",
  column = ""
): PublicMatch | undefined => {
  const words = wordsExpression(terms, strictness, column)
  if (words !== undefined) return { table: "public_fts", expression: sql`${words}` }
  const part = terms.find((term) => !term.negated)
  return part && partMatch(sql, part)
}

const among = (sql: SqlClient.SqlClient, { expression, table }: PublicMatch): Fragment =>
  sql`p.id IN (SELECT rowid FROM ${sql.literal(table)} WHERE ${sql.literal(table)} MATCH ${expression})`

const holding = (sql: SqlClient.SqlClient, term: Term): Fragment => {
  const words = byWords(term) ? wordsExpression([{ ...term, negated: false }]) : undefined
  return among(
    sql,
    words === undefined ? partMatch(sql, term) : { table: "public_fts", expression: sql`${words}` }
  )
}

/** The marks `favorite`, `shareable` and `partial` do not exist here, so asking for them changes nothing. */
const filtered = (sql: SqlClient.SqlClient, filter: Filter): Fragment | undefined => {
  switch (filter.field) {
    case "favorite":
    case "shareable":
    case "partial":
      return undefined
    case "tag":
      return sql`p.id IN (SELECT link_id FROM public_tags
        WHERE ${sql.in("tag", [filter.value, ownersTag(filter.value)])})`
    case "category":
      return sql`p.category = ${filter.value.toLowerCase()}`
    case "collection":
      return sql`p.collection = ${filter.value}`
    case "site":
      return onSite(sql, sql`p.host`, filter.value)
    case "before":
      return sql`p.created_at < ${filter.value}`
    case "after":
      return sql`p.created_at >= ${filter.value}`
  }
}

/**
 * Everything a query asks of a row `p` of the projection, as one SQL condition. `matched` says that the wanted terms are
 * matched elsewhere: then only the terms that one index cannot answer together are left.
 */
export const publicConditions = (sql: SqlClient.SqlClient, query: PublicQuery, matched = false): Fragment => {
  const { collection, filters, terms } = query
  const all: Array<Fragment> = []
  if (collection === null) all.push(sql`p.collection IS NULL`)
  else if (collection !== undefined) all.push(sql`p.collection = ${collection}`)
  for (const filter of filters) {
    const condition = filtered(sql, filter)
    if (condition !== undefined) all.push(negate(sql, filter.negated, condition))
  }
  const byIndex = matched && wordsExpression(terms) !== undefined
  const answered = matched && !byIndex ? terms.find((term) => !term.negated) : undefined
  for (const term of terms)
    if (term !== answered && !(byIndex && byWords(term)))
      all.push(negate(sql, term.negated, holding(sql, term)))
  return all.length === 0 ? sql`true` : sql.and(all)
}
