import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { Job, type JobAction, JobNotFound, type JobState } from "../../domain/Job.ts"
import type { LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { orDefect, orUnavailable } from "../Transaction.ts"

/** How many jobs of each kind `recent` tells of. */
const RECENT = 20

/** How a job ended. */
export interface Ending {
  readonly state: Exclude<JobState, "running">
  readonly result?: unknown
  readonly error?: string | undefined
  readonly undo?: string | undefined
}

/** Keeps jobs with their progress and result; those a crash cut off are `interrupted` from the next start on. */
export class JobStore extends Context.Tag("JobStore")<
  JobStore,
  {
    /** Keeps a job that begins; `resume` says where it goes on, should it be interrupted at once. */
    readonly start: (
      action: JobAction,
      subject: LinkId | null,
      total: number,
      resume?: unknown
    ) => Effect.Effect<Job, StoreUnavailable>
    /** The interrupted jobs of this kind that say where they go on, the oldest first. */
    readonly unfinished: (action: JobAction) => Effect.Effect<ReadonlyArray<Job>>
    /** An interrupted job runs again. */
    readonly again: (id: number) => Effect.Effect<Job, StoreUnavailable>
    /** The newest job of this kind that has ended, or is running. */
    readonly latest: (action: JobAction) => Effect.Effect<Option.Option<Job>>
    /** Where the job goes on, should it be interrupted, and the token that takes back what it has done so far. */
    readonly reached: (
      id: number,
      resume: unknown,
      undo: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** What the job with this undo token has done is taken back: there is nothing to go on from, or to take back again. */
    readonly takenBack: (undo: string) => Effect.Effect<void, StoreUnavailable>
    /** The job of this kind (and about this link) that is running. */
    readonly running: (action: JobAction, subject: LinkId | null) => Effect.Effect<Option.Option<Job>>
    readonly progress: (id: number, done: number, total: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends the job; one that ended well has done all of its links. */
    readonly end: (id: number, ending: Ending) => Effect.Effect<void, StoreUnavailable>
    readonly get: (id: number) => Effect.Effect<Job, JobNotFound>
    /**
     * The newest 20 jobs on the whole library and the newest 20 running ones on one link, the running ones first. Their
     * results hold counts alone.
     */
    readonly recent: Effect.Effect<ReadonlyArray<Job>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      yield* orUnavailable(
        sql`UPDATE jobs SET state = 'interrupted', ended_at = ${yield* now} WHERE state = 'running'`
      )

      const byId = SqlSchema.findOne({
        Request: Schema.Int,
        Result: Job,
        execute: (id) => sql`SELECT * FROM jobs WHERE id = ${id}`
      })
      const latest = SqlSchema.findOne({
        Request: Schema.String,
        Result: Job,
        execute: (action) => sql`SELECT * FROM jobs WHERE action = ${action} ORDER BY id DESC LIMIT 1`
      })
      const running = SqlSchema.findOne({
        Request: Schema.Struct({ action: Schema.String, subject: Schema.NullOr(Schema.Int) }),
        Result: Job,
        execute: ({ action, subject }) =>
          sql`SELECT * FROM jobs WHERE state = 'running' AND action = ${action} AND subject IS ${subject} LIMIT 1`
      })
      const recent = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Job,
        // What a result lists grows with the library; nobody needs that to see how a job went.
        execute:
          () => sql`SELECT id, action, subject, state, done, total, error, undo, NULL AS resume, started_at,
            ended_at, json_remove(result, '$.moves', '$.groups') AS result
          FROM jobs WHERE id IN (SELECT id FROM (
            SELECT id FROM jobs WHERE subject IS NULL ORDER BY state = 'running' DESC, id DESC LIMIT ${RECENT}
          ) UNION ALL SELECT id FROM (
            SELECT id FROM jobs WHERE subject IS NOT NULL AND state = 'running' ORDER BY id DESC LIMIT ${RECENT}
          )) ORDER BY state = 'running' DESC, id DESC`
      })
      const insert = SqlSchema.single({
        Request: Schema.Struct({
          action: Schema.String,
          subject: Schema.NullOr(Schema.Int),
          total: Schema.Int,
          startedAt: Schema.String,
          resume: Schema.NullOr(Schema.String)
        }),
        Result: Job,
        execute: (row) => sql`INSERT INTO jobs ${sql.insert({ ...row, state: "running" })} RETURNING *`
      })
      const unfinished = SqlSchema.findAll({
        Request: Schema.String,
        Result: Job,
        execute: (action) => sql`SELECT * FROM jobs
          WHERE action = ${action} AND state = 'interrupted' AND resume IS NOT NULL ORDER BY id`
      })
      const again = SqlSchema.single({
        Request: Schema.Int,
        Result: Job,
        execute: (id) => sql`UPDATE jobs SET state = 'running', ended_at = NULL WHERE id = ${id} RETURNING *`
      })

      return {
        start: Effect.fn("JobStore.start")(
          function* (action: JobAction, subject: LinkId | null, total: number, resume: unknown = null) {
            const kept = resume === null ? null : JSON.stringify(resume)
            return yield* insert({ action, subject, total, startedAt: yield* now, resume: kept })
          },
          orUnavailable,
          orDefect
        ),
        unfinished: Effect.fn("JobStore.unfinished")((action) => Effect.orDie(unfinished(action))),
        again: Effect.fn("JobStore.again")((id: number) => again(id), orUnavailable, orDefect),
        recent: Effect.withSpan(Effect.orDie(recent()), "JobStore.recent"),
        latest: Effect.fn("JobStore.latest")((action) => Effect.orDie(latest(action))),
        reached: Effect.fn("JobStore.reached")((id, resume, undo) =>
          Effect.asVoid(
            orUnavailable(
              sql`UPDATE jobs SET resume = ${JSON.stringify(resume)}, undo = ${undo} WHERE id = ${id}`
            )
          )
        ),
        takenBack: Effect.fn("JobStore.takenBack")((undo) =>
          Effect.asVoid(orUnavailable(sql`UPDATE jobs SET resume = NULL, undo = NULL WHERE undo = ${undo}`))
        ),
        running: Effect.fn("JobStore.running")((action, subject) =>
          Effect.orDie(running({ action, subject }))
        ),
        progress: Effect.fn("JobStore.progress")((id, done, total) =>
          Effect.asVoid(orUnavailable(sql`UPDATE jobs SET done = ${done}, total = ${total} WHERE id = ${id}`))
        ),
        end: Effect.fn("JobStore.end")(function* (id: number, ending: Ending) {
          const result = ending.result === undefined ? null : JSON.stringify(ending.result)
          yield* sql`UPDATE jobs SET state = ${ending.state}, done = iif(${ending.state} = 'done', total, done), result = ${result}, error = ${ending.error ?? null},
            undo = coalesce(${ending.undo ?? null}, undo), ended_at = ${yield* now} WHERE id = ${id}`
        }, orUnavailable),
        get: Effect.fn("JobStore.get")(function* (id) {
          const job = yield* Effect.orDie(byId(id))
          return yield* Effect.mapError(job, () => new JobNotFound({ id }))
        })
      }
    })
  )
}

