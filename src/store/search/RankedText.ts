import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import type { LinkQuery, Term } from "../../domain/LinkQuery.ts"
import { conditions, someConditions } from "../links/LinkList.ts"
import { readNumber, readNumbers, readOrDefect } from "../Rows.ts"
import { areFew, isListed, listedPart } from "./FewLinks.ts"
import { BEGUN, begun, countsOf, matchTerms, type Strictness, wordsAfter } from "./Matching.ts"

/** How many of the newest matches to rank: users would not look at more, and ranking dominates the cost. */
export const RANKED = 1_000
/** How many more matches with the words in their title to rank, regardless of age. */
const RANKED_TITLES = 300
/** How many of the newest matches to rank if a link need not contain all words: the best may be anywhere among them. */
const RANKED_LOOSELY = 3_000
/** How many links to list before their words are matched: of more, the newest matches are found soon enough. */
const FEW = 5_000
/** bm25 weights of title, tags, note, summary, description, URL and text. */
const WEIGHTS = "10.0, 6.0, 5.0, 3.0, 3.0, 2.0, 1.0"

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  /** Returns the filters and excluded words; the wanted terms are matched elsewhere. */
  const filters = (query: LinkQuery) =>
    conditions(sql, { ...query, terms: query.terms.filter((term) => term.negated) })

  return {
    /**
     * Returns matching links with ids up to `newest`, best first: the newest 1,000, and 300 with the words in their
     * title. Ranks all matches if the query has no `limit`.
     */
    ranked: Effect.fn("RankedText.ranked")(function* (
      query: LinkQuery,
      strictness: Strictness,
      newest: number
    ) {
      const matching = matchTerms(sql, query.terms, strictness)
      if (matching === undefined) return []
      const table = sql.literal(matching.table)
      const narrowed = someConditions(sql, query)
      const part = someConditions(sql, listedPart(query))
      const few = part !== undefined && (yield* areFew(sql, part, matching, FEW))
      const join = narrowed === undefined || few ? sql`` : sql`JOIN links l ON l.id = f.rowid`
      const admitted = narrowed !== undefined && few ? isListed(sql, narrowed) : narrowed
      const hits = (expression: typeof matching.expression, limit: number) =>
        sql`SELECT f.rowid AS id, bm25(${table}, ${sql.literal(WEIGHTS)}) AS rank FROM ${table} f ${join}
              WHERE ${table} MATCH ${expression} AND f.rowid <= ${newest} AND ${admitted ?? sql`true`}
              ORDER BY f.rowid DESC LIMIT ${query.limit === undefined ? -1 : limit}`
      const best =
        yield* sql`SELECT id, rank FROM (${hits(matching.expression, strictness === "all" ? RANKED : RANKED_LOOSELY)}) ORDER BY rank, id DESC`
          .values
      if (best.length < RANKED || query.limit === undefined || strictness !== "all")
        return best.map(([id]) => Number(id))
      const inTitle = matchTerms(sql, query.terms, strictness, "title")
      const titled =
        inTitle?.table === "links_fts" ? yield* hits(inTitle.expression, RANKED_TITLES).values : []
      const all = new Map([...best, ...titled].map(([id, rank]) => [Number(id), Number(rank)]))
      return [...all].sort((a, b) => a[1] - b[1] || b[0] - a[0]).map(([id]) => id)
    }, readOrDefect),
    /** Returns matching links with ids below `id`, newest first. */
    older: Effect.fn("RankedText.older")((query: LinkQuery, id: number, limit: number) => {
      const matching = matchTerms(sql, query.terms)
      if (matching === undefined) return Effect.succeed([])
      const table = sql.literal(matching.table)
      return readNumbers(
        sql`SELECT f.rowid FROM ${table} f JOIN links l ON l.id = f.rowid
              WHERE ${table} MATCH ${matching.expression} AND f.rowid < ${id} AND ${conditions(sql, query)}
              ORDER BY f.rowid DESC LIMIT ${limit}`
      )
    }),
    /**
     * Returns links whose title equals this text, ignoring case, or whose normalized URL equals `address`; newest
     * first, at most 100.
     */
    exact: Effect.fn("RankedText.exact")((query: LinkQuery, text: string, address: string | undefined) =>
      readNumbers(
        // A cross join: the planner would rather walk the index of a filter that most links pass.
        sql`SELECT l.id FROM (
                SELECT id FROM links WHERE title = ${text} COLLATE NOCASE
                UNION SELECT id FROM links WHERE normalized_url = ${address ?? null}
              ) e CROSS JOIN links l ON l.id = e.id
              WHERE ${filters(query)} ORDER BY l.id DESC LIMIT 100`
      )
    ),
    /**
     * Returns links whose title begins with this text, ignoring case, or whose address does after its scheme and `www.`;
     * those with the shortest title first, at most 50.
     */
    begun: Effect.fn("RankedText.begun")((query: LinkQuery, text: string) =>
      readNumbers(
        sql`SELECT l.id FROM (${begun(sql, "links", text)}) b CROSS JOIN links l ON l.id = b.id
              WHERE ${filters(query)} ORDER BY length(l.title), l.id DESC LIMIT ${BEGUN}`
      )
    ),
    /** Returns those of `ids` that pass every filter of the query and contain none of its excluded words. */
    admitted: Effect.fn("RankedText.admitted")((wanted: ReadonlyArray<number>, query: LinkQuery) =>
      Effect.map(
        readNumbers(
          sql`SELECT l.id FROM json_each(${JSON.stringify(wanted)}) AS wanted CROSS JOIN links l ON l.id = wanted.value
                WHERE ${filters(query)}`
        ),
        (found) => new Set(found)
      )
    ),
    /** Returns all links that pass the filters and excluded words; undefined if there are more than `limit`. */
    allowed: Effect.fn("RankedText.allowed")((query: LinkQuery, limit: number) =>
      Effect.map(
        readNumbers(sql`SELECT l.id FROM links l WHERE ${filters(query)} LIMIT ${limit + 1}`),
        (found) => (found.length > limit ? undefined : new Set(found))
      )
    ),
    /** Whether any link contains the term; always false for a negated term. */
    holds: Effect.fn("RankedText.holds")((term: Term) => {
      const matching = matchTerms(sql, [term])
      if (matching === undefined) return Effect.succeed(false)
      const table = sql.literal(matching.table)
      return Effect.map(
        readNumbers(sql`SELECT rowid FROM ${table} WHERE ${table} MATCH ${matching.expression} LIMIT 1`),
        (found) => found.length > 0
      )
    }),
    /** Counts the links that contain each term, up to `most`. Only the word index is asked: 0 for other terms. */
    counts: Effect.fn("RankedText.counts")((terms: ReadonlyArray<Term>, most: number) =>
      terms.length === 0 ? Effect.succeed([]) : readNumbers(countsOf(sql, "links_fts", terms, most))
    ),
    /** Returns the next indexed words after this one, folded and stemmed, each with its number of links. */
    words: Effect.fn("RankedText.words")((after: string, limit: number) =>
      Effect.map(readOrDefect(wordsAfter(sql, "links_words", after, limit).values), (rows) =>
        rows.map(([word, links]) => ({ word: String(word), links: Number(links) }))
      )
    ),
    /** The highest link id; 0 in an empty library. */
    newest: readNumber(sql`SELECT max(id) FROM links`)
  }
})

/** Searches links by words, best first (bm25, Robertson and Zaragoza 2009). */
export class RankedText extends Context.Tag("RankedText")<RankedText, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
