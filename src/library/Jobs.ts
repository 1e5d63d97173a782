import { Cause, Effect, Fiber, FiberMap, Option, Schedule } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import type { Job, JobAction, JobResult, ShownJob } from "../domain/Job.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { withBackgroundPriority } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { makeThrottle } from "../runtime/Throttle.ts"
import { type JobOutcome, JobStore } from "../store/jobs/JobStore.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Events } from "./Events.ts"

export interface Outcome<A extends JobAction = JobAction> {
  readonly result?: JobResult<A>
  readonly undo?: string | undefined
}

/** A message for people. */
export interface JobFailure {
  readonly message: string
}

/** Committed work stays, so a database that refuses the rest saved something. */
export const asJobFailure = (error: { readonly message: string }): JobFailure => ({
  message:
    error instanceof StoreUnavailable
      ? `${error.what} Everything done so far is kept; start it again later.`
      : error.message
})

export interface JobRun {
  readonly job: Job
  readonly progress: (done: number, total: number) => Effect.Effect<void>
  /** Records where the next run resumes, and the token that undoes the work so far. */
  readonly checkpoint: (resume: unknown, undo: string | null) => Effect.Effect<void, StoreUnavailable>
  /** A sentence; null when the job continues. */
  readonly reportWaiting: (why: string | null) => Effect.Effect<void>
}

type Work<A extends JobAction = JobAction> = (run: JobRun) => Effect.Effect<Outcome<A>, JobFailure>

interface JobStart<A extends JobAction = JobAction> {
  readonly action: A
  readonly subject?: LinkId
  readonly total: number
  /** Starts a new job even while another of its kind runs; its work must wait for that one. */
  readonly queued?: { readonly resume: unknown }
  /** Once the job's end is recorded; not after an interruption. */
  readonly afterwards?: Effect.Effect<void>
}

/** Retries for as long as the database is unavailable. */
const backoff = Schedule.exponential("1 second").pipe(Schedule.union(Schedule.spaced("1 minute")))

const INTERVAL = "250 millis"

type Stored<A extends Job["action"]> = NonNullable<Extract<Job, { readonly action: A }>["result"]>