/** A job somebody in the chat waits for. */
export const Awaited = Schema.Struct({ ...Job.fields, chatId: Schema.Int })
export type Awaited = typeof Awaited.Type

/** Remembers which chat a job was started from and the message that shows how it goes, until its end has been told. */
export class JobMessageStore extends Context.Tag("JobMessageStore")<
  JobMessageStore,
  {
    /** Notes that the chat waits for the job; false where it does already. */
    readonly await: (job: number, chatId: number) => Effect.Effect<boolean, StoreUnavailable>
    readonly sent: (job: number, messageId: number) => Effect.Effect<void, StoreUnavailable>
    readonly messageOf: (job: number) => Effect.Effect<number | undefined>
    /** Jobs whose end has not been told. */
    readonly untold: Effect.Effect<ReadonlyArray<Awaited>>
    readonly told: (job: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const untold = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Awaited,
        execute: () =>
          sql`SELECT jobs.*, m.chat_id FROM job_messages m JOIN jobs ON jobs.id = m.job_id WHERE m.told = 0 ORDER BY jobs.id`
      })
      return {
        await: Effect.fn("JobMessageStore.await")((job, chatId) =>
          Effect.map(
            orUnavailable(
              sql`INSERT INTO job_messages ${sql.insert({ jobId: job, chatId })} ON CONFLICT (job_id) DO NOTHING RETURNING job_id`
            ),
            (rows) => rows.length > 0
          )
        ),
        sent: Effect.fn("JobMessageStore.sent")((job, messageId) =>
          Effect.asVoid(
            orUnavailable(sql`UPDATE job_messages SET message_id = ${messageId} WHERE job_id = ${job}`)
          )
        ),
        messageOf: Effect.fn("JobMessageStore.messageOf")((job) =>
          Effect.map(
            Effect.orDie(
              sql<{ messageId: number | null }>`SELECT message_id FROM job_messages WHERE job_id = ${job}`
            ),
            ([row]) => row?.messageId ?? undefined
          )
        ),
        untold: Effect.orDie(untold()),
        told: Effect.fn("JobMessageStore.told")((job) =>
          Effect.asVoid(orUnavailable(sql`UPDATE job_messages SET told = 1 WHERE job_id = ${job}`))
        )
      }
    })
  )
}
