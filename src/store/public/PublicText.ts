import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { PublicQuery, Term } from "../../domain/LinkQuery.ts"
import { Service } from "../../runtime/Services.ts"
import { readNumbers } from "../Rows.ts"
import { matchTerms, PROJECTION, type Strictness } from "../search/Matching.ts"
import { makeTextQueries } from "../search/TextQueries.ts"
import { publicConditions } from "./PublicList.ts"

/** How many of the newest matches to rank, and how many more that contain the words in their title. */
const RANKED = 1_000
const RANKED_TITLES = 300
/** How many of the newest matches to rank if a link need not contain all words. */
const RANKED_LOOSELY = 3_000
const EXACT = 50
/** bm25 weights of title, tags, summary, description and URL. */
const WEIGHTS = "10.0, 6.0, 3.0, 3.0, 2.0"

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  const unwanted = (query: PublicQuery): PublicQuery => ({
    ...query,
    terms: query.terms.filter((term) => term.negated)
  })

  const queries = makeTextQueries<PublicQuery>(
    sql,
    PROJECTION,
    "PublicText",
    (query) => publicConditions(unwanted(query)),
    EXACT
  )

  return {
    ...queries,
    /** Returns the newest 1,000 matches and 300 with the words in their title, best first. */
    ranked: Effect.fn("PublicText.ranked")(function* (query: PublicQuery, strictness: Strictness) {
      const hits = Effect.fnUntraced(function* (column: string, limit: number) {
        const match = matchTerms(PROJECTION, query.terms, strictness, column)
        if (match === undefined || (column !== "" && match.table !== PROJECTION.words)) return []
        const table = sql.literal(match.table)
        return yield* sql`SELECT f.rowid, bm25(${table}, ${sql.literal(WEIGHTS)})
              FROM ${table} f JOIN public_links p ON p.id = f.rowid
              WHERE ${table} MATCH ${match.expression} AND ${publicConditions(query, true)}
              ORDER BY f.rowid DESC LIMIT ${limit}`.values
      })
      const isStrict = strictness === "all"
      const newest = yield* hits("", isStrict ? RANKED : RANKED_LOOSELY)
      const titled = !isStrict || newest.length < RANKED ? [] : yield* hits("title", RANKED_TITLES)
      const ranks = new Map([...newest, ...titled].map(([id, rank]) => [Number(id), Number(rank)]))
      return [...ranks].sort((a, b) => a[1] - b[1] || b[0] - a[0]).map(([id]) => id)
    }, Effect.orDie),
    /** Returns all links that pass the filters and excluded words; undefined if the query filters nothing. */
    allowed: Effect.fn("PublicText.allowed")((query: PublicQuery) => {
      const narrowing = unwanted(query)
      if (narrowing.terms.length + query.filters.length === 0 && query.collection === undefined)
        return Effect.succeed(undefined)
      return Effect.map(
        readNumbers(sql`SELECT p.id FROM public_links p WHERE ${publicConditions(narrowing)}`),
        (found) => new Set(found)
      )
    }),
    /** Whether any shared link contains the term, even if the term is negated. */
    holds: (term: Term) => queries.holds({ ...term, negated: false })
  }
})

/** Searches shared links by words, best first (bm25). Link ids order the results and never reach a response. */
export class PublicText extends Service<PublicText>()("PublicText", make) {}
