import { Clock, type Duration, Effect } from "effect"
import { makeRateLimit } from "./RateLimit.ts"

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
  const limit = makeRateLimit([{ times: 1, within: interval }])
  let isFirst = true
  return (work) =>
    Effect.flatMap(monotonicMillis, (now) => {
      const isDue = isFirst ? first === "now" : limit.wait("", now) === 0
      if (isFirst || isDue) limit.count("", now)
      isFirst = false
      return isDue ? Effect.asVoid(work) : Effect.void
    })
}
