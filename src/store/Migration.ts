import { readdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { Cause, Effect } from "effect"
import { MigrationFailed } from "./DatabaseErrors.ts"
import { asDiskFull } from "./DiskSpace.ts"
import { reasonOf, writeSnapshot } from "./Snapshot.ts"

type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

const numberOf = (name: string) => Number.parseInt(name, 10)

/** The version of the open database; 0 before its first migration. */
const versionOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'effect_sql_migrations'`
  if (tables.length === 0) return 0
  const [row] = yield* sql<{
    found: number | null
  }>`SELECT max(migration_id) AS found FROM effect_sql_migrations`
  return row?.found ?? 0
})

/** Keeps the library as it is before it is changed; of such copies only this one stays. */
const keepCopy = Effect.fnUntraced(function* (library: string, next: number) {
  const sql = yield* SqlClient.SqlClient
  const folder = dirname(library)
  const start = `${basename(library, ".db")}-before-`
  const name = `${start}${String(next).padStart(4, "0")}.db`
  yield* writeSnapshot(join(folder, name), (path) => sql`VACUUM INTO ${path}`, { replace: true })
  yield* Effect.logInfo(`The library as it was before this version is kept in ${join(folder, name)}`)
  const isEarlier = (other: string) =>
    other !== name && other.startsWith(start) && /^\d{4}\.db$/.test(other.slice(start.length))
  yield* Effect.sync(() => {
    for (const other of readdirSync(folder).filter(isEarlier)) rmSync(join(folder, other), { force: true })
  })
})

/**
 * Brings the open database to the newest version, all of the way or not at all: the migrations run in one transaction.
 * Links in a file are copied first. Where that fails nothing has changed.
 */
export const migrate = Effect.fn("Migration.migrate")(
  function* (filename: string, migrations: Migrations) {
    const sql = yield* SqlClient.SqlClient
    const version = yield* versionOf
    const next = Object.keys(migrations)
      .map(numberOf)
      .find((number) => number > version)
    if (next === undefined) return
    if (version > 0 && filename !== ":memory:" && (yield* sql`SELECT 1 FROM links LIMIT 1`).length > 0)
      yield* keepCopy(filename, next)
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations) })
  },
  (work, filename) =>
    Effect.catchAllCause(work, (cause) => {
      const error = Cause.squash(cause)
      // The copy of the library that is kept, and the changes themselves.
      return Effect.fail(
        asDiskFull(filename, error, 2) ?? new MigrationFailed({ file: filename, reason: reasonOf(error) })
      )
    })
)
