import { Cause, Context, Duration, Effect, Layer } from "effect"
import type { Job } from "../domain/Job.ts"
import type { MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type AwaitedJob, AwaitedJobs } from "../library/AwaitedJobs.ts"
import { ChatChanges } from "../library/ChatChanges.ts"
import { JobViews } from "../library/JobViews.ts"
import { ViewLinks } from "../library/ViewLinks.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { makeThrottle, type Throttle } from "../runtime/Throttle.ts"
import { cardOf } from "./Card.ts"
import { Chat } from "./Chat.ts"
import { type Content, italic } from "./Content.ts"
import { progressReply, resultReply, runningReply } from "./JobReplies.ts"
import { Outbox } from "./Outbox.ts"

/** How often the jobs are polled. */
const POLL_INTERVAL = Duration.seconds(1)
/** Minimum time between edits of a message; Telegram allows about twenty edits per minute. */
const EDIT_INTERVAL = Duration.seconds(3)
/** Initial and maximum backoff of a failed report, in milliseconds. */
const MIN_BACKOFF = 2_000
const MAX_BACKOFF = 600_000

/** Reports the jobs started from the chat: one message each, edited with the progress and finally the result. */
export class JobReports extends Context.Tag("JobReports")<
  JobReports,
  {
    /** Replies to the command that started the job, in the caller's transaction. */
    readonly started: (job: Job, place: MessageRef) => Effect.Effect<void, StoreUnavailable>
    /**
     * Replaces this message with the job's result once it ends, or sends the result as a new message if `messageId` is
     * null. False if the chat is already waiting for the job. Runs in the caller's transaction.
     */
    readonly startedFromButton: (
      job: Job,
      place: { readonly chatId: number; readonly messageId: number | null }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Renders the job's result as of now, with its buttons. */
    readonly report: (job: Job) => Effect.Effect<Content>
    /** Reports jobs continuously, oldest first, including jobs that a restart interrupted. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const awaited = yield* AwaitedJobs
      const views = yield* JobViews
      const links = yield* ViewLinks
      const changes = yield* ChatChanges
      const outbox = yield* Outbox
      const chat = yield* Chat
      const reports = yield* makeDrain
      const { wake } = reports
      /** Failed reports by job, with their backoff and next attempt; other reports do not wait for them. */
      const failed = new Map<number, { readonly pause: number; readonly next: number }>()
      const backOff = (job: number, cause: Cause.Cause<unknown>) =>
        Effect.suspend(() => {
          const pause = Math.min((failed.get(job)?.pause ?? MIN_BACKOFF / 2) * 2, MAX_BACKOFF)
          failed.set(job, { pause, next: performance.now() + pause })
          return Effect.logError(`reporting job ${job} failed`, cause)
        })
      /** The last text of each job's message, and the throttle of its edits. */
      const edits = new Map<number, { readonly text: string; readonly throttle: Throttle }>()

      const progress = Effect.fnUntraced(function* ({ chatId, job }: AwaitedJob) {
        // A refresh leaves the link's card in place while its page is being read.
        const messageId = job.action === "refresh" ? undefined : yield* awaited.messageOf(job.id)
        const { html } = progressReply(job)
        const { text, throttle } = edits.get(job.id) ?? { text: "", throttle: makeThrottle(EDIT_INTERVAL) }
        if (messageId === undefined || text === html) return
        yield* throttle(
          Effect.suspend(() => {
            edits.set(job.id, { text: html, throttle })
            // The next edit or the result makes up for a failed edit.
            return Effect.ignore(chat.edit(messageId, { chatId, html, replyTo: null }))
          })
        )
      })

      const subjectOf = ({ subject }: Job) => links.byIds(subject === null ? [] : [subject])

      const report = Effect.fn("JobReports.report")(function* (job: Job) {
        const content = resultReply(yield* views.shown(job))
        const [link] = yield* subjectOf(job)
        if (link === undefined) return content
        return cardOf(link, job.state === "done" ? {} : { foot: italic(content.html) })
      })

      const end = Effect.fnUntraced(function* ({ chatId, job }: AwaitedJob) {
        const { html, ...content } = yield* report(job)
        const about = (yield* subjectOf(job)).map(({ id }) => id)
        yield* awaited.report(
          job.id,
          Effect.gen(function* () {
            yield* outbox.add({ ...content, chatId, html: html.html, replyTo: null, job: job.id }, about)
            if (job.undo !== null) yield* changes.record(job.undo)
          })
        )
        edits.delete(job.id)
        failed.delete(job.id)
      })

      const poll = Effect.gen(function* () {
        const unreported = yield* awaited.unreported
        const now = performance.now()
        for (const one of unreported) {
          const { job } = one
          if ((failed.get(job.id)?.next ?? 0) > now) continue
          yield* Effect.catchAllCause(job.state === "running" ? progress(one) : end(one), (cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.interrupt : backOff(job.id, cause)
          )
        }
        if (unreported.length === 0) return Duration.infinity
        // Slept here, because a wake would shorten a rest: a second job must not make polls more frequent.
        yield* Effect.sleep(POLL_INTERVAL)
        return Duration.zero
      })

      return {
        started: Effect.fn("JobReports.started")(function* (job, { chatId, messageId }) {
          const first = yield* awaited.add(job.id, { chatId, messageId: null }, wake)
          const message = first
            ? { html: progressReply(job).html, job: job.id }
            : { html: runningReply(job).html }
          yield* outbox.add({ ...message, chatId, replyTo: messageId }, [])
        }),
        startedFromButton: Effect.fn("JobReports.startedFromButton")((job, place) =>
          awaited.add(job.id, place, wake)
        ),
        report,
        run: reports.run(poll, {
          name: "reporting jobs",
          backoff: { first: POLL_INTERVAL, most: POLL_INTERVAL }
        })
      }
    })
  )
}
