import { existsSync, realpathSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Option } from "effect"
import { Lock } from "../Lock.ts"
import { replaceDatabase } from "./Restore.ts"
import { snapshotOf } from "./Snapshot.ts"

const placesOf = (library: string) => {
  const beside = `${library}.compacting`
  return { beside, aside: `${library}.replaced`, journal: `${beside}-journal` }
}

/** Removes the files that a compaction leaves beside the library, even an interrupted one. */
const sweep = (library: string) =>
  Effect.sync(() => {
    for (const path of Object.values(placesOf(library))) rmSync(path, { force: true })
  })

/** Free pages may hold deleted content. Needs the lock, no open connection, and room for a second copy. */
export const compact = Effect.fn("Compaction.compact")(function* (file: string) {
  // The library may be a symbolic link to a file on another disk, which stays there.
  const library = yield* Effect.sync(() => realpathSync(file))
  const { aside, beside } = placesOf(library)
  yield* sweep(library)
  yield* Effect.ensuring(
    Effect.gen(function* () {
      yield* snapshotOf(library, beside, { replace: true })
      yield* replaceDatabase(beside, library, aside)
    }),
    sweep(library)
  )
})

/** Whether this process holds the folder's lock; if it is free, acquires it until the scope closes. */
const mayReplace = Effect.fnUntraced(function* (folder: string) {
  return Option.isSome(yield* Effect.serviceOption(Lock)) || (yield* Lock.ifFree(folder))
})

/** Removes what a compaction has left behind whose process was killed, unless another process holds the library. */
export const sweepCompaction = Effect.fn("Compaction.sweep")(
  function* (file: string) {
    const library = realpathSync(file)
    const isLeft = Object.values(placesOf(library)).some((path) => existsSync(path))
    if (isLeft && (yield* mayReplace(dirname(file)))) yield* sweep(library)
  },
  Effect.scoped,
  Effect.catchAllCause((cause) => Effect.logWarning("Could not remove what a compaction left", cause))
)
