import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Schema } from "effect"
import type { PublicCursor, PublicQuery, QueryFilter } from "../../domain/LinkQuery.ts"
import type { PictureKind } from "../../domain/Picture.ts"
import { Service } from "../../runtime/Services.ts"
import type { PublicSort } from "../../shared/ListParameters.ts"
import { and, fragment, or } from "../Fragment.ts"
import { readNumber, readRows, readTexts } from "../Rows.ts"
import {
  containsTerm,
  filterOnRow,
  isWordIndexed,
  type LinkRow,
  negate,
  PROJECTION,
  wordsExpression
} from "../search/Matching.ts"
import type { IndexedRow } from "../search/MatchMarks.ts"
import { changeStampOf, makeVersionedCache } from "../VersionedCache.ts"

/** Whether a link is in the collection with this path, or in one inside it: their paths follow its own. */
const inCollection = (path: string): Fragment =>
  fragment`((p.collection IS NULL) = 0 AND p.collection >= ${path} AND p.collection < ${`${path} /!`}
    AND (p.collection = ${path} OR p.collection >= ${`${path} / `}))`

const rowOfProjection: LinkRow = {
  id: fragment`p.id`,
  title: fragment`p.title`,
  host: fragment`p.host`,
  address: fragment`p.normalized_url`,
  category: fragment`p.category`,
  inCollection,
  isUnfiled: fragment`p.collection IS NULL`,
  tags: fragment`p.tags`,
  createdAt: fragment`p.created_at`,
  tagTable: fragment`public_tags`,
  words: fragment`public_fts`
}

const both = (all: ReadonlyArray<Fragment>): Fragment | undefined => (all.length === 0 ? undefined : and(all))

/** A filter's condition; ignores what the projection lacks: marks, states, languages, types, notes, repositories. */
const filtered = (filter: QueryFilter): Fragment | undefined => {
  switch (filter.field) {
    case "favorite":
    case "shareable":
    case "shared":
    case "unread":
    case "read":
    case "archived":
    case "started":
    case "trashed":
    case "partial":
    case "broken":
    case "moved":
    case "changed":
    case "lang":
    case "type":
      return undefined
    case "has":
      if (filter.value === "summary") return negate(filter.negated, fragment`p.summary <> ''`)
      return filter.value === "image" ? negate(filter.negated, fragment`p.image IS NOT NULL`) : undefined
    case "any": {
      const alternatives = filter.alternatives.map(({ filters, terms }) =>
        both([
          ...filters.flatMap((one) => filtered(one) ?? []),
          ...terms.map((term) => containsTerm(PROJECTION, term))
        ])
      )
      const known = alternatives.flatMap((one) => one ?? [])
      // An alternative that is ignored altogether excludes nothing.
      return known.length < alternatives.length ? undefined : negate(filter.negated, or(known))
    }
    default:
      return negate(filter.negated, filterOnRow(rowOfProjection, filter))
  }
}

/** The conditions on a row `p` of the projection. With `matched`, the caller matches terms with `matchTerms`. */
export const publicConditions = (query: PublicQuery, matched = false): Fragment => {
  const { collection, filters, terms } = query
  const all: Array<Fragment> = []
  if (collection === null) all.push(fragment`p.collection IS NULL`)
  else if (collection !== undefined) all.push(inCollection(collection))
  for (const filter of filters) {
    const condition = filtered(filter)
    if (condition !== undefined) all.push(condition)
  }
  const byIndex = matched && wordsExpression(terms) !== undefined
  const answered = matched && !byIndex ? terms.find((term) => !term.negated) : undefined
  for (const term of terms)
    if (term !== answered && !(byIndex && isWordIndexed(term))) all.push(containsTerm(PROJECTION, term))
  return both(all) ?? fragment`true`
}

interface Counted {
  readonly name: string
  readonly count: number
}

export interface SharedCollection {
  readonly name: string
  readonly description: string
}

export interface SharedFacets {
  readonly total: number
  /** Sorted by name, with empty shared collections. */
  readonly collections: ReadonlyArray<Counted>
  /** Largest first. */
  readonly categories: ReadonlyArray<Counted>
  /** The 100 most used. */
  readonly tags: ReadonlyArray<Counted>
}

const MAX_TAGS = 100
const MAX_COUNTS = 200
/** The maximum number of links to try for one that names a picture. */
const MAX_PAGES = 50

