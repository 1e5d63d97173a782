import { rmSync } from "node:fs"
import { Effect, Exit, Option } from "effect"
import { uncheckedLayer } from "../Database.ts"
import { databaseSideFiles, dataFolder } from "../DataFolder.ts"
import { LibraryInUse } from "../Lock.ts"
import { compact } from "./Compaction.ts"
import { rebuildInTransaction } from "./Indexes.ts"
import { queryLibrary, quickInspect, versionOf } from "./Inspection.ts"
import { backupPath, replaceDatabase, salvage } from "./Restore.ts"

/** Builds a library without the damaged indexes and puts it in place; returns where the damaged one is kept. */
const replaceWithSalvaged = Effect.fnUntraced(function* (folder: string, version: number) {
  const { library } = dataFolder(folder)
  const beside = `${library}.reindexing`
  const sweep = Effect.sync(() => {
    for (const path of [beside, `${beside}-journal`, ...Object.values(databaseSideFiles(beside))])
      rmSync(path, { force: true })
  })
  const aside = yield* backupPath(folder, "reindex")
  yield* sweep
  yield* Effect.ensuring(
    Effect.gen(function* () {
      yield* salvage(library, version, beside)
      yield* quickInspect(beside)
      yield* replaceDatabase(beside, library, aside)
    }),
    sweep
  )
  return aside
})

/**
 * Rebuilds the full-text indexes of the library in `folder`; safe while the service runs. If the library is not in use
 * (`isFree`), it also rewrites the file, so that no deleted content stays in it, and replaces a library whose indexes
 * are too damaged for SQLite to rebuild; it then returns the path of the damaged one. Refuses other damage.
 */
export const repairIndexes = Effect.fn("RenewIndexes.renew")(function* (folder: string, isFree: boolean) {
  const { library } = dataFolder(folder)
  const version = yield* queryLibrary(library, (ask) => versionOf(library, ask))
  const damage = yield* Effect.flip(quickInspect(library)).pipe(Effect.option)
  if (Option.isSome(damage) && !(damage.value._tag === "DatabaseDamaged" && damage.value.onlyIndex))
    return yield* damage.value
  const renewed = yield* Effect.exit(Effect.provide(rebuildInTransaction(version), uncheckedLayer(library)))
  if (Exit.isSuccess(renewed)) {
    // Unused parts of pages may hold fragments of deleted content.
    if (isFree) yield* compact(library)
    return Option.none<string>()
  }
  if (Option.isNone(damage)) return yield* Effect.failCause(renewed.cause)
  if (!isFree) return yield* new LibraryInUse({ folder, reason: "taken" })
  return Option.some(yield* replaceWithSalvaged(folder, version))
})
