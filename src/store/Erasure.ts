import { SqlClient } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { UNDO_AGE } from "./ChangeStore.ts"
import { CHAT_LIST_AGE } from "./ChatListStore.ts"
import { stampOf } from "./Remembered.ts"
import { orUnavailable } from "./Transaction.ts"

/** How long the record of a job is kept, and how many of each kind. The last of each kind stays whatever its age. */
const JOB_AGE = Duration.days(30)
const MOST_JOBS = 50

/**
 * Removes what the database no longer needs, and what its log still holds of rows that were deleted.
 *
 * SQLite overwrites deleted rows in the file itself (`secure_delete`), but its write-ahead log keeps earlier versions of
 * their pages until it is emptied (https://www.sqlite.org/wal.html).
 */
export class Erasure extends Context.Tag("Erasure")<
  Erasure,
  {
    /**
     * Empties the write-ahead log, where anything was written since this last succeeded. False where somebody still reads
     * from the log; a later attempt can empty it.
     */
    readonly emptyLog: Effect.Effect<boolean, StoreUnavailable>
    /** Deletes the records of old jobs, of changes too old to be undone, and of expired lists in the chat. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const stamp = stampOf(sql)
      let emptied = ""

      const checkpoint = (mode: "PASSIVE" | "TRUNCATE") =>
        Effect.map(
          orUnavailable(sql<{ busy: number }>`PRAGMA wal_checkpoint(${sql.literal(mode)})`),
          ([row]) => row?.busy === 0
        )

      return {
        emptyLog: Effect.gen(function* () {
          const now = yield* stamp
          if (now === emptied) return true
          // Most of the copying happens without keeping anybody out.
          yield* checkpoint("PASSIVE")
          const done = yield* checkpoint("TRUNCATE")
          if (done) emptied = now
          return done
        }).pipe(Effect.withSpan("Erasure.emptyLog")),
        prune: Effect.gen(function* () {
          const now = yield* DateTime.now
          const before = (age: Duration.Duration) => DateTime.formatIso(DateTime.subtractDuration(now, age))
          yield* orUnavailable(
            sql`DELETE FROM jobs WHERE state <> 'running' AND id IN (
              SELECT id FROM (SELECT id, ended_at, row_number() OVER (PARTITION BY action ORDER BY id DESC) AS place FROM jobs)
              WHERE place > 1 AND (place > ${MOST_JOBS} OR ended_at < ${before(JOB_AGE)}))`
          )
          yield* orUnavailable(sql`DELETE FROM undo WHERE created_at < ${before(UNDO_AGE)}`)
          yield* orUnavailable(sql`DELETE FROM chat_lists WHERE created_at < ${before(CHAT_LIST_AGE)}`)
        }).pipe(Effect.withSpan("Erasure.prune"))
      }
    })
  )
}
