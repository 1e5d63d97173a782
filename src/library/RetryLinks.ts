import { Duration, Effect, Option } from "effect"
import { isWaitingForSources, type Source } from "../domain/Enrichment.ts"
import { LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { CrashSuspects } from "../store/jobs/TaskStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Inbox } from "./Inbox.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { Refresh } from "./Refresh.ts"
import { SourceHealth } from "./SourceHealth.ts"
import { Summaries } from "./Summaries.ts"
import { Tasks } from "./Tasks.ts"

const INTERVAL = Duration.minutes(1)
const AT_ONCE = 4
/** Batches per pass, so that a recovered source is not flooded. */
const ROUNDS = 12
const BATCH = 100

const make = Effect.gen(function* () {
  const links = yield* LinkStore
  const spared = yield* CrashSuspects
  const inbox = yield* Inbox
  const refresh = yield* Refresh
  const jobs = yield* Jobs
  const health = yield* SourceHealth
  const summaries = yield* Summaries
  const tasks = yield* Tasks
  const { run } = yield* makeWorkLoop

  const retryLink = (id: LinkId) =>
    Effect.gen(function* () {
      const found = yield* refresh.refreshAndReport(id)
      // A summary in progress counts: if it fails for this link alone, the next pause must be longer.
      const isAsked = found.failures.some(({ kind }) => kind === "busy")
      if (isWaitingForSources(found) && !isAsked) yield* links.uncount(id)
    }).pipe(Effect.catchAllCause((cause) => Effect.logWarning(`retrying #${id} failed`, cause)))

  const probed = new Map<Source, LinkId>()

  /** With one of the links that wait for the source. */
  const probe = Effect.gen(function* () {
    for (const source of yield* health.down) {
      if (!(yield* health.mayProbe(source))) continue
      const id = Option.getOrUndefined(yield* links.takeWaiting(source, probed.get(source) ?? 0))
      if (id === undefined) continue
      probed.set(source, id)
      yield* retryLink(id)
    }
  })

  /** Alone, because the program ended twice while reading these pages. */
  const retrySpared = Effect.suspend(() => {
    let tries = 0
    return tasks.drain("suspect", {
      name: "reading a page once more",
      work: Effect.fnUntraced(function* (task) {
        yield* spared.tried(task)
        const uncount = Effect.ignore(spared.stopped(task))
        yield* refresh.refreshAndReport(LinkId.make(task.subject)).pipe(
          Effect.onInterrupt(() => uncount),
          Effect.tapError(() => uncount)
        )
        return ++tries < ROUNDS ? Duration.zero : INTERVAL
      })
    })
  }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("retrying a spared link failed", cause)))

  const due = Effect.gen(function* () {
    yield* retrySpared
    yield* probe
    for (let rounds = 0; rounds < ROUNDS; rounds++) {
      // A slow model at work keeps its links.
      const busy: ReadonlyArray<Source> = (yield* summaries.isBusy) ? ["model"] : []
      yield* links.wake([...(yield* health.down), ...busy], AT_ONCE)
      const ids = yield* links.leaseDue(AT_ONCE)
      if (ids.length === 0) return
      yield* Effect.forEach(ids, retryLink, { concurrency: AT_ONCE, discard: true })
    }
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logWarning("looking for links to retry failed", cause)),
    Effect.withSpan("RetryLinks.due")
  )

  const work = ({ progress }: JobRun): Effect.Effect<Outcome<"retry">, JobFailure> =>
    Effect.gen(function* () {
      const arrivals = yield* inbox.reviveAll
      const total = yield* links.countPartial
      let tried = 0
      let complete = 0
      let after = 0
      for (;;) {
        const ids = yield* links.partial(after, BATCH)
        const last = ids.at(-1)
        if (last === undefined) break
        after = last
        yield* Effect.forEach(
          ids,
          (id) =>
            Effect.gen(function* () {
              const found = yield* Effect.option(refresh.refreshAndReport(id))
              if (found._tag === "Some" && found.value.fellBack.length === 0) complete++
              yield* progress(++tried, Math.max(total, tried))
            }),
          { concurrency: AT_ONCE, discard: true }
        )
      }
      return { result: { tried, complete, arrivals } }
    }).pipe(Effect.mapError(asJobFailure))

  return {
    due,
    /** A recovered source starts the next pass. */
    run: run(Effect.as(due, INTERVAL), {
      name: "retrying links",
      until: Effect.raceFirst(health.recovery, summaries.idle)
    }),
    /** Also puts dead arrivals back in the inbox. */
    start: Effect.flatMap(links.countPartial, (total) => jobs.start({ action: "retry", total }, work)).pipe(
      Effect.withSpan("RetryLinks.start")
    )
  }
})

/** After growing pauses, then monthly; never overrides the owner. Links wait for a source that is down. */
export class RetryLinks extends Service<RetryLinks>()("RetryLinks", make) {}
