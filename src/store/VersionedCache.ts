import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { LruMap } from "../runtime/LruMap.ts"
import { readTexts } from "./Rows.ts"

/** Changes with every change by any connection (https://www.sqlite.org/pragma.html#pragma_data_version). */
export const changeStampOf = (sql: SqlClient.SqlClient): Effect.Effect<string> =>
  Effect.map(
    readTexts(sql`SELECT total_changes() || ' ' || data_version FROM pragma_data_version`),
    ([stamp = ""]) => stamp
  )

type Cache<A> = <E>(key: string, compute: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Cleared when `changeStampOf` changes; a hit costs one small query. Each cache holds at most `most` values. */
export const makeVersionedCache = Effect.fnUntraced(function* (stamp: Effect.Effect<string>) {
  const caches: Array<{ readonly clear: () => void }> = []
  let seen = ""

  const current = Effect.map(stamp, (now) => {
    if (now === seen) return
    seen = now
    for (const cache of caches) cache.clear()
  })

  yield* current
  return <A>(most: number): Cache<A> => {
    const values = new LruMap<string, A>(most)
    caches.push(values)
    return (key, compute) =>
      Effect.flatMap(current, () => {
        const cached = values.get(key)
        if (cached !== undefined) return Effect.succeed(cached)
        const stampBefore = seen
        // A value overtaken by a change is returned but not cached.
        return Effect.tap(compute, (value) =>
          Effect.sync(() => {
            if (stampBefore === seen) values.set(key, value)
          })
        )
      })
  }
})
