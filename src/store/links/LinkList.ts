import { SqlClient, SqlSchema, type Statement } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Chunk, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { LinkId } from "../../domain/Link.ts"
import type { CollectionPlace, Cursor, LinkQuery, QueryFilter, Term } from "../../domain/LinkQuery.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import type { Part } from "../../shared/SearchSyntax.ts"
import { readNumber, readOrDefect } from "../Rows.ts"
import {
  escapeLike,
  filterOnRow,
  isWordIndexed,
  type LinkRow,
  type Matching,
  matchTerms,
  negate,
  trigramExpression,
  wordsExpression
} from "../search/Matching.ts"
import { changeStampOf, makeVersionedCache } from "../VersionedCache.ts"
import { linkJson } from "./LinkStore.ts"

/** Everything a query requires of a link `l` beyond what `matchingOf` matches, as one SQL condition. */
export const conditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment =>
  someConditions(sql, query) ?? sql`true`

/**
 * Like `conditions`, but undefined where the query requires nothing more, so callers can skip looking up the link. It
 * works beside a match of any strictness.
 */
export const someConditions = (sql: SqlClient.SqlClient, query: LinkQuery): Fragment | undefined => {
  const all: Array<Fragment> = []
  if (query.collection === null) all.push(sql`l.collection_id IS NULL`)
  else if (query.collection !== undefined) all.push(sql`l.collection_id = ${query.collection}`)
  if (query.favorite !== undefined) all.push(sql`l.favorite = ${query.favorite ? 1 : 0}`)
  if (query.shareable !== undefined) all.push(sql`l.shareable = ${query.shareable ? 1 : 0}`)
  for (const filter of query.filters) all.push(narrowed(sql, filter))

  const words = wordsExpression(query.terms) !== undefined
  const matchedTerm = words ? undefined : query.terms.find((term) => !term.negated)
  for (const term of query.terms) {
    if (term === matchedTerm) continue
    // FTS5 has no expression that only negates.
    if (!isWordIndexed(term) || (term.negated && !words)) all.push(containsTerm(sql, term))
  }
  return all.length === 0 ? undefined : sql.and(all)
}

const rowOfLinks = (sql: SqlClient.SqlClient): LinkRow => ({
  id: sql`l.id`,
  title: sql`l.title`,
  host: sql`l.host`,
  address: sql`l.normalized_url`,
  category: sql`l.category`,
  inCollection: (name) => sql`l.collection_id IN (SELECT id FROM collections WHERE name = ${name})`,
  isUnfiled: sql`l.collection_id IS NULL`,
  tags: sql`l.tags`,
  createdAt: sql`l.created_at`,
  tagTable: sql`link_tags`,
  words: sql`links_fts`
})

const filterCondition = (sql: SqlClient.SqlClient, filter: QueryFilter): Fragment => {
  switch (filter.field) {
    case "favorite":
      return sql`l.favorite = 1`
    case "shareable":
      return sql`l.shareable = 1`
    case "partial":
      return sql`l.enrichment = 'partial'`
    case "lang":
      return sql`(l.language = ${filter.value} COLLATE NOCASE OR l.language LIKE ${`${escapeLike(filter.value)}-%`} ESCAPE '\\')`
    case "has":
      return hasPart(sql, filter.value)
    case "any":
      return sql.or(
        filter.alternatives.map(({ filters, terms }) =>
          sql.and([
            ...filters.map((one) => narrowed(sql, one)),
            ...terms.map((term) => containsTerm(sql, term))
          ])
        )
      )
    default:
      return filterOnRow(sql, rowOfLinks(sql), filter)
  }
}

const narrowed = (sql: SqlClient.SqlClient, filter: QueryFilter): Fragment =>
  negate(sql, filter.negated, filterCondition(sql, filter))

const hasPart = (sql: SqlClient.SqlClient, part: Part): Fragment => {
  switch (part) {
    case "note":
      return sql`l.note <> ''`
    case "summary":
      return sql`l.summary <> ''`
    case "image":
      return sql`l.image IS NOT NULL`
    case "repository":
      return sql`l.repository IS NOT NULL`
  }
}

const matchesIn = (sql: SqlClient.SqlClient, { expression, table }: Matching): Fragment =>
  sql`l.id IN (SELECT rowid FROM ${sql.literal(table)} WHERE ${sql.literal(table)} MATCH ${expression})`

/** Matches links that contain the term as a word; ignores the term's negation. */
const containsWord = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  matchesIn(sql, {
    table: "links_fts",
    expression: sql`${wordsExpression([{ ...term, negated: false }]) ?? ""}`
  })

