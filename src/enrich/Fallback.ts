import { Cause, type Duration, Effect, Option, Predicate } from "effect"
import type { FailureKind, Source, SourceFailure } from "../domain/Enrichment.ts"
import { Measure } from "../domain/Metrics.ts"

/** What a source found, or its fallback; `fellBack` names the source in the second case. */
export interface Found<A> {
  readonly value: A
  readonly fellBack: ReadonlyArray<Source>
  /** Whether it fell back for a reason that may pass. */
  readonly mayPass: boolean
  /** How it failed, where it was asked. */
  readonly failures: ReadonlyArray<SourceFailure>
}

/** How a source fails: `reason` is safe to log. */
export interface Failure {
  readonly reason: string
  readonly kind: FailureKind
}

/** A failure in its own words; of a crash, which comes again, only the kind: its message may quote anything. */
const failureOf = (cause: Cause.Cause<Failure | Cause.TimeoutException>): Failure =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) => ("reason" in error ? error : { reason: "timeout", kind: "unreachable" }),
    onNone: () => {
      const defect = Cause.squash(cause)
      return {
        reason: `crashed: ${Predicate.isError(defect) ? defect.name : typeof defect}`,
        kind: "lasting"
      }
    }
  })

/** The fallback of a source that was not asked, or has failed. */
export const fallBack = <A>(source: Source, fallback: A, kind?: FailureKind): Effect.Effect<Found<A>> =>
  Effect.as(Measure.fallbacks.count(source), {
    value: fallback,
    fellBack: [source],
    mayPass: kind !== undefined && kind !== "lasting",
    failures: kind === undefined ? [] : [{ source, kind }]
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
      Effect.map((value) => ({ value, fellBack: [], mayPass: false, failures: [] })),
      Effect.catchAllCause((cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        const { kind, reason } = failureOf(cause)
        const log = Effect.logWarning(`${source}: ${reason}, using the fallback`)
        return Effect.zipRight(
          Effect.unless(log, () => reason === "not-configured"),
          fallBack(source, fallback, kind)
        )
      })
    )
