import { existsSync, realpathSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Duration, Effect, Option } from "effect"
import { Lock } from "../Lock.ts"
import { readingLibrary } from "./Inspection.ts"
import { replaceDatabase } from "./Restore.ts"
import { snapshotOf } from "./Snapshot.ts"

/** Whether a migration has asked for the file to be rewritten and no start has done so yet. */
const isPending = (library: string) =>
  readingLibrary(library, (ask) =>
    Effect.gen(function* () {
      const tables = yield* ask("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'")
      if (tables.length === 0) return false
      return (yield* ask("SELECT 1 FROM upkeep WHERE task = 'compact'")).length > 0
    })
  )

const markDone = (library: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A library of an earlier version has no such table.
    if ((yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'`).length > 0)
      yield* sql`DELETE FROM upkeep WHERE task = 'compact'`
  }).pipe(Effect.provide(SqliteClient.layer({ filename: library, disableWAL: true })))

const placesOf = (library: string) => {
  const beside = `${library}.compacting`
  return { beside, aside: `${library}.replaced`, journal: `${beside}-journal` }
}

/** Removes what a compaction leaves beside the library, be it one that was cut off. */
const sweep = (library: string) =>
  Effect.sync(() => {
    for (const path of Object.values(placesOf(library))) rmSync(path, { force: true })
  })

/**
 * Rewrites the library's file without its free pages and the unused parts of the others, which may hold what was deleted
 * long ago. The caller must hold the library's lock, and no connection may be open. Until the rewritten file takes its place
 * the library stays as it is; on the disk there must be room for a second one.
 */
export const compact = Effect.fn("Compaction.compact")(function* (file: string) {
  // The name may be a link to a file on another disk, which stays there.
  const library = yield* Effect.sync(() => realpathSync(file))
  const { aside, beside } = placesOf(library)
  yield* sweep(library)
  yield* Effect.ensuring(
    Effect.gen(function* () {
      yield* snapshotOf(library, beside, { replace: true })
      yield* markDone(beside)
      yield* replaceDatabase(beside, library, aside)
    }),
    sweep(library)
  )
})

/** Whether this process holds the lock of the folder, or may until the scope closes. */
const mayReplace = Effect.fnUntraced(function* (folder: string) {
  return Option.isSome(yield* Effect.serviceOption(Lock)) || (yield* Lock.ifFree(folder))
})

/**
 * Compacts the library where a migration has asked for it. A failure, of a full disk for example, is logged, and the
 * next start tries again, as it does where another process holds the library: it is sound as it is.
 */
export const compactIfAsked = Effect.fn("Compaction.compactIfAsked")(
  function* (library: string) {
    const pending = yield* isPending(library)
    const isLeft = Object.values(placesOf(realpathSync(library))).some((path) => existsSync(path))
    if ((!pending && !isLeft) || !(yield* mayReplace(dirname(library)))) return
    // A process that ended just after the exchange has left the earlier file.
    if (!pending) return yield* sweep(realpathSync(library))
    yield* Effect.logInfo("Rewriting the library's file once, so that nothing of deleted links stays in it")
    const [took] = yield* Effect.timed(compact(library))
    yield* Effect.logInfo(`The library's file was rewritten in ${Duration.toSeconds(took).toFixed(1)} s`)
  },
  Effect.scoped,
  Effect.catchAllCause((cause) =>
    Effect.logWarning("the library's file was not rewritten; the next start tries again", cause)
  )
)
