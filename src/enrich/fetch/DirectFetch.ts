import type { Headers } from "@effect/platform"
import { Duration, Option } from "effect"
import { dnsResolver } from "../../runtime/Names.ts"
import { retryAfterMillis } from "../../shared/RetryAfter.ts"

export const directOptions = { redirect: "manual", proxy: false } as const

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

export const directFetch =
  (maxBytes: number) =>
  async (input: string | URL | Request, init?: BunFetchRequestInit): Promise<Response> => {
    const response = await dnsResolver.fetch(input, { ...init, ...directOptions })
    return new Response(response.body?.pipeThrough(firstBytes(maxBytes)) ?? null, response)
  }

/** `now` is in milliseconds since the epoch. */
export const retryAfter = (
  header: string | null | undefined,
  now: number
): Option.Option<Duration.Duration> =>
  Option.map(Option.fromNullable(retryAfterMillis(header, now)), Duration.millis)

export interface Answer {
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: string
}

const isSpent = ({ headers }: Answer) => headers["x-ratelimit-remaining"] === "0"

/** A 403 of GitHub may also be a permanent refusal. */
export const isRateLimited = (answer: Answer): boolean =>
  answer.status === 429 ||
  (answer.status === 403 &&
    (answer.headers["retry-after"] !== undefined || isSpent(answer) || /rate limit/i.test(answer.body)))

/** In milliseconds, one hour at most (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api). */
export const rateLimitPauseMillis = (answer: Answer, now: number): number => {
  const reset = Number(answer.headers["x-ratelimit-reset"]) * 1000 - now
  const asked = retryAfterMillis(answer.headers["retry-after"], now)
  const wait = asked ?? (isSpent(answer) && reset > 0 ? reset : 60_000)
  return Math.min(wait, 3_600_000)
}
