import type { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { CurrentAuthor } from "../../domain/Author.ts"
import type { Field } from "../../domain/Change.ts"
import type { LinkId } from "../../domain/Link.ts"
import { listOf } from "../Fragment.ts"
import { decodeRows, readNumber } from "../Rows.ts"
import { valuesOf } from "./ChangeColumns.ts"

/*
 * An import is recorded as a change that can be undone: of a link that it has added, what the owner can set
 * (`after.hand`); of one that it has changed also its values before and after, and whether its page was kept; of one that it took out of the trash,
 * since when it was there (`before.deletedAt`). Functions run in the caller's transaction.
 */

/** The values that an import may change in a link, and that undoing it restores. */
export const IMPORT_FIELDS: ReadonlyArray<Field> = [
  "favorite",
  "shareable",
  "category",
  "collection",
  "title",
  "summary",
  "note",
  "tags",
  "createdAt",
  "text"
]

/** What the owner can set of a link `l`, null where it is not the owner's. An array, because its rows are many. */
export const OWNER_SET: ReadonlyArray<readonly [Field, string]> = [
  ["favorite", "l.favorite"],
  ["shareable", "l.shareable"],
  ["state", "l.state"],
  ["note", "l.note"],
  ["url", "l.url"],
  ["title", "iif(l.title_by_hand, l.title, NULL)"],
  ["summary", "iif(l.summary_by_hand, l.summary, NULL)"],
  ["category", "iif(l.category_by_hand, l.category, NULL)"],
  ["collection", "iif(l.collection_by_hand, l.collection_id, NULL)"],
  ["refused", "json(l.refused)"],
  ["tags", "json_array(l.tags_by_hand, json(l.hand_tags))"]
]

export const OWNER_SET_JSON = `json_array(${OWNER_SET.map(([, value]) => value).join(", ")})`
const before = `json_set(${valuesOf(IMPORT_FIELDS)}, '$.textSize', octet_length(l.text),
  '$.kept', EXISTS (SELECT 1 FROM pages WHERE pages.link_id = l.id))`
const after = `json_set(${before}, '$.hand', ${OWNER_SET_JSON})`

/** Returns the number of the change that records the import with this token, and begins it if it is new. */
export const beginImport = Effect.fn("ImportRecord.begin")(function* (
  sql: SqlClient.SqlClient,
  token: string
) {
  const createdAt = DateTime.formatIso(yield* DateTime.now)
  yield* sql`INSERT INTO changes (token, kind, import, author, finished, created_at)
    VALUES (${token}, 'edit', 'added', ${yield* CurrentAuthor}, 1, ${createdAt}) ON CONFLICT (token) DO NOTHING`
  return yield* readNumber(sql`SELECT id FROM changes WHERE token = ${token}`)
})

export const rememberLinks = (sql: SqlClient.SqlClient, change: number, ids: ReadonlyArray<LinkId>) =>
  sql`INSERT INTO change_rows (change_id, kind, key, before)
    SELECT ${change}, 'link', l.id, ${sql.literal(before)} FROM links l WHERE l.id IN ${listOf(ids)}
    ON CONFLICT DO NOTHING`

export const rememberTrashed = (sql: SqlClient.SqlClient, change: number, ids: ReadonlyArray<LinkId>) =>
  sql`INSERT INTO change_rows (change_id, kind, key, before)
    SELECT ${change}, 'link', l.id, json_set(${sql.literal(before)}, '$.deletedAt', l.deleted_at)
    FROM trash l WHERE l.id IN ${listOf(ids)} ON CONFLICT DO NOTHING`

/** Records links as the import has left them: those that it has added, and those remembered, unless they are as before. */
export const settleLinks = Effect.fn("ImportRecord.settle")(function* (
  sql: SqlClient.SqlClient,
  change: number,
  { added, remembered }: { readonly added: ReadonlyArray<LinkId>; readonly remembered: ReadonlyArray<LinkId> }
) {
  yield* sql`INSERT INTO change_rows (change_id, kind, key, after)
    SELECT ${change}, 'link', l.id, json_object('hand', ${sql.literal(OWNER_SET_JSON)}) FROM links l WHERE l.id IN ${listOf(added)}`
  if (remembered.length === 0) return
  const some = sql`change_id = ${change} AND kind = 'link' AND key IN ${listOf(remembered)}`
  yield* sql`UPDATE change_rows SET after = (SELECT ${sql.literal(after)} FROM links l WHERE l.id = key) WHERE ${some}`
  yield* sql`DELETE FROM change_rows WHERE ${some} AND before = json_remove(after, '$.hand')`
})

const decodeEnded = decodeRows(Schema.Struct({ changed: Schema.Int, hasRows: Schema.Int }))

/** Returns whether the import changed anything, and how many known links; drops the record of one that did not. */
export const endImport = Effect.fn("ImportRecord.end")(function* (sql: SqlClient.SqlClient, token: string) {
  const rows = sql`change_rows WHERE change_id = changes.id`
  const [ended] = yield* decodeEnded(
    sql`SELECT (SELECT count(*) FROM ${rows} AND kind = 'link' AND before IS NOT NULL) AS changed,
      EXISTS (SELECT 1 FROM ${rows}) AS has_rows FROM changes WHERE token = ${token}`
  )
  const hasChanged = ended?.hasRows === 1
  if (!hasChanged) yield* sql`DELETE FROM changes WHERE token = ${token}`
  return { hasChanged, changed: ended?.changed ?? 0 }
})

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The fields that enrichment may have set since the import, with the keys that go along. */
const SET_SINCE = [
  ["title", "titleByHand"],
  ["summary", "summaryByHand"],
  ["category", "categoryByHand"],
  ["collection", "collectionByHand", "filedBecause"]
] as const

/** Returns the values that a link gets back: those before the import, without losing what enrichment has found since. */
export const valuesBefore = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  const back = (...keys: ReadonlyArray<string>) => keys.map((key) => [key, before[key]] as const)
  const [had, brought] = [listIn(before["tags"]), listIn(after["tags"])]
  return {
    ...Object.fromEntries(back("favorite", "shareable", "note", "createdAt", "handTags", "tagsByHand")),
    tags: listIn(now["tags"]).filter((tag) => had.includes(tag) || !brought.includes(tag)),
    ...Object.fromEntries(
      SET_SINCE.flatMap(([key, ...marks]) => (isSame(now[key], after[key]) ? back(key, ...marks) : []))
    ),
    ...(before["textSize"] === 0 && now["textSize"] === after["textSize"] ? { text: "" } : {})
  }
}
