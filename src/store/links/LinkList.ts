import { SqlClient, type Statement } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Chunk, Effect, Option, Stream } from "effect"
import {
  type Cursor,
  type GroupPlace,
  isBroad,
  type LinkQuery,
  type QueryFilter,
  type Term
} from "../../domain/LinkQuery.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { BEGUN, FINISHED } from "../../shared/Reading.ts"
import type { Part } from "../../shared/SearchSyntax.ts"
import { and, fragment, literal, or } from "../Fragment.ts"
import { firstLinkId, readFlag, readNumber, readNumbers } from "../Rows.ts"
import { areFew, isListed, listedPart } from "../search/FewLinks.ts"
import {
  containsTerm,
  escapeLike,
  filterOnRow,
  isWordIndexed,
  LIBRARY,
  type LinkRow,
  matchTerms,
  negate,
  wordsExpression
} from "../search/Matching.ts"
import { changeStampOf, makeVersionedCache } from "../VersionedCache.ts"
import { insideOf } from "./CollectionPaths.ts"
import { linkJson, SITE } from "./LinkStore.ts"

/** Everything a query requires of a link `l` beyond what `matchingOf` matches, as one SQL condition. */
export const conditions = (query: LinkQuery): Fragment => someConditions(query) ?? fragment`true`

/** Undefined where the query requires nothing more, so that callers skip the link's row. Works with loose matches too. */
export const someConditions = (query: LinkQuery): Fragment | undefined => {
  const all = filtersIn(query, inLibrary)
  const words = wordsExpression(query.terms) !== undefined
  const matchedTerm = words ? undefined : query.terms.find((term) => !term.negated)
  for (const term of query.terms) {
    if (term === matchedTerm) continue
    // FTS5 has no expression that only negates.
    if (!isWordIndexed(term) || (term.negated && !words)) all.push(containsTerm(LIBRARY, term))
  }
  return all.length === 0 ? undefined : and(all)
}

const inCollection = (id: number, within: LinkQuery["within"]): Fragment => {
  if (within === "alone") return fragment`l.collection_id = ${id}`
  const inside = insideOf(fragment`SELECT ${id}`)
  // The plus keeps SQLite from the collections' index (https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
  return within === "many" ? fragment`+l.collection_id IN ${inside}` : fragment`l.collection_id IN ${inside}`
}

/** Selects the collections that a search names by their path, their own name or another name they have had. */
const collectionsNamed = (name: string): Fragment =>
  fragment`SELECT id FROM collections WHERE name = ${name} OR name LIKE ${`% / ${escapeLike(name)}`} ESCAPE '\\'
    UNION SELECT CAST(target AS INTEGER) FROM aliases WHERE kind = 'collection' AND name = ${name}`

/** Where a query's links are: in the library or in the trash, as `l`. */
export interface Place {
  readonly row: LinkRow
  readonly isTrash: boolean
  readonly contains: (term: Term) => Fragment
}

export const filtersIn = (query: LinkQuery, place: Place): Array<Fragment> => {
  const all: Array<Fragment> = []
  if (query.collection === null) all.push(fragment`l.collection_id IS NULL`)
  else if (query.collection !== undefined) all.push(inCollection(query.collection, query.within))
  if (query.favorite !== undefined) all.push(fragment`l.favorite = ${query.favorite ? 1 : 0}`)
  if (query.shareable !== undefined) all.push(fragment`l.shareable = ${query.shareable ? 1 : 0}`)
  if (query.hideArchived === true) all.push(fragment`l.state <> 'archived'`)
  for (const filter of query.filters) all.push(narrowed(filter, place))
  return all
}

const rowOfLinks: LinkRow = {
  id: fragment`l.id`,
  title: fragment`l.title`,
  host: fragment`l.host`,
  address: fragment`l.normalized_url`,
  category: fragment`l.category`,
  inCollection: (name) => fragment`l.collection_id IN ${insideOf(collectionsNamed(name))}`,
  isUnfiled: fragment`l.collection_id IS NULL`,
  tags: fragment`l.tags`,
  createdAt: fragment`l.created_at`,
  tagTable: fragment`link_tags`,
  words: fragment`links_fts`,
  // One value, so that the index of categories still gives the order.
  meaning: (kind, name) =>
    fragment`coalesce((SELECT target FROM aliases WHERE kind = ${kind} AND name = ${name}), ${name})`
}

const inLibrary: Place = {
  row: rowOfLinks,
  isTrash: false,
  contains: (term) => containsTerm(LIBRARY, term)
}

