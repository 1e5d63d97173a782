import { SqlClient, SqlSchema, type Statement } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Chunk, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { LinkId } from "../../domain/Link.ts"
import type { CollectionPlace, Cursor, Filter, LinkQuery, Term } from "../../domain/LinkQuery.ts"
import { ownersTag } from "../../domain/Tags.ts"
import { nextTurn } from "../../runtime/Scheduling.ts"
import {
  byWords,
  type Matching,
  matchingOf,
  negate,
  onSite,
  trigramExpression,
  wordsExpression
} from "../search/Matching.ts"
import { makeVersionedCache } from "../VersionedCache.ts"
import { linkJson } from "./LinkStore.ts"

/** Everything a query asks of a link `l` beside what `matchingOf` matches, as one SQL condition. */
export const conditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment =>
  someConditions(sql, query) ?? sql`true`

/**
 * The same, or nothing where nothing more is asked: then a link need not be looked up to know that it fits. The
 * strictness is that of the match it is put beside.
 */
export const someConditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment | undefined => {
  const all: Array<Fragment> = []
  if (query.collection === null) all.push(sql`l.collection_id IS NULL`)
  else if (query.collection !== undefined) all.push(sql`l.collection_id = ${query.collection}`)
  if (query.favorite !== undefined) all.push(sql`l.favorite = ${query.favorite ? 1 : 0}`)
  if (query.shareable !== undefined) all.push(sql`l.shareable = ${query.shareable ? 1 : 0}`)
  for (const filter of query.filters) all.push(negate(sql, filter.negated, filtered(sql, filter)))

  const words = wordsExpression(query.terms) !== undefined
  const asked = words ? undefined : query.terms.find((term) => !term.negated)
  for (const term of query.terms) {
    if (term === asked) continue
    if (!byWords(term)) all.push(negate(sql, term.negated, containing(sql, term)))
    // FTS5 has no expression that is a negation alone.
    else if (term.negated && !words) all.push(negate(sql, true, holding(sql, term)))
  }
  return all.length === 0 ? undefined : sql.and(all)
}

const filtered = (sql: SqlClient.SqlClient, filter: Filter): Fragment => {
  switch (filter.field) {
    case "favorite":
      return sql`l.favorite = 1`
    case "shareable":
      return sql`l.shareable = 1`
    case "partial":
      return sql`l.enrichment = 'partial'`
    case "tag": {
      const spellings = [filter.value, ownersTag(filter.value)]
      return sql`l.id IN (SELECT link_id FROM link_tags WHERE ${sql.in("tag", spellings)})`
    }
    case "category":
      return sql`l.category = ${filter.value.toLowerCase()}`
    case "collection":
      return sql`l.collection_id IN (SELECT id FROM collections WHERE name = ${filter.value})`
    case "site":
      return onSite(sql, sql`l.host`, filter.value)
    case "before":
      return sql`l.created_at < ${filter.value}`
    case "after":
      return sql`l.created_at >= ${filter.value}`
  }
}

const among = (sql: SqlClient.SqlClient, { expression, table }: Matching): Fragment =>
  sql`l.id IN (SELECT rowid FROM ${sql.literal(table)} WHERE ${sql.literal(table)} MATCH ${expression})`

/** The term as a word, wanted or not. */
const holding = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  among(sql, {
    table: "links_fts",
    expression: sql`${wordsExpression([{ ...term, negated: false }]) ?? ""}`
  })

/** Any place in any field, for what the word index cannot tell apart: symbols, emoji, parts of unspaced text. */
const containing = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  among(sql, { table: "links_trigram", expression: trigramExpression(sql, term) })

/** A link's JSON, its number, and where it stands. */
type PlacedRow = readonly [json: string, id: number, place: CollectionPlace]

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
const makeCollectionOrder = (sql: SqlClient.SqlClient) => {
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

      const remembered = yield* makeVersionedCache(sql)
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

/** Picks a link by chance, each as likely as another; none where there is none. */
export class RandomLink extends Context.Tag("RandomLink")<
  RandomLink,
  { readonly pick: Effect.Effect<Option.Option<LinkId>> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pick = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ id: LinkId }),
        execute: () => sql`SELECT id FROM links ORDER BY random() LIMIT 1`
      })
      return {
        pick: Effect.orDie(pick()).pipe(
          Effect.map((rows) => Option.map(Array.head(rows), ({ id }) => id)),
          Effect.withSpan("RandomLink.pick")
        )
      }
    })
  )
}
