import { Cause, Context, Effect, Fiber, FiberMap, Layer, Option, Schedule } from "effect"
import type { Job, JobAction, JobNotFound } from "../domain/Job.ts"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type Ending, JobStore } from "../store/jobs/JobStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
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
  /** It waits, for this reason (a sentence); null says that it goes on. */
  readonly waits: (why: string | null) => Effect.Effect<void>
}

/** What a job is, and what it is about. */
interface JobStart {
  readonly action: JobAction
  readonly subject?: LinkId
  readonly total: number
  /** Gives it a job even while another of its kind runs; its work must wait for that one. Says where it goes on. */
  readonly queued?: { readonly resume: unknown }
  /** Runs once the job's end is written down; not when the job is cut off. */
  readonly afterwards?: Effect.Effect<void>
}

/** The end of a job is written down however long the database is unavailable: pauses grow to a minute. */
const patience = Schedule.exponential("1 second").pipe(Schedule.union(Schedule.spaced("1 minute")))

/** Progress is told, and written down, no more often than this, in milliseconds. */
const INTERVAL = 250

/** Runs work on the library behind the requests: one job of a kind at a time, with progress, over restarts. */
export class Jobs extends Context.Tag("Jobs")<
  Jobs,
  {
    /** Starts the work, or answers the job of its kind that is running. */
    readonly start: (
      about: JobStart,
      work: (run: JobRun) => Effect.Effect<Outcome, Reason>
    ) => Effect.Effect<Job, StoreUnavailable>
    /** Goes on with a job that an earlier run of the program has left interrupted. */
    readonly resume: (
      id: number,
      about: Pick<JobStart, "afterwards">,
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

      /** Why jobs wait. In memory, because a job mostly waits for a database that cannot be written. */
      const waiting = new Map<number, string>()
      const withWaiting = (job: Job): Job =>
        job.state === "running" ? { ...job, waiting: waiting.get(job.id) ?? null } : job
      const get = Effect.fn("Jobs.get")((id: number) => Effect.map(store.get(id), withWaiting))

      const tell = (id: number) => Effect.ignore(Effect.flatMap(get(id), (job) => events.job(job)))

      const waits = (id: number, why: string | null) =>
        Effect.suspend(() => {
          if ((waiting.get(id) ?? null) === why) return Effect.void
          if (why === null) waiting.delete(id)
          else waiting.set(id, why)
          return tell(id)
        })

      /** Writes down how a job ended, as soon as the database takes it. */
      const end = (id: number, ending: Ending) =>
        store.end(id, ending).pipe(
          Effect.tapError(({ what }) => waits(id, `${what} The job has ended; its result is not saved yet.`)),
          Effect.retry(patience)
        )

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

      /** The work and the wait for the database can be interrupted; how the job ended is written down all the same. */
      const run = (
        job: Job,
        { afterwards = Effect.void }: Pick<JobStart, "afterwards">,
        work: (run: JobRun) => Effect.Effect<Outcome, Reason>
      ) =>
        Effect.suspend(() =>
          work({
            job,
            progress: progressOf(job.id),
            reached: (resume, undo) => store.reached(job.id, resume, undo),
            waits: (why) => waits(job.id, why)
          })
        ).pipe(
          Effect.matchCauseEffect({
            onSuccess: ({ result, undo }) =>
              Effect.zipRight(
                Measure.jobs.count(job.action, "done"),
                end(job.id, { state: "done", result, undo })
              ),
            onFailure: (cause) => {
              if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
              const reason = Option.getOrUndefined(Cause.failureOption(cause))
              const error = reason?.message ?? "Something went wrong; the log says what."
              return Effect.all(
                [
                  reason === undefined ? Effect.logError(`${job.action} failed`, cause) : Effect.void,
                  Measure.jobs.count(job.action, "failed"),
                  end(job.id, { state: "failed", error })
                ],
                { discard: true }
              )
            }
          }),
          Effect.interruptible,
          Effect.onInterrupt(() => interrupted(job)),
          Effect.zipLeft(afterwards),
          Effect.catchAllCause((cause) =>
            Effect.unless(Effect.logError(`the end of job ${job.id} was not written down`, cause), () =>
              Cause.isInterruptedOnly(cause)
            )
          ),
          Effect.ensuring(
            Effect.suspend(() => {
              waiting.delete(job.id)
              return tell(job.id)
            })
          ),
          Effect.withSpan(`Jobs.${job.action}`, { root: true }),
          Effect.uninterruptible
        )

      /** Jobs whose row is written, and whose work begins once that is committed. */
      const starting = new Set<number>()
      /** Whether this process has work for the row: what an end that could not be written down has left has none. */
      const isAtWork = (id: number) => Effect.map(FiberMap.has(fibers, id), (has) => has || starting.has(id))

      /** Begins the work of a row that has just been written, once that is committed. */
      const begin = (
        job: Job,
        about: Pick<JobStart, "afterwards">,
        work: (run: JobRun) => Effect.Effect<Outcome, Reason>
      ) => {
        starting.add(job.id)
        return FiberMap.run(fibers, job.id, run(job, about, work)).pipe(
          // While the service stops, no work begins any more.
          Effect.onInterrupt(() => interrupted(job)),
          Effect.ensuring(Effect.sync(() => starting.delete(job.id))),
          Effect.zipRight(events.job(job)),
          afterCommit
        )
      }

      return {
        get,
        recent: Effect.map(store.recent, (jobs) => jobs.map(withWaiting)),
        stop: Effect.fn("Jobs.stop")((id) => FiberMap.remove(fibers, id)),
        ended: Effect.fn("Jobs.ended")(function* (id) {
          const fiber = yield* Effect.option(FiberMap.get(fibers, id))
          if (Option.isSome(fiber)) yield* Fiber.await(fiber.value)
          return yield* get(id)
        }),
        interrupted: Effect.fn("Jobs.interrupted")((action) =>
          Effect.map(store.latest(action), (job) => Option.filter(job, isUnfinished))
        ),
        resume: Effect.fn("Jobs.resume")(function* (id, about, work) {
          const job = yield* store.again(id)
          yield* begin(job, about, work)
          return job
        }, Effect.uninterruptible),
        start: Effect.fn("Jobs.start")((about, work) =>
          permit.withPermits(1)(
            // Nothing interrupts the caller between the row and its work.
            Effect.uninterruptible(
              Effect.gen(function* () {
                const { action, queued, subject = null, total } = about
                const running =
                  queued === undefined ? yield* store.running(action, subject) : Option.none<Job>()
                if (Option.isSome(running) && (yield* isAtWork(running.value.id)))
                  return withWaiting(running.value)
                if (Option.isSome(running)) yield* store.end(running.value.id, { state: "interrupted" })
                const job = yield* store.start(action, subject, total, queued?.resume)
                yield* begin(job, about, work)
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
