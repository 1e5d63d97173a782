import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, Schema } from "effect"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readFlag, readNumber, readRows } from "../Rows.ts"
import { orDefect, Transaction } from "../Transaction.ts"

/** The size of all kept pictures and snapshots together, in bytes, which `KEEP_PICTURES` limits. */
export const keptBytes = (sql: SqlClient.SqlClient) =>
  readNumber(
    sql`SELECT (SELECT coalesce(sum(size), 0) FROM pictures) + (SELECT coalesce(sum(size), 0) FROM snapshots)
      + (SELECT coalesce(sum(size), 0) FROM snapshot_versions)`
  )

export const EarlierSnapshot = Schema.Struct({ version: Schema.Int, savedAt: Schema.String })
export type EarlierSnapshot = typeof EarlierSnapshot.Type

const readEarlier = readRows(EarlierSnapshot)
const readAbout = readRows(Schema.Struct({ url: Schema.String, savedAt: Schema.String }))
const readHtml = readRows(Schema.Struct({ html: Schema.Uint8ArrayFromSelf }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  return {
    /** The former newest stays as a version; false if all pictures and snapshots would exceed `limit` bytes. */
    keep: Effect.fn("SnapshotStore.keep")(
      function* (id: LinkId, url: string, html: Uint8Array, limit: number) {
        const savedAt = DateTime.formatIso(yield* DateTime.now)
        const isSame = yield* readFlag(
          sql`SELECT EXISTS (SELECT 1 FROM snapshots WHERE link_id = ${id} AND html = ${html})`
        )
        if (!isSame) {
          if ((yield* keptBytes(sql)) + html.length > limit) return false
          yield* sql`INSERT INTO snapshot_versions (link_id, version, url, saved_at, size, html)
                SELECT link_id, 1 + (SELECT count(*) FROM snapshot_versions WHERE link_id = ${id}), url, saved_at, size, html
                FROM snapshots WHERE link_id = ${id}`
        }
        const row = { linkId: id, url, savedAt, size: html.length, html }
        yield* sql`INSERT INTO snapshots ${sql.insert(row)} ON CONFLICT (link_id) DO UPDATE
              SET url = excluded.url, saved_at = excluded.saved_at, size = excluded.size, html = excluded.html`
        return true
      },
      transaction,
      orDefect
    ),
    about: Effect.fn("SnapshotStore.about")((id: LinkId) =>
      firstRow(readAbout(sql`SELECT url, saved_at FROM snapshots WHERE link_id = ${id}`))
    ),
    earlier: Effect.fn("SnapshotStore.earlier")((id: LinkId) =>
      readEarlier(
        sql`SELECT version, saved_at FROM snapshot_versions WHERE link_id = ${id} ORDER BY version DESC`
      )
    ),
    read: Effect.fn("SnapshotStore.read")((id: LinkId, version?: number) =>
      Effect.map(
        firstRow(
          readHtml(
            version === undefined
              ? sql`SELECT html FROM snapshots WHERE link_id = ${id}`
              : sql`SELECT html FROM snapshot_versions WHERE link_id = ${id} AND version = ${version}`
          )
        ),
        Option.map(({ html }) => html)
      )
    )
  }
})

/** The snapshots of each link's page, compressed (Zstandard). */
export class SnapshotStore extends Service<SnapshotStore>()("SnapshotStore", make) {}
