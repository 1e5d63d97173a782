import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Data, Effect, Layer, String } from "effect"
import { migrations } from "../../migrations/index.ts"
import { Transaction } from "./Transaction.ts"

/** The database was written by a newer Linkbower than this one. */
export class DatabaseTooNew extends Data.TaggedError("DatabaseTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return `The database is of version ${this.found}, this Linkbower knows ${this.known}. Install a newer Linkbower.`
  }
}

const known = Object.keys(migrations).length

const refuseNewer = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'effect_sql_migrations'`
  if (tables.length === 0) return
  const [row] = yield* sql<{ found: number }>`SELECT max(migration_id) AS found FROM effect_sql_migrations`
  if (row && row.found > known) return yield* new DatabaseTooNew({ found: row.found, known })
})

const setUp = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`PRAGMA busy_timeout = 2000`
    yield* sql`PRAGMA foreign_keys = ON`
    // What is acknowledged must survive a power cut: NORMAL would not sync before the answer.
    yield* sql`PRAGMA synchronous = FULL`
    yield* sql`PRAGMA cache_size = -65536`
    yield* sql`PRAGMA mmap_size = 268435456`
    yield* sql`PRAGMA temp_store = MEMORY`
    yield* sql`PRAGMA journal_size_limit = 67108864`
    yield* refuseNewer
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations) })
  })
)

const names = {
  transformQueryNames: String.camelToSnake,
  transformResultNames: String.snakeToCamel
}

const tuneReading = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`PRAGMA busy_timeout = 2000`
    yield* sql`PRAGMA cache_size = -65536`
    yield* sql`PRAGMA mmap_size = 1073741824`
    yield* sql`PRAGMA temp_store = MEMORY`
  })
)

/** A second connection to a database that `layer` has opened, which sees what is committed and writes nothing. */
export const readOnly = (filename: string) =>
  Layer.provideMerge(
    tuneReading,
    SqliteClient.layer({
      filename,
      readonly: true,
      readwrite: false,
      create: false,
      disableWAL: true,
      ...names
    })
  )

/** An open, migrated database at `filename`; tests pass `:memory:`. */
export const layer = (filename: string) =>
  Layer.provideMerge(Layer.merge(setUp, Transaction.layer), SqliteClient.layer({ filename, ...names }))
