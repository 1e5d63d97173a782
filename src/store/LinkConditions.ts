import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Filter, LinkQuery, Term } from "../domain/LinkQuery.ts"
import { type Audience, byWords, trigramExpression, wordsExpression } from "./Matching.ts"

/** Everything a query asks of a link `l` beside what `matchingOf` matches, as one SQL condition. */
export const conditions = (sql: SqlClient.SqlClient, query: LinkQuery, audience: Audience): Fragment =>
  someConditions(sql, query, audience) ?? sql`true`

/** The same, or nothing where nothing more is asked: then a link need not be looked up to know that it fits. */
export const someConditions = (
  sql: SqlClient.SqlClient,
  query: LinkQuery,
  audience: Audience
): Fragment | undefined => {
  const all: Array<Fragment> = []
  if (audience === "public") all.push(sql`l.shareable = 1`)
  if (query.collection === null) all.push(sql`l.collection_id IS NULL`)
  else if (query.collection !== undefined) all.push(sql`l.collection_id = ${query.collection}`)
  if (query.favorite !== undefined) all.push(sql`l.favorite = ${query.favorite ? 1 : 0}`)
  if (query.shareable !== undefined) all.push(sql`l.shareable = ${query.shareable ? 1 : 0}`)
  const visible = query.filters.filter(
    ({ field }) => audience === "owner" || (field !== "favorite" && field !== "shareable")
  )
  for (const filter of visible) all.push(negate(sql, filter.negated, filtered(sql, filter)))

  const words = wordsExpression(query.terms, audience) !== undefined
  const matched = words ? undefined : query.terms.find((term) => !term.negated)
  for (const term of query.terms) {
    if (term === matched) continue
    if (!byWords(term)) all.push(negate(sql, term.negated, containing(sql, term, audience)))
    // FTS5 has no expression that is a negation alone.
    else if (term.negated && !words)
      all.push(
        sql`l.id NOT IN (SELECT rowid FROM links_fts WHERE links_fts MATCH ${wordsExpression([{ ...term, negated: false }], audience) ?? ""})`
      )
  }
  return all.length === 0 ? undefined : sql.and(all)
}

const negate = (sql: SqlClient.SqlClient, negated: boolean, condition: Fragment) =>
  negated ? sql`NOT coalesce(${condition}, false)` : condition

const filtered = (sql: SqlClient.SqlClient, filter: Filter): Fragment => {
  switch (filter.field) {
    case "favorite":
      return sql`l.favorite = 1`
    case "shareable":
      return sql`l.shareable = 1`
    case "tag":
      return sql`l.id IN (SELECT link_id FROM link_tags WHERE tag = ${filter.value})`
    case "category":
      return sql`l.category = ${filter.value.toLowerCase()}`
    case "collection":
      return sql`l.collection_id IN (SELECT id FROM collections WHERE name = ${filter.value})`
    case "site": {
      const host = filter.value.toLowerCase().replace(/^www\./, "")
      return sql`(l.host IN (${host}, ${`www.${host}`}) OR l.host LIKE ${`%.${escapeLike(host)}`} ESCAPE '\\')`
    }
    case "before":
      return sql`l.created_at < ${filter.value}`
    case "after":
      return sql`l.created_at >= ${filter.value}`
  }
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&")

/** Any place in any field, for what the word index cannot tell apart: symbols, emoji, parts of unspaced text. */
const containing = (sql: SqlClient.SqlClient, term: Term, audience: Audience): Fragment =>
  sql`l.id IN (SELECT rowid FROM links_trigram WHERE links_trigram MATCH ${trigramExpression(sql, term, audience)})`
