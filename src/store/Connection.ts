import { Database } from "bun:sqlite"
import { statfsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Clock, Data, Effect, Layer, Schedule, String } from "effect"
import { Health } from "../domain/Health.ts"
import { storageFailure } from "../domain/StoreUnavailable.ts"
import { whenResting } from "../runtime/Rest.ts"
import { makePermits } from "../runtime/Scheduling.ts"
import { asDiskFull } from "./DatabaseErrors.ts"
import { databaseSideFiles } from "./DataFolder.ts"
import { openReadOnly } from "./maintenance/TableCheck.ts"
import { openLogMark, readsWhole } from "./maintenance/WriteAheadLog.ts"

/** The library's file or its log is no longer where it was when opened, so anything written would be lost. */
export class LibraryMoved extends Data.TaggedError("LibraryGone") {
  readonly code = "LIBRARY_GONE"
  override get message() {
    return "the library's file was moved, deleted or replaced (LIBRARY_GONE)"
  }
}

/** The library or its log is known to be damaged, so anything written may be lost or add to the damage. */
class LibraryDamaged extends Data.TaggedError("LibraryDamaged") {
  readonly code = "LIBRARY_DAMAGED"
  override get message() {
    return "the library is damaged, so nothing is written (LIBRARY_DAMAGED)"
  }
}

/** Adds SQLite's code to the message of a statement's failure, because only the message leaves a thread. */
export const withCode = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause } = error
  return cause instanceof Error && "code" in cause
    ? new SqlError.SqlError({ cause, message: `${cause.message} (${cause.code})` })
    : error
}

// A save has more statements than Bun's 20, so that it would prepare each of them again, which is a quarter of its cost.
Database.MAX_QUERY_CACHE_SIZE = 128

/** How often an open library's location is checked, and a disk that refused a write is probed. */
const CHECK_INTERVAL = "5 seconds"

/** A disk with fewer free bytes than this counts as full, though a small write may still succeed. */
const MIN_FREE_BYTES = 256 * 1024

const fileAt = (path: string) => {
  try {
    const { dev, ino, size } = statSync(path)
    return { identity: `${dev} ${ino}`, size }
  } catch {
    return undefined
  }
}

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
      return "write"
    case "WITH":
      return /\b(INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\b/i.test(statement)
        ? "write"
        : "read"
    case "PRAGMA":
      return /^\s*PRAGMA\s+wal_checkpoint\b/i.test(statement) ? "checkpoint" : "read"
    default:
      return "read"
  }
}

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

