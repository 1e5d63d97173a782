import { Cause, Context, Effect, Fiber, FiberMap, Layer, Option } from "effect"
import type { Job, JobAction, JobNotFound } from "../domain/Job.ts"
import type { LinkId } from "../domain/Link.ts"
import { Measure } from "../domain/Metrics.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { JobStore } from "../store/JobStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Events } from "./Events.ts"

/** How a job's work came out. */
export interface Outcome {
  readonly result?: unknown
  /** Takes back what the job has changed. */
  readonly undo?: string | undefined
}

/** A job cannot go on, for a reason a person can read. */
export interface Reason {
  readonly message: string
}

/** What a job's work tells of itself. */
export interface JobRun {
  readonly job: Job
  /** So many of so many links are done. */
  readonly progress: (done: number, total: number) => Effect.Effect<void>
  /** What to hand to the next run should this one be cut off, and how to take back what is done so far. */
  readonly reached: (resume: unknown, undo: string | null) => Effect.Effect<void, StoreUnavailable>
}

/** Progress is told, and written down, no more often than this, in milliseconds. */
const INTERVAL = 250

/** Runs work on the library behind the requests: one job of a kind at a time, with progress, over restarts. */
export class Jobs extends Context.Tag("Jobs")<
  Jobs,
  {
    /** Starts the work, or answers the job of its kind that is running. */
    readonly start: (
      about: { readonly action: JobAction; readonly subject?: LinkId; readonly total: number },
      work: (run: JobRun) => Effect.Effect<Outcome, Reason>
    ) => Effect.Effect<Job, StoreUnavailable>
    readonly get: (id: number) => Effect.Effect<Job, JobNotFound>
    /** What runs, and the newest of what has run on the whole library; results hold counts alone. */
    readonly recent: Effect.Effect<ReadonlyArray<Job>>
    /** Cuts the job off where it runs, and waits until that is written down. */
    readonly stop: (id: number) => Effect.Effect<void>
    /** Waits until the job has ended, and shows it then. */
    readonly ended: (id: number) => Effect.Effect<Job, JobNotFound>
    /** The last job of this kind, if it was cut off or failed half-way. */
    readonly interrupted: (action: JobAction) => Effect.Effect<Option.Option<Job>>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* JobStore
      const events = yield* Events
      const permit = yield* Effect.makeSemaphore(1)
      // Closed before the database: a job that is cut off is written down as interrupted.
      const fibers = yield* FiberMap.make<number, unknown>()

      const tell = (id: number) => Effect.ignore(Effect.flatMap(store.get(id), (job) => events.job(job)))

      const progressOf = (id: number) => {
        let told = 0
        return (done: number, total: number) =>
          Effect.suspend(() => {
            const now = performance.now()
            if (now - told < INTERVAL) return Effect.void
            told = now
            return Effect.zipRight(Effect.ignore(store.progress(id, done, total)), tell(id))
          })
      }

      const interrupted = ({ action, id }: Job) =>
        Effect.zipRight(
          Measure.jobs.count(action, "interrupted"),
          Effect.ignore(store.end(id, { state: "interrupted" }))
        )

      /** The work alone can be interrupted: from its first moment on, its end is written down. */
      const run = (job: Job, work: (run: JobRun) => Effect.Effect<Outcome, Reason>) =>
        Effect.suspend(() =>
          work({
            job,
            progress: progressOf(job.id),
            reached: (resume, undo) => store.reached(job.id, resume, undo)
          })
        ).pipe(
          Effect.interruptible,
          Effect.matchCauseEffect({
            onSuccess: ({ result, undo }) =>
              Effect.zipRight(
                Measure.jobs.count(job.action, "done"),
                store.end(job.id, { state: "done", result, undo })
              ),
            onFailure: (cause) => {
              if (Cause.isInterruptedOnly(cause)) return interrupted(job)
              const reason = Option.getOrUndefined(Cause.failureOption(cause))
              const error = reason?.message ?? "Something went wrong; the log says what."
              return Effect.all(
                [
                  reason === undefined ? Effect.logError(`${job.action} failed`, cause) : Effect.void,
                  Measure.jobs.count(job.action, "failed"),
                  store.end(job.id, { state: "failed", error })
                ],
                { discard: true }
              )
            }
          }),
          Effect.catchAllCause((cause) =>
            Effect.logError(`the end of job ${job.id} was not written down`, cause)
          ),
          Effect.ensuring(tell(job.id)),
          Effect.withSpan(`Jobs.${job.action}`, { root: true }),
          Effect.uninterruptible
        )

      /** Jobs whose row is written, and whose work begins once that is committed. */
      const starting = new Set<number>()
      /** Whether this process has work for the row: what an end that could not be written down has left has none. */
      const isAtWork = (id: number) => Effect.map(FiberMap.has(fibers, id), (has) => has || starting.has(id))

      const begin = (job: Job, work: (run: JobRun) => Effect.Effect<Outcome, Reason>) =>
        FiberMap.run(fibers, job.id, run(job, work)).pipe(
          // While the service stops, no work begins any more.
          Effect.onInterrupt(() => interrupted(job)),
          Effect.ensuring(Effect.sync(() => starting.delete(job.id))),
          Effect.zipRight(events.job(job))
        )

      return {
        get: store.get,
        recent: store.recent,
        stop: Effect.fn("Jobs.stop")((id) => FiberMap.remove(fibers, id)),
        ended: Effect.fn("Jobs.ended")(function* (id) {
          const fiber = yield* Effect.option(FiberMap.get(fibers, id))
          if (Option.isSome(fiber)) yield* Fiber.await(fiber.value)
          return yield* store.get(id)
        }),
        interrupted: Effect.fn("Jobs.interrupted")((action) =>
          Effect.map(store.latest(action), (job) => Option.filter(job, isUnfinished))
        ),
        start: Effect.fn("Jobs.start")(({ action, subject, total }, work) =>
          permit.withPermits(1)(
            // Nothing interrupts the caller between the row and its work.
            Effect.uninterruptible(
              Effect.gen(function* () {
                const about = subject ?? null
                const running = yield* store.running(action, about)
                if (Option.isSome(running) && (yield* isAtWork(running.value.id))) return running.value
                if (Option.isSome(running)) yield* store.end(running.value.id, { state: "interrupted" })
                const job = yield* store.start(action, about, total)
                starting.add(job.id)
                yield* afterCommit(begin(job, work))
                return job
              })
            )
          )
        )
      }
    })
  )
}

const isUnfinished = ({ resume, state }: Job) =>
  state === "interrupted" || (state === "failed" && resume !== null)
