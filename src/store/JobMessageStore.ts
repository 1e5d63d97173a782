import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { orUnavailable } from "./Transaction.ts"

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
