import { Context, Duration, Effect, Layer, Queue } from "effect"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobViews } from "../library/JobViews.ts"
import { type Awaited, JobMessageStore } from "../store/JobMessageStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Chat } from "./Chat.ts"
import { endReply, progressReply, runningReply } from "./JobReplies.ts"
import { Outbox } from "./Outbox.ts"

/** How often it is seen how the jobs stand. */
const LOOK = Duration.seconds(1)
/** A message is edited no more often than this, in milliseconds: Telegram allows some twenty a minute. */
const EDIT = 3_000

/** Where a command came from. */
export interface Place {
  readonly chatId: number
  readonly messageId: number
}

/** Tells the chat how the jobs it has started go: one message each, edited as it goes, that ends with the result. */
export class JobReports extends Context.Tag("JobReports")<
  JobReports,
  {
    /** Answers the command that started the job, within the caller's transaction. */
    readonly started: (job: Job, place: Place) => Effect.Effect<void, StoreUnavailable>
    /** Goes on telling, for ever; jobs that a restart cut off are told of first. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* JobMessageStore
      const views = yield* JobViews
      const outbox = yield* Outbox
      const chat = yield* Chat
      const transaction = yield* Transaction
      const signal = yield* Queue.sliding<void>(1)
      const edited = new Map<number, { readonly at: number; readonly text: string }>()

      const progress = Effect.fnUntraced(function* ({ chatId, ...job }: Awaited) {
        const messageId = yield* store.messageOf(job.id)
        const { html } = progressReply(job)
        const last = edited.get(job.id)
        const now = performance.now()
        if (messageId === undefined || last?.text === html || now - (last?.at ?? 0) < EDIT) return
        edited.set(job.id, { at: now, text: html })
        // An edit that fails is made up for by the next one, or by the result.
        yield* Effect.ignore(chat.edit(messageId, { chatId, html, replyTo: null }))
      })

      const end = Effect.fnUntraced(function* ({ chatId, ...job }: Awaited) {
        const { html } = endReply(job, yield* views.result(job))
        yield* transaction(
          Effect.zipRight(outbox.add({ chatId, html, replyTo: null, job: job.id }, []), store.told(job.id))
        )
        edited.delete(job.id)
      })

      const look = Effect.gen(function* () {
        const untold = yield* store.untold
        for (const job of untold) yield* job.state === "running" ? progress(job) : end(job)
        return untold.length > 0
      })

      return {
        started: Effect.fn("JobReports.started")(function* (job, { chatId, messageId }) {
          const first = yield* store.await(job.id, chatId)
          const message = first
            ? { html: progressReply(job).html, job: job.id }
            : { html: runningReply(job).html }
          yield* outbox.add({ ...message, chatId, replyTo: messageId }, [])
          yield* Queue.offer(signal, undefined)
        }),
        run: look.pipe(
          Effect.catchAllCause((cause) => Effect.as(Effect.logError("telling of jobs failed", cause), true)),
          Effect.flatMap((more) => (more ? Effect.sleep(LOOK) : Queue.take(signal))),
          Effect.forever
        )
      }
    })
  )
}
