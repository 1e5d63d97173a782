import { existsSync, realpathSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Duration, Effect, Option } from "effect"
import { Lock } from "../Lock.ts"
import { queryLibrary } from "./Inspection.ts"
import { replaceDatabase } from "./Restore.ts"
import { snapshotOf } from "./Snapshot.ts"

/** Whether a migration's request to rewrite the file is still pending. */
const isPending = (library: string) =>
  queryLibrary(library, (ask) =>
    Effect.gen(function* () {
      const tables = yield* ask("SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'")
      if (tables.length === 0) return false
      return (yield* ask("SELECT 1 FROM upkeep WHERE task = 'compact'")).length > 0
    })
  )

const markDone = (library: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Libraries of earlier versions do not have this table.
    if ((yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'`).length > 0)
      yield* sql`DELETE FROM upkeep WHERE task = 'compact'`
  }).pipe(Effect.provide(SqliteClient.layer({ filename: library, disableWAL: true })))

const placesOf = (library: string) => {
  const beside = `${library}.compacting`
  return { beside, aside: `${library}.replaced`, journal: `${beside}-journal` }
}

/** Removes the files that a compaction leaves beside the library, even an interrupted one. */
const sweep = (library: string) =>
  Effect.sync(() => {
    for (const path of Object.values(placesOf(library))) rmSync(path, { force: true })
  })

/**
 * Rewrites the library's file without its free pages and the unused parts of the others, which may hold deleted
 * content. The caller must hold the library's lock, and no connection may be open. The library stays unchanged until
 * the rewritten file replaces it; the disk needs room for a second copy.
 */
export const compact = Effect.fn("Compaction.compact")(function* (file: string) {
  // The library may be a symbolic link to a file on another disk, which stays there.
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

/** Whether this process holds the folder's lock; if it is free, acquires it until the scope closes. */
const mayReplace = Effect.fnUntraced(function* (folder: string) {
  return Option.isSome(yield* Effect.serviceOption(Lock)) || (yield* Lock.ifFree(folder))
})

/**
 * Compacts the library if a migration requested it. Skips it while another process holds the library. Logs a failure,
 * such as a full disk; the library stays intact, and the next start retries.
 */
export const compactIfRequested = Effect.fn("Compaction.compactIfAsked")(
  function* (library: string) {
    const pending = yield* isPending(library)
    const isLeft = Object.values(placesOf(realpathSync(library))).some((path) => existsSync(path))
    if ((!pending && !isLeft) || !(yield* mayReplace(dirname(library)))) return
    // A process that exited right after the swap left the earlier file behind.
    if (!pending) return yield* sweep(realpathSync(library))
    yield* Effect.logInfo("Rewriting the library file to remove remnants of deleted links")
    const [took] = yield* Effect.timed(compact(library))
    yield* Effect.logInfo(`Rewrote the library file in ${Duration.toSeconds(took).toFixed(1)} s`)
  },
  Effect.scoped,
  Effect.catchAllCause((cause) =>
    Effect.logWarning("Could not rewrite the library file; the next start retries", cause)
  )
)
