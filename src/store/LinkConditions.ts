import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Filter, LinkQuery, Term } from "../domain/LinkQuery.ts"
import { ownersTag } from "../domain/Tags.ts"
import { byWords, type Matching, negate, onSite, trigramExpression, wordsExpression } from "./Matching.ts"

/** Everything a query asks of a link `l` beside what `matchingOf` matches, as one SQL condition. */
export const conditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment =>
  someConditions(sql, query) ?? sql`true`

/**
 * The same, or nothing where nothing more is asked: then a link need not be looked up to know that it fits. The
 * strictness is that of the match it is put beside.
 */
export const someConditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment | undefined => {
  const all: Array<Fragment> = []
  if (query.collection === null) all.push(sql`l.collection_id IS NULL`)
  else if (query.collection !== undefined) all.push(sql`l.collection_id = ${query.collection}`)
  if (query.favorite !== undefined) all.push(sql`l.favorite = ${query.favorite ? 1 : 0}`)
  if (query.shareable !== undefined) all.push(sql`l.shareable = ${query.shareable ? 1 : 0}`)
  for (const filter of query.filters) all.push(negate(sql, filter.negated, filtered(sql, filter)))

  const words = wordsExpression(query.terms) !== undefined
  const asked = words ? undefined : query.terms.find((term) => !term.negated)
  for (const term of query.terms) {
    if (term === asked) continue
    if (!byWords(term)) all.push(negate(sql, term.negated, containing(sql, term)))
    // FTS5 has no expression that is a negation alone.
    else if (term.negated && !words) all.push(negate(sql, true, holding(sql, term)))
  }
  return all.length === 0 ? undefined : sql.and(all)
}

const filtered = (sql: SqlClient.SqlClient, filter: Filter): Fragment => {
  switch (filter.field) {
    case "favorite":
      return sql`l.favorite = 1`
    case "shareable":
      return sql`l.shareable = 1`
    case "partial":
      return sql`l.enrichment = 'partial'`
    case "tag": {
      const spellings = [filter.value, ownersTag(filter.value)]
      return sql`l.id IN (SELECT link_id FROM link_tags WHERE ${sql.in("tag", spellings)})`
    }
    case "category":
      return sql`l.category = ${filter.value.toLowerCase()}`
    case "collection":
      return sql`l.collection_id IN (SELECT id FROM collections WHERE name = ${filter.value})`
    case "site":
      return onSite(sql, sql`l.host`, filter.value)
    case "before":
      return sql`l.created_at < ${filter.value}`
    case "after":
      return sql`l.created_at >= ${filter.value}`
  }
}

const among = (sql: SqlClient.SqlClient, { expression, table }: Matching): Fragment =>
  sql`l.id IN (SELECT rowid FROM ${sql.literal(table)} WHERE ${sql.literal(table)} MATCH ${expression})`

/** The term as a word, wanted or not. */
const holding = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  among(sql, {
    table: "links_fts",
    expression: sql`${wordsExpression([{ ...term, negated: false }]) ?? ""}`
  })

/** Any place in any field, for what the word index cannot tell apart: symbols, emoji, parts of unspaced text. */
const containing = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  among(sql, { table: "links_trigram", expression: trigramExpression(sql, term) })
