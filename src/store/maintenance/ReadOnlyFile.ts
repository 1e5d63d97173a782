import { SQLiteError } from "bun:sqlite"
import { existsSync, statSync } from "node:fs"
import { Effect } from "effect"
import {
  asDiskFull,
  DatabaseDamaged,
  type InspectionError,
  LibraryUnreadable,
  NotALibrary
} from "../DatabaseErrors.ts"
import { databaseSideFiles } from "../DataFolder.ts"
import { openReadOnly } from "./TableCheck.ts"

/** No rows for a statement without any. Decodes nothing: a damaged file holds anything, and callers only show values. */
export type RunQuery = <Row extends object>(
  statement: string,
  ...values: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<Row>, InspectionError>

/** Work on an open file; `unchanging` says that nothing writes it meanwhile, so that it is read without locks. */
export type UseFile<A, E> = (ask: RunQuery, unchanging: boolean) => Effect.Effect<A, E>

/** Maps SQLite's result code (https://www.sqlite.org/rescode.html) to an error about the file. */
const errorOf =
  (file: string) =>
  (cause: unknown): InspectionError => {
    const full = asDiskFull(file, cause)
    if (full !== undefined) return full
    const code = cause instanceof SQLiteError ? (cause.code ?? "") : ""
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (code === "SQLITE_NOTADB") return new NotALibrary({ file, found: "no database" })
    if (/^SQLITE_(CORRUPT|IOERR)/.test(code))
      return new DatabaseDamaged({ file, problems: [reason], part: "tables" })
    return new LibraryUnreadable({ file, reason })
  }

const hasLog = (file: string) => existsSync(databaseSideFiles(file).log)

const stampOf = (file: string) => {
  const { mtimeNs, size } = statSync(file, { bigint: true })
  return `${mtimeNs} ${size} ${hasLog(file)}`
}

export const trying = <B>(file: string, work: () => B) => Effect.try({ try: work, catch: errorOf(file) })

const withConnection = <A, E>(file: string, unchanging: boolean, use: UseFile<A, E>) =>
  Effect.acquireUseRelease(
    trying(file, () => openReadOnly(file, unchanging)),
    (database) =>
      use(
        <Row extends object>(statement: string, ...values: ReadonlyArray<string>) =>
          trying(file, () => database.query<Row, Array<string>>(statement).all(...values)),
        unchanging
      ),
    (database) => Effect.sync(() => database.close())
  )

/** Reads a database without its log: changes in the log are missing, and the result may be inconsistent. */
export const queryWithoutLog = <A, E>(file: string, use: UseFile<A, E>) => withConnection(file, true, use)

/** Reads over a separate connection, changing nothing. `use` runs again if another process began to write. */
export const queryFile = <A, E>(file: string, use: UseFile<A, E>) =>
  Effect.gen(function* () {
    // A log means that a process has the database open, or crashed while it had.
    if (hasLog(file)) return yield* withConnection(file, false, use)
    const before = yield* trying(file, () => stampOf(file))
    const result = yield* Effect.exit(withConnection(file, true, use))
    return before === (yield* trying(file, () => stampOf(file)))
      ? yield* result
      : yield* withConnection(file, false, use)
  })
