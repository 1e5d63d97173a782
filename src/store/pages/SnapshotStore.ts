import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readNumber, readOrDefect } from "../Rows.ts"
import { orDefect, Transaction } from "../Transaction.ts"

/** The size of all kept pictures and snapshots together, in bytes, which `KEEP_PICTURES` limits. */
export const keptBytes = (sql: SqlClient.SqlClient) =>
  readNumber(
    sql`SELECT (SELECT coalesce(sum(size), 0) FROM pictures) + (SELECT coalesce(sum(size), 0) FROM snapshots)`
  )

/** When and of what a link's snapshot was made. */
export interface SnapshotAbout {
  /** The address that the browser showed. */
  readonly url: string
  /** An ISO 8601 time in UTC. */
  readonly savedAt: string
}

const decodeAbout = decodeRows(Schema.Struct({ url: Schema.String, savedAt: Schema.String }))
const decodeHtml = decodeRows(Schema.Struct({ html: Schema.Uint8ArrayFromSelf }))

/** The newest snapshot of each link's page, compressed (Zstandard). */
export class SnapshotStore extends Context.Tag("SnapshotStore")<
  SnapshotStore,
  {
    /**
     * Keeps a snapshot in the caller's transaction, in place of the link's earlier one, and returns true; or returns false
     * if all pictures and snapshots would then have more than `limit` bytes.
     */
    readonly keep: (
      id: LinkId,
      url: string,
      html: Uint8Array,
      limit: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Says when and of what the snapshot of a link was made. */
    readonly about: (id: LinkId) => Effect.Effect<Option.Option<SnapshotAbout>>
    /** Returns a link's snapshot, compressed. */
    readonly read: (id: LinkId) => Effect.Effect<Option.Option<Uint8Array>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      return {
        keep: Effect.fn("SnapshotStore.keep")(
          function* (id, url, html, limit) {
            const before = yield* readNumber(sql`SELECT size FROM snapshots WHERE link_id = ${id}`)
            if ((yield* keptBytes(sql)) - before + html.length > limit) return false
            const savedAt = DateTime.formatIso(yield* DateTime.now)
            yield* sql`INSERT OR REPLACE INTO snapshots
              ${sql.insert({ linkId: id, url, savedAt, size: html.length, html })}`
            return true
          },
          transaction,
          orDefect
        ),
        about: Effect.fn("SnapshotStore.about")((id) =>
          Effect.map(
            readOrDefect(decodeAbout(sql`SELECT url, saved_at FROM snapshots WHERE link_id = ${id}`)),
            ([row]) => Option.fromNullable(row)
          )
        ),
        read: Effect.fn("SnapshotStore.read")((id) =>
          Effect.map(
            readOrDefect(decodeHtml(sql`SELECT html FROM snapshots WHERE link_id = ${id}`)),
            ([row]) => Option.map(Option.fromNullable(row), ({ html }) => html)
          )
        )
      }
    })
  )
}
