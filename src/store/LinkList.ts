import { SqlClient, type Statement } from "@effect/sql"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import type { Cursor, LinkQuery } from "../domain/LinkQuery.ts"
import { makeCollectionOrder, type PlacedRow } from "./CollectionOrder.ts"
import { nextTurn } from "./EventLoop.ts"
import { conditions, someConditions } from "./LinkConditions.ts"
import { linkJson } from "./LinkJson.ts"
import { matchingOf } from "./Matching.ts"
import { makeRemembered } from "./Remembered.ts"

/** A page of links, each as JSON text ready to be sent. */
export interface LinkPage {
  readonly links: ReadonlyArray<string>
  readonly total: number
  readonly next: Cursor | null
}

type Row = readonly [json: string, id: number, value: string | number] | PlacedRow

/** Rows read at a time where all are asked for, so that the event loop turns in between. */
const CHUNK = 1_000
/** How many answers of a kind are remembered. */
const MAX_COUNTS = 500
const MAX_PAGES = 50
/** Longer pages are not remembered. */
const REMEMBERED_LIMIT = 100

/** Lists links in the order of a column; one that asks for relevance gets the newest first. */
export class LinkList extends Context.Tag("LinkList")<
  LinkList,
  {
    /** One page; `query.limit` links, or all. */
    readonly page: (query: LinkQuery) => Effect.Effect<LinkPage>
    readonly count: (query: LinkQuery) => Effect.Effect<number>
    /** The links of these numbers, in the order given; numbers that no link has are left out. */
    readonly rows: (
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<{ readonly id: number; readonly json: string }>>
    /** Every matching link from the cursor on, in chunks that leave the event loop room. */
    readonly all: (query: LinkQuery) => Stream.Stream<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()

      const json = sql.literal(linkJson)

      /** The links that hold the words, or all. */
      const sourceOf = (query: LinkQuery) => {
        const matching = matchingOf(sql, query.terms)
        if (matching === undefined) return sql`links l`
        const table = sql.literal(matching.table)
        return sql`${table} f JOIN links l ON l.id = f.rowid AND ${table} MATCH ${matching.expression}`
      }

      /** The same without the links themselves, where nothing but their number is asked for. */
      const matchedOf = (query: LinkQuery) => {
        const matching = matchingOf(sql, query.terms)
        if (matching === undefined) return sql`links`
        const table = sql.literal(matching.table)
        return sql`${table} WHERE ${table} MATCH ${matching.expression}`
      }

      /** In an order of a column, from the cursor on (keyset paging: a link that arrives meanwhile moves nothing). */
      const byColumn = (query: LinkQuery, order: Order, limit: number): Statement.Statement<unknown> => {
        const source = sourceOf(query)
        const { cursor } = query
        const value = sql.literal(order.value)
        const after =
          cursor && sql`(${value}, l.id) ${sql.literal(order.onwards)} (${cursor.value}, ${cursor.id})`
        return sql`SELECT ${json}, l.id, ${value} FROM ${source}
          LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(sql, query)} AND ${after ?? sql`true`}
          ORDER BY ${sql.literal(order.by)} LIMIT ${limit}`
      }

      const remembered = yield* makeRemembered(sql)
      const counts = remembered<number>(MAX_COUNTS)
      const pages = remembered<LinkPage>(MAX_PAGES)

      const count = Effect.fn("LinkList.count")((query: LinkQuery) => {
        const { cursor: _, limit: __, sort: ___, ...matching } = query
        const narrowed = someConditions(sql, query)
        const counting = Effect.map(
          Effect.orDie(
            narrowed === undefined
              ? sql<{ total: number }>`SELECT count(*) AS total FROM ${matchedOf(query)}`
              : sql<{
                  total: number
                }>`SELECT count(*) AS total FROM ${sourceOf(query)} WHERE ${narrowed}`
          ),
          ([row]) => row?.total ?? 0
        )
        return counts(JSON.stringify(matching), counting)
      })

      const byCollection = makeCollectionOrder(sql)

      const rows = (query: LinkQuery, limit: number): Effect.Effect<ReadonlyArray<Row>> => {
        const sort = orderOf(query)
        if (sort === "collection")
          return byCollection({
            query,
            limit,
            json,
            source: sourceOf(query),
            words: matchingOf(sql, query.terms) !== undefined,
            count: count(query)
          })
        const statement = byColumn(query, orders[sort], limit)
        return Effect.map(Effect.orDie(statement.values), (values) => values.map(rowOf))
      }

      const nextOf = (query: LinkQuery, page: ReadonlyArray<Row>): Cursor | null => {
        const last = page.at(-1)
        if (last === undefined) return null
        const [, id, value] = last
        const sort = orderOf(query)
        if (typeof value === "object") return { sort: "collection", id, value }
        return sort === "collection" ? null : { sort, id, value }
      }

      const page = Effect.fnUntraced(function* (query: LinkQuery) {
        const limit = query.limit ?? -1
        // One row more than asked for tells whether there is a next page.
        const found = yield* rows(query, limit === -1 ? -1 : limit + 1)
        const shown = limit === -1 ? found : found.slice(0, limit)
        return {
          links: shown.map(([json]) => json),
          total: limit === -1 && query.cursor === undefined ? found.length : yield* count(query),
          next: found.length > shown.length ? nextOf(query, shown) : null
        }
      })

      return {
        count,
        page: Effect.fn("LinkList.page")((query) =>
          query.limit !== undefined && query.limit <= REMEMBERED_LIMIT
            ? pages(JSON.stringify(query), page(query))
            : page(query)
        ),
        rows: Effect.fn("LinkList.rows")((ids) =>
          Effect.map(
            Effect.orDie(
              sql`SELECT ${json}, l.id FROM json_each(${JSON.stringify(ids)}) AS wanted
                JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
                ORDER BY wanted.key`.values
            ),
            (values) => values.map(([json, id]) => ({ id: Number(id), json: String(json) }))
          )
        ),
        all: (query) =>
          Stream.paginateChunkEffect(query.cursor, (cursor) =>
            Effect.map(Effect.zipLeft(rows({ ...query, cursor }, CHUNK), nextTurn), (found) => {
              const next = found.length < CHUNK ? null : nextOf(query, found)
              return [Chunk.unsafeFromArray(found.map(([json]) => json)), Option.fromNullable(next)]
            })
          )
      }
    })
  )
}

const rowOf = ([json, id, value]: ReadonlyArray<unknown>): Row => [
  String(json),
  Number(id),
  typeof value === "number" ? value : String(value)
]

interface Order {
  /** The expression a cursor remembers; ties are broken by the number, in the same direction. */
  readonly value: string
  readonly by: string
  readonly onwards: "<" | ">"
}

const orderOf = ({ sort }: LinkQuery) => (sort === "relevance" ? "newest" : sort)

const orders: Record<"newest" | "oldest" | "title", Order> = {
  newest: { value: "l.created_at", by: "l.created_at DESC, l.id DESC", onwards: "<" },
  oldest: { value: "l.created_at", by: "l.created_at, l.id", onwards: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", onwards: ">" }
}
