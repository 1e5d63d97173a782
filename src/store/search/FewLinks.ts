import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { LinkQuery, QueryFilter } from "../../domain/LinkQuery.ts"
import { fragment } from "../Fragment.ts"
import { readNumber } from "../Rows.ts"
import type { Matching } from "./Matching.ts"

/** Number of matches up to which looking up the link of each match is cheap. */
const RARE = 1_000

/** The filters whose links an index lists. */
const listed: ReadonlySet<QueryFilter["field"]> = new Set([
  "collection",
  "tag",
  "tagPrefix",
  "category",
  "favorite",
  "unread",
  "archived",
  "started",
  "broken",
  "moved",
  "changed"
] as const)

/** Returns the part of a query whose links an index lists. */
export const listedPart = ({ collection, favorite, filters, sort }: LinkQuery): LinkQuery => ({
  sort,
  terms: [],
  filters: filters.filter(({ field, negated }) => !negated && listed.has(field)),
  collection,
  favorite: favorite === true ? true : undefined
})

/**
 * Whether the links `l` that meet `narrowed` are at most `most`, and fewer than those that contain the words, so that it
 * is cheaper to list them (`isListed`) than to look up the link of each match. `narrowed` is the condition of a
 * `listedPart`.
 */
export const areFew = Effect.fn("areFew")(function* (
  sql: SqlClient.SqlClient,
  narrowed: Fragment,
  { expression, table }: Matching,
  most: number
) {
  const words = sql.literal(table)
  const matches = yield* readNumber(
    sql`SELECT count(*) FROM (SELECT 1 FROM ${words} WHERE ${words} MATCH ${expression} LIMIT ${most})`
  )
  if (matches <= RARE) return false
  const links = yield* readNumber(
    sql`SELECT count(*) FROM (SELECT 1 FROM links l WHERE ${narrowed} LIMIT ${matches})`
  )
  return links < matches
})

/**
 * The condition that the row of a full-text table is one of the links `l` that meet `narrowed`. Without the plus, SQLite
 * would search for the words once for each of these links.
 */
export const isListed = (narrowed: Fragment): Fragment =>
  fragment`+rowid IN (SELECT l.id FROM links l WHERE ${narrowed})`
