import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Clock, Data, Effect, Layer, Schedule, String } from "effect"
import { Health, type HealthProblem } from "../domain/Health.ts"
import { storageFailure } from "../domain/StoreUnavailable.ts"
import { makePermits } from "../runtime/Scheduling.ts"
import { databaseSideFiles } from "./DataFolder.ts"
import { openLogMark } from "./maintenance/WriteAheadLog.ts"

/** The library's file or its log is no longer where it was when opened, so anything written would be lost. */
export class LibraryMoved extends Data.TaggedError("LibraryGone") {
  readonly code = "LIBRARY_GONE"
  override get message() {
    return "the library's file was moved, deleted or replaced (LIBRARY_GONE)"
  }
}

/** Adds SQLite's code to the message of a statement's failure, because only the message leaves a thread. */
export const withCode = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause } = error
  return cause instanceof Error && "code" in cause
    ? new SqlError.SqlError({ cause, message: `${cause.message} (${cause.code})` })
    : error
}

/** How often an open library's location is checked, and a disk that refused a write is probed. */
const CHECK_INTERVAL = "5 seconds"

/** A disk with fewer free bytes than this counts as full, though a small write may still succeed. */
const MIN_FREE_BYTES = 256 * 1024

const advice: Partial<Record<HealthProblem, string>> = {
  "storage-full": "the library's disk is full: free space; saving resumes automatically",
  "storage-unwritable":
    "the library cannot be written: check the disk and the owner of the folder; saving resumes automatically",
  "storage-damaged":
    "part of the library cannot be read: stop the service and run `linkbower doctor`, which says what to do",
  "storage-gone":
    "the library was moved, deleted or replaced while the service runs: put DATA_DIR back, or restart the service"
}

