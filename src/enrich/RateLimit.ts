import type { Headers } from "@effect/platform"
import { Duration, Option } from "effect"
import { retryAfter } from "./RetryAfter.ts"

/** An HTTP answer, read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: string
}

const isSpent = ({ headers }: Answer) => headers["x-ratelimit-remaining"] === "0"

/** Whether GitHub refused for now, by its primary or a secondary limit, rather than for good: both may be a 403. */
export const isLimited = (answer: Answer): boolean =>
  answer.status === 429 ||
  (answer.status === 403 &&
    (answer.headers["retry-after"] !== undefined || isSpent(answer) || /rate limit/i.test(answer.body)))

/**
 * How long GitHub asks to be left alone, in milliseconds: what `Retry-After` says, else until the limit is reset, else a
 * minute; an hour at most (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
export const pauseMillis = (answer: Answer, now: number): number => {
  const reset = Number(answer.headers["x-ratelimit-reset"]) * 1000 - now
  const asked = Option.map(retryAfter(answer.headers["retry-after"], now), Duration.toMillis)
  const wait = Option.getOrElse(asked, () => (isSpent(answer) && reset > 0 ? reset : 60_000))
  return Math.min(wait, 3_600_000)
}