const LINK = `json_object('url', p.url, 'host', p.host, 'title', p.title, 'summary', p.summary,
  'description', p.description, 'tags', json(p.tags), 'category', p.category, 'collection', p.collection,
  'image', p.image, 'favicon', p.favicon, 'publishedAt', p.published_at, 'createdAt', p.created_at)`

interface Order {
  readonly sort: Exclude<PublicSort, "relevance">
  /** The sort expression; ties are broken by id in the same direction. */
  readonly value: string
  readonly by: string
  readonly onwards: "<=" | ">="
}

const newest: Order = {
  sort: "newest",
  value: "p.created_at",
  by: "p.created_at DESC, p.id DESC",
  onwards: "<="
}
const orders: Record<Exclude<PublicSort, "relevance" | "collection">, Order> = {
  newest,
  oldest: { sort: "oldest", value: "p.created_at", by: "p.created_at, p.id", onwards: ">=" },
  title: {
    sort: "title",
    value: "p.title COLLATE NOCASE",
    by: "p.title COLLATE NOCASE, p.id",
    onwards: ">="
  }
}

const readCollections = readRows(Schema.Struct({ name: Schema.String, description: Schema.String }))

type Row = readonly [json: string, value: string, collection: string | null]

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const remembered = yield* makeVersionedCache(changeStampOf(sql))
  const counts = remembered<number>(MAX_COUNTS)
  const allFacets = remembered<SharedFacets>(1)

  const select = (query: PublicQuery, order: Order, place: Fragment, limit: number, seen: number) =>
    Effect.map(
      sql`SELECT ${sql.literal(LINK)}, ${sql.literal(order.value)}, p.collection FROM public_links p
            WHERE ${place} AND ${publicConditions(query)}
            ORDER BY ${sql.literal(order.by)} LIMIT ${limit} OFFSET ${seen}`.values,
      (rows) =>
        rows.map(
          ([json, value, collection]): Row => [
            String(json),
            String(value),
            typeof collection === "string" ? collection : null
          ]
        )
    )

  const byValue = (query: PublicQuery, order: Order, limit: number) => {
    const cursor = query.cursor?.sort === order.sort ? query.cursor : undefined
    const place =
      cursor === undefined
        ? sql`true`
        : sql`${sql.literal(order.value)} ${sql.literal(order.onwards)} ${cursor.value}`
    return select(query, order, place, limit, cursor?.seen ?? 0)
  }

  /** Selects the rest of the cursor's collection, then the later collections by name, then the unfiled links. */
  const byCollection = Effect.fnUntraced(function* (query: PublicQuery, limit: number) {
    const cursor = query.cursor?.sort === "collection" ? query.cursor : undefined
    const [name, createdAt] = cursor?.value ?? []
    const all = { ...newest, by: `p.collection IS NULL, p.collection, ${newest.by}` }
    const later = { ...newest, by: `p.collection, ${newest.by}` }
    const unfiled = sql`(p.collection IS NULL) = 1 AND p.collection IS NULL`
    const rest = sql`p.created_at <= ${createdAt ?? ""}`
    const parts: ReadonlyArray<readonly [Order, Fragment, number]> =
      name === undefined
        ? [[all, sql`true`, 0]]
        : name === null
          ? [[later, sql`${unfiled} AND ${rest}`, cursor?.seen ?? 0]]
          : [
              [
                newest,
                sql`(p.collection IS NULL) = 0 AND p.collection = ${name} AND ${rest}`,
                cursor?.seen ?? 0
              ],
              [later, sql`(p.collection IS NULL) = 0 AND p.collection > ${name}`, 0],
              [later, unfiled, 0]
            ]
    const rows: Array<Row> = []
    for (const [order, place, seen] of parts)
      if (rows.length < limit) rows.push(...(yield* select(query, order, place, limit - rows.length, seen)))
    return rows
  })

  const sortOf = ({ sort }: PublicQuery) => (sort === "relevance" ? "newest" : sort)

  const rows = (query: PublicQuery, limit: number) => {
    const sort = sortOf(query)
    return Effect.orDie(
      sort === "collection" ? byCollection(query, limit) : byValue(query, orders[sort], limit)
    )
  }

  const cursorAfter = (query: PublicQuery, shown: ReadonlyArray<Row>): PublicCursor | null => {
    const last = shown.at(-1)
    if (last === undefined) return null
    const sort = sortOf(query)
    const [, value, collection] = last
    const isSame = ([, other, its]: Row) =>
      sort === "collection"
        ? other === value && noCase(its ?? "") === noCase(collection ?? "")
        : sort === "title"
          ? noCase(other) === noCase(value)
          : other === value
    const here = shown.length - 1 - shown.findLastIndex((row) => !isSame(row))
    const { cursor } = query
    // All rows of the page have the cursor's value, so add the rows of that value on earlier pages.
    const before =
      here === shown.length && cursor?.sort === sort && isSame(["", ...placeOf(cursor)]) ? cursor.seen : 0
    const seen = here + before
    return sort === "collection" ? { sort, value: [collection, value], seen } : { sort, value, seen }
  }

  const page = Effect.fn("PublicList.page")(function* (query: PublicQuery, limit: number) {
    // One extra row shows whether there is a next page.
    const found = yield* rows(query, limit + 1)
    const shown = found.slice(0, limit)
    return {
      links: shown.map(([json]) => json),
      next: found.length > limit ? cursorAfter(query, shown) : null
    }
  })

  const facets = Effect.gen(function* () {
    return {
      total: yield* readNumber(sql`SELECT count(*) FROM public_links`),
      // Not decoded: a page shows up to 2,000 of these counts.
      collections: yield* sql<Counted>`SELECT collection AS name, count(*) AS count FROM public_links
            WHERE (collection IS NULL) = 0 GROUP BY collection
            UNION ALL SELECT DISTINCT name, 0 FROM public_collections
            WHERE NOT EXISTS (SELECT 1 FROM public_links WHERE (collection IS NULL) = 0 AND collection = name)
            ORDER BY 1 COLLATE NOCASE`,
      categories: yield* sql<Counted>`SELECT category AS name, count(*) AS count FROM public_links
            GROUP BY category ORDER BY count DESC, name`,
      tags: yield* sql<Counted>`SELECT tag AS name, count(*) AS count FROM public_tags
            GROUP BY tag ORDER BY count DESC, name LIMIT ${MAX_TAGS}`
    }
  })

  return {
    page,
    count: Effect.fn("PublicList.count")((query: PublicQuery) =>
      counts(
        JSON.stringify({ ...query, sort: undefined, limit: undefined, cursor: undefined }),
        readNumber(sql`SELECT count(*) FROM public_links p WHERE ${publicConditions(query)}`)
      )
    ),
    // Not decoded: this runs for every page of a search, and the fields are only marked.
    found: Effect.fn("PublicList.found")((ids: ReadonlyArray<number>) =>
      Effect.map(
        Effect.orDie(
          sql<IndexedRow & { json: string }>`SELECT ${sql.literal(LINK)} AS json, p.id, p.title, p.tags,
                '' AS note, p.summary, p.description, p.url, '' AS text
                FROM json_each(${JSON.stringify(ids)}) AS wanted JOIN public_links p ON p.id = wanted.value
                ORDER BY wanted.key`
        ),
        (rows) => rows.map(({ json, ...fields }) => ({ json, fields }))
      )
    ),
    facets: Effect.withSpan(allFacets("", Effect.orDie(facets)), "PublicList.facets"),
    collection: Effect.fn("PublicList.collection")((name: string) =>
      Effect.map(
        readCollections(
          sql`SELECT name, description FROM public_collections WHERE name = ${name} ORDER BY id LIMIT 1`
        ),
        ([found]) => found ?? null
      )
    ),
    /** Returns the URLs of shared links that name exactly this picture, at most 50. */
    pagesWith: Effect.fn("PublicList.pagesWith")((kind: PictureKind, address: string) =>
      readTexts(sql`SELECT url FROM public_links WHERE ${sql(kind)} = ${address} LIMIT ${MAX_PAGES}`)
    ),
    /** When public data last changed, in milliseconds since 1970. */
    changedAt: Effect.map(
      readTexts(sql`SELECT changed_at FROM public_state`),
      ([at = "1970-01-01T00:00:00.000Z"]) => Date.parse(at)
    )
  }
})

/**
 * Lists, looks up and counts the shared links in the projection. Reads no private table, and never returns a link's id.
 */
export class PublicList extends Service<PublicList>()("PublicList", make) {}

/** Folds a text's case as SQLite's NOCASE does, for ASCII letters only. */
const noCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const placeOf = (cursor: PublicCursor): readonly [value: string, collection: string | null] =>
  cursor.sort === "collection" ? [cursor.value[1], cursor.value[0]] : [String(cursor.value), null]