const filterCondition = (filter: QueryFilter, place: Place): Fragment => {
  switch (filter.field) {
    case "unread":
    case "archived":
      // The second condition lets SQLite use the index of links that are not read.
      return fragment`(l.state = ${literal(`'${filter.field}'`)} AND l.state <> 'read')`
    case "read":
      return fragment`l.state = 'read'`
    case "started":
      return fragment`l.id IN (SELECT link_id FROM reading_positions WHERE at >= ${BEGUN} AND at < ${FINISHED})`
    case "trashed":
      return place.isTrash ? fragment`true` : fragment`false`
    case "favorite":
      return fragment`l.favorite = 1`
    case "shareable":
      return fragment`l.shareable = 1`
    case "shared":
      return fragment`(l.shareable = 1 OR l.in_shared = 1)`
    case "broken":
    case "moved":
    case "changed":
      // The first condition lets SQLite use the index of these states.
      return fragment`l.id IN (SELECT link_id FROM link_checks
        WHERE state IN ('broken', 'moved', 'changed') AND state = ${literal(`'${filter.field}'`)})`
    case "partial":
      return fragment`l.enrichment = 'partial'`
    case "lang":
      return fragment`(l.language = ${filter.value} COLLATE NOCASE OR l.language LIKE ${`${escapeLike(filter.value)}-%`} ESCAPE '\\')`
    case "has":
      return hasPart(filter.value)
    case "type":
      return fragment`l.type = ${filter.value}`
    case "any":
      return or(
        filter.alternatives.map(({ filters, terms }) =>
          and([...filters.map((one) => narrowed(one, place)), ...terms.map(place.contains)])
        )
      )
    default:
      return filterOnRow(place.row, filter)
  }
}

const narrowed = (filter: QueryFilter, place: Place): Fragment =>
  negate(filter.negated, filterCondition(filter, place))

const hasPart = (part: Part): Fragment => {
  switch (part) {
    case "note":
      return fragment`l.note <> ''`
    case "summary":
      return fragment`l.summary <> ''`
    case "image":
      return fragment`l.image IS NOT NULL`
    case "repository":
      return fragment`l.repository IS NOT NULL`
    case "page":
      return fragment`EXISTS (SELECT 1 FROM pages WHERE pages.link_id = l.id)`
    case "highlight":
      return fragment`l.id IN (SELECT link_id FROM highlights)`
  }
}

type PlacedRow = readonly [json: string, id: number, place: GroupPlace]

/** Up to this many matching links are sorted; beyond that the order is walked, because enough of it matches. */
const MAX_SORTED = 1_000

interface Request {
  readonly query: LinkQuery
  /** Maximum number of rows; -1 for all. */
  readonly limit: number
  /** Expression for a link's JSON, over `links l LEFT JOIN collections c`. */
  readonly json: Fragment
  readonly source: Fragment
  /** Whether a full-text table is matched: it returns rows in its own order. */
  readonly words: boolean
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

  const only = ({ collection, filters, within }: LinkQuery) => [
    // The plus keeps the walk in the order of the names.
    ...(typeof collection === "number" && within !== "alone"
      ? [sql`+c.id IN ${insideOf(sql`SELECT ${collection}`)}`]
      : []),
    ...filters.flatMap((filter) =>
      filter.field === "collection" && !filter.negated
        ? [sql`+c.id IN ${insideOf(collectionsNamed(filter.value))}`]
        : []
    )
  ]

  const afterIn = ({ cursor }: LinkQuery): Fragment =>
    cursor?.sort === "collection" ? sql`(l.created_at, l.id) < (${cursor.value[1]}, ${cursor.id})` : sql`true`

  const filed = ({ json, query }: Request, places: ReadonlyArray<Fragment>, limit: number) =>
    sql`SELECT ${json}, l.id, l.created_at, c.name
      FROM collections c CROSS JOIN links l ON l.collection_id = c.id
      WHERE ${sql.and([...places, ...only(query), conditions(query)])}
      ORDER BY c.name, ${newestFirst} LIMIT ${limit}`

