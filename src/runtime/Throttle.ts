import { Clock, Duration, Effect } from "effect"

/** Milliseconds of the monotonic clock, for measuring how long ago something was. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos) / 1_000_000
)

/** Runs an effect, or skips it; returns nothing either way. */
export type Throttle = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<void, E, R>

/**
 * Makes a throttle: it runs an effect if the last one that it ran began at least `interval` ago, and skips it otherwise.
 * The first runs at once, or with `first: "later"` only once `interval` has passed since the first attempt. Setting the
 * clock does not affect it.
 *
 * Effect's `RateLimiter` delays what exceeds the rate; a throttle is for reports that are out of date when delayed.
 */
export const makeThrottle = (
  interval: Duration.DurationInput,
  { first = "now" }: { readonly first?: "now" | "later" } = {}
): Throttle => {
  const least = Duration.toMillis(interval)
  let last: number | undefined
  return (work) =>
    Effect.flatMap(monotonicMillis, (now) => {
      const isDue = last === undefined ? first === "now" : now - last >= least
      if (last === undefined || isDue) last = now
      return isDue ? Effect.asVoid(work) : Effect.void
    })
}
