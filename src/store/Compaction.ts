import { realpathSync, rmSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { DateTime, Effect } from "effect"
import { readingLibrary } from "./Inspection.ts"
import { putInPlace } from "./PutInPlace.ts"
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
    yield* sql`DELETE FROM upkeep WHERE task = 'compact'`
  }).pipe(Effect.provide(SqliteClient.layer({ filename: library, disableWAL: true })))

/**
 * Rewrites the library's file without its free pages and the unused parts of the others, which may hold what was deleted
 * long ago. Nobody may have it open. Until the rewritten file takes its place the library stays as it is; on the disk
 * there must be room for a second one.
 */
export const compact = Effect.fn("Compaction.compact")(function* (file: string) {
  // The name may be a link to a file on another disk, which stays there.
  const library = yield* Effect.sync(() => realpathSync(file))
  const beside = `${library}.compacting`
  const aside = `${library}.replaced`
  const sweep = Effect.sync(() => {
    for (const path of [beside, `${beside}-journal`, aside]) rmSync(path, { force: true })
  })
  yield* sweep
  yield* Effect.ensuring(
    Effect.gen(function* () {
      yield* snapshotOf(library, beside, { replace: true })
      yield* markDone(beside)
      yield* putInPlace(beside, library, aside)
    }),
    sweep
  )
})

/**
 * Compacts the library where a migration has asked for it. A failure, of a full disk for example, is logged, and the
 * next start tries again: the library itself is sound.
 */
export const compactIfAsked = Effect.fn("Compaction.compactIfAsked")(
  function* (library: string) {
    if (!(yield* isPending(library))) return
    const began = yield* DateTime.now
    yield* Effect.logInfo("Rewriting the library's file once, so that nothing of deleted links stays in it")
    yield* compact(library)
    const took = DateTime.distance(began, yield* DateTime.now)
    yield* Effect.logInfo(`The library's file was rewritten in ${(took / 1000).toFixed(1)} s`)
  },
  Effect.catchAllCause((cause) =>
    Effect.logWarning("the library's file was not rewritten; the next start tries again", cause)
  )
)
