import { SqlClient } from "@effect/sql"
import { Array, Clock, Duration, Effect, Schema } from "effect"
import { ENDED_AGAIN, ENDED_TWICE } from "../../domain/Enrichment.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, readFlag, readNumber, readNumbers } from "../Rows.ts"
import { execute, orDefect, orUnavailable, Transaction } from "../Transaction.ts"

/** The subject of a task is the number of a link or of a chat, or 0. */
export type TaskKind = "read" | "suspect" | "archive" | "highlights" | "merge"

/** A task in hand: `starts` is how often the program ended while it worked on the task. */
const Task = Schema.Struct({
  id: Schema.Int,
  subject: Schema.Int,
  attempts: Schema.Int,
  starts: Schema.Int
})
export type Task = typeof Task.Type
const decodeTasks = decodeRows(Task)

/** SQL condition that a task of this kind has this subject, an SQL expression. */
export const hasTask = (kind: TaskKind, subject: string): string =>
  `EXISTS (SELECT 1 FROM tasks WHERE tasks.subject = ${subject} AND tasks.kind = '${kind}')`

/** The due time of a task to be worked on at once; such tasks keep the order in which they were added. */
export const AT_ONCE = 0

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /** Adds up to `most` tasks; one that waits already stays as it is. `dueAt` is null for tasks that are held. */
    add: Effect.fn("TaskStore.add")(
      (
        kind: TaskKind,
        subjects: ReadonlyArray<number>,
        dueAt: number | null,
        most = Number.MAX_SAFE_INTEGER
      ) =>
        execute(sql`INSERT INTO tasks (kind, subject, due_at) SELECT ${kind}, value, ${dueAt}
                FROM json_each(${JSON.stringify(subjects)})
                WHERE ${most === Number.MAX_SAFE_INTEGER ? sql`true` : sql`(SELECT count(*) FROM tasks WHERE kind = ${kind}) < ${most}`}
                ON CONFLICT DO NOTHING`)
    ),
    /** Adds a task, or restarts it: a task in hand is worked on again. */
    renew: Effect.fn("TaskStore.renew")((kind: TaskKind, subject: number, dueAt: number) =>
      execute(sql`INSERT INTO tasks (kind, subject, due_at) VALUES (${kind}, ${subject}, ${dueAt})
              ON CONFLICT DO UPDATE SET due_at = excluded.due_at, attempts = 0, starts = 0`)
    ),
    /** Takes the task due first and counts its start; `begun` selects those that the program did not end. */
    claim: Effect.fn("TaskStore.claim")(function* (kind: TaskKind, begun?: boolean) {
      const now = yield* Clock.currentTimeMillis
      const tasks = yield* decodeTasks(sql`UPDATE tasks SET starts = starts + 1 WHERE id = (
              SELECT id FROM tasks WHERE kind = ${kind} AND due_at <= ${now} AND ${begun === undefined ? sql`true` : begun ? sql`starts > 0` : sql`starts = 0`}
              ORDER BY due_at, id LIMIT 1)
            RETURNING id, subject, attempts, starts - 1 AS starts`)
      return Array.head(tasks)
    }, orUnavailable),
    done: Effect.fn("TaskStore.done")(({ id }: Task) =>
      execute(sql`DELETE FROM tasks WHERE id = ${id} AND starts > 0`)
    ),
    release: Effect.fn("TaskStore.release")(({ id }: Task) =>
      execute(sql`UPDATE tasks SET starts = max(starts - 1, 0) WHERE id = ${id}`)
    ),
    /** Puts a task off; null holds it. */
    postpone: Effect.fn("TaskStore.postpone")(({ id }: Task, dueAt: number | null) =>
      execute(sql`UPDATE tasks SET due_at = ${dueAt}, starts = 0 WHERE id = ${id}`)
    ),
    /** Counts a failed attempt and puts the task off. */
    retry: Effect.fn("TaskStore.retry")(({ id }: Task, dueAt: number) =>
      execute(sql`UPDATE tasks SET attempts = attempts + 1, due_at = ${dueAt}, starts = 0 WHERE id = ${id}`)
    ),
    hold: Effect.fn("TaskStore.hold")((kind: TaskKind, held: boolean) =>
      execute(
        sql`UPDATE tasks SET due_at = ${held ? null : AT_ONCE} WHERE kind = ${kind} AND due_at IS ${held ? sql`NOT NULL` : sql`NULL`}`
      )
    ),
    remove: Effect.fn("TaskStore.remove")((kind: TaskKind, subject: number) =>
      execute(sql`DELETE FROM tasks WHERE subject = ${subject} AND kind = ${kind}`)
    ),
    clear: Effect.fn("TaskStore.clear")((kind: TaskKind) =>
      execute(sql`DELETE FROM tasks WHERE kind = ${kind}`)
    ),
    has: Effect.fn("TaskStore.has")((kind: TaskKind, subject: number) =>
      readFlag(sql`SELECT count(*) FROM tasks WHERE subject = ${subject} AND kind = ${kind}`)
    ),
    waiting: Effect.fn("TaskStore.waiting")((kind: TaskKind) =>
      readNumber(sql`SELECT count(*) FROM tasks WHERE kind = ${kind} AND due_at IS NOT NULL`)
    ),
    /** When the next task is due, in milliseconds since 1970. */
    nextDue: Effect.fn("TaskStore.nextDue")((kind: TaskKind) =>
      Effect.map(
        readNumbers(
          sql`SELECT due_at FROM tasks WHERE kind = ${kind} AND due_at IS NOT NULL ORDER BY due_at LIMIT 1`
        ),
        Array.head
      )
    ),
    /** A number that changes when another process writes to the library. */
    stamp: readNumber(sql`PRAGMA data_version`)
  }
})

/** Stores work to be done behind. A task stays until it is done; the start of its work is counted before the work. */
export class TaskStore extends Service<TaskStore>()("TaskStore", make) {}

/** How long a page is left alone before its last try. */
const QUIET = Duration.toMillis("1 hour")

const makeCrashSuspects = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tasks = yield* TaskStore
  const transaction = yield* Transaction
  const replaceReason = (id: number, from: string, to: string) =>
    sql`UPDATE links SET stages = replace(stages, ${from}, ${to}) WHERE id = ${id}`
  return {
    add: Effect.fn("CrashSuspects.add")(function* (id: LinkId) {
      yield* tasks.renew("suspect", id, (yield* Clock.currentTimeMillis) + QUIET)
    }),
    /** Counts a link's last try before it begins: it counts even if the process ends during it. */
    tried: Effect.fn("CrashSuspects.tried")(
      (task: Task) =>
        Effect.zipRight(tasks.postpone(task, null), replaceReason(task.subject, ENDED_TWICE, ENDED_AGAIN)),
      transaction,
      orDefect
    ),
    /** Uncounts a try that a clean stop has ended. */
    stopped: Effect.fn("CrashSuspects.stopped")(
      (task: Task) =>
        Effect.zipRight(tasks.postpone(task, AT_ONCE), replaceReason(task.subject, ENDED_AGAIN, ENDED_TWICE)),
      transaction,
      orDefect
    ),
    remove: Effect.fn("CrashSuspects.remove")((id: LinkId) => tasks.remove("suspect", id))
  }
})

/** Links whose reading ended the process twice: read once more, alone and later; then only the owner reads them again. */
export class CrashSuspects extends Service<CrashSuspects>()("CrashSuspects", makeCrashSuspects) {}
