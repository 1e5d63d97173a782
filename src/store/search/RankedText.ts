import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { LinkQuery } from "../../domain/LinkQuery.ts"
import { Service } from "../../runtime/Services.ts"
import { conditions, someConditions } from "../links/LinkList.ts"
import { readNumber, readNumbers } from "../Rows.ts"
import { areFew, isListed, listedPart } from "./FewLinks.ts"
import { LIBRARY, matchTerms, type Strictness } from "./Matching.ts"
import { makeTextQueries } from "./TextQueries.ts"

/** How many of the newest matches to rank: users would not look at more, and ranking dominates the cost. */
export const RANKED = 1_000
/** How many more matches with the words in their title to rank, regardless of age. */
const RANKED_TITLES = 300
/** How many of the newest matches to rank if a link need not contain all words: the best may be anywhere among them. */
const RANKED_LOOSELY = 3_000
/** How many links to list before their words are matched: of more, the newest matches are found soon enough. */
const FEW = 5_000
/** The maximum number of exact title or URL matches. */
const EXACT = 100
/** bm25 weights of title, tags, note, summary, description, URL and text. */
const WEIGHTS = "10.0, 6.0, 5.0, 3.0, 3.0, 2.0, 1.0"

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  /** Returns the filters and excluded words; the wanted terms are matched elsewhere. */
  const filters = (query: LinkQuery) =>
    conditions({ ...query, terms: query.terms.filter((term) => term.negated) })

  return {
    ...makeTextQueries(sql, LIBRARY, "RankedText", filters, EXACT),
    /**
     * Returns matching links with ids up to `newest`, best first: the newest 1,000, and 300 with the words in their
     * title. Ranks all matches if the query has no `limit`.
     */
    ranked: Effect.fn("RankedText.ranked")(function* (
      query: LinkQuery,
      strictness: Strictness,
      newest: number
    ) {
      const matching = matchTerms(LIBRARY, query.terms, strictness)
      if (matching === undefined) return []
      const table = sql.literal(matching.table)
      const narrowed = someConditions(query)
      const part = someConditions(listedPart(query))
      const few = part !== undefined && (yield* areFew(sql, part, matching, FEW))
      const join = narrowed === undefined || few ? sql`` : sql`JOIN links l ON l.id = f.rowid`
      const admitted = narrowed !== undefined && few ? isListed(narrowed) : narrowed
      const hits = (expression: typeof matching.expression, limit: number) =>
        sql`SELECT f.rowid AS id, bm25(${table}, ${sql.literal(WEIGHTS)}) AS rank FROM ${table} f ${join}
              WHERE ${table} MATCH ${expression} AND f.rowid <= ${newest} AND ${admitted ?? sql`true`}
              ORDER BY f.rowid DESC LIMIT ${query.limit === undefined ? -1 : limit}`
      const best =
        yield* sql`SELECT id, rank FROM (${hits(matching.expression, strictness === "all" ? RANKED : RANKED_LOOSELY)}) ORDER BY rank, id DESC`
          .values
      if (best.length < RANKED || query.limit === undefined || strictness !== "all")
        return best.map(([id]) => Number(id))
      const inTitle = matchTerms(LIBRARY, query.terms, strictness, "title")
      const titled =
        inTitle?.table === "links_fts" ? yield* hits(inTitle.expression, RANKED_TITLES).values : []
      const all = new Map([...best, ...titled].map(([id, rank]) => [Number(id), Number(rank)]))
      return [...all].sort((a, b) => a[1] - b[1] || b[0] - a[0]).map(([id]) => id)
    }, Effect.orDie),
    older: Effect.fn("RankedText.older")((query: LinkQuery, id: number, limit: number) => {
      const matching = matchTerms(LIBRARY, query.terms)
      if (matching === undefined) return Effect.succeed([])
      const table = sql.literal(matching.table)
      return readNumbers(
        sql`SELECT f.rowid FROM ${table} f JOIN links l ON l.id = f.rowid
              WHERE ${table} MATCH ${matching.expression} AND f.rowid < ${id} AND ${conditions(query)}
              ORDER BY f.rowid DESC LIMIT ${limit}`
      )
    }),
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
    newest: readNumber(sql`SELECT max(id) FROM links`)
  }
})

/** Searches links by words, best first (bm25, Robertson and Zaragoza 2009). */
export class RankedText extends Service<RankedText>()("RankedText", make) {}
