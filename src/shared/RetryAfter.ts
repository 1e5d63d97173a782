/** In milliseconds (RFC 9110, 10.2.3: seconds or a date); undefined if missing or unreadable. `now` likewise. */
export const retryAfterMillis = (header: string | null | undefined, now: number): number | undefined => {
  const text = (header ?? "").trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
