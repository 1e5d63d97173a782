import type { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { CurrentAuthor } from "../../domain/Author.ts"
import type { Field } from "../../domain/Change.ts"
import type { LinkId } from "../../domain/Link.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { decodeIds, decodeRows, readNumbers } from "../Rows.ts"
import { valuesOf } from "./ChangeColumns.ts"

/*
 * An import is recorded as a change that can be undone: of a link that it has added, what the owner can set
 * (`wrote.hand`); of one that it has changed also its values before and after, and whether its page was kept; of one that it took out of the trash,
 * since when it was there (`before.deletedAt`). Functions run in the caller's transaction.
 */

/** The values that an import may change in a link, and that undoing it restores. */
export const TAKEN_BACK: ReadonlyArray<Field> = [
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

/**
 * What the owner can set of a link `l`, in this order: a field that enrichment and jobs set too counts only while it is
 * the owner's. An array, because its rows are many.
 */
const HAND: ReadonlyArray<readonly [Field, string]> = [
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

const hand = `json_array(${HAND.map(([, value]) => value).join(", ")})`
const before = `json_set(${valuesOf(TAKEN_BACK)}, '$.textSize', octet_length(l.text),
  '$.kept', EXISTS (SELECT 1 FROM pages WHERE pages.link_id = l.id))`
const wrote = `json_set(${before}, '$.hand', ${hand})`

const listOf = (sql: SqlClient.SqlClient, ids: ReadonlyArray<number>) =>
  sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`

/** Returns the number of the change that records the import with this token, and begins it if it is new. */
export const beginImport = Effect.fn("ImportRecord.begin")(function* (
  sql: SqlClient.SqlClient,
  token: string
) {
  const createdAt = DateTime.formatIso(yield* DateTime.now)
  yield* sql`INSERT INTO changes (token, kind, import, author, finished, created_at)
    VALUES (${token}, 'edit', 'added', ${yield* CurrentAuthor}, 1, ${createdAt}) ON CONFLICT (token) DO NOTHING`
  const [change] = yield* decodeIds(sql`SELECT id FROM changes WHERE token = ${token}`)
  return change?.id ?? 0
})

/** Records links as they are before the import changes them. */
export const rememberLinks = (sql: SqlClient.SqlClient, change: number, ids: ReadonlyArray<LinkId>) =>
  sql`INSERT INTO change_links (change_id, link_id, pending, before)
    SELECT ${change}, l.id, 0, ${sql.literal(before)} FROM links l WHERE l.id IN ${listOf(sql, ids)}
    ON CONFLICT DO NOTHING`

/** Records links in the trash as they are before the import takes them out of it. */
export const rememberTrashed = (sql: SqlClient.SqlClient, change: number, ids: ReadonlyArray<LinkId>) =>
  sql`INSERT INTO change_links (change_id, link_id, pending, before)
    SELECT ${change}, l.id, 0, json_set(${sql.literal(before)}, '$.deletedAt', l.deleted_at)
    FROM trash l WHERE l.id IN ${listOf(sql, ids)} ON CONFLICT DO NOTHING`

/** Records links as the import has left them: those that it has added, and those remembered, unless they are as before. */
export const settleLinks = Effect.fn("ImportRecord.settle")(function* (
  sql: SqlClient.SqlClient,
  change: number,
  { added, remembered }: { readonly added: ReadonlyArray<LinkId>; readonly remembered: ReadonlyArray<LinkId> }
) {
  yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
    SELECT ${change}, l.id, 0, json_object('hand', ${sql.literal(hand)}) FROM links l WHERE l.id IN ${listOf(sql, added)}`
  if (remembered.length === 0) return
  const some = sql`change_id = ${change} AND link_id IN ${listOf(sql, remembered)}`
  yield* sql`UPDATE change_links SET wrote = (SELECT ${sql.literal(wrote)} FROM links l WHERE l.id = link_id) WHERE ${some}`
  yield* sql`DELETE FROM change_links WHERE ${some} AND before = json_remove(wrote, '$.hand')`
})

const decodeEnded = decodeRows(Schema.Struct({ changed: Schema.Int, links: Schema.Int, things: Schema.Int }))

/**
 * Returns whether the import has changed anything, and how many links that were there before; drops the record of one
 * that has not.
 */
export const endImport = Effect.fn("ImportRecord.end")(function* (sql: SqlClient.SqlClient, token: string) {
  const links = sql`change_links WHERE change_id = changes.id`
  const [ended] = yield* decodeEnded(
    sql`SELECT (SELECT count(*) FROM ${links} AND before IS NOT NULL) AS changed,
      EXISTS (SELECT 1 FROM ${links}) AS links, EXISTS (SELECT 1 FROM change_things WHERE change_id = changes.id) AS things
      FROM changes WHERE token = ${token}`
  )
  const hasChanged = ended !== undefined && ended.links + ended.things > 0
  if (!hasChanged) yield* sql`DELETE FROM changes WHERE token = ${token}`
  return { hasChanged, changed: ended?.changed ?? 0 }
})

/** The value of a field that is restored if it is still as the import left it, and else stays as it is. */
const restored = (key: string, value: string, isAsLeft: string) =>
  `'${key}', json(iif(${isAsLeft}, v.before -> '$.${key}', ${value}))`

const quoted = (column: string) => `json_quote(l.${column})`
const flag = (column: string) => `iif(l.${column}, 'true', 'false')`

const isSame = (column: string, key: string) => `l.${column} IS v.wrote ->> '$.${key}'`

/** Of a field and its mark, both as before if the value is as the import left it. */
const withMark = (key: string) =>
  [
    restored(key, quoted(key), isSame(key, key)),
    restored(`${key}ByHand`, flag(`${key}_by_hand`), isSame(key, key))
  ].join(", ")

const isFiled = isSame("collection_id", "collection")

/** SQL expression for the values that a link gets back: those before, without losing what enrichment has found since. */
const VALUES_BACK = `json_object('deletedAt', v.before ->> 'deletedAt',
  'favorite', json(v.before -> 'favorite'), 'shareable', json(v.before -> 'shareable'), 'note', v.before ->> 'note',
  'createdAt', v.before ->> 'createdAt', 'handTags', json(v.before -> 'handTags'), 'tagsByHand', json(v.before -> 'tagsByHand'),
  'tags', json((SELECT json_group_array(t.value ORDER BY t.key) FROM json_each(l.tags) AS t
    WHERE t.value IN (SELECT value FROM json_each(v.before, '$.tags')) OR t.value NOT IN (SELECT value FROM json_each(v.wrote, '$.tags')))),
  ${["title", "summary", "category"].map(withMark).join(", ")},
  ${restored("collection", quoted("collection_id"), isFiled)},
  ${restored("collectionByHand", flag("collection_by_hand"), isFiled)},
  ${restored("filedBecause", "l.filed_because", isFiled)},
  'text', iif(v.before ->> 'textSize' = 0 AND octet_length(l.text) = v.wrote ->> 'textSize', '', NULL))`

/** Links recorded per step, a few milliseconds of work, so that the event loop turns in between. */
const ROWS = 1_000

const decodeCounts = decodeRows(Schema.Record({ key: Schema.String, value: Schema.Number }))

/**
 * Records in change `reverse` that the links of the import `original` are to be undone, except those that the owner
 * has changed since; returns how many these are, and their changed fields. Links that are in the trash stay there.
 */
export const takeBackLinks = Effect.fn("ImportRecord.takeBack")(function* (
  sql: SqlClient.SqlClient,
  original: number,
  reverse: number
) {
  const changed = { links: 0, of: 0, fields: new Set<Field>() }
  const isChanged = sql.literal(`${hand} IS NOT json(v.wrote -> '$.hand')`)
  const counts = sql.literal(
    HAND.map(
      ([, value], at) =>
        `total(json_array(${value}) IS NOT json_array(json(v.wrote -> '$.hand[${at}]'))) AS f${at}`
    ).join(", ")
  )
  for (let after = 0; ; ) {
    const ids = yield* readNumbers(
      sql`SELECT link_id FROM change_links WHERE change_id = ${original} AND link_id > ${after} ORDER BY link_id LIMIT ${ROWS}`
    )
    const rows = sql`change_links v JOIN links l ON l.id = v.link_id
      WHERE v.change_id = ${original} AND v.link_id IN ${listOf(sql, ids)}`
    yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
      SELECT ${reverse}, l.id, 1, iif(v.before IS NULL, NULL, ${sql.literal(VALUES_BACK)})
      FROM ${rows} AND NOT (${isChanged})`
    const [row = {}] = yield* decodeCounts(sql`SELECT count(*) AS n, ${counts} FROM ${rows} AND ${isChanged}`)
    // A page that a refresh has changed since is another one.
    yield* sql`DELETE FROM pages WHERE version = 1 AND link_id IN (
      SELECT l.id FROM ${rows} AND v.before ->> 'kept' = 0 AND NOT (${isChanged}))`
    changed.links += row["n"] ?? 0
    changed.of += ids.length
    for (const [at, [field]] of HAND.entries()) if ((row[`f${at}`] ?? 0) > 0) changed.fields.add(field)
    if (ids.length < ROWS) return { ...changed, fields: [...changed.fields] }
    after = ids.at(-1) ?? after
    yield* yieldToEventLoop
  }
})
