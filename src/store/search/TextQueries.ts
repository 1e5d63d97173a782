import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Term } from "../../domain/LinkQuery.ts"
import { fragment, literal } from "../Fragment.ts"
import { readNumbers } from "../Rows.ts"
import { type LinkTables, matchTerms, wordsExpression } from "./Matching.ts"

/** Maximum number of titles and of addresses that are read for a beginning, and of links that begin with a text. */
const MOST_BEGUN = 150
const BEGUN = 50
/** Possible beginnings of an address before its host. */
const schemes = ["https://", "https://www.", "http://", "http://www."]

/**
 * Builds the statement that finds the ids in a table of links whose title, or whose address without its scheme, begins
 * with this text; shortest titles first.
 */
const beginning = (table: LinkTables["links"], text: string): Fragment => {
  const end = `${text}${String.fromCodePoint(0x10ffff)}`
  const titles = fragment`SELECT * FROM (SELECT id, title FROM ${literal(table)}
    WHERE title COLLATE NOCASE >= ${text} AND title COLLATE NOCASE < ${end} LIMIT ${MOST_BEGUN})`
  const addresses = /^[^\s/]+(?:\/\S*)?$/.test(text)
    ? schemes.map(
        (scheme) => fragment` UNION SELECT * FROM (SELECT id, title FROM ${literal(table)}
          WHERE normalized_url >= ${scheme + text.toLowerCase()} AND normalized_url < ${scheme + end.toLowerCase()} LIMIT ${MOST_BEGUN})`
      )
    : []
  return addresses.reduce((all, one) => fragment`${all}${one}`, titles)
}

/**
 * The questions about words that the owner's search and the public one ask alike. `admits` is a query's condition beyond
 * the words that it wants; `service` names the spans.
 */
export const makeTextQueries = <Query>(
  sql: SqlClient.SqlClient,
  tables: LinkTables,
  service: string,
  admits: (query: Query) => Fragment,
  mostExact: number
) => {
  const links = literal(tables.links)
  const l = literal(tables.alias)
  return {
    /**
     * Returns links whose title equals this text, ignoring case, or whose normalized URL equals `address`; newest
     * first, at most `mostExact`.
     */
    exact: Effect.fn(`${service}.exact`)((query: Query, text: string, address: string | undefined) =>
      readNumbers(
        // A cross join: the planner would rather walk the index of a filter that most links pass.
        sql`SELECT ${l}.id FROM (
            SELECT id FROM ${links} WHERE title = ${text} COLLATE NOCASE
            UNION SELECT id FROM ${links} WHERE normalized_url = ${address ?? null}
          ) e CROSS JOIN ${links} ${l} ON ${l}.id = e.id
          WHERE ${admits(query)} ORDER BY ${l}.id DESC LIMIT ${mostExact}`
      )
    ),
    /**
     * Returns links whose title begins with this text, ignoring case, or whose address does after its scheme and `www.`;
     * those with the shortest title first, at most 50.
     */
    begun: Effect.fn(`${service}.begun`)((query: Query, text: string) =>
      readNumbers(
        sql`SELECT ${l}.id FROM (${beginning(tables.links, text)}) b CROSS JOIN ${links} ${l} ON ${l}.id = b.id
          WHERE ${admits(query)} ORDER BY length(${l}.title), ${l}.id DESC LIMIT ${BEGUN}`
      )
    ),
    /** Whether any link contains the term; always false for a negated term. */
    holds: Effect.fn(`${service}.holds`)((term: Term) => {
      const matching = matchTerms(tables, [term])
      if (matching === undefined) return Effect.succeed(false)
      const table = literal(matching.table)
      return Effect.map(
        readNumbers(sql`SELECT rowid FROM ${table} WHERE ${table} MATCH ${matching.expression} LIMIT 1`),
        (found) => found.length > 0
      )
    }),
    /** Counts the links that contain each term, up to `most`. Only the word index is asked: 0 for other terms. */
    counts: Effect.fn(`${service}.counts`)((terms: ReadonlyArray<Term>, most: number) => {
      if (terms.length === 0) return Effect.succeed([])
      const words = literal(tables.words)
      const expressions = terms.map((term) => wordsExpression([{ ...term, negated: false }]) ?? '""')
      return readNumbers(
        sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM ${words} WHERE ${words} MATCH asked.value LIMIT ${most}))
          FROM json_each(${JSON.stringify(expressions)}) AS asked ORDER BY asked.key`
      )
    }),
    /** Returns the next indexed words after this one, folded and stemmed, each with its number of links. */
    words: Effect.fn(`${service}.words`)((after: string, limit: number) =>
      Effect.map(
        Effect.orDie(
          sql`SELECT term, doc FROM ${literal(tables.wordList)} WHERE term > ${after} LIMIT ${limit}`.values
        ),
        (rows) => rows.map(([word, links]) => ({ word: String(word), links: Number(links) }))
      )
    )
  }
}
