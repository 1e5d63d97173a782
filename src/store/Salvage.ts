import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Effect } from "effect"
import { migrationsUpTo, shadowTables } from "./Schema.ts"
import { rebuildIndexes } from "./SearchIndexes.ts"

const copyAll = Effect.fnUntraced(function* (from: string, version: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrationsUpTo(version)) })
  yield* sql`PRAGMA foreign_keys = OFF`
  yield* sql`ATTACH ${from} AS damaged`
  const triggers = yield* sql<{
    name: string
    sql: string
  }>`SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'`
  const tables = yield* sql<{ name: string }>`SELECT name FROM main.sqlite_schema
    WHERE type = 'table' AND rootpage > 0 AND name <> 'sqlite_sequence'`
  const shadows = shadowTables(version)

  const copy = Effect.fnUntraced(function* (table: string) {
    const columns = yield* sql<{ name: string }>`SELECT name FROM pragma_table_info(${table}, 'main')`
    const list = columns.map(({ name }) => `"${name}"`).join(", ")
    yield* sql.unsafe(`DELETE FROM main."${table}"`)
    yield* sql.unsafe(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM damaged."${table}"`)
  })

  yield* sql.withTransaction(
    Effect.gen(function* () {
      // What they would do has been done, and is copied.
      for (const { name } of triggers) yield* sql`DROP TRIGGER ${sql(name)}`
      for (const { name } of tables) if (!shadows.includes(name)) yield* copy(name)
      // Numbers that were given away are never given again.
      yield* sql`DELETE FROM main.sqlite_sequence`
      yield* sql`INSERT INTO main.sqlite_sequence SELECT * FROM damaged.sqlite_sequence`
      for (const trigger of triggers) yield* sql.unsafe(trigger.sql)
      yield* rebuildIndexes(version)
    })
  )
})

/**
 * Writes a library of this version to the file `to`, which is empty: everything of the library `from` but its full-text
 * indexes, which are made from the links. For damage in the indexes that SQLite cannot delete them over.
 */
export const salvage = (from: string, version: number, to: string) =>
  copyAll(from, version).pipe(
    Effect.provide(SqliteClient.layer({ filename: to, disableWAL: true })),
    Effect.withSpan("Salvage.salvage")
  )
