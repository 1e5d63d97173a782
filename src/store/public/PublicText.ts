import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import type { PublicQuery, Term } from "../../domain/LinkQuery.ts"
import { readNumbers, readOrDefect } from "../Rows.ts"
import { BEGUN, begun, countsOf, type Strictness, wordsAfter } from "../search/Matching.ts"
import { publicConditions, publicMatch } from "./PublicList.ts"

/** How many of the newest matches to rank, and how many more that contain the words in their title. */
const RANKED = 1_000
const RANKED_TITLES = 300
/** How many of the newest matches to rank if a link need not contain all words. */
const RANKED_LOOSELY = 3_000
/** The maximum number of exact title or URL matches. */
const EXACT = 50
/** bm25 weights of title, tags, summary, description and URL. */
const WEIGHTS = "10.0, 6.0, 3.0, 3.0, 2.0"

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  const unwanted = (query: PublicQuery): PublicQuery => ({
    ...query,
    terms: query.terms.filter((term) => term.negated)
  })

  return {
    /** Returns the newest 1,000 matches and 300 with the words in their title, best first. */
    ranked: Effect.fn("PublicText.ranked")(function* (query: PublicQuery, strictness: Strictness) {
      const hits = Effect.fnUntraced(function* (column: string, limit: number) {
        const match = publicMatch(sql, query.terms, strictness, column)
        if (match === undefined || (column !== "" && match.table !== "public_fts")) return []
        const table = sql.literal(match.table)
        return yield* sql`SELECT f.rowid, bm25(${table}, ${sql.literal(WEIGHTS)})
              FROM ${table} f JOIN public_links p ON p.id = f.rowid
              WHERE ${table} MATCH ${match.expression} AND ${publicConditions(sql, query, true)}
              ORDER BY f.rowid DESC LIMIT ${limit}`.values
      })
      const isStrict = strictness === "all"
      const newest = yield* hits("", isStrict ? RANKED : RANKED_LOOSELY)
      const titled = !isStrict || newest.length < RANKED ? [] : yield* hits("title", RANKED_TITLES)
      const ranks = new Map([...newest, ...titled].map(([id, rank]) => [Number(id), Number(rank)]))
      return [...ranks].sort((a, b) => a[1] - b[1] || b[0] - a[0]).map(([id]) => id)
    }, readOrDefect),
    /**
     * Returns links whose title equals this text, ignoring case, or whose normalized URL equals `address`; newest
     * first, at most 50.
     */
    exact: Effect.fn("PublicText.exact")((query: PublicQuery, text: string, address: string | undefined) =>
      readNumbers(
        // Cross joins, as for the owner's links: a filter's index must not be walked instead.
        sql`SELECT p.id FROM (
                SELECT id FROM public_links WHERE title = ${text} COLLATE NOCASE
                UNION SELECT id FROM public_links WHERE normalized_url = ${address ?? null}
              ) e CROSS JOIN public_links p ON p.id = e.id
              WHERE ${publicConditions(sql, unwanted(query))} ORDER BY p.id DESC LIMIT ${EXACT}`
      )
    ),
    /**
     * Returns links whose title begins with this text, ignoring case, or whose address does after its scheme and `www.`;
     * those with the shortest title first, at most 50.
     */
    begun: Effect.fn("PublicText.begun")((query: PublicQuery, text: string) =>
      readNumbers(
        sql`SELECT p.id FROM (${begun(sql, "public_links", text)}) b CROSS JOIN public_links p ON p.id = b.id
              WHERE ${publicConditions(sql, unwanted(query))} ORDER BY length(p.title), p.id DESC LIMIT ${BEGUN}`
      )
    ),
    /** Returns all links that pass the filters and excluded words; undefined if the query filters nothing. */
    allowed: Effect.fn("PublicText.allowed")((query: PublicQuery) => {
      const narrowing = unwanted(query)
      if (narrowing.terms.length + query.filters.length === 0 && query.collection === undefined)
        return Effect.succeed(undefined)
      return Effect.map(
        readNumbers(sql`SELECT p.id FROM public_links p WHERE ${publicConditions(sql, narrowing)}`),
        (found) => new Set(found)
      )
    }),
    /** Whether any shared link contains the term, even if the term is negated. */
    holds: Effect.fn("PublicText.holds")((term: Term) => {
      const match = publicMatch(sql, [{ ...term, negated: false }])
      if (match === undefined) return Effect.succeed(false)
      const table = sql.literal(match.table)
      return Effect.map(
        readNumbers(sql`SELECT rowid FROM ${table} WHERE ${table} MATCH ${match.expression} LIMIT 1`),
        (found) => found.length > 0
      )
    }),
    /** Counts the shared links that contain each term, up to `most`; 0 for terms that the word index cannot answer. */
    counts: Effect.fn("PublicText.counts")((terms: ReadonlyArray<Term>, most: number) =>
      terms.length === 0 ? Effect.succeed([]) : readNumbers(countsOf(sql, "public_fts", terms, most))
    ),
    /** Returns the next words of the shared links after this one, folded and stemmed, each with its number of links. */
    words: Effect.fn("PublicText.words")((after: string, limit: number) =>
      Effect.map(readOrDefect(wordsAfter(sql, "public_words", after, limit).values), (rows) =>
        rows.map(([word, links]) => ({ word: String(word), links: Number(links) }))
      )
    )
  }
})

/**
 * Searches shared links by words in the projection, best first (bm25). Link ids order the results and are never part of
 * a response.
 */
export class PublicText extends Context.Tag("PublicText")<PublicText, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
