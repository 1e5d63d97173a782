import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Effect } from "effect"
import type { LinkQuery, Term } from "../../domain/LinkQuery.ts"
import { Service } from "../../runtime/Services.ts"
import { readNumber } from "../Rows.ts"
import { escapeLike, type LinkRow, negate } from "../search/Matching.ts"
import { afterCursor, filtersIn, type Order, type Place, paged } from "./LinkList.ts"
import { trashedLinkJson } from "./LinkStore.ts"

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

  const rows = (query: LinkQuery, limit: number) => {
    const order = orders[orderOf(query)]
    const found = sql`SELECT ${sql.literal(trashedLinkJson)}, l.id, ${sql.literal(order.value)} FROM trash l
          LEFT JOIN collections c ON c.id = l.collection_id
          WHERE ${matching(query)} AND ${afterCursor(order, query)}
          ORDER BY ${sql.literal(order.by)} LIMIT ${limit}`
    return Effect.map(Effect.orDie(found.values), (all) =>
      all.map(([json, id, at]) => [String(json), Number(id), String(at)] as const)
    )
  }

  const count = Effect.fn("TrashList.count")((query: LinkQuery) =>
    readNumber(sql`SELECT count(*) FROM trash l WHERE ${matching(query)}`)
  )

  const { all, page } = paged(rows, (query, [, id, value]) => ({ sort: orderOf(query), value, id }), count)
  return { all, count, page: (query: LinkQuery) => Effect.withSpan(page(query), "TrashList.page") }
})

/** Lists the links in the trash, the latest deletion first; words are found anywhere in a link's own texts. */
export class TrashList extends Service<TrashList>()("TrashList", make) {}

const orderOf = ({ sort }: LinkQuery) => (sort === "oldest" || sort === "title" ? sort : "newest")

const orders: Record<"newest" | "oldest" | "title", Order> = {
  newest: { value: "l.deleted_at", by: "l.deleted_at DESC, l.id DESC", comparison: "<" },
  oldest: { value: "l.deleted_at", by: "l.deleted_at, l.id", comparison: ">" },
  title: { value: "l.title COLLATE NOCASE", by: "l.title COLLATE NOCASE, l.id", comparison: ">" }
}
