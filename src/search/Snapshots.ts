import { Effect } from "effect"
import type { Term } from "../domain/LinkQuery.ts"

/** The order a search found its links in, for as long as somebody pages through it. */
export interface Snapshot {
  readonly ids: ReadonlyArray<number>
  readonly total: number
  /** What was searched for in the end. */
  readonly terms: ReadonlyArray<Term>
  /** Matches of lower numbers were not ranked: they follow, newest first. */
  readonly olderThan: number | null
}

/** How many searches are remembered. */
const MOST = 64

/**
 * Remembers the order of a search, so that its further pages go on where the first ended, whatever arrives or changes
 * meanwhile. A first page (one with a stamp) is answered from memory only while the database has not changed.
 */
export const makeSnapshots = () => {
  const known = new Map<string, { readonly stamp: string; readonly snapshot: Snapshot }>()
  return {
    get: <E>(
      key: string,
      stamp: string | null,
      search: Effect.Effect<Snapshot, E>
    ): Effect.Effect<Snapshot, E> => {
      const found = known.get(key)
      if (found !== undefined && (stamp === null || stamp === found.stamp)) {
        // The last used is the last to be forgotten.
        known.delete(key)
        known.set(key, found)
        return Effect.succeed(found.snapshot)
      }
      return Effect.tap(search, (snapshot) =>
        Effect.sync(() => {
          known.delete(key)
          const [oldest] = known.keys()
          if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
          known.set(key, { stamp: stamp ?? "", snapshot })
        })
      )
    }
  }
}
