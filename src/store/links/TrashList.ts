import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Chunk, Context, Effect, Option, Stream } from "effect"
import type { Cursor, LinkQuery, Term } from "../../domain/LinkQuery.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { readNumber } from "../Rows.ts"
import { escapeLike, type LinkRow, negate } from "../search/Matching.ts"
import { filtersIn, type Place } from "./LinkList.ts"
import { trashedLinkJson } from "./LinkStore.ts"

/** Rows read at a time when all are requested, so that the event loop turns in between. */
const CHUNK = 1_000

/** The fields in which a word is looked for; the page's text would take too long without an index. */
const TEXT = ["title", "tags", "note", "summary", "description", "url"]
  .map((field) => `l.${field}`)
  .join(` || char(10) || `)

/** The ways in which a text may be written; LIKE ignores the case of ASCII letters alone. */
const spellings = (text: string) =>
  Array.dedupe([
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()
  ])

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  const row: LinkRow = {
    id: sql`l.id`,
    title: sql`l.title`,
    host: sql`l.host`,
    address: sql`l.normalized_url`,
    category: sql`l.category`,
    inCollection: (name) => sql`l.collection_id IN (SELECT id FROM collections WHERE name = ${name})`,
    isUnfiled: sql`l.collection_id IS NULL`,
    tags: sql`l.tags`,
    createdAt: sql`l.created_at`,
    tagTable: sql`(SELECT trash.id AS link_id, value AS tag FROM trash, json_each(trash.tags))`,
    words: undefined
  }

  const contains = (term: Term): Fragment => {
    const { alternatives, negated, text } = term
    const found =
      alternatives === undefined
        ? sql.or(
            spellings(text).map((one) => sql`${sql.literal(TEXT)} LIKE ${`%${escapeLike(one)}%`} ESCAPE '\\'`)
          )
        : sql.or(alternatives.map((terms) => sql.and(terms.map(contains))))
    return negate(negated, found)
  }
  const place: Place = { row, isTrash: true, contains }

  const matching = (query: LinkQuery) => {
    const all = [...filtersIn(query, place), ...query.terms.map(contains)]
    return all.length === 0 ? sql`true` : sql.and(all)
  }

  const rows = Effect.fnUntraced(function* (query: LinkQuery, limit: number) {
    const { by, comparison, value } = orders[orderOf(query)]
    const key = sql.literal(value)
    const { cursor } = query
    const after =
      cursor === undefined
        ? sql`true`
        : sql`(${key}, l.id) ${sql.literal(comparison)} (${String(cursor.value)}, ${cursor.id})`
    const found = yield* Effect.orDie(
      sql`SELECT ${sql.literal(trashedLinkJson)}, l.id, ${key} FROM trash l
            LEFT JOIN collections c ON c.id = l.collection_id
            WHERE ${matching(query)} AND ${after} ORDER BY ${sql.literal(by)} LIMIT ${limit}`.values
    )
    return found.map(([json, id, at]) => ({ json: String(json), id: Number(id), at: String(at) }))
  })

  const cursorAt = (query: LinkQuery, last: { readonly id: number; readonly at: string }): Cursor => ({
    sort: orderOf(query),
    value: last.at,
    id: last.id
  })

  const count = Effect.fn("TrashList.count")((query: LinkQuery) =>
    readNumber(sql`SELECT count(*) FROM trash l WHERE ${matching(query)}`)
  )

  return {
    count,
    page: Effect.fn("TrashList.page")(function* (query: LinkQuery) {
      const limit = query.limit ?? -1
      // One extra row shows whether there is a next page.
      const found = yield* rows(query, limit === -1 ? -1 : limit + 1)
      const shown = limit === -1 ? found : found.slice(0, limit)
      const last = shown.at(-1)
      return {
        links: shown.map(({ json }) => json),
        total: yield* count(query),
        next: found.length > shown.length && last !== undefined ? cursorAt(query, last) : null
      }
    }),
    all: (query: LinkQuery) =>
      Stream.paginateChunkEffect(query.cursor, (cursor) =>
        Effect.map(Effect.zipLeft(rows({ ...query, cursor }, CHUNK), yieldToEventLoop), (found) => {
          const last = found.at(-1)
          const next = found.length < CHUNK || last === undefined ? undefined : cursorAt(query, last)
          return [Chunk.unsafeFromArray(found.map(({ json }) => json)), Option.fromNullable(next)]
        })
      )
  }
})

/** Lists the links in the trash, the latest deletion first; words are found anywhere in a link's own texts. */
export class TrashList extends Context.Tag("TrashList")<TrashList, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
}

const orderOf = ({ sort }: LinkQuery) => (sort === "oldest" || sort === "title" ? sort : "newest")

const orders = {
  newest: { value: "l.deleted_at", by: "l.deleted_at DESC, l.id DESC", comparison: "<" },
  oldest: { value: "l.deleted_at", by: "l.deleted_at, l.id", comparison: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", comparison: ">" }
}
