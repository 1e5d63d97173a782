import { Duration } from "effect"
import { LruMap } from "./LruMap.ts"

export interface Limit {
  readonly times: number
  readonly within: Duration.DurationInput
}

/**
 * Counts by key how often something happened, and tells when it may happen again. Keeps the `maxKeys` keys used last. All
 * times are milliseconds of one clock, which must not be set back.
 *
 * Effect's `RateLimiter` makes callers wait; here a caller is rejected at once, and told when to retry.
 */
export const makeRateLimit = (limits: ReadonlyArray<Limit>, maxKeys = 1) => {
  const windows = limits.map(({ times, within }) => ({ times, within: Duration.toMillis(within) }))
  const most = Math.max(1, ...limits.map(({ times }) => times))
  const kept = new LruMap<string, ReadonlyArray<number>>(maxKeys)
  const timesOf = (key: string) => kept.get(key) ?? []
  return {
    /** Milliseconds until the limits allow another time; 0 if they do now. */
    wait: (key: string, now: number): number => {
      const times = timesOf(key)
      return Math.max(0, ...windows.map((one) => (times.at(-one.times) ?? -Infinity) + one.within - now))
    },
    count: (key: string, now: number) => kept.set(key, [...timesOf(key), now].slice(-most)),
    takeBack: (key: string, at: number) => {
      const index = timesOf(key).indexOf(at)
      if (index !== -1) kept.set(key, timesOf(key).toSpliced(index, 1))
    },
    forget: (key: string) => kept.delete(key)
  }
}

/** A token bucket: how many times at once, and how many more per second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Limits by key as `makeRateLimit` does, in the space of two numbers a key, for limits of hundreds. */
export const makeTokenBuckets = ({ burst, perSecond }: Rate, maxKeys: number) => {
  const kept = new LruMap<string, { readonly tokens: number; readonly at: number }>(maxKeys)
  /** Takes a token: returns 0, or the seconds until one is available. The clock may be set back. */
  return (key: string, now: number): number => {
    const { at, tokens: left } = kept.get(key) ?? { at: now, tokens: burst }
    const tokens = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond)
    kept.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0
  }
}