/** Returns the device and inode of the file at a path; undefined if there is no file. */
const identityOf = (path: string) => {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** Returns a statement's effect on the transaction it runs in. */
const verbOf = (statement: string) => {
  switch (/^\s*(\w+)/.exec(statement)?.[1]?.toUpperCase()) {
    case "BEGIN":
      return "begin"
    case "COMMIT":
    case "END":
      return "commit"
    case "ROLLBACK":
      // `ROLLBACK TO` leaves the transaction open.
      return /^\s*ROLLBACK\s+TO\b/i.test(statement) ? "read" : "rollback"
    case "INSERT":
    case "UPDATE":
    case "DELETE":
    case "REPLACE":
    case "WITH":
      return "write"
    default:
      return "read"
  }
}

/** Runs one statement, with the same handling around it for every way to execute. */
type Interceptor = <A>(
  statement: string,
  run: Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

const wrapped = (inner: Connection, intercept: Interceptor): Connection => ({
  execute: (statement, values, transform) =>
    intercept(statement, inner.execute(statement, values, transform)),
  executeRaw: (statement, values) => intercept(statement, inner.executeRaw(statement, values)),
  executeValues: (statement, values) => intercept(statement, inner.executeValues(statement, values)),
  executeUnprepared: (statement, values, transform) =>
    intercept(statement, inner.executeUnprepared(statement, values, transform)),
  executeStream: inner.executeStream
})

type Options = Pick<
  SqliteClient.SqliteClientConfig,
  "filename" | "readonly" | "readwrite" | "create" | "disableWAL"
>

const transformRows = Statement.defaultTransforms(String.snakeToCamel).array

/** Makes the client of one connection, whose statements run through the interceptor that `intercept` makes. */
const client = Effect.fnUntraced(function* <R>(
  options: Options,
  intercept: (bare: Connection) => Effect.Effect<Interceptor, never, R>
) {
  // The package exposes its connection only for a transaction.
  const inner = yield* SqliteClient.make(options)
  const bare = yield* Effect.scoped(inner.reserve)
  const connection = wrapped(bare, yield* intercept(bare))
  const turn = makePermits(1)
  return yield* SqlClient.make({
    acquirer: Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(restore(turn.take), Effect.as(turn.release, connection))
    ),
    transactionAcquirer: Effect.uninterruptibleMask((restore) =>
      Effect.as(
        Effect.zipRight(
          restore(turn.take),
          Effect.addFinalizer(() => turn.release)
        ),
        connection
      )
    ),
    compiler: Statement.makeCompilerSqlite(String.camelToSnake),
    spanAttributes: [["db.system.name", "sqlite"]],
    transformRows
  })
})

const withSqliteCode: Interceptor = (_, run) => Effect.mapError(run, withCode)

/** A connection without a guard: for reading, or for a database in memory. */
export const unguardedConnection = (options: Options) =>
  Layer.scoped(
    SqlClient.SqlClient,
    client(options, () => Effect.succeed(withSqliteCode))
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * Guards writes to the library at `filename`: acknowledges no commit after the file or its log was moved, deleted or
 * replaced, records each commit beside the log, and reports disk problems to `Health`, logging each once.
 */
const guard = (filename: string) =>
  Effect.fnUntraced(function* (bare: Connection) {
    const health = yield* Health
    const { log } = databaseSideFiles(filename)
    const mark = openLogMark(filename)
    const openedFile = identityOf(filename)
    let openedLog: string | undefined
    let isInTransaction = false
    const problems = new Set<HealthProblem>()

    /** SQLite creates the log on its first read and keeps the same file until the last connection closes. */
    const isInPlace = () => {
      const now = identityOf(log)
      openedLog ??= now
      return openedFile !== undefined && identityOf(filename) === openedFile && now === openedLog
    }

    const report = Effect.fnUntraced(function* (problem: HealthProblem, exists: boolean) {
      if (problems.has(problem) === exists) return
      if (exists) problems.add(problem)
      else problems.delete(problem)
      yield* health.set(problem, exists)
      if (exists) yield* Effect.logError(advice[problem] ?? problem)
    })

    const failed = (error: SqlError.SqlError) => {
      const problem = storageFailure(error)?.problem
      return problem === undefined ? Effect.void : report(problem, true)
    }

    const failAsGone = Effect.suspend(() => {
      const cause = new LibraryMoved()
      return Effect.zipRight(
        report("storage-gone", true),
        Effect.fail(new SqlError.SqlError({ cause, message: cause.message }))
      )
    })
    const requireInPlace = Effect.suspend(() => (isInPlace() ? Effect.void : failAsGone))

    const countFrames = bare.execute("PRAGMA wal_checkpoint(NOOP)", [], undefined)
    // Every acknowledgement waits for this, so it takes as few steps as possible.
    const committed = Effect.matchEffect(countFrames, {
      onFailure: () => requireInPlace,
      onSuccess: ([row]) =>
        Effect.clockWith((clock) => {
          mark.committed(Number(row?.log ?? 0), clock.unsafeCurrentTimeMillis())
          return isInPlace() ? Effect.void : failAsGone
        })
    })

    const intercept: Interceptor = (statement, run) => {
      const tried = Effect.mapError(run, withCode)
      const work = Effect.suspend(() => {
        switch (verbOf(statement)) {
          case "begin":
            return Effect.tap(Effect.zipRight(requireInPlace, tried), () => {
              isInTransaction = true
            })
          case "commit":
            isInTransaction = false
            return Effect.zipLeft(tried, committed)
          case "rollback":
            isInTransaction = false
            return tried
          case "write":
            return isInTransaction ? tried : Effect.zipLeft(Effect.zipRight(requireInPlace, tried), committed)
          case "read":
            return tried
        }
      })
      return Effect.tapError(work, failed)
    }

    /** Whether a disk that refused a write accepts one now; rewriting the same value commits one page. */
    const isWritable = Effect.gen(function* () {
      const [row] = yield* bare.execute("PRAGMA user_version", [], undefined)
      yield* bare.execute(`PRAGMA user_version = ${Number(row?.user_version ?? 0)}`, [], undefined)
      const { bavail, bsize } = statfsSync(dirname(filename))
      return bavail * bsize >= MIN_FREE_BYTES
    }).pipe(Effect.catchAllCause(() => Effect.succeed(false)))

    const checkStorage = Effect.gen(function* () {
      yield* report("storage-gone", !isInPlace())
      if (isInTransaction || !(problems.has("storage-full") || problems.has("storage-unwritable"))) return
      if (!(yield* isWritable)) return
      yield* report("storage-full", false)
      yield* report("storage-unwritable", false)
    })
    yield* checkStorage.pipe(
      Effect.repeat(Schedule.spaced(CHECK_INTERVAL)),
      // Disks recover in real time, whatever clock a test provides.
      Effect.withClock(Clock.make()),
      Effect.forkScoped
    )
    return { intercept, close: mark.close }
  })

/** A guarded connection that writes to the library at `filename`. */
export const guardedConnection = (filename: string) =>
  Layer.scoped(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      let close = () => {}
      // Registered before the connection, so that it runs after SQLite has written back and removed its log.
      yield* Effect.addFinalizer(() => Effect.sync(() => close()))
      return yield* client({ filename }, (bare) =>
        Effect.map(guard(filename)(bare), (made) => {
          close = made.close
          return made.intercept
        })
      )
    })
  ).pipe(Layer.provide([Reactivity.layer, Health.layer]))

const tuneReading = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`PRAGMA busy_timeout = 2000`
    yield* sql`PRAGMA cache_size = -65536`
    yield* sql`PRAGMA temp_store = MEMORY`
  })
)

/**
 * A second, read-only connection to a database that `Database.layer` has opened; it sees committed data. A thread that
 * reads loads only this, without the migrations.
 */
export const readOnly = (filename: string) =>
  Layer.provideMerge(
    tuneReading,
    unguardedConnection({ filename, readonly: true, readwrite: false, create: false, disableWAL: true })
  )