/** Matches the term anywhere in any field, for text the word index cannot split: symbols, emoji, unspaced scripts. */
const containsText = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  matchesIn(sql, { table: "links_trigram", expression: trigramExpression(sql, term) })

const containsTerm = (sql: SqlClient.SqlClient, term: Term): Fragment =>
  negate(sql, term.negated, isWordIndexed(term) ? containsWord(sql, term) : containsText(sql, term))

/** A link's JSON, its number, and its place in the collection order. */
type PlacedRow = readonly [json: string, id: number, place: CollectionPlace]

/** Up to this many matching links are sorted; beyond that the order is walked, because enough of it matches. */
const MAX_SORTED = 1_000

interface Request {
  readonly query: LinkQuery
  /** Maximum number of rows; -1 for all. */
  readonly limit: number
  /** Expression for a link's JSON, over `links l LEFT JOIN collections c`. */
  readonly json: Fragment
  /** Table expression that yields the matching links, with links as `l`. */
  readonly source: Fragment
  /** Whether a full-text table is matched: it returns rows in its own order. */
  readonly words: boolean
  /** Number of links that match. */
  readonly count: Effect.Effect<number>
}

const placed = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<PlacedRow> =>
  rows.map(([json, id, createdAt, name]) => [
    String(json),
    Number(id),
    [typeof name === "string" ? name : null, String(createdAt)]
  ])

/**
 * Lists links by collection, sorted by collection name and newest first within each, followed by unfiled links.
 *
 * No index covers this order, because its first key is in another table. The order is walked in pieces that do have an
 * index: the rest of the cursor's collection, the collections after it, and unfiled links. The cost of a page therefore
 * depends on what it shows, not on the size of the library.
 */
const makeCollectionOrder = (sql: SqlClient.SqlClient) => {
  const newestFirst = sql.literal("l.created_at DESC, l.id DESC")

  /** Restricts the walk to the collection that a filter names. */
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

  /** The rows after the cursor, as consecutive pieces. */
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

  const walkPieces = Effect.fnUntraced(function* (request: Request) {
    const rows: Array<PlacedRow> = []
    for (const piece of pieces(request)) {
      const left = request.limit === -1 ? -1 : request.limit - rows.length
      if (left === 0) break
      rows.push(...placed(yield* piece(left).values))
    }
    return rows
  })

  /** Sorts the numbers first, so that JSON is written only for the rows on the page. */
  const sortMatches = (request: Request) => {
    const { json, limit, query, source } = request
    const { cursor } = query
    const after = afterIn(query)
    const name = cursor?.sort === "collection" ? cursor.value[0] : undefined
    const isAfter =
      name === undefined
        ? sql`true`
        : name === null
          ? sql`(c.name IS NULL AND ${after})`
          : sql`(c.name > ${name} OR c.name IS NULL OR (c.name = ${name} AND ${after}))`
    const order = sql`c.name IS NULL, c.name, ${newestFirst}`
    return Effect.map(
      sql`SELECT ${json}, l.id, l.created_at, c.name FROM (
          SELECT l.id AS id FROM ${source} LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(sql, query)} AND ${isAfter} ORDER BY ${order} LIMIT ${limit}
        ) AS shown CROSS JOIN links l ON l.id = shown.id LEFT JOIN collections c ON c.id = l.collection_id
        ORDER BY ${order}`.values,
      placed
    )
  }

  const isNarrowed = ({ favorite, filters, shareable, terms }: LinkQuery) =>
    filters.length > 0 || terms.length > 0 || favorite !== undefined || shareable !== undefined

  /** Returns the first rows after the query's cursor. */
  return Effect.fn("LinkList.inCollection")(function* (request: Request) {
    const isSmall = request.words || (isNarrowed(request.query) && (yield* request.count) <= MAX_SORTED)
    return yield* readOrDefect(isSmall ? sortMatches(request) : walkPieces(request))
  })
}

/** A page of links, each as JSON text ready to send. */
export interface LinkPage {
  readonly links: ReadonlyArray<string>
  readonly total: number
  readonly next: Cursor | null
}

type Row = readonly [json: string, id: number, value: string | number] | PlacedRow

/** Rows read at a time when all are requested, so that the event loop turns in between. */
const CHUNK = 1_000
/** Number of cached counts and cached pages. */
const MAX_COUNTS = 500
const MAX_PAGES = 50
/** Longer pages are not cached. */
const MAX_CACHED_PAGE = 100

