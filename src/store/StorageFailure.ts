import { SQLiteError } from "bun:sqlite"
import { existsSync, statfsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { SqlError } from "@effect/sql"
import { Cause, Chunk, Data } from "effect"
import type { HealthProblem } from "../domain/Health.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"

/** The library's file, or its log, is no longer where it was when it was opened: nothing written would be found again. */
export class LibraryGone extends Data.TaggedError("LibraryGone") {
  readonly code = "LIBRARY_GONE"
  override get message() {
    return "the library's file was moved, deleted or replaced (LIBRARY_GONE)"
  }
}

interface Meaning {
  /** What a caller is told who wanted to write. */
  readonly reason: StoreUnavailable["reason"]
  /** What the service as a whole suffers from; absent for what passes by itself. */
  readonly problem?: HealthProblem
}

/**
 * What SQLite's result codes (https://www.sqlite.org/rescode.html) say about the database as a whole; the first match
 * counts. An I/O error while reading is damage; one while writing may be over as soon as the disk lets SQLite write.
 */
const meanings: ReadonlyArray<readonly [code: RegExp, meaning: Meaning]> = [
  [/^LIBRARY_GONE/, { reason: "gone", problem: "storage-gone" }],
  [/^SQLITE_FULL/, { reason: "full", problem: "storage-full" }],
  [/^SQLITE_(BUSY|LOCKED)/, { reason: "busy" }],
  [/^SQLITE_READONLY/, { reason: "read-only", problem: "storage-unwritable" }],
  [/^SQLITE_IOERR_NOMEM/, { reason: "busy" }],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|LOCK|UNLOCK|RDLOCK|BLOCKED|SHM|COMMIT_ATOMIC|BEGIN_ATOMIC)/,
    { reason: "unwritable", problem: "storage-unwritable" }
  ],
  [/^SQLITE_(IOERR|CORRUPT|NOTADB)/, { reason: "damaged", problem: "storage-damaged" }],
  [/^SQLITE_CANTOPEN/, { reason: "damaged" }]
]

const meaningOf = (code: string): Meaning | undefined => meanings.find(([known]) => known.test(code))?.[1]

/** SQLite's result code, or ours, in an error; a thread's error has come as text, which names it in brackets. */
const codeIn = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("code" in error && typeof error.code === "string" && meaningOf(error.code)) return error.code
  return /\b(?:SQLITE|LIBRARY)_[A-Z_]+\b/.exec(error.message)?.[0] ?? codeIn(error.cause)
}

/** What a failed statement says about the database as a whole, if anything. */
export const storageFailure = (error: unknown): Meaning | undefined => {
  const code = codeIn(error)
  return code === undefined ? undefined : meaningOf(code)
}

/** The same of whatever has ended an effect, be it in this thread or in another. */
export const storageFailureIn = (cause: Cause.Cause<unknown>): Meaning | undefined =>
  [...Cause.failures(cause), ...Chunk.toReadonlyArray(Cause.defects(cause))]
    .map(storageFailure)
    .find((meaning) => meaning !== undefined)

/** The failure of a statement with SQLite's code in its message, which is all that comes out of a thread. */
export const withCode = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause } = error
  return cause instanceof Error && "code" in cause
    ? new SqlError.SqlError({ cause, message: `${cause.message} (${cause.code})` })
    : error
}

/** What SQLite writes to open a library: its log, the log's index, and what it sorts. In bytes. */
const OPENING = 4_000_000

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/** There is not enough room on the disk to open or upgrade the library, which is unchanged. Sizes are in bytes. */
export class DiskFull extends Data.TaggedError("DiskFull")<{
  readonly file: string
  readonly free: number
  readonly needed: number
}> {
  get what() {
    return `The disk that holds ${this.file} is full: ${megabytes(this.free)} are free, and about ${megabytes(this.needed)} are needed.`
  }
  override get message() {
    return `${this.what} Free at least ${megabytes(Math.max(this.needed - this.free, 0))} in ${dirname(this.file)} and try again; the library is unchanged.`
  }
}

/** Finds SQLite's error beneath those that wrap it. */
const sqliteErrorIn = (cause: unknown): SQLiteError | undefined =>
  cause instanceof SQLiteError
    ? cause
    : cause instanceof Error && cause.cause !== undefined
      ? sqliteErrorIn(cause.cause)
      : undefined

/**
 * The failure as a full disk, if that is what it is. On a full disk SQLite reports an I/O error where it cannot make the
 * index of its log, so the free space decides. `copies` says how many times the size of the file is needed beside it.
 */
export const asDiskFull = (file: string, cause: unknown, copies = 0): DiskFull | undefined => {
  const code = sqliteErrorIn(cause)?.code ?? ""
  if (!/^SQLITE_(FULL|IOERR|CANTOPEN)/.test(code)) return undefined
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(file)))
    const free = bavail * bsize
    const needed = OPENING + copies * (existsSync(file) ? statSync(file).size : 0)
    return code.startsWith("SQLITE_FULL") || free < OPENING ? new DiskFull({ file, free, needed }) : undefined
  } catch {
    // A disk that does not say how full it is: SQLite's own words must do.
    return undefined
  }
}
