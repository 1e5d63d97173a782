import { SqlClient, type Statement } from "@effect/sql"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import type { Cursor, LinkQuery } from "../domain/LinkQuery.ts"
import { nextTurn } from "./EventLoop.ts"
import { type Audience, conditions, ftsExpression } from "./LinkConditions.ts"
import { linkJson, publicLinkJson } from "./LinkJson.ts"
import { makeRemembered } from "./Remembered.ts"

/** A page of links, each as JSON text ready to be sent. */
export interface LinkPage {
  readonly links: ReadonlyArray<string>
  readonly total: number
  readonly next: Cursor | null
}

type Row = readonly [json: string, id: number, value: string | number]

/** How many of the newest matches are ranked: more would not be looked at, and ranking is what costs. */
const RANKED = 2_000
/** bm25 weights of title, tags, note, summary, description, url and text. */
const WEIGHTS = "10.0, 6.0, 5.0, 3.0, 3.0, 2.0, 1.0"
/** Rows read at a time where all are asked for, so that the event loop turns in between. */
const CHUNK = 1_000
/** Longer pages are not remembered. */
const REMEMBERED_LIMIT = 100

/** Lists and searches links. */
export class LinkList extends Context.Tag("LinkList")<
  LinkList,
  {
    /** One page; `query.limit` links, or all. */
    readonly page: (query: LinkQuery, audience: Audience) => Effect.Effect<LinkPage>
    readonly count: (query: LinkQuery, audience: Audience) => Effect.Effect<number>
    /** Every matching link from the cursor on, in chunks that leave the event loop room. */
    readonly all: (query: LinkQuery, audience: Audience) => Stream.Stream<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()

      const jsonFor = (audience: Audience) => sql.literal(audience === "owner" ? linkJson : publicLinkJson)

      /** In an order of a column, from the cursor on (keyset paging: a link that arrives meanwhile moves nothing). */
      const byColumn = (
        query: LinkQuery,
        order: Order,
        audience: Audience,
        limit: number
      ): Statement.Statement<unknown> => {
        const match = ftsExpression(query.terms, audience)
        const source =
          match === undefined
            ? sql`links l`
            : sql`links_fts f JOIN links l ON l.id = f.rowid AND links_fts MATCH ${match}`
        const { cursor } = query
        const value = sql.literal(order.value)
        const after =
          cursor && sql`(${value}, l.id) ${sql.literal(order.onwards)} (${cursor.value}, ${cursor.id})`
        return sql`SELECT ${jsonFor(audience)}, l.id, ${value} FROM ${source}
          LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(sql, query, audience)} AND ${after ?? sql`true`}
          ORDER BY ${sql.literal(order.by)} LIMIT ${limit}`
      }

      /**
       * In the order of relevance. Ranks drift as links arrive, so a cursor holds how many were seen of the links up
       * to the newest of the first page.
       */
      const byRank = (
        query: LinkQuery,
        match: string,
        audience: Audience,
        limit: number
      ): Statement.Statement<unknown> => {
        const newest = query.cursor === undefined ? sql`(SELECT max(id) FROM links)` : sql`${query.cursor.id}`
        const skip = Number(query.cursor?.value ?? 0)
        return sql`SELECT ${jsonFor(audience)}, ${newest}, ${skip} FROM (
            SELECT f.rowid AS id, bm25(links_fts, ${sql.literal(WEIGHTS)}) AS rank FROM links_fts f
            JOIN links l ON l.id = f.rowid
            WHERE links_fts MATCH ${match} AND f.rowid <= ${newest} AND ${conditions(sql, query, audience)}
            ORDER BY f.rowid DESC LIMIT ${query.limit === undefined ? -1 : RANKED}
          ) hits JOIN links l ON l.id = hits.id LEFT JOIN collections c ON c.id = l.collection_id
          ORDER BY hits.rank, l.id DESC LIMIT ${limit} OFFSET ${skip}`
      }

      /** Without a word the index ranks by, there is no relevance to sort by. */
      const sortOf = (query: LinkQuery, audience: Audience) =>
        query.sort === "relevance" && ftsExpression(query.terms, audience) === undefined
          ? "newest"
          : query.sort

      const rows = (query: LinkQuery, audience: Audience, limit: number) => {
        const sort = sortOf(query, audience)
        const statement =
          sort === "relevance"
            ? byRank(query, ftsExpression(query.terms, audience) ?? "", audience, limit)
            : byColumn(query, orders[sort], audience, limit)
        return Effect.map(Effect.orDie(statement.values), (values) => values.map(rowOf))
      }

      const remembered = yield* makeRemembered(sql)

      const count = Effect.fn("LinkList.count")((query: LinkQuery, audience: Audience) => {
        const { cursor: _, limit: __, sort: ___, ...matching } = query
        const where = conditions(sql, query, audience)
        const match = ftsExpression(query.terms, audience)
        const from =
          match === undefined
            ? sql`links l WHERE ${where}`
            : sql`links_fts f JOIN links l ON l.id = f.rowid WHERE links_fts MATCH ${match} AND ${where}`
        const counting = Effect.map(
          Effect.orDie(sql<{ total: number }>`SELECT count(*) AS total FROM ${from}`),
          ([row]) => row?.total ?? 0
        )
        return remembered.counts(JSON.stringify([audience, matching]), counting)
      })

      const nextOf = (query: LinkQuery, audience: Audience, page: ReadonlyArray<Row>): Cursor | null => {
        const last = page.at(-1)
        if (last === undefined) return null
        const [, id, value] = last
        const sort = sortOf(query, audience)
        return { sort, id, value: sort === "relevance" ? Number(value) + page.length : value }
      }

      const page = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience) {
        const limit = query.limit ?? -1
        // One row more than asked for tells whether there is a next page.
        const found = yield* rows(query, audience, limit === -1 ? -1 : limit + 1)
        const shown = limit === -1 ? found : found.slice(0, limit)
        return {
          links: shown.map(([json]) => json),
          total: limit === -1 && query.cursor === undefined ? found.length : yield* count(query, audience),
          next: found.length > shown.length ? nextOf(query, audience, shown) : null
        }
      })

      return {
        count,
        page: Effect.fn("LinkList.page")((query, audience) =>
          query.limit !== undefined && query.limit <= REMEMBERED_LIMIT
            ? remembered.pages(JSON.stringify([audience, query]), page(query, audience))
            : page(query, audience)
        ),
        all: (query, audience) =>
          sortOf(query, audience) === "relevance"
            ? Stream.unwrap(
                Effect.map(rows(query, audience, -1), (found) =>
                  Stream.fromIterable(found.map(([json]) => json))
                )
              )
            : Stream.paginateChunkEffect(query.cursor, (cursor) =>
                Effect.map(Effect.zipLeft(rows({ ...query, cursor }, audience, CHUNK), nextTurn), (found) => {
                  const next = found.length < CHUNK ? null : nextOf(query, audience, found)
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

const orders: Record<"newest" | "oldest" | "title", Order> = {
  newest: { value: "l.created_at", by: "l.created_at DESC, l.id DESC", onwards: "<" },
  oldest: { value: "l.created_at", by: "l.created_at, l.id", onwards: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", onwards: ">" }
}