/** Lists links in the order of a column or of collections; a query sorted by relevance gets the newest first. */
export class LinkList extends Context.Tag("LinkList")<
  LinkList,
  {
    /** Returns one page of `query.limit` links, or all links where there is no limit. */
    readonly page: (query: LinkQuery) => Effect.Effect<LinkPage>
    readonly count: (query: LinkQuery) => Effect.Effect<number>
    /** Returns the links with these numbers in the order given, skipping numbers that do not exist. */
    readonly rows: (
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<{ readonly id: number; readonly json: string }>>
    /** Streams every matching link after the cursor, in chunks that let the event loop turn. */
    readonly all: (query: LinkQuery) => Stream.Stream<string>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()

      const json = sql.literal(linkJson)

      /** Table expression for the links that match the words, or for all links. */
      const sourceOf = (query: LinkQuery) => {
        const matching = matchTerms(sql, query.terms)
        if (matching === undefined) return sql`links l`
        const table = sql.literal(matching.table)
        return sql`${table} f JOIN links l ON l.id = f.rowid AND ${table} MATCH ${matching.expression}`
      }

      /** Like `sourceOf`, but without joining the links, for counting. */
      const matchedOf = (query: LinkQuery) => {
        const matching = matchTerms(sql, query.terms)
        if (matching === undefined) return sql`links`
        const table = sql.literal(matching.table)
        return sql`${table} WHERE ${table} MATCH ${matching.expression}`
      }

      /** Selects rows after the cursor in a column's order (keyset paging: a link added meanwhile shifts no page). */
      const byColumn = (query: LinkQuery, order: Order, limit: number): Statement.Statement<unknown> => {
        const source = sourceOf(query)
        const { cursor } = query
        const value = sql.literal(order.value)
        const after =
          cursor && sql`(${value}, l.id) ${sql.literal(order.comparison)} (${cursor.value}, ${cursor.id})`
        return sql`SELECT ${json}, l.id, ${value} FROM ${source}
          LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(sql, query)} AND ${after ?? sql`true`}
          ORDER BY ${sql.literal(order.by)} LIMIT ${limit}`
      }

      const makeCache = yield* makeVersionedCache(changeStampOf(sql))
      const counts = makeCache<number>(MAX_COUNTS)
      const pages = makeCache<LinkPage>(MAX_PAGES)

      const count = Effect.fn("LinkList.count")((query: LinkQuery) => {
        const { cursor: _, limit: __, sort: ___, ...matching } = query
        const narrowed = someConditions(sql, query)
        const counting =
          narrowed === undefined
            ? sql`SELECT count(*) FROM ${matchedOf(query)}`
            : sql`SELECT count(*) FROM ${sourceOf(query)} WHERE ${narrowed}`
        return counts(JSON.stringify(matching), readNumber(counting))
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
            words: matchTerms(sql, query.terms) !== undefined,
            count: count(query)
          })
        const statement = byColumn(query, orders[sort], limit)
        return Effect.map(readOrDefect(statement.values), (values) => values.map(rowOf))
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
        // One extra row shows whether there is a next page.
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
          query.limit !== undefined && query.limit <= MAX_CACHED_PAGE
            ? pages(JSON.stringify(query), page(query))
            : page(query)
        ),
        rows: Effect.fn("LinkList.rows")((ids) =>
          Effect.map(
            readOrDefect(
              sql`SELECT ${json}, l.id FROM json_each(${JSON.stringify(ids)}) AS wanted
                JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
                ORDER BY wanted.key`.values
            ),
            (values) => values.map(([json, id]) => ({ id: Number(id), json: String(json) }))
          )
        ),
        all: (query) =>
          Stream.paginateChunkEffect(query.cursor, (cursor) =>
            Effect.map(Effect.zipLeft(rows({ ...query, cursor }, CHUNK), yieldToEventLoop), (found) => {
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
  /** Expression whose value the cursor stores; ties are broken by the number, in the same direction. */
  readonly value: string
  readonly by: string
  readonly comparison: "<" | ">"
}

const orderOf = ({ sort }: LinkQuery) => (sort === "relevance" ? "newest" : sort)

const orders: Record<"newest" | "oldest" | "title", Order> = {
  newest: { value: "l.created_at", by: "l.created_at DESC, l.id DESC", comparison: "<" },
  oldest: { value: "l.created_at", by: "l.created_at, l.id", comparison: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", comparison: ">" }
}

/** Picks a link uniformly at random; none in an empty library. */
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
        pick: readOrDefect(pick()).pipe(
          Effect.map((rows) => Option.map(Array.head(rows), ({ id }) => id)),
          Effect.withSpan("LinkList.random")
        )
      }
    })
  )
}
