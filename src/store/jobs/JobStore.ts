import { SqlClient } from "@effect/sql"
import { Array, DateTime, Effect, Either, Schedule, Schema } from "effect"
import {
  Job,
  type JobAction,
  JobNotFound,
  type JobResult,
  type JobState,
  jobFields,
  jobUnion,
  ShownJob,
  storedResults
} from "../../domain/Job.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, firstRow, readNumber, readRows } from "../Rows.ts"
import { execute, hasWritten, orDefect, orUnavailable } from "../Transaction.ts"

/** Maximum number of library jobs, and of single-link jobs, that `recent` returns. */
const RECENT = 20
/** How often a start that cannot write tries again to end the jobs of an earlier run. */
const INTERRUPT_RETRY = "1 minute"

/** A column of JSON text; null if the text cannot be parsed. */
const jsonColumn = Schema.NullOr(Schema.parseJson()).annotations({
  decodingFallback: () => Either.right(null)
})

/** Reads a row of the table `jobs`, and other columns beside it, as a kind of job. */
const rowOf = <S extends Schema.Schema.Any>(job: S) =>
  Schema.compose(
    Schema.Struct({ result: jsonColumn, resume: jsonColumn }, { key: Schema.String, value: Schema.Unknown }),
    job,
    { strict: false }
  )

const JobRow = rowOf(Job)
const decodeJobRow = decodeRows(JobRow)

/** The resume point of a job whose changes were undone: the token that redoes them. */
const redoing = (token: string): string => JSON.stringify({ redo: token })

export interface JobOutcome {
  readonly state: Exclude<JobState, "running">
  readonly result?: JobResult | undefined
  readonly error?: string | undefined
  readonly undo?: string | undefined
}

const readRecent = readRows(rowOf(ShownJob))

const makeJobStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Effect.map(DateTime.now, DateTime.formatIso)
  const last = yield* readNumber(sql`SELECT max(id) FROM jobs`)
  const interrupt = Effect.flatMap(now, (at) =>
    orUnavailable(
      sql`UPDATE jobs SET state = 'interrupted', ended_at = ${at} WHERE state = 'running' AND id <= ${last}`
    )
  )
  // A full disk does not keep the service from starting.
  yield* Effect.catchAll(interrupt, () =>
    Effect.forkScoped(Effect.retry(interrupt, Schedule.spaced(INTERRUPT_RETRY)))
  )
  // The lists in a result grow with the library, and an overview does not need them.
  const recent = () =>
    readRecent(sql`SELECT id, action, subject, state, done, total, error, undo, NULL AS resume, started_at,
            ended_at, iif(json_valid(result), json_remove(result, '$.moves', '$.formed', '$.groups'), NULL) AS result
          FROM jobs WHERE id IN (SELECT id FROM (
            SELECT id FROM jobs WHERE subject IS NULL ORDER BY state = 'running' DESC, id DESC LIMIT ${RECENT}
          ) UNION ALL SELECT id FROM (
            SELECT id FROM jobs WHERE subject IS NOT NULL AND state = 'running' ORDER BY id DESC LIMIT ${RECENT}
          )) ORDER BY state = 'running' DESC, id DESC`)
  return {
    /** Stores a starting job; `resume` is its resume point if it is interrupted before its first `checkpoint`. */
    start: Effect.fn("JobStore.start")(
      function* (action: JobAction, subject: LinkId | null, total: number, resume: unknown = null) {
        const row = {
          ...{ action, subject, total, state: "running", startedAt: yield* now },
          resume: resume === null ? null : JSON.stringify(resume)
        }
        return yield* Effect.flatMap(
          decodeJobRow(sql`INSERT INTO jobs ${sql.insert(row)} RETURNING *`),
          Array.head
        )
      },
      orUnavailable,
      orDefect
    ),
    unfinished: Effect.fn("JobStore.unfinished")((action: JobAction) =>
      Effect.orDie(
        decodeJobRow(sql`SELECT * FROM jobs
          WHERE action = ${action} AND state = 'interrupted' AND resume IS NOT NULL ORDER BY id`)
      )
    ),
    again: Effect.fn("JobStore.again")(
      (id: number) =>
        Effect.flatMap(
          decodeJobRow(sql`UPDATE jobs SET state = 'running', ended_at = NULL WHERE id = ${id} RETURNING *`),
          Array.head
        ),
      orUnavailable,
      orDefect
    ),
    /** The newest 20 library jobs and 20 running jobs on single links, running ones first; results lack the lists of links. */
    recent: Effect.withSpan(recent(), "JobStore.recent"),
    latest: Effect.fn("JobStore.latest")((action: JobAction) =>
      firstRow(decodeJobRow(sql`SELECT * FROM jobs WHERE action = ${action} ORDER BY id DESC LIMIT 1`))
    ),
    checkpoint: Effect.fn("JobStore.checkpoint")((id: number, resume: unknown, undo: string | null) =>
      execute(sql`UPDATE jobs SET resume = ${JSON.stringify(resume)}, undo = ${undo} WHERE id = ${id}`)
    ),
    /** Clears resume point and token of the job whose changes were undone, and marks its result; undoing an undo reverts that. */
    takenBack: Effect.fn("JobStore.takenBack")(function* (undo: string, redo: string) {
      yield* sql`UPDATE jobs SET undo = NULL, resume = iif(state = 'done', ${redoing(redo)}, NULL),
            result = iif(json_valid(result), json_set(result, '$.takenBack', json('true')), result)
            WHERE undo = ${undo}`
      yield* sql`UPDATE jobs SET undo = ${redo}, resume = NULL,
            result = iif(json_valid(result), json_remove(result, '$.takenBack'), result)
            WHERE resume = ${redoing(undo)}`
    }, orUnavailable),
    running: Effect.fn("JobStore.running")((action: JobAction, subject: LinkId | null) =>
      firstRow(
        decodeJobRow(
          sql`SELECT * FROM jobs WHERE state = 'running' AND action = ${action} AND subject IS ${subject} LIMIT 1`
        )
      )
    ),
    progress: Effect.fn("JobStore.progress")((id: number, done: number, total: number) =>
      execute(sql`UPDATE jobs SET done = ${done}, total = ${total} WHERE id = ${id}`)
    ),
    /** Ends the job; `done` sets its progress to all of its links. */
    end: Effect.fn("JobStore.end")(function* (id: number, ending: JobOutcome) {
      const result = ending.result === undefined ? null : JSON.stringify(ending.result)
      yield* sql`UPDATE jobs SET state = ${ending.state}, done = iif(${ending.state} = 'done', total, done), result = ${result}, error = ${ending.error ?? null},
            undo = coalesce(${ending.undo ?? null}, undo), ended_at = ${yield* now} WHERE id = ${id}`
    }, orUnavailable),
    get: Effect.fn("JobStore.get")(function* (id: number) {
      const job = yield* firstRow(decodeJobRow(sql`SELECT * FROM jobs WHERE id = ${id}`))
      return yield* Effect.mapError(job, () => new JobNotFound({ id }))
    })
  }
})

export class JobStore extends Service<JobStore>()("JobStore", makeJobStore) {}

const AwaitedJob = jobUnion({ ...jobFields, chatId: Schema.Int }, storedResults)
export type AwaitedJob = typeof AwaitedJob.Type

const readMessages = readRows(Schema.Struct({ messageId: Schema.NullOr(Schema.Int) }))

const readUntold = readRows(rowOf(AwaitedJob))

const makeJobMessageStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    await: Effect.fn("JobMessageStore.await")((job: number, chatId: number) =>
      hasWritten(
        sql`INSERT INTO job_messages ${sql.insert({ jobId: job, chatId })} ON CONFLICT (job_id) DO NOTHING RETURNING job_id`
      )
    ),
    sent: Effect.fn("JobMessageStore.sent")((job: number, messageId: number) =>
      execute(sql`UPDATE job_messages SET message_id = ${messageId} WHERE job_id = ${job}`)
    ),
    messageOf: Effect.fn("JobMessageStore.messageOf")((job: number) =>
      Effect.map(
        readMessages(sql`SELECT message_id FROM job_messages WHERE job_id = ${job}`),
        ([row]) => row?.messageId ?? undefined
      )
    ),
    unreported: readUntold(
      sql`SELECT jobs.*, m.chat_id FROM job_messages m JOIN jobs ON jobs.id = m.job_id WHERE m.told = 0 ORDER BY jobs.id`
    ),
    markReported: Effect.fn("JobMessageStore.markReported")((job: number) =>
      execute(sql`UPDATE job_messages SET told = 1 WHERE job_id = ${job}`)
    )
  }
})

export class JobMessageStore extends Service<JobMessageStore>()("JobMessageStore", makeJobMessageStore) {}
