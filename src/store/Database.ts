import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { SqlClient } from "@effect/sql"
import * as Migrator from "@effect/sql/Migrator"
import { Cause, DateTime, Effect, Layer, Option } from "effect"
import { migrations } from "../../migrations/index.ts"
import { Health } from "../domain/Health.ts"
import { replaceFile } from "../runtime/ReplaceFile.ts"
import { guardedConnection } from "./Connection.ts"
import { asDiskFull, LibraryUnreadable, MigrationFailed } from "./DatabaseErrors.ts"
import { sweepCompaction } from "./maintenance/Compaction.ts"
import { reconcile } from "./maintenance/Indexes.ts"
import { checkBeforeOpening, markInitialized } from "./maintenance/OpenChecks.ts"
import { reasonOf, writeSnapshot } from "./maintenance/Snapshot.ts"
import type { LostChanges } from "./maintenance/WriteAheadLog.ts"
import { newLibrary } from "./NewLibrary.ts"
import { PassedTime } from "./PassedTime.ts"
import { readNumber } from "./Rows.ts"
import { checkSchema, LATEST_VERSION, type SchemaObject, SELECT_SCHEMA } from "./Schema.ts"
import { Transaction } from "./Transaction.ts"

type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

const numberOf = (name: string) => Number.parseInt(name, 10)

const versionOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 FROM sqlite_schema WHERE name = 'effect_sql_migrations'`
  if (tables.length === 0) return 0
  return yield* readNumber(sql`SELECT max(migration_id) FROM effect_sql_migrations`)
})

const keepCopy = Effect.fnUntraced(function* (library: string, next: number) {
  const sql = yield* SqlClient.SqlClient
  const folder = dirname(library)
  const start = `${basename(library, ".db")}-before-`
  const name = `${start}${String(next).padStart(4, "0")}.db`
  yield* writeSnapshot(join(folder, name), (path) => sql`VACUUM INTO ${path}`, { replace: true })
  yield* Effect.logInfo(`copied the library before upgrading it: ${join(folder, name)}`)
  const isEarlier = (other: string) =>
    other !== name && other.startsWith(start) && /^\d{4}\.db$/.test(other.slice(start.length))
  yield* Effect.sync(() => {
    for (const other of readdirSync(folder).filter(isEarlier)) rmSync(join(folder, other), { force: true })
  })
})

/** Migrates the open database in one transaction, so a failure changes nothing; first copies a library that holds links. */
export const migrate = Effect.fn("Database.migrate")(
  function* (filename: string, migrations: Migrations) {
    const sql = yield* SqlClient.SqlClient
    const version = yield* versionOf
    const next = Object.keys(migrations)
      .map(numberOf)
      .find((number) => number > version)
    if (next === undefined) return
    if (version > 0 && (yield* sql`SELECT 1 FROM links LIMIT 1`).length > 0) yield* keepCopy(filename, next)
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations) })
  },
  (work, filename) =>
    Effect.catchAllCause(work, (cause) => {
      const error = Cause.squash(cause)
      // Two copies: the one kept from before, and the changes themselves.
      return Effect.fail(
        asDiskFull(filename, error, 2) ?? new MigrationFailed({ file: filename, reason: reasonOf(error) })
      )
    })
)

/** Sets up a connection that writes: its guarantees, its cache, and how long it waits. */
export const tune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA busy_timeout = 2000`
  yield* sql`PRAGMA foreign_keys = ON`
  // An acknowledged write must survive a power cut: NORMAL would not sync before the response.
  yield* sql`PRAGMA synchronous = FULL`
  // Overwrites deleted content: https://www.sqlite.org/pragma.html#pragma_secure_delete
  yield* sql`PRAGMA secure_delete = ON`
  yield* sql`PRAGMA cache_size = -16384`
  // No memory mapping (mmap_size): reading a mapped page that the disk cannot read kills the process silently.
  yield* sql`PRAGMA temp_store = MEMORY`
  yield* sql`PRAGMA journal_size_limit = 67108864`
})

