import type { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import type { LinkId } from "../../domain/Link.ts"
import { listOf } from "../Fragment.ts"
import { readLinkIds, readNumbers } from "../Rows.ts"
import { columnOf, columnsBut } from "./LinkColumns.ts"
import { obeyAliases } from "./NameStore.ts"

/** The columns of `links` that a link keeps in the trash, apart from its collection and its next retry. */
const KEPT = columnsBut("inShared", "retryAt").map(columnOf)
export const TRASHED_COLUMNS = KEPT.join(", ")

/** When a restored link is read next: at once if its description is incomplete; never-read imports wait with the others. */
const RETRY_AT = `CASE WHEN enrichment = 'complete' OR retry_at IS NOT NULL THEN retry_at
  WHEN enrichment = 'partial' AND final_url IS NULL AND EXISTS (SELECT 1 FROM tasks WHERE kind = 'read') THEN NULL ELSE ? END`

const WAS_IN_SHARED = "EXISTS (SELECT 1 FROM collections c WHERE c.id = trash.collection_id AND c.shared = 1)"

/**
 * The values of a link that comes back private and out of a shared collection, as far as they differ from the trash's.
 */
const PRIVATELY: Readonly<Record<string, string>> = {
  shareable: "0",
  collection_by_hand: `iif(${WAS_IN_SHARED}, 0, collection_by_hand)`,
  filed_because: `iif(${WAS_IN_SHARED}, NULL, filed_because)`
}
const PRIVATE_VALUES = KEPT.map((column) => PRIVATELY[column] ?? column).join(", ")

/**
 * Takes these links out of the trash in the caller's transaction, with the chat messages and the captures that belong
 * to them, and queues them for a vector. A link whose address another link has by now stays in the trash.
 *
 * Only the owner's restore and undo share a link again. `privately` is for everything that saves its address: the link
 * comes back unshared, and out of a shared collection. Returns the links that this made private.
 */
export const restoreTrashed = Effect.fn("TrashRows.restoreTrashed")(function* (
  sql: SqlClient.SqlClient,
  ids: ReadonlyArray<LinkId>,
  { privately }: { readonly privately: boolean }
) {
  if (ids.length === 0) return []
  const now = DateTime.formatIso(yield* DateTime.now)
  const some = JSON.stringify(ids)
  const [values, unlessShared] = privately ? [PRIVATE_VALUES, "AND c.shared = 0"] : [TRASHED_COLUMNS, ""]
  yield* sql.unsafe(
    `INSERT INTO links (id, collection_id, retry_at, ${TRASHED_COLUMNS})
      SELECT id, (SELECT c.id FROM collections c WHERE c.id = trash.collection_id ${unlessShared}), ${RETRY_AT}, ${values}
      FROM trash WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id ON CONFLICT DO NOTHING`,
    [now, some]
  )
  yield* obeyAliases(sql, ids)
  const restored = sql`trash.id IN (SELECT value FROM json_each(${some}))
    AND EXISTS (SELECT 1 FROM links WHERE links.id = trash.id)`
  const unshared = privately
    ? yield* readNumbers(
        sql`SELECT id FROM trash WHERE ${restored} AND (shareable = 1 OR ${sql.literal(WAS_IN_SHARED)})`
      )
    : []
  yield* sql`INSERT INTO message_links (chat_id, message_id, link_id, note, tags, after_change, created)
    SELECT m.value ->> 'chat', m.value ->> 'message', trash.id, m.value ->> 'note', coalesce(m.value ->> 'tags', '[]'),
      coalesce(m.value ->> 'after', 0), m.value ->> 'created'
    FROM trash, json_each(messages) AS m WHERE ${restored} ON CONFLICT DO NOTHING`
  yield* sql`INSERT OR IGNORE INTO embedding_queue (link_id) SELECT id FROM trash
    WHERE ${restored} AND enrichment <> 'pending' ORDER BY id`
  yield* sql`INSERT INTO tasks (kind, subject, due_at) SELECT 'read', id,
      (SELECT due_at FROM tasks WHERE kind = 'read' ORDER BY due_at DESC LIMIT 1) FROM trash
    WHERE ${restored} AND enrichment = 'partial' AND final_url IS NULL AND retry_at IS NULL
      AND EXISTS (SELECT 1 FROM tasks WHERE kind = 'read') ORDER BY id ON CONFLICT DO NOTHING`
  yield* sql`UPDATE inbox SET state = 'waiting', attempts = 0, starts = 0, run = NULL, next_at = ${now}
    WHERE state = 'done' AND payload <> '' AND id IN (
      SELECT inbox_id FROM inbox_links JOIN trash ON trash.id = link_id WHERE ${restored})`
  yield* sql`DELETE FROM trash WHERE ${restored}`
  return unshared
})

/** Returns the links in the trash with these normalized addresses, except those that are being deleted for good. */
export const findTrashed = (sql: SqlClient.SqlClient, addresses: ReadonlyArray<string>) =>
  readLinkIds(
    sql`SELECT id FROM trash WHERE normalized_url IN ${listOf(addresses)}
      AND NOT EXISTS (SELECT 1 FROM change_work part JOIN changes ON changes.id = part.change_id
        WHERE part.link_id = trash.id AND changes.kind = 'delete')
      ORDER BY deleted_at DESC, id DESC`
  )
