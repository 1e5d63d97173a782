import { rmSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Cause, Effect, Exit, Option } from "effect"
import { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { uncheckedLayer } from "../Database.ts"
import { databaseSideFiles, dataFolder } from "../DataFolder.ts"
import { LibraryInUse } from "../Lock.ts"
import { readNumber } from "../Rows.ts"
import { migrationsUpTo } from "../Schema.ts"
import { compact } from "./Compaction.ts"
import { copyRows } from "./CopyRows.ts"
import { rebuildIndexes, rebuildInTransaction } from "./Indexes.ts"
import { queryLibrary, quickInspect, versionOf } from "./Inspection.ts"
import { backupPath, replaceDatabase } from "./Restore.ts"

const copyAll = Effect.fnUntraced(function* (from: string, version: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
  yield* copyRows(from, [], rebuildIndexes(version))
  return yield* readNumber(sql.unsafe(`SELECT count(*) FROM main.links WHERE normalized_url LIKE '%#' || id`))
})

/** For indexes that SQLite cannot rebuild: copies all else, and returns how many links share an address. */
const salvage = (from: string, version: number, to: string) =>
  copyAll(from, version).pipe(
    Effect.provide(SqliteClient.layer({ filename: to, disableWAL: true })),
    Effect.withSpan("RenewIndexes.salvage")
  )

/** A library that replaced one whose indexes could not be rebuilt. */
interface Replaced {
  readonly aside: string
  /** How many links have the address of another one: they were saved while the index of addresses was damaged. */
  readonly doubles: number
}

/** Builds a library without the damaged indexes and puts it in place. */
const replaceWithSalvaged = Effect.fnUntraced(function* (folder: string, version: number) {
  const { library } = dataFolder(folder)
  const beside = `${library}.reindexing`
  const sweep = Effect.sync(() => {
    for (const path of [beside, `${beside}-journal`, ...Object.values(databaseSideFiles(beside))])
      rmSync(path, { force: true })
  })
  const aside = yield* backupPath(folder, "reindex")
  yield* sweep
  return yield* Effect.ensuring(
    Effect.gen(function* () {
      const doubles = yield* salvage(library, version, beside)
      yield* quickInspect(beside)
      yield* replaceDatabase(beside, library, aside)
      return { aside, doubles } satisfies Replaced
    }),
    sweep
  )
})

/** Whether an index made its own rebuilding fail: it cannot be read, or it has admitted two rows where one may be. */
const isIndexFault = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return error instanceof StoreUnavailable
    ? error.reason === "damaged"
    : error instanceof Error && error.message.includes("SQLITE_CONSTRAINT_UNIQUE")
}

/** Safe while the service runs. If `isFree`, also rewrites the file, or replaces one whose indexes cannot be rebuilt. */
export const repairIndexes = Effect.fn("RenewIndexes.renew")(function* (folder: string, isFree: boolean) {
  const { library } = dataFolder(folder)
  const version = yield* queryLibrary(library, (ask) => versionOf(library, ask))
  const damage = yield* Effect.flip(quickInspect(library)).pipe(Effect.option)
  if (Option.isSome(damage) && !(damage.value._tag === "DatabaseDamaged" && damage.value.part !== "tables"))
    return yield* damage.value
  const renewed = yield* Effect.exit(Effect.provide(rebuildInTransaction(version), uncheckedLayer(library)))
  if (Exit.isSuccess(renewed)) {
    // Unused parts of pages may hold fragments of deleted content.
    if (isFree) yield* compact(library)
    return Option.none<Replaced>()
  }
  if (Option.isNone(damage) && !isIndexFault(renewed.cause)) return yield* Effect.failCause(renewed.cause)
  if (!isFree) return yield* new LibraryInUse({ folder, reason: "taken" })
  return Option.some(yield* replaceWithSalvaged(folder, version))
})