/** Writes the log back into the file; a connection that is still reading may keep the log from being truncated. */
const checkpoint = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA busy_timeout = 200`
  yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
}).pipe(Effect.ignore)

/** Updates the derived data; on failure the service still starts, because `linkbower reindex` can rebuild it later. */
const reconciled = Effect.catchAll(reconcile, (error) =>
  Effect.logWarning(`updating the search index failed (${error.message}): run \`linkbower reindex\``)
)

/** Recreates missing indexes, which only affect speed, and logs what another program added. */
const repairSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { additions, missingIndexes } = yield* checkSchema(
    LATEST_VERSION,
    yield* sql.unsafe<SchemaObject>(SELECT_SCHEMA)
  )
  for (const index of missingIndexes) {
    yield* sql.unsafe(index.sql ?? "")
    yield* Effect.logWarning(`recreated the missing index ${index.name}`)
  }
  if (additions.length > 0)
    yield* Effect.logWarning(`another program added objects to the library: ${additions.join(", ")}`)
}).pipe(Effect.withSpan("Database.repairSchema"))

const time = (millis: number) => DateTime.formatIso(DateTime.unsafeMake(millis))

const reportLost = Effect.fnUntraced(function* (filename: string, { commits, since, until }: LostChanges) {
  const health = yield* Health
  yield* Effect.logError(
    `up to ${commits} changes saved between ${time(since)} and ${time(until)} are missing: the end of ${filename}-wal was lost. Check the disk, and save those links again`
  )
  yield* health.set("changes-lost", true)
})

const setUp = (filename: string, lost: Option.Option<LostChanges>) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      yield* tune
      yield* migrate(filename, migrations)
      yield* markInitialized(filename)
      yield* repairSchema
      if (Option.isSome(lost)) yield* reportLost(filename, lost.value)
      yield* reconciled
      const sql = yield* SqlClient.SqlClient
      // The checks read whole indexes, which later work does not need in memory.
      yield* sql`PRAGMA shrink_memory`
      // From here on Transaction waits for other writers, because SQLite's own wait would block the event loop.
      yield* sql`PRAGMA busy_timeout = 10`
      yield* Effect.addFinalizer(() => Effect.provideService(checkpoint, SqlClient.SqlClient, sql))
    })
  )

const connection = (filename: string) =>
  Layer.provideMerge(
    Transaction.layer,
    Layer.catchAllCause(guardedConnection(filename), (cause) => {
      const error = Cause.squash(cause)
      return Layer.fail(
        asDiskFull(filename, error) ?? new LibraryUnreadable({ file: filename, reason: reasonOf(error) })
      )
    })
  )

const opened = (filename: string, lost: Option.Option<LostChanges>) =>
  PassedTime.layer.pipe(
    Layer.provideMerge(setUp(filename, lost).pipe(Layer.provide(Health.layer))),
    Layer.provideMerge(connection(filename))
  )

/** Makes or migrates a library, over a connection of its own: a file can be replaced only while none is open. */
const prepared = Effect.fn("Database.prepared")(function* (filename: string, version: number) {
  if (version === 0) {
    const write = (temporary: string) => Effect.try(() => writeFileSync(temporary, newLibrary()))
    // Where that fails, such as in an empty file, the migrations make the library in place.
    return yield* Effect.ignore(replaceFile(filename, write, { replace: false }))
  }
  if (version < LATEST_VERSION)
    yield* Effect.scoped(
      Effect.provide(Effect.zipRight(tune, migrate(filename, migrations)), connection(filename))
    )
  yield* sweepCompaction(filename)
})

/** The database at `filename` as it is, of any version and possibly damaged, for repairs. */
export const uncheckedLayer = (filename: string) =>
  Layer.provideMerge(Layer.effectDiscard(tune), connection(filename))

/** The open, migrated database. Rejects, unchanged, a file that is damaged, newer, missing or not a library. */
export const layer = (filename: string) =>
  Layer.unwrapEffect(
    checkBeforeOpening(filename).pipe(
      Effect.tap(({ version }) => prepared(filename, version)),
      Effect.map(({ lost }) => opened(filename, lost))
    )
  )
