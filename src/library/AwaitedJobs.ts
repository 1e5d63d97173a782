import { Context, Effect, Layer } from "effect"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobMessageStore } from "../store/jobs/JobStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"

/** A job that a chat waits for. */
export interface AwaitedJob {
  readonly chatId: number
  readonly job: Job
}

/** Remembers which chat waits for which job and which message shows it, until the job's result is reported. */
export class AwaitedJobs extends Context.Tag("AwaitedJobs")<
  AwaitedJobs,
  {
    /**
     * Records that the chat waits for the job, and the message that shows it, null for none; false if a chat already
     * waits for it. Part of the caller's transaction if there is one; `onCommit` runs once it is stored.
     */
    readonly add: (
      job: number,
      place: { readonly chatId: number; readonly messageId: number | null },
      onCommit: Effect.Effect<void>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The jobs whose results are not reported, oldest first, running or ended. */
    readonly unreported: Effect.Effect<ReadonlyArray<AwaitedJob>>
    /** Returns the message that shows the job. */
    readonly messageOf: (job: number) => Effect.Effect<number | undefined>
    /** Runs `report` and marks the job as reported, in one transaction. */
    readonly report: (
      job: number,
      report: Effect.Effect<void, StoreUnavailable>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* JobMessageStore
      const transaction = yield* Transaction
      return {
        add: Effect.fn("AwaitedJobs.add")(function* (
          job: number,
          { chatId, messageId }: { readonly chatId: number; readonly messageId: number | null },
          onCommit: Effect.Effect<void>
        ) {
          const first = yield* store.await(job, chatId)
          if (first && messageId !== null) yield* store.sent(job, messageId)
          yield* afterCommit(onCommit)
          return first
        }, transaction),
        unreported: Effect.map(store.unreported, (all) => all.map(({ chatId, ...job }) => ({ chatId, job }))),
        messageOf: store.messageOf,
        report: Effect.fn("AwaitedJobs.report")((job, report) =>
          transaction(Effect.zipRight(report, store.markReported(job)))
        )
      }
    })
  )
}
