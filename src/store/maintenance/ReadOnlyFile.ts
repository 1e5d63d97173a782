import { constants, Database, SQLiteError } from "bun:sqlite"
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { DatabaseDamaged, type InspectionError, LibraryUnreadable, NotALibrary } from "../DatabaseErrors.ts"
import { besides } from "../DataFolder.ts"
import { asDiskFull } from "../StorageFailure.ts"

/** Asks the database; a statement that gives no rows gives none. */
export type Ask = <Row extends object>(
  statement: string,
  ...values: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<Row>, InspectionError>

/** What SQLite's result code (https://www.sqlite.org/rescode.html) says about the file. */
const errorOf =
  (file: string) =>
  (cause: unknown): InspectionError => {
    const full = asDiskFull(file, cause)
    if (full !== undefined) return full
    const code = cause instanceof SQLiteError ? (cause.code ?? "") : ""
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (code === "SQLITE_NOTADB") return new NotALibrary({ file, found: "no database" })
    if (/^SQLITE_(CORRUPT|IOERR)/.test(code))
      return new DatabaseDamaged({ file, problems: [reason], onlyIndex: false })
    return new LibraryUnreadable({ file, reason })
  }

/** SQLite leaves a log and an index beside a database it only reads, unless it may take it for unchanging. */
const open = (file: string, unchanging: boolean) => {
  const address = `${pathToFileURL(resolve(file)).href}${unchanging ? "?immutable=1" : ""}`
  const database = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  database.run("PRAGMA busy_timeout = 2000")
  database.run("PRAGMA cache_size = -65536")
  return database
}

const hasLog = (file: string) => existsSync(besides(file).log)

const stampOf = (file: string) => {
  const { mtimeNs, size } = statSync(file, { bigint: true })
  return `${mtimeNs} ${size} ${hasLog(file)}`
}

const trying = <B>(file: string, work: () => B) => Effect.try({ try: work, catch: errorOf(file) })

const once = <A, E>(file: string, unchanging: boolean, use: (ask: Ask) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    trying(file, () => open(file, unchanging)),
    (database) =>
      use(<Row extends object>(statement: string, ...values: ReadonlyArray<string>) =>
        trying(file, () => database.query<Row, Array<string>>(statement).all(...values))
      ),
    (database) => Effect.sync(() => database.close())
  )

/** Reads a database as it would be without its log; what stands in the log is not seen, and much may not fit together. */
export const readingWithoutLog = <A, E>(file: string, use: (ask: Ask) => Effect.Effect<A, E>) =>
  once(file, true, use)

/**
 * Reads a database, beside a process that writes it if there is one, over a connection of its own. Neither the file nor
 * its folder is changed. `use` may run twice: once more where somebody began to write meanwhile.
 */
export const reading = <A, E>(file: string, use: (ask: Ask) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    // A log beside it says that somebody has it open, or had until a crash.
    if (hasLog(file)) return yield* once(file, false, use)
    const before = yield* trying(file, () => stampOf(file))
    const result = yield* Effect.exit(once(file, true, use))
    return before === (yield* trying(file, () => stampOf(file)))
      ? yield* result
      : yield* once(file, false, use)
  })