  const unfiled = ({ json, query }: Request, after: Fragment, limit: number) =>
    sql`SELECT ${json}, l.id, l.created_at, c.name
      FROM links l LEFT JOIN collections c ON c.id = l.collection_id
      WHERE l.collection_id IS NULL AND ${after} AND ${conditions(query)}
      ORDER BY ${newestFirst} LIMIT ${limit}`

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
          WHERE ${conditions(query)} AND ${isAfter} ORDER BY ${order} LIMIT ${limit}
        ) AS shown CROSS JOIN links l ON l.id = shown.id LEFT JOIN collections c ON c.id = l.collection_id
        ORDER BY ${order}`.values,
      placed
    )
  }

  const isNarrowed = ({ favorite, filters, shareable, terms }: LinkQuery) =>
    filters.length > 0 || terms.length > 0 || favorite !== undefined || shareable !== undefined

  return Effect.fn("LinkList.inCollection")(function* (request: Request) {
    const isSmall = request.words || (isNarrowed(request.query) && (yield* request.count) <= MAX_SORTED)
    return yield* Effect.orDie(isSmall ? sortMatches(request) : walkPieces(request))
  })
}

export interface LinkPage {
  readonly links: ReadonlyArray<string>
  readonly total: number
  readonly next: Cursor | null
}

type Row = readonly [json: string, id: number, value: string | number] | PlacedRow

/** Rows read at a time when all are requested, so that the event loop turns in between. */
const CHUNK = 1_000
/** Maximum number of links that are listed to count those of them that contain words. */
const MAX_LISTED = 50_000
const MAX_COUNTS = 500
const MAX_PAGES = 50
const MAX_CACHED_PAGE = 100

/** Pages of the rows that `rows` selects after a query's cursor, and a stream of all of them. */
export const paged = <R extends readonly [json: string, ...ReadonlyArray<unknown>]>(
  rows: (query: LinkQuery, limit: number) => Effect.Effect<ReadonlyArray<R>>,
  cursorAt: (query: LinkQuery, last: R) => Cursor | null,
  count: (query: LinkQuery) => Effect.Effect<number>
) => {
  const nextOf = (query: LinkQuery, last: R | undefined) =>
    last === undefined ? null : cursorAt(query, last)
  return {
    page: Effect.fnUntraced(function* (query: LinkQuery) {
      const limit = query.limit ?? -1
      // One extra row shows whether there is a next page.
      const found = yield* rows(query, limit === -1 ? -1 : limit + 1)
      const shown = limit === -1 ? found : found.slice(0, limit)
      const page: LinkPage = {
        links: shown.map(([json]) => json),
        total: limit === -1 && query.cursor === undefined ? found.length : yield* count(query),
        next: found.length > shown.length ? nextOf(query, shown.at(-1)) : null
      }
      return page
    }),
    all: (query: LinkQuery) =>
      Stream.paginateChunkEffect(query.cursor, (cursor) =>
        Effect.map(Effect.zipLeft(rows({ ...query, cursor }, CHUNK), yieldToEventLoop), (found) => {
          const next = found.length < CHUNK ? null : nextOf(query, found.at(-1))
          return [Chunk.unsafeFromArray(found.map(([json]) => json)), Option.fromNullable(next)]
        })
      )
  }
}

/** The condition of the rows after a cursor in the order of a column: a link added meanwhile shifts no page. */
export const afterCursor = ({ comparison, value }: Order, { cursor }: LinkQuery): Fragment =>
  cursor === undefined
    ? fragment`true`
    : fragment`(${literal(value)}, l.id) ${literal(comparison)} (${String(cursor.value)}, ${cursor.id})`

const makeLinkList = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  const json = sql.literal(linkJson)

  const sourceOf = (query: LinkQuery) => {
    const matching = matchTerms(LIBRARY, query.terms)
    if (matching === undefined) return sql`links l`
    const table = sql.literal(matching.table)
    return sql`${table} f JOIN links l ON l.id = f.rowid AND ${table} MATCH ${matching.expression}`
  }

  const matchedOf = (query: LinkQuery) => {
    const matching = matchTerms(LIBRARY, query.terms)
    if (matching === undefined) return sql`links`
    const table = sql.literal(matching.table)
    return sql`${table} WHERE ${table} MATCH ${matching.expression}`
  }

  const byColumn = (query: LinkQuery, order: Order, limit: number): Statement.Statement<unknown> =>
    sql`SELECT ${json}, l.id, ${sql.literal(order.value)} FROM ${sourceOf(query)}
          LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${conditions(query)} AND ${afterCursor(order, query)}
          ORDER BY ${sql.literal(order.by)} LIMIT ${limit}`

  /** Sorts every match by a scattered number, so that JSON is written only for the rows on the page. */
  const atRandom = (query: LinkQuery, limit: number): Statement.Statement<unknown> => {
    const { cursor, seed = 0 } = query
    const key = randomKey(sql, seed)
    const after = cursor && sql`(${key}, l.id) > (${cursor.value}, ${cursor.id})`
    return sql`SELECT ${json}, l.id, shown.key FROM (
            SELECT l.id AS id, ${key} AS key FROM ${sourceOf(query)}
            WHERE ${conditions(query)} AND ${after ?? sql`true`}
            ORDER BY key, l.id LIMIT ${limit}
          ) AS shown CROSS JOIN links l ON l.id = shown.id LEFT JOIN collections c ON c.id = l.collection_id
          ORDER BY shown.key, l.id`
  }

  /** Selects rows after the cursor by site: the rest of the cursor's site, then the sites after it. */
  const bySite = Effect.fnUntraced(function* (query: LinkQuery, limit: number) {
    const site = sql.literal(SITE)
    const { cursor } = query
    const newestFirst = sql`l.created_at DESC, l.id DESC`
    const select = ({ after, order }: Record<"after" | "order", Fragment>, limit: number) =>
      sql`SELECT ${json}, l.id, l.created_at, ${site} FROM ${sourceOf(query)}
            LEFT JOIN collections c ON c.id = l.collection_id
            WHERE ${conditions(query)} AND ${after}
            ORDER BY ${order} LIMIT ${limit}`
    const bySite = sql`${site}, ${newestFirst}`
    const pieces =
      cursor?.sort === "site"
        ? [
            {
              after: sql`${site} = ${cursor.value[0]} AND (l.created_at, l.id) < (${cursor.value[1]}, ${cursor.id})`,
              order: newestFirst
            },
            { after: sql`${site} > ${cursor.value[0]}`, order: bySite }
          ]
        : [{ after: sql`true`, order: bySite }]
    const rows: Array<PlacedRow> = []
    for (const piece of pieces) {
      const left = limit === -1 ? -1 : limit - rows.length
      if (left !== 0) rows.push(...placed(yield* Effect.orDie(select(piece, left).values)))
    }
    return rows
  })

  const makeCache = yield* makeVersionedCache(changeStampOf(sql))
  const counts = makeCache<number>(MAX_COUNTS)
  const pages = makeCache<LinkPage>(MAX_PAGES)

  const countNow = Effect.fnUntraced(function* (query: LinkQuery) {
    const isArchived = sql.literal(IS_ARCHIVED)
    if (isWholeButArchived(query))
      return yield* readNumber(
        sql`SELECT (SELECT count(*) FROM links) - (SELECT count(*) FROM links l WHERE ${isArchived})`
      )
    const narrowed = someConditions(query)
    const matched = sql`SELECT count(*) FROM ${matchedOf(query)}`
    if (narrowed === undefined) return yield* readNumber(matched)
    const matching = matchTerms(LIBRARY, query.terms)
    if (matching !== undefined && someConditions({ ...query, hideArchived: false }) === undefined)
      return yield* readNumber(sql`SELECT (${matched}) - (${matched} AND ${isListed(isArchived)})`)
    const part = someConditions(listedPart(query))
    const few = matching && part && (yield* areFew(sql, part, matching, MAX_LISTED))
    return yield* readNumber(
      few === true
        ? sql`${matched} AND ${isListed(narrowed)}`
        : sql`SELECT count(*) FROM ${sourceOf(query)} WHERE ${narrowed}`
    )
  })

  const count = Effect.fn("LinkList.count")((query: LinkQuery) => {
    const { cursor: _, limit: __, seed: ___, sort: ____, ...matching } = query
    return counts(JSON.stringify(matching), countNow(query))
  })

  const byCollection = makeCollectionOrder(sql)

  /** Says how the query's collection is best found: SQLite cannot tell, because that depends on what is inside. */
  const withPlan = Effect.fnUntraced(function* (query: LinkQuery) {
    const { collection, sort } = query
    if (typeof collection !== "number") return query
    const inside = yield* readNumbers(sql`SELECT id FROM ${insideOf(sql`SELECT ${collection}`)} LIMIT 2`)
    const isMany = sort === "collection" || (inside.length > 1 && (yield* count(query)) > MAX_SORTED)
    const within = inside.length < 2 ? "alone" : isMany ? "many" : undefined
    const planned: LinkQuery = { ...query, within }
    return planned
  })

  const rows = (query: LinkQuery, limit: number) =>
    Effect.flatMap(withPlan(query), (planned) => plannedRows(planned, limit))

  const plannedRows = (query: LinkQuery, limit: number): Effect.Effect<ReadonlyArray<Row>> => {
    const sort = orderOf(query)
    if (sort === "collection")
      return byCollection({
        query,
        limit,
        json,
        source: sourceOf(query),
        words: matchTerms(LIBRARY, query.terms) !== undefined,
        count: count({ ...query, within: undefined })
      })
    if (sort === "site") return bySite(query, limit)
    const statement = sort === "random" ? atRandom(query, limit) : byColumn(query, orders[sort], limit)
    return Effect.map(Effect.orDie(statement.values), (values) => values.map(rowOf))
  }

  const cursorAt = (query: LinkQuery, [, id, value]: Row): Cursor | null => {
    const sort = orderOf(query)
    switch (sort) {
      case "collection":
      case "site":
        return typeof value === "object" ? { sort, id, value } : null
      case "random":
        return typeof value === "number" ? { sort, id, value, seed: query.seed ?? 0 } : null
      default:
        return typeof value === "object" ? null : { sort, id, value }
    }
  }

  const { all, page } = paged(rows, cursorAt, count)

  return {
    count,
    hasArchived: readFlag(sql`SELECT EXISTS (SELECT 1 FROM links l WHERE ${sql.literal(IS_ARCHIVED)})`),
    page: Effect.fn("LinkList.page")((query: LinkQuery) =>
      query.limit !== undefined && query.limit <= MAX_CACHED_PAGE
        ? pages(JSON.stringify(query), page(query))
        : page(query)
    ),
    /** Returns the links with these numbers in the order given, skipping numbers that do not exist. */
    rows: Effect.fn("LinkList.rows")((ids: ReadonlyArray<number>) =>
      Effect.map(Effect.orDie(sql.unsafe(SELECT_ROWS, [JSON.stringify(ids)]).values), (values) =>
        values.map(([json, id]) => ({ id: Number(id), json: String(json) }))
      )
    ),
    /** Picks a link uniformly at random, an archived one only if there is no other; none in an empty library. */
    random: Effect.withSpan(
      firstLinkId(sql`SELECT id FROM links ORDER BY state = 'archived', random() LIMIT 1`),
      "LinkList.random"
    ),
    /** Streams every matching link after the cursor, in chunks that let the event loop turn. */
    all
  }
})

/** Lists links in the order of a column, by collection or site, or at random; a query sorted by relevance gets the newest first. */
export class LinkList extends Service<LinkList>()("LinkList", makeLinkList) {}

/** Constant, because every search reads the rows that it shows. */
const SELECT_ROWS = `SELECT ${linkJson}, l.id FROM json_each(?) AS wanted
  JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id ORDER BY wanted.key`

/** Condition that the link `l` is archived, for which SQLite uses the index of links that are not read. */
const IS_ARCHIVED = "l.state = 'archived' AND l.state <> 'read'"

const isWholeButArchived = (query: LinkQuery) =>
  query.hideArchived === true && isBroad(query) && query.terms.length === 0

const rowOf = ([json, id, value]: ReadonlyArray<unknown>): Row => [
  String(json),
  Number(id),
  typeof value === "number" ? value : String(value)
]

export interface Order {
  /** Expression whose value the cursor stores; ties are broken by the number, in the same direction. */
  readonly value: string
  readonly by: string
  readonly comparison: "<" | ">"
}

const orderOf = ({ sort }: LinkQuery) => (sort === "relevance" ? "newest" : sort)

const orders: Record<"newest" | "oldest" | "title" | "changed", Order> = {
  newest: { value: "l.created_at", by: "l.created_at DESC, l.id DESC", comparison: "<" },
  oldest: { value: "l.created_at", by: "l.created_at, l.id", comparison: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", comparison: ">" },
  changed: { value: "l.updated_at", by: "l.updated_at DESC, l.id DESC", comparison: "<" }
}

/** A prime, so that the products below fit into 64 bits. */
const PRIME = 2_147_483_647

/** A number from 1 to `PRIME - 1` that looks random and depends on all bits of `seed` (lowbias32, Chris Wellons). */
const scattered = (seed: number): number => {
  let bits = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (((bits ^ (bits >>> 15)) >>> 0) % (PRIME - 1)) + 1
}

/** An expression that scatters the links' numbers, in another way for each seed. */
const randomKey = (sql: SqlClient.SqlClient, seed: number): Fragment => {
  const line = sql`((l.id * ${scattered(seed + 1)} + ${scattered(~seed)}) % ${PRIME})`
  return sql`(${line} * ${line} % ${PRIME})`
}
