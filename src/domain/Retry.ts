import { Duration } from "effect"

/**
 * How long after the first look at a link, and after each further one, the next is taken where a source failed in
 * a way that may pass. After the last it is left to the owner.
 */
export const RETRY_WAITS: ReadonlyArray<Duration.Duration> = [
  Duration.minutes(10),
  Duration.hours(1),
  Duration.hours(6),
  Duration.hours(18)
]
