import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { CollectionPlace, LinkQuery } from "../domain/LinkQuery.ts"
import { conditions } from "./LinkConditions.ts"

/** A link's JSON, its number, and where it stands. */
export type PlacedRow = readonly [json: string, id: number, place: CollectionPlace]

/** Up to this many matching links are sorted; where there are more the order is walked, for enough of it will match. */
const SORTED = 1_000

interface Request {
  readonly query: LinkQuery
  /** How many rows are wanted; -1 for all. */
  readonly limit: number
  /** A link's JSON, over `links l LEFT JOIN collections c`. */
  readonly json: Fragment
  /** Where matching links are found, as a table expression with links as `l`. */
  readonly source: Fragment
  /** Whether words are looked for: their matches come in an order of their own. */
  readonly words: boolean
  /** How many links match. */
  readonly count: Effect.Effect<number>
}

const placed = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<PlacedRow> =>
  rows.map(([json, id, createdAt, name]) => [
    String(json),
    Number(id),
    [typeof name === "string" ? name : null, String(createdAt)]
  ])

/**
 * Lists links collection by collection, in the order of the collections' names, each the newest first; then the links
 * in none.
 *
 * No index holds this order, for it begins in another table. It is walked in pieces that each have one: the rest of the
 * cursor's collection, the collections after it, the links in none. So a page costs what it shows, however large the library.
 */
export const makeCollectionOrder = (sql: SqlClient.SqlClient) => {
  const newestFirst = sql.literal("l.created_at DESC, l.id DESC")

  /** Only links of one collection are asked for: then no other is walked. */
  const only = ({ filters }: LinkQuery) =>
    filters.flatMap((filter) =>
      filter.field === "collection" && !filter.negated ? [sql`c.name = ${filter.value}`] : []
    )

  const afterIn = ({ cursor }: LinkQuery): Fragment =>
    cursor?.sort === "collection" ? sql`(l.created_at, l.id) < (${cursor.value[1]}, ${cursor.id})` : sql`true`

  const filed = ({ json, query }: Request, places: ReadonlyArray<Fragment>, limit: number) =>
    sql`SELECT ${json}, l.id, l.created_at, c.name
      FROM collections c CROSS JOIN links l ON l.collection_id = c.id
      WHERE ${sql.and([...places, ...only(query), conditions(sql, query)])}
      ORDER BY c.name, ${newestFirst} LIMIT ${limit}`

  const unfiled = ({ json, query }: Request, after: Fragment, limit: number) =>
    sql`SELECT ${json}, l.id, l.created_at, c.name
      FROM links l LEFT JOIN collections c ON c.id = l.collection_id
      WHERE l.collection_id IS NULL AND ${after} AND ${conditions(sql, query)}
      ORDER BY ${newestFirst} LIMIT ${limit}`

  /** What lies from the cursor on, in pieces that follow each other. */
  const pieces = (request: Request) => {
    const { collection, cursor } = request.query
    const after = afterIn(request.query)
    const name = cursor?.sort === "collection" ? cursor.value[0] : undefined
    const inCollections =
      name === undefined
        ? [(limit: number) => filed(request, [], limit)]
        : name === null
          ? []
          : [
              (limit: number) => filed(request, [sql`c.name = ${name}`, after], limit),
              (limit: number) => filed(request, [sql`c.name > ${name}`], limit)
            ]
    const rest = (limit: number) => unfiled(request, name === null ? after : sql`true`, limit)
    if (collection === null) return name === undefined || name === null ? [rest] : []
    return collection !== undefined || only(request.query).length > 0
      ? inCollections
      : [...inCollections, rest]
  }

  const walked = Effect.fnUntraced(function* (request: Request) {
    const rows: Array<PlacedRow> = []
    for (const piece of pieces(request)) {
      const left = request.limit === -1 ? -1 : request.limit - rows.length
      if (left === 0) break
      rows.push(...placed(yield* piece(left).values))
    }
    return rows
  })

  /** The numbers first: a row's JSON is written only for what is shown. */
  const sorted = (request: Request) => {
    const { json, limit, query, source } = request
    const { cursor } = query
    const after = afterIn(query)
    const name = cursor?.sort === "collection" ? cursor.value[0] : undefined
    const onwards =
      name === undefined
        ? sql`true`
        : name === null
          ? sql`(c.name IS NULL AND ${after})`
          : sql`(c.name > ${name} OR c.name IS NULL OR (c.name = ${name} AND ${after}))`
    const order = sql`c.name IS NULL, c.name, ${newestFirst}`
    return Effect.map(
      sql`SELECT ${json}, l.id, l.created_at, c.name FROM (
          SELECT l.id AS id FROM ${source} LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(sql, query)} AND ${onwards} ORDER BY ${order} LIMIT ${limit}
        ) AS shown CROSS JOIN links l ON l.id = shown.id LEFT JOIN collections c ON c.id = l.collection_id
        ORDER BY ${order}`.values,
      placed
    )
  }

  const narrows = ({ favorite, filters, shareable, terms }: LinkQuery) =>
    filters.length > 0 || terms.length > 0 || favorite !== undefined || shareable !== undefined

  /** The first rows from the query's cursor on. */
  return Effect.fn("CollectionOrder.rows")(function* (request: Request) {
    const few = request.words || (narrows(request.query) && (yield* request.count) <= SORTED)
    return yield* Effect.orDie(few ? sorted(request) : walked(request))
  })
}
