import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { Filter, LinkQuery, Term } from "../domain/LinkQuery.ts"

/** Who looks: the owner sees everything, the public the shared links' public fields. */
export type Audience = "owner" | "public"

const notPrivate = "- {note text} : "

/** Whether FTS5's unicode61 tokenizer finds a token in the text (https://www.sqlite.org/fts5.html#unicode61_tokenizer). */
const hasToken = (text: string) => /[\p{L}\p{N}\p{Co}]/u.test(text)

/** Scripts written without spaces: unicode61 takes a whole run for one token, so that its parts need another way. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const byIndex = (term: Term) => hasToken(term.text) && !unspaced.test(term.text)

/** Quotes a person's text as an FTS5 string, in which nothing is syntax. */
const quoted = ({ kind, text }: Term) => `"${text.replaceAll('"', '""')}"${kind === "prefix" ? "*" : ""}`

/**
 * The terms the full-text index answers, as an FTS5 expression; none where it answers none of them.
 *
 * For the public the columns it may not see are left out, or a search would tell what a note says.
 */
export const ftsExpression = (terms: ReadonlyArray<Term>, audience: Audience): string | undefined => {
  const wanted = terms.filter((term) => !term.negated && byIndex(term)).map(quoted)
  const unwanted = terms.filter((term) => term.negated && byIndex(term)).map(quoted)
  if (wanted.length === 0) return undefined
  const expression = `(${wanted.join(" AND ")})${unwanted.map((term) => ` NOT ${term}`).join("")}`
  return audience === "owner" ? expression : `${notPrivate}(${expression})`
}

/** Everything else a query asks of a link `l`, as one SQL condition. */
export const conditions = (sql: SqlClient.SqlClient, query: LinkQuery, audience: Audience): Fragment => {
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

  const indexed = ftsExpression(query.terms, audience) !== undefined
  for (const term of query.terms) {
    if (!byIndex(term)) all.push(negate(sql, term.negated, containing(sql, term.text, audience)))
    // FTS5 has no expression that is a negation alone.
    else if (term.negated && !indexed)
      all.push(
        sql`l.id NOT IN (SELECT rowid FROM links_fts WHERE links_fts MATCH ${audience === "owner" ? quoted(term) : notPrivate + quoted(term)})`
      )
  }
  return all.length === 0 ? sql`true` : sql.and(all)
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

/** Substring search, for what the index cannot tell apart: symbols, emoji, parts of unspaced text. */
const containing = (sql: SqlClient.SqlClient, text: string, audience: Audience): Fragment => {
  const pattern = `%${escapeLike(text)}%`
  const columns = [
    "title",
    "tags",
    "summary",
    "description",
    "url",
    ...(audience === "owner" ? ["note", "text"] : [])
  ]
  return sql.or(columns.map((column) => sql`${sql.literal(`l.${column}`)} LIKE ${pattern} ESCAPE '\\'`))
}
