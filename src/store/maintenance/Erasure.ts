import { SqlClient } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { CHAT_LIST_AGE } from "../chat/MessageStore.ts"
import { orDefect, orUnavailable, Transaction } from "../Transaction.ts"
import { stampOf } from "../VersionedCache.ts"

/** How long the record of a job is kept, and how many of each kind. The last of each kind stays whatever its age. */
const JOB_AGE = Duration.days(30)
const MOST_JOBS = 50

/** How many pages of a full-text index one step merges: some milliseconds' work. */
const MERGED = 64

/**
 * Removes what the database no longer needs, and what it still holds of rows that were deleted.
 *
 * SQLite overwrites deleted rows in the file itself (`secure_delete`), but its write-ahead log keeps earlier versions of
 * their pages until it is emptied (https://www.sqlite.org/wal.html), and a full-text index only notes that a row is gone:
 * the row's words stay until what holds them is merged. FTS5's own `secure-delete` option would remove them at once, one
 * word at a time: deleting 1,000 of 10,000 links then takes 17 s instead of 0.2 s, and merging both indexes whole 0.3 s.
 */
export class Erasure extends Context.Tag("Erasure")<
  Erasure,
  {
    /**
     * Empties the write-ahead log, where anything was written since this last succeeded. False where somebody still reads
     * from the log; a later attempt can empty it.
     */
    readonly emptyLog: Effect.Effect<boolean, StoreUnavailable>
    /**
     * Merges the full-text indexes, where links were deleted since this last came to its end: their words are then gone.
     * It works in steps of some milliseconds, with a pause as long after each. False where there was nothing to do.
     */
    readonly mergeIndexes: Effect.Effect<boolean, StoreUnavailable>
    /** Whether vectors of an earlier version are still to be converted to float16. */
    readonly isToHalve: Effect.Effect<boolean>
    /** They are converted: the next start rewrites the library's file without the room that is left over. */
    readonly halved: Effect.Effect<void, StoreUnavailable>
    /** Deletes the records of old jobs, but for imports that are still to go on, and of expired lists in the chat. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const stamp = stampOf(sql)
      let emptied = ""

      const checkpoint = (mode: "PASSIVE" | "TRUNCATE") =>
        Effect.map(
          orUnavailable(sql<{ busy: number }>`PRAGMA wal_checkpoint(${sql.literal(mode)})`),
          ([row]) => row?.busy === 0
        )

      /** Every full-text index there is. */
      const indexes = Effect.orDie(
        sql<{ name: string }>`SELECT name FROM sqlite_schema
          WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND sql LIKE '%USING fts5 %' ORDER BY name`
      )
      const changes = Effect.map(sql<{ n: number }>`SELECT total_changes() AS n`, ([row]) => row?.n ?? 0)

      /** Merges some pages; whether there were any left. A negative number begins a merge of the whole index. */
      const mergeSome = (index: string, pages: number) =>
        orDefect(
          transaction(
            Effect.gen(function* () {
              const before = yield* changes
              yield* sql`INSERT INTO ${sql(index)} (${sql(index)}, rank) VALUES ('merge', ${pages})`
              // https://www.sqlite.org/fts5.html#the_merge_command
              return (yield* changes) - before >= 2
            })
          )
        )

      const mergeWhole = Effect.fnUntraced(function* (index: string) {
        let pages = -MERGED
        for (;;) {
          const [took, more] = yield* Effect.timed(mergeSome(index, pages))
          if (!more) return
          pages = MERGED
          yield* Effect.sleep(took)
        }
      })

      return {
        mergeIndexes: Effect.gen(function* () {
          const [asked] = yield* Effect.orDie(
            sql<{ asked: number }>`SELECT asked FROM upkeep WHERE task = 'merge'`
          )
          if (asked === undefined) return false
          for (const { name } of yield* indexes) yield* mergeWhole(name)
          // A deletion that came meanwhile is merged the next time.
          yield* orUnavailable(sql`DELETE FROM upkeep WHERE task = 'merge' AND asked = ${asked.asked}`)
          return true
        }).pipe(Effect.withSpan("Erasure.mergeIndexes")),
        isToHalve: Effect.map(
          Effect.orDie(sql`SELECT 1 FROM upkeep WHERE task = 'halve'`),
          (rows) => rows.length > 0
        ),
        halved: orUnavailable(sql`UPDATE OR REPLACE upkeep SET task = 'compact' WHERE task = 'halve'`).pipe(
          Effect.asVoid,
          Effect.withSpan("Erasure.halved")
        ),
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
            sql`DELETE FROM jobs WHERE state <> 'running'
              AND NOT (action = 'import' AND state = 'interrupted' AND resume IS NOT NULL) AND id IN (
              SELECT id FROM (SELECT id, ended_at, row_number() OVER (PARTITION BY action ORDER BY id DESC) AS place FROM jobs)
              WHERE place > 1 AND (place > ${MOST_JOBS} OR ended_at < ${before(JOB_AGE)}))`
          )
          yield* orUnavailable(sql`DELETE FROM chat_lists WHERE created_at < ${before(CHAT_LIST_AGE)}`)
        }).pipe(Effect.withSpan("Erasure.prune"))
      }
    })
  )
}