const client = Effect.fnUntraced(function* <R>(
  options: Options,
  intercept: (bare: Connection) => Effect.Effect<Interceptor, never, R>
) {
  // The package exposes its connection only for a transaction.
  const inner = yield* SqliteClient.make(options)
  const bare = yield* Effect.scoped(inner.reserve)
  const connection = wrapped(bare, yield* intercept(bare))
  // Pages that a rest leaves unread are read from the system's cache again.
  yield* whenResting(Effect.ignore(bare.execute("PRAGMA shrink_memory", [], undefined))).pipe(
    // A thread rests in real time, whatever clock a test provides.
    Effect.withClock(Clock.make()),
    Effect.forkScoped
  )
  const turn = makePermits(1)
  return yield* SqlClient.make({
    // A connection that only reads has no transaction whose end a statement must wait for.
    acquirer:
      options.readonly === true
        ? Effect.succeed(connection)
        : Effect.uninterruptibleMask((restore) =>
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

export const unguardedConnection = (options: Options) =>
  Layer.scoped(
    SqlClient.SqlClient,
    client(options, () => Effect.succeed(withSqliteCode))
  ).pipe(Layer.provide(Reactivity.layer))

/** Opens one more connection to a library, which keeps SQLite from writing its log back; undefined if that fails. */
const openHeld = (filename: string) => {
  try {
    const database = openReadOnly(filename, false)
    // It takes its lock with its first read.
    database.query("PRAGMA schema_version").all()
    return database
  } catch {
    return undefined
  }
}

/** The log is written back into the library when it has grown by this many frames, as by SQLite's own default. */
const FRAMES_PER_CHECKPOINT = 1_000

/** How often a log that looks wrong is looked at again: another process may be emptying it. */
const LOOKS = 3

/** Acknowledges no commit once file or log are moved, cut or overwritten, or `Health` knows of damage. */
const guard = (filename: string) =>
  Effect.fnUntraced(function* (bare: Connection) {
    const health = yield* Health
    const { log } = databaseSideFiles(filename)
    const mark = openLogMark(filename)
    const opened = fileAt(filename)?.identity
    let openedLog: string | undefined
    /** The file never shrinks while it is open. */
    let size = 0
    let isInTransaction = false
    /** Whether the log is known to lack commits. */
    let isTorn = false
    let held: ReturnType<typeof openHeld>
    /** The number of frames in the log when it was last written back. */
    let writtenBack = 0

    // SQLite would write frames back without their checksums: `checkpoint` reads them first.
    yield* Effect.ignore(bare.execute("PRAGMA wal_autocheckpoint = 0", [], undefined))

    /** SQLite creates the log on its first read and keeps the same file until the last connection closes. */
    const isInPlace = () => {
      const now = fileAt(log)?.identity
      openedLog ??= now
      return opened !== undefined && fileAt(filename)?.identity === opened && now === openedLog
    }

    // Not read: to close a descriptor of its own would release SQLite's locks on the file.
    const reportCutOff = Effect.suspend(() => {
      const now = fileAt(filename)?.size ?? 0
      size = Math.max(size, now)
      return now < size ? health.set("storage-damaged", true) : Effect.void
    })

    const failed = (error: SqlError.SqlError) => {
      const problem = storageFailure(error)?.problem
      if (problem === undefined) return Effect.void
      const full = problem === "storage-full" ? asDiskFull(filename, error) : undefined
      return health.set(problem, true, full && `${full.what.replace(/\.$/, "")}, so nothing can be saved`)
    }

    const refuse = (cause: LibraryMoved | LibraryDamaged) => {
      const error = new SqlError.SqlError({ cause, message: cause.message })
      return Effect.zipRight(failed(error), Effect.fail(error))
    }

    /** Keeps a torn log as it is: a part of it would mix two libraries. One more connection stops SQLite's write-back. */
    const reportTorn = Effect.suspend(() => {
      isTorn = true
      held ??= openHeld(filename)
      return health.set("log-damaged", true)
    })

    const countFrames = bare.execute("PRAGMA wal_checkpoint(NOOP)", [], undefined)

    /** Whether the log still holds every commit. SQLite does not look: it would go on writing behind a gap. */
    const isLogWhole = Effect.suspend(() => {
      if (isTorn || mark.isIntact()) return Effect.succeed(!isTorn)
      const look = Effect.match(countFrames, {
        // The statement that follows meets the same failure.
        onFailure: () => true,
        onSuccess: ([row]) => mark.holds(Number(row?.log ?? 0))
      })
      return Effect.repeat(look, { until: (isWhole) => isWhole, times: LOOKS - 1 })
    })

    const requireSound: Effect.Effect<void, SqlError.SqlError> = Effect.gen(function* () {
      if (!isInPlace()) return yield* refuse(new LibraryMoved())
      if (!(yield* isLogWhole)) yield* reportTorn
      yield* reportCutOff
      if (isTorn || (yield* health.has("storage-damaged"))) return yield* refuse(new LibraryDamaged())
    })

    const refuseTorn = Effect.zipRight(reportTorn, refuse(new LibraryDamaged()))

    /** Requires a log that reads whole, frame by frame, before SQLite writes it back into the library. */
    const requireWhole = Effect.zipRight(
      requireSound,
      Effect.flatMap(readsWhole(filename), (isWhole) => (isWhole ? Effect.void : refuseTorn))
    )

    const checkpoint = Effect.zipRight(
      requireWhole,
      // A log that cannot be written back now stays for the next time.
      Effect.ignore(bare.execute("PRAGMA wal_checkpoint(PASSIVE)", [], undefined))
    )

    // Every acknowledgement waits for this, so it takes as few steps as possible.
    const committed = Effect.matchEffect(countFrames, {
      onFailure: () => requireSound,
      onSuccess: ([row]) =>
        Effect.clockWith((clock) => {
          const frames = Number(row?.log ?? 0)
          if (!mark.committed(frames, clock.unsafeCurrentTimeMillis())) return refuseTorn
          if (!isInPlace()) return refuse(new LibraryMoved())
          // SQLite starts again at the beginning of a log that was written back.
          if (frames < writtenBack) writtenBack = 0
          if (frames - writtenBack < FRAMES_PER_CHECKPOINT) return Effect.void
          writtenBack = frames
          return checkpoint
        })
    })

    const intercept: Interceptor = (statement, run) => {
      const tried = Effect.mapError(run, withCode)
      const work = Effect.suspend(() => {
        switch (verbOf(statement)) {
          case "begin":
            return Effect.tap(Effect.zipRight(requireSound, tried), () => {
              isInTransaction = true
            })
          case "commit":
            isInTransaction = false
            return Effect.zipLeft(tried, committed)
          case "rollback":
            isInTransaction = false
            return tried
          case "write":
            return isInTransaction ? tried : Effect.zipLeft(Effect.zipRight(requireSound, tried), committed)
          case "checkpoint":
            return Effect.zipRight(requireWhole, tried)
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
      const isMoved = !isInPlace()
      yield* health.set("storage-gone", isMoved)
      if (isMoved || isInTransaction) return
      if (!(yield* isLogWhole)) return yield* reportTorn
      yield* reportCutOff
      if (!((yield* health.has("storage-full")) || (yield* health.has("storage-unwritable")))) return
      if (!(yield* isWritable)) return
      yield* health.set("storage-full", false)
      yield* health.set("storage-unwritable", false)
    })
    yield* checkStorage.pipe(
      Effect.repeat(Schedule.spaced(CHECK_INTERVAL)),
      // Disks recover in real time, whatever clock a test provides.
      Effect.withClock(Clock.make()),
      Effect.forkScoped
    )
    return {
      intercept,
      close: () => {
        mark.close()
        held?.close()
      }
    }
  })

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
    yield* sql`PRAGMA cache_size = -16384`
    yield* sql`PRAGMA temp_store = MEMORY`
  })
)

/** A second, read-only connection that sees committed data. A reading thread loads only this, without the migrations. */
export const readOnly = (filename: string) =>
  Layer.provideMerge(
    tuneReading,
    unguardedConnection({ filename, readonly: true, readwrite: false, create: false, disableWAL: true })
  )
