import { Duration } from "effect"

/**
 * How long after a look at a link the next is taken, where a source failed in a way that may pass: longer after each look
 * that counts. After the last it is once a month.
 */
export const RETRY_WAITS: ReadonlyArray<Duration.Duration> = [
  Duration.minutes(10),
  Duration.hours(1),
  Duration.hours(6),
  Duration.hours(18),
  Duration.days(2),
  Duration.days(4),
  Duration.days(8),
  Duration.days(15),
  Duration.days(30)
]

/** The same where every source that failed said something final, such as that there is no such page. Then it stops. */
export const SELDOM_WAITS: ReadonlyArray<Duration.Duration> = [
  Duration.days(1),
  Duration.days(7),
  Duration.days(30)
]
