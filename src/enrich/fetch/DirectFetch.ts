import type { Headers } from "@effect/platform"
import { Duration, Option } from "effect"
import { names } from "../../runtime/Names.ts"

/** Options of a request that goes nowhere but to the address asked: no redirect, and no proxy of the environment. */
export const direct = { redirect: "manual", proxy: false } as const

/** Passes on the first `limit` bytes and ends the stream there. */
const firstBytes = (limit: number) => {
  let left = limit
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.byteLength
      if (left <= 0) controller.terminate()
    }
  })
}

/** A `fetch` for requests that carry a credential: `direct`, and an answer ends after `maxBytes`. */
export const directFetch =
  (maxBytes: number) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await names.fetch(input, { ...init, ...direct })
    return new Response(response.body?.pipeThrough(firstBytes(maxBytes)) ?? null, response)
  }

/**
 * How long a `Retry-After` header (RFC 9110, section 10.2.3: seconds, or a date) asks to wait.
 *
 * None where it says nothing readable; `now` is in milliseconds since the epoch.
 */
export const retryAfter = (
  header: string | null | undefined,
  now: number
): Option.Option<Duration.Duration> => {
  const text = (header ?? "").trim()
  if (/^\d{1,9}$/.test(text)) return Option.some(Duration.seconds(Number(text)))
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? Option.none() : Option.some(Duration.millis(Math.max(0, at - now)))
}

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