const make = Effect.gen(function* () {
  const store = yield* JobStore
  const events = yield* Events
  const links = yield* LinkStore
  const places = yield* FilingStore
  const permit = yield* Effect.makeSemaphore(1)
  // Closed before the database, so that interruptions can be recorded.
  const fibers = yield* FiberMap.make<number, unknown>()

  /** In memory, because most jobs wait for a database that cannot be written. */
  const waiting = new Map<number, string>()
  const withWaiting = <J extends Job | ShownJob>(job: J): J =>
    job.state === "running" ? { ...job, waiting: waiting.get(job.id) ?? null } : job
  const get = Effect.fn("Jobs.get")((id: number) => Effect.map(store.get(id), withWaiting))

  const publish = (id: number) => Effect.ignore(Effect.flatMap(get(id), (job) => events.job(job)))

  const waits = (id: number, why: string | null) =>
    Effect.suspend(() => {
      if ((waiting.get(id) ?? null) === why) return Effect.void
      if (why === null) waiting.delete(id)
      else waiting.set(id, why)
      return publish(id)
    })

  /** Retries until the database accepts it. */
  const end = (id: number, ending: JobOutcome) =>
    store.end(id, ending).pipe(
      Effect.tapError(({ what }) => waits(id, `${what} The job has ended; its result is not saved yet.`)),
      Effect.retry(backoff)
    )

  const progressOf = (id: number) => {
    const throttle = makeThrottle(INTERVAL)
    return (done: number, total: number) =>
      throttle(
        Effect.suspend(() => Effect.zipRight(Effect.ignore(store.progress(id, done, total)), publish(id)))
      )
  }

  const interrupted = ({ action, id }: Job) =>
    Effect.zipRight(
      Measure.jobs.count(action, "interrupted"),
      Effect.ignore(store.end(id, { state: "interrupted" }))
    )

  /** In the background even of an urgent request. Work can be interrupted; its end is recorded either way. */
  const run = (job: Job, { afterwards = Effect.void }: Pick<JobStart, "afterwards">, work: Work) =>
    Effect.suspend(() =>
      work({
        job,
        progress: progressOf(job.id),
        checkpoint: (resume, undo) => store.checkpoint(job.id, resume, undo),
        reportWaiting: (why) => waits(job.id, why)
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
          const error = reason?.message ?? "Something went wrong. The log has the details."
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
        Effect.unless(Effect.logError(`the end of job ${job.id} was not recorded`, cause), () =>
          Cause.isInterruptedOnly(cause)
        )
      ),
      Effect.ensuring(
        Effect.suspend(() => {
          waiting.delete(job.id)
          return publish(job.id)
        })
      ),
      Effect.withSpan(`Jobs.${job.action}`, { root: true }),
      withBackgroundPriority,
      Effect.provideService(CurrentAuthor, "job"),
      Effect.uninterruptible
    )

  /** Jobs whose row is written and whose work starts after the commit. */
  const starting = new Set<number>()
  /** A row whose end could not be recorded has no work. */
  const isAtWork = (id: number) => Effect.map(FiberMap.has(fibers, id), (has) => has || starting.has(id))

  /** After the commit. */
  const begin = (job: Job, about: Pick<JobStart, "afterwards">, work: Work) => {
    starting.add(job.id)
    return FiberMap.run(fibers, job.id, run(job, about, work)).pipe(
      // No new work starts while the service stops.
      Effect.onInterrupt(() => interrupted(job)),
      Effect.ensuring(Effect.sync(() => starting.delete(job.id))),
      Effect.zipRight(events.job(job)),
      afterCommit
    )
  }

  /** Leaves out links deleted since. */
  const currentMoves = Effect.fnUntraced(function* ({ moves }: Stored<"organize">) {
    const wanted = [...new Set(moves.flatMap(({ because, id }) => [id, ...because]))]
    const titles = new Map<number, string>((yield* places.places(wanted)).map(({ id, title }) => [id, title]))
    return moves.flatMap((move) => {
      const title = titles.get(move.id)
      const because = move.because.filter((id) => titles.has(id))
      return title === undefined ? [] : [{ ...move, title, because }]
    })
  })

  /** Leaves out links deleted or merged since, and groups of one. */
  const currentGroups = Effect.fnUntraced(function* ({ groups }: Stored<"dupes">) {
    const all = yield* links.getAll([...new Set(groups.flatMap(({ ids }) => ids))])
    const byId = new Map<number, Link>(all.map((link) => [link.id, link]))
    return groups
      .map(({ ids, ...group }) => ({
        ...group,
        links: ids.flatMap((id) => byId.get(id) ?? [])
      }))
      .filter((group) => group.links.length > 1)
  })

  const currentLink = Effect.fnUntraced(function* (id: LinkId | null) {
    const [link] = id === null ? [] : yield* links.getAll([id])
    return link === undefined ? null : { link }
  })

  const stop = Effect.fn("Jobs.stop")((id: number) => FiberMap.remove(fibers, id))

  return {
    get,
    /** Running and newest jobs on the whole library, without their lists of links. */
    recent: Effect.map(store.recent, (jobs) => jobs.map(withWaiting)),
    /** Waits until the interruption is recorded. */
    stop,
    pause: Effect.fn("Jobs.pause")(function* (job: Job) {
      yield* stop(job.id)
      return yield* Effect.orElseSucceed(get(job.id), () => job)
    }),
    awaitEnd: Effect.fn("Jobs.awaitEnd")(function* (id: number) {
      const fiber = yield* Effect.option(FiberMap.get(fibers, id))
      if (Option.isSome(fiber)) yield* Fiber.await(fiber.value)
      return yield* get(id)
    }),
    /** The latest job of this kind, if it was interrupted or failed part-way. */
    interrupted: Effect.fn("Jobs.interrupted")((action: JobAction) =>
      Effect.map(store.latest(action), (job) => Option.filter(job, isUnfinished))
    ),
    resume: Effect.fn("Jobs.resume")(function* (id: number, about: Pick<JobStart, "afterwards">, work: Work) {
      const job = yield* store.again(id)
      yield* begin(job, about, work)
      return job
    }, Effect.uninterruptible),
    /** Returns the running job of its kind if there is one. */
    start: Effect.fn("Jobs.start")(<A extends JobAction>(about: JobStart<A>, work: Work<A>) =>
      permit.withPermits(1)(
        // No interruption between writing the row and starting its work.
        Effect.uninterruptible(
          Effect.gen(function* () {
            const { action, queued, subject = null, total } = about
            const running = queued === undefined ? yield* store.running(action, subject) : Option.none<Job>()
            if (Option.isSome(running) && (yield* isAtWork(running.value.id)))
              return withWaiting(running.value)
            if (Option.isSome(running)) yield* store.end(running.value.id, { state: "interrupted" })
            const job = yield* store.start(action, subject, total, queued?.resume)
            yield* begin(job, about, work)
            return job
          })
        )
      )
    ),
    /** With the links as they are now; a refresh of a deleted link has no result. */
    shown: Effect.fn("Jobs.shown")(function* (job: Job): Effect.fn.Return<ShownJob> {
      switch (job.action) {
        case "dupes":
          return { ...job, result: job.result && { groups: yield* currentGroups(job.result) } }
        case "organize":
          return {
            ...job,
            result: job.result && { ...job.result, moves: yield* currentMoves(job.result) }
          }
        case "refresh":
          if (job.subject === null) return job
          return { ...job, result: job.state === "done" ? yield* currentLink(job.subject) : null }
        case "check":
          return { ...job, result: job.state === "done" ? yield* currentLink(job.subject) : null }
        default:
          return job
      }
    })
  }
})

export class Jobs extends Service<Jobs>()("Jobs", make) {}

const isUnfinished = ({ resume, state }: Job) =>
  state === "interrupted" || (state === "failed" && resume !== null)
