import { Cause, type Duration, Effect, Option, Predicate } from "effect"
import type { Source } from "../domain/Enrichment.ts"
import { Measure } from "../domain/Metrics.ts"

/** What a source found, or its fallback; `fellBack` names the source in the second case. */
export interface Found<A> {
  readonly value: A
  readonly fellBack: ReadonlyArray<Source>
  /** Whether it fell back for a reason that may pass. */
  readonly mayPass: boolean
}

/** How a source fails: `reason` is safe to log, and `lasting` says that asking again would not help. */
export interface Failure {
  readonly reason: string
  readonly lasting?: boolean
}

/** A failure in its own words; of a crash, which comes again, only the kind: its message may quote anything. */
const failureOf = (cause: Cause.Cause<Failure | Cause.TimeoutException>): Failure =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) => ("reason" in error ? error : { reason: "timeout" }),
    onNone: () => {
      const defect = Cause.squash(cause)
      return { reason: `crashed: ${Predicate.isError(defect) ? defect.name : typeof defect}`, lasting: true }
    }
  })

/** The fallback of a source that was not asked, or has failed. */
export const fallBack = <A>(source: Source, fallback: A, mayPass = false): Effect.Effect<Found<A>> =>
  Effect.as(Measure.fallbacks.count(source), {
    value: fallback,
    fellBack: [source],
    mayPass
  })

/**
 * Gives a source `limit` to answer and carries on with `fallback` after any failure, crash or delay of it.
 *
 * The one catch-all of enrichment: only interruption passes through, and everything but a missing setting is logged.
 */
export const orFallback =
  <A>(source: Source, limit: Duration.DurationInput, fallback: A) =>
  <E extends Failure, R>(found: Effect.Effect<A, E, R>): Effect.Effect<Found<A>, never, R> =>
    found.pipe(
      Effect.disconnect,
      Effect.timeout(limit),
      Effect.map((value) => ({ value, fellBack: [], mayPass: false })),
      Effect.catchAllCause((cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        const { reason, lasting } = failureOf(cause)
        const log = Effect.logWarning(`${source}: ${reason}, using the fallback`)
        const unset = reason === "not-configured"
        return Effect.zipRight(
          Effect.unless(log, () => unset),
          fallBack(source, fallback, !unset && lasting !== true)
        )
      })
    )
