import { rmSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect, Exit, Option, Schema } from "effect"
import { uncheckedLayer } from "../Database.ts"
import { databaseSideFiles, dataFolder } from "../DataFolder.ts"
import { LibraryInUse } from "../Lock.ts"
import { decodeNames, decodeRows } from "../Rows.ts"
import { migrationsUpTo, shadowTables } from "../Schema.ts"
import { compact } from "./Compaction.ts"
import { rebuildIndexes, rebuildInTransaction } from "./Indexes.ts"
import { queryLibrary, quickInspect, versionOf } from "./Inspection.ts"
import { backupPath, replaceDatabase } from "./Restore.ts"

const decodeTriggers = decodeRows(Schema.Struct({ name: Schema.String, sql: Schema.String }))

const copyAll = Effect.fnUntraced(function* (from: string, version: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
  yield* sql`PRAGMA foreign_keys = OFF`
  yield* sql`ATTACH ${from} AS damaged`
  const triggers = yield* decodeTriggers(sql`SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'`)
  const tables = yield* decodeNames(
    sql`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name <> 'sqlite_sequence'`
  )
  const shadows = shadowTables(version)

  const copy = Effect.fnUntraced(function* (table: string) {
    const columns = yield* decodeNames(sql`SELECT name FROM pragma_table_info(${table}, 'main')`)
    const list = columns.map(({ name }) => `"${name}"`).join(", ")
    yield* sql.unsafe(`DELETE FROM main."${table}"`)
    yield* sql.unsafe(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM damaged."${table}"`)
  })

  yield* sql.withTransaction(
    Effect.gen(function* () {
      // Their effects are already in the copied rows.
      for (const { name } of triggers) yield* sql`DROP TRIGGER ${sql(name)}`
      for (const { name } of tables) if (!shadows.includes(name)) yield* copy(name)
      // Ids that were assigned once are never reused.
      yield* sql`DELETE FROM main.sqlite_sequence`
      yield* sql`INSERT INTO main.sqlite_sequence SELECT * FROM damaged.sqlite_sequence`
      for (const trigger of triggers) yield* sql.unsafe(trigger.sql)
      yield* rebuildIndexes(version)
    })
  )
})

/**
 * Writes a library of this version to the empty file `to`: copies everything from the library `from` except its
 * full-text indexes, and rebuilds those from the links. For indexes so damaged that SQLite cannot delete them.
 */
const salvage = (from: string, version: number, to: string) =>
  copyAll(from, version).pipe(
    Effect.provide(SqliteClient.layer({ filename: to, disableWAL: true })),
    Effect.withSpan("RenewIndexes.salvage")
  )

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
