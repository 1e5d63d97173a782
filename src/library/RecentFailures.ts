import { Clock, Duration, Effect } from "effect"

/** Keys that failed within `age`, at most `most` of them: the oldest is forgotten first. */
export const makeRecentFailures = (age: Duration.Duration, most: number) => {
  const ends = new Map<string, number>()
  return {
    add: (key: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        ends.delete(key)
        ends.set(key, now + Duration.toMillis(age))
        const [oldest] = ends.keys()
        if (ends.size > most && oldest !== undefined) ends.delete(oldest)
      }),
    has: (key: string) => Effect.map(Clock.currentTimeMillis, (now) => (ends.get(key) ?? 0) > now),
    forget: (key: string) => Effect.sync(() => void ends.delete(key))
  }
}
