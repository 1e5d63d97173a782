import { SqlClient } from "@effect/sql"
import { Context, Effect, Schema } from "effect"
import { LinkId } from "../../domain/Link.ts"
import { CheckState } from "../../domain/LinkCheck.ts"
import { firstRow, readRows } from "../Rows.ts"
import { execute } from "../Transaction.ts"

/** Links that wait at most; those saved while the queue is full are not submitted. */
const MAX_WAITING = 1_000

const Waiting = Schema.Struct({ id: LinkId, url: Schema.String, state: CheckState, attempts: Schema.Int })
const readWaiting = readRows(Waiting)

/** A link that waits to be submitted, with what is known about its page, and how often that was tried. */
export type WaitingLink = typeof Waiting.Type

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Adds links; `now` is in milliseconds since 1970. */
    add: Effect.fn("ArchiveQueue.add")((ids: ReadonlyArray<LinkId>, now: number) =>
      execute(sql`INSERT OR IGNORE INTO archive_queue (link_id, next_at)
                SELECT value, ${now} FROM json_each(${JSON.stringify(ids)})
                WHERE (SELECT count(*) FROM archive_queue) < ${MAX_WAITING}`)
    ),
    /** Returns the link that is due longest. */
    next: Effect.fn("ArchiveQueue.next")((now: number) =>
      firstRow(
        readWaiting(
          sql`SELECT l.id, l.url, coalesce(k.state, 'unknown') AS state, q.attempts
                  FROM archive_queue q CROSS JOIN links l ON l.id = q.link_id
                  LEFT JOIN link_checks k ON k.link_id = l.id
                  WHERE q.next_at <= ${now} ORDER BY q.next_at LIMIT 1`
        )
      )
    ),
    /** Counts an attempt that failed, and says when to try again. */
    postpone: Effect.fn("ArchiveQueue.postpone")((id: LinkId, until: number) =>
      execute(sql`UPDATE archive_queue SET attempts = attempts + 1, next_at = ${until} WHERE link_id = ${id}`)
    ),
    remove: Effect.fn("ArchiveQueue.remove")((id: LinkId) =>
      execute(sql`DELETE FROM archive_queue WHERE link_id = ${id}`)
    ),
    /** Drops all links. */
    clear: execute(sql`DELETE FROM archive_queue`).pipe(Effect.withSpan("ArchiveQueue.clear"))
  }
})

/** The queue of new links that are to be submitted to the web archive. */
export class ArchiveQueue extends Context.Tag("ArchiveQueue")<
  ArchiveQueue,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
}
