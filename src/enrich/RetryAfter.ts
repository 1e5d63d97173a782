import { Duration, Option } from "effect"

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
