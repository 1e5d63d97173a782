import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import { awaitQuietTurn } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { CHAT_LIST_AGE } from "../chat/MessageStore.ts"
import { TaskStore } from "../jobs/TaskStore.ts"
import { PassedTime } from "../PassedTime.ts"
import { readNumber, readTexts } from "../Rows.ts"
import { orDefect, orUnavailable, Transaction } from "../Transaction.ts"
import { changeStampOf } from "../VersionedCache.ts"

/** How long a job's record is kept, and the maximum per kind. The last of each kind stays regardless of age. */
const JOB_AGE = Duration.days(30)
const MOST_JOBS = 50

/** The number of pages of a full-text index that one step merges, which takes a few milliseconds. */
const PAGES_PER_MERGE = 64
/**
 * The number of segments above which an index is merged: every search looks up its words in each of them. FTS5 itself
 * merges only when a level has four, so that a library soon has about twenty.
 */
const MOST_SEGMENTS = 4

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tasks = yield* TaskStore.make
  const transaction = yield* Transaction
  const passed = yield* PassedTime
  const stamp = changeStampOf(sql)
  let emptied = ""

  const checkpoint = (mode: "PASSIVE" | "TRUNCATE") =>
    Effect.map(
      orUnavailable(sql`PRAGMA wal_checkpoint(${sql.literal(mode)})`),
      ([row]) => row?.["busy"] === 0
    )

  const indexes = readTexts(
    sql`SELECT name FROM sqlite_schema
          WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND sql LIKE '%USING fts5 %' ORDER BY name`
  )
  const changes = readNumber(sql`SELECT total_changes()`)

  /**
   * Merges some pages and returns whether there may be more. A negative number starts a merge of the whole index.
   */
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

  /** Merges step by step. A pause as long as each step leaves the connection to others. */
  const merge = Effect.fnUntraced(function* (
    index: string,
    firstStep: number,
    before: Effect.Effect<void> = Effect.void
  ) {
    let pages = firstStep
    for (;;) {
      yield* before
      const [took, more] = yield* Effect.timed(mergeSome(index, pages))
      if (!more) return
      pages = PAGES_PER_MERGE
      yield* Effect.sleep(took)
    }
  })

  const segments = (index: string) => {
    const pages = sql(`${index}_idx`)
    return readNumber(sql`WITH RECURSIVE segments (id) AS (SELECT min(segid) FROM ${pages}
      UNION ALL SELECT (SELECT min(segid) FROM ${pages} WHERE segid > id) FROM segments WHERE id IS NOT NULL)
      SELECT count(id) FROM segments`)
  }
  /** The segments that merging left in an index: one a level, which are of different sizes. */
  const left = new Map<string, number>()

  /** Merges segments of about one size, so that a page is written once for each doubling of the index. */
  const mergeLevels = Effect.fnUntraced(function* (index: string) {
    if ((yield* segments(index)) <= Math.max(MOST_SEGMENTS, left.get(index) ?? 0)) return
    yield* orDefect(sql`INSERT INTO ${sql(index)} (${sql(index)}, rank) VALUES ('usermerge', 2)`)
    yield* merge(index, PAGES_PER_MERGE, awaitQuietTurn)
    left.set(index, yield* segments(index))
  })

  return {
    /**
     * Merges each full-text index as a whole if links were deleted since the last completed merge, so that the links'
     * words are gone; else merges the levels of those with many segments. Works in steps of a few milliseconds, each
     * followed by an equal pause. Returns false if no words had to go.
     */
    mergeIndexes: Effect.gen(function* () {
      const task = Option.getOrUndefined(yield* tasks.claim("merge"))
      for (const name of yield* indexes)
        yield* task === undefined ? mergeLevels(name) : merge(name, -PAGES_PER_MERGE)
      if (task === undefined) return false
      // After a deletion during the merge the task stays for the next one.
      yield* tasks.done(task)
      return true
    }).pipe(Effect.withSpan("Erasure.mergeIndexes")),
    /** Empties the log if anything was written since; false while another connection reads from it. */
    emptyLog: Effect.gen(function* () {
      const now = yield* stamp
      if (now === emptied) return true
      // This copies most pages without blocking other connections.
      yield* checkpoint("PASSIVE")
      const done = yield* checkpoint("TRUNCATE")
      if (done) emptied = now
      return done
    }).pipe(Effect.withSpan("Erasure.emptyLog")),
    /** Deletes old jobs but resumable imports, and expired lists, sessions, codes and shared pages. */
    prune: Effect.gen(function* () {
      const now = DateTime.formatIso(yield* passed.now)
      yield* orUnavailable(
        sql`DELETE FROM jobs WHERE state <> 'running'
              AND NOT (action = 'import' AND state = 'interrupted' AND resume IS NOT NULL) AND id IN (
              SELECT id FROM (SELECT id, ended_at, row_number() OVER (PARTITION BY action ORDER BY id DESC) AS place FROM jobs)
              WHERE place > 1 AND (place > ${MOST_JOBS} OR ended_at < ${yield* passed.before(JOB_AGE)}))`
      )
      yield* orUnavailable(
        sql`DELETE FROM chat_lists WHERE created_at < ${yield* passed.before(CHAT_LIST_AGE)}`
      )
      yield* orUnavailable(sql`DELETE FROM signin_sessions WHERE expires_at <= ${now}`)
      yield* orUnavailable(sql`DELETE FROM signin_code WHERE expires_at <= ${now}`)
      yield* orUnavailable(sql`DELETE FROM public_pages WHERE expires_at <= ${now}`)
    }).pipe(Effect.withSpan("Erasure.prune"))
  }
})

/**
 * Deletes expired records and the remnants of deleted rows. `secure_delete` overwrites rows in the file, but the
 * write-ahead log keeps earlier versions of their pages until it is emptied (https://www.sqlite.org/wal.html), and a
 * full-text index keeps a deleted row's words until its segments are merged. FTS5's own `secure-delete` option is
 * slower: 17 s instead of .5 s for 1,000 of 10,000 links.
 */
export class Erasure extends Service<Erasure>()("Erasure", make) {}
