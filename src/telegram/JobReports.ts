import { Cause, Context, Duration, Effect, Layer, Queue } from "effect"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobViews } from "../library/JobViews.ts"
import { type Awaited, JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { cardOf } from "./Card.ts"
import { Chat } from "./Chat.ts"
import { type At, type Content, italic } from "./Content.ts"
import { endReply, progressReply, runningReply } from "./JobReplies.ts"
import { makeLinkChanges } from "./LinkChanges.ts"
import { Outbox } from "./Outbox.ts"

/** How often it is seen how the jobs stand. */
const LOOK = Duration.seconds(1)
/** A message is edited no more often than this, in milliseconds: Telegram allows some twenty a minute. */
const EDIT = 3_000
/** How long a report that failed is put off at first, and at most, in milliseconds. */
const FIRST_PAUSE = 2_000
const LAST_PAUSE = 600_000

/** Tells the chat how the jobs it has started go: one message each, edited as it goes, that ends with the result. */
export class JobReports extends Context.Tag("JobReports")<
  JobReports,
  {
    /** Answers the command that started the job, within the caller's transaction. */
    readonly started: (job: Job, place: At) => Effect.Effect<void, StoreUnavailable>
    /**
     * Shows the end of the job in the place of this message, or in one of its own where there is none; false where
     * somebody in the chat waits for it already. Within the caller's transaction.
     */
    readonly startedFrom: (
      job: Job,
      place: { readonly chatId: number; readonly messageId: number | null }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** What the job has come to by now, with the buttons that go with it. */
    readonly report: (job: Job) => Effect.Effect<Content>
    /** Goes on telling, for ever; jobs that a restart cut off are told of first. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* JobMessageStore
      const views = yield* JobViews
      const links = yield* LinkStore
      const changes = yield* makeLinkChanges
      const outbox = yield* Outbox
      const chat = yield* Chat
      const transaction = yield* Transaction
      const signal = yield* Queue.sliding<void>(1)
      const wake = afterCommit(Effect.asVoid(Queue.offer(signal, undefined)))
      /** Reports that failed, with when they are due again: the others do not wait for them. */
      const failed = new Map<number, { readonly pause: number; readonly next: number }>()
      const putOff = (job: number, cause: Cause.Cause<unknown>) =>
        Effect.suspend(() => {
          const pause = Math.min((failed.get(job)?.pause ?? FIRST_PAUSE / 2) * 2, LAST_PAUSE)
          failed.set(job, { pause, next: performance.now() + pause })
          return Effect.logError(`reporting job ${job} failed`, cause)
        })
      const edited = new Map<number, { readonly at: number; readonly text: string }>()

      const progress = Effect.fnUntraced(function* ({ chatId, ...job }: Awaited) {
        // A link's card stays while its page is read.
        const messageId = job.action === "refresh" ? undefined : yield* store.messageOf(job.id)
        const { html } = progressReply(job)
        const last = edited.get(job.id)
        const now = performance.now()
        if (messageId === undefined || last?.text === html || now - (last?.at ?? 0) < EDIT) return
        edited.set(job.id, { at: now, text: html })
        // An edit that fails is made up for by the next one, or by the result.
        yield* Effect.ignore(chat.edit(messageId, { chatId, html, replyTo: null }))
      })

      const subjectOf = ({ subject }: Job) => links.getAll(subject === null ? [] : [subject])

      const report = Effect.fn("JobReports.report")(function* (job: Job) {
        const content = endReply(job, yield* views.result(job))
        const [link] = yield* subjectOf(job)
        if (link === undefined) return content
        return cardOf(link, job.state === "done" ? {} : { foot: italic(content.html) })
      })

      const end = Effect.fnUntraced(function* ({ chatId, ...job }: Awaited) {
        const { html, ...content } = yield* report(job)
        const about = (yield* subjectOf(job)).map(({ id }) => id)
        yield* transaction(
          Effect.gen(function* () {
            yield* outbox.add({ ...content, chatId, html: html.html, replyTo: null, job: job.id }, about)
            if (job.undo !== null) yield* changes.noted(job.undo)
            yield* store.told(job.id)
          })
        )
        edited.delete(job.id)
        failed.delete(job.id)
      })

      const look = Effect.gen(function* () {
        const untold = yield* store.untold
        const now = performance.now()
        for (const job of untold) {
          if ((failed.get(job.id)?.next ?? 0) > now) continue
          yield* Effect.catchAllCause(job.state === "running" ? progress(job) : end(job), (cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.interrupt : putOff(job.id, cause)
          )
        }
        return untold.length > 0
      })

      return {
        started: Effect.fn("JobReports.started")(function* (job, { chatId, messageId }) {
          const first = yield* store.await(job.id, chatId)
          const message = first
            ? { html: progressReply(job).html, job: job.id }
            : { html: runningReply(job).html }
          yield* outbox.add({ ...message, chatId, replyTo: messageId }, [])
          yield* wake
        }),
        startedFrom: Effect.fn("JobReports.startedFrom")(function* (job, { chatId, messageId }) {
          const first = yield* store.await(job.id, chatId)
          if (first && messageId !== null) yield* store.sent(job.id, messageId)
          yield* wake
          return first
        }),
        report,
        run: look.pipe(
          Effect.catchAllCause((cause) => Effect.as(Effect.logError("telling of jobs failed", cause), true)),
          Effect.flatMap((more) => (more ? Effect.sleep(LOOK) : Queue.take(signal))),
          Effect.forever
        )
      }
    })
  )
}
