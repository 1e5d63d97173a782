import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Clock, Effect, Layer, Schedule, String } from "effect"
import { Health, type HealthProblem } from "../domain/Health.ts"
import { makePermits } from "../runtime/Scheduling.ts"
import { besides } from "./DataFolder.ts"
import { openLogMark } from "./maintenance/WriteAheadLog.ts"
import { LibraryGone, storageFailure, withCode } from "./StorageFailure.ts"

/** How often an open library's place is looked at, and a disk that refused a write is asked again. */
const LOOK = "5 seconds"

/** With less free space than this a disk counts as full, though a small write may still succeed. */
const ROOM = 256 * 1024

const advice: Partial<Record<HealthProblem, string>> = {
  "storage-full": "the disk of the library is full: free space, and saving resumes by itself",
  "storage-unwritable":
    "the library cannot be written: check the disk and who owns the folder; saving resumes by itself",
  "storage-damaged":
    "part of the library cannot be read: stop the service and run `linkbower doctor`, which says what to do",
  "storage-gone":
    "the library was moved, deleted or replaced while the service runs: put DATA_DIR back, or restart the service"
}

/** Which file a path leads to; undefined where it leads to none. */
const identityOf = (path: string) => {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/** What a statement does to the transaction it runs in. */
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

/** Runs one statement; what stands around it is the same for every way to execute. */
type Around = <A>(
  statement: string,
  run: Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

const wrapped = (inner: Connection, around: Around): Connection => ({
  execute: (statement, values, transform) => around(statement, inner.execute(statement, values, transform)),
  executeRaw: (statement, values) => around(statement, inner.executeRaw(statement, values)),
  executeValues: (statement, values) => around(statement, inner.executeValues(statement, values)),
  executeUnprepared: (statement, values, transform) =>
    around(statement, inner.executeUnprepared(statement, values, transform)),
  executeStream: inner.executeStream
})

type Options = Pick<
  SqliteClient.SqliteClientConfig,
  "filename" | "readonly" | "readwrite" | "create" | "disableWAL"
>

const transformRows = Statement.defaultTransforms(String.snakeToCamel).array

/** The client of one connection, whose statements run in what `around` makes of the bare connection. */
const client = Effect.fnUntraced(function* <R>(
  options: Options,
  around: (bare: Connection) => Effect.Effect<Around, never, R>
) {
  // The package hands out its connection only for a transaction.
  const inner = yield* SqliteClient.make(options)
  const bare = yield* Effect.scoped(inner.reserve)
  const connection = wrapped(bare, yield* around(bare))
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

const failing: Around = (_, run) => Effect.mapError(run, withCode)

/** A connection that reads, or that belongs to no library in a file. */
export const plain = (options: Options) =>
  Layer.scoped(
    SqlClient.SqlClient,
    client(options, () => Effect.succeed(failing))
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * Guards what is written to the library at `filename`: no commit is acknowledged after its file or log was moved, deleted or
 * replaced, each is noted beside the log, and what goes wrong with the disk is reported to `Health` and logged once.
 */
const guard = (filename: string) =>
  Effect.fnUntraced(function* (bare: Connection) {
    const health = yield* Health
    const { log } = besides(filename)
    const mark = openLogMark(filename)
    const opened = identityOf(filename)
    let openedLog: string | undefined
    let isWithin = false
    const problems = new Set<HealthProblem>()

    /** SQLite makes the log when it first reads; from then on it is the same file until the last connection closes. */
    const isInPlace = () => {
      const now = identityOf(log)
      openedLog ??= now
      return opened !== undefined && identityOf(filename) === opened && now === openedLog
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

    const gone = Effect.suspend(() => {
      const cause = new LibraryGone()
      return Effect.zipRight(
        report("storage-gone", true),
        Effect.fail(new SqlError.SqlError({ cause, message: cause.message }))
      )
    })
    const inPlace = Effect.suspend(() => (isInPlace() ? Effect.void : gone))

    const frames = bare.execute("PRAGMA wal_checkpoint(NOOP)", [], undefined)
    // Every acknowledgement waits for this: as few steps as can be.
    const committed = Effect.matchEffect(frames, {
      onFailure: () => inPlace,
      onSuccess: ([row]) =>
        Effect.clockWith((clock) => {
          mark.committed(Number(row?.log ?? 0), clock.unsafeCurrentTimeMillis())
          return isInPlace() ? Effect.void : gone
        })
    })

    const around: Around = (statement, run) => {
      const tried = Effect.mapError(run, withCode)
      const work = Effect.suspend(() => {
        switch (verbOf(statement)) {
          case "begin":
            return Effect.tap(Effect.zipRight(inPlace, tried), () => {
              isWithin = true
            })
          case "commit":
            isWithin = false
            return Effect.zipLeft(tried, committed)
          case "rollback":
            isWithin = false
            return tried
          case "write":
            return isWithin ? tried : Effect.zipLeft(Effect.zipRight(inPlace, tried), committed)
          case "read":
            return tried
        }
      })
      return Effect.tapError(work, failed)
    }

    /** Whether a disk that refused a write takes one now: the same value once more is a commit of one page. */
    const isWritable = Effect.gen(function* () {
      const [row] = yield* bare.execute("PRAGMA user_version", [], undefined)
      yield* bare.execute(`PRAGMA user_version = ${Number(row?.user_version ?? 0)}`, [], undefined)
      const { bavail, bsize } = statfsSync(dirname(filename))
      return bavail * bsize >= ROOM
    }).pipe(Effect.catchAllCause(() => Effect.succeed(false)))

    const look = Effect.gen(function* () {
      yield* report("storage-gone", !isInPlace())
      if (isWithin || !(problems.has("storage-full") || problems.has("storage-unwritable"))) return
      if (!(yield* isWritable)) return
      yield* report("storage-full", false)
      yield* report("storage-unwritable", false)
    })
    yield* look.pipe(
      Effect.repeat(Schedule.spaced(LOOK)),
      // A disk knows only the real time.
      Effect.withClock(Clock.make()),
      Effect.forkScoped
    )
    return { around, close: mark.close }
  })

/** A connection that writes the library at `filename`, guarded. */
export const guarded = (filename: string) =>
  Layer.scoped(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      let close = () => {}
      // Before the connection, so that it runs after SQLite has written back its log and removed it.
      yield* Effect.addFinalizer(() => Effect.sync(() => close()))
      return yield* client({ filename }, (bare) =>
        Effect.map(guard(filename)(bare), (made) => {
          close = made.close
          return made.around
        })
      )
    })
  ).pipe(Layer.provide([Reactivity.layer, Health.layer]))
