import { SQLiteError } from "bun:sqlite"
import { existsSync, statfsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { SqlError } from "@effect/sql"
import { Cause, Chunk, Data } from "effect"
import type { HealthProblem } from "../domain/Health.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"

/** The library's file or its log is no longer where it was when opened, so anything written would be lost. */
export class LibraryMoved extends Data.TaggedError("LibraryGone") {
  readonly code = "LIBRARY_GONE"
  override get message() {
    return "the library's file was moved, deleted or replaced (LIBRARY_GONE)"
  }
}

interface Meaning {
  /** The reason reported to a caller that tried to write. */
  readonly reason: StoreUnavailable["reason"]
  /** The health problem of the whole service; absent for transient failures. */
  readonly problem?: HealthProblem
}

/**
 * Meaning of SQLite's result codes (https://www.sqlite.org/rescode.html) for the database as a whole; the first match
 * counts. An I/O error on read is damage; one on write may end as soon as the disk accepts writes again.
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

/** Finds SQLite's result code, or `LIBRARY_GONE`, in an error; errors from threads carry it only in their message. */
const codeIn = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("code" in error && typeof error.code === "string" && meaningOf(error.code)) return error.code
  return /\b(?:SQLITE|LIBRARY)_[A-Z_]+\b/.exec(error.message)?.[0] ?? codeIn(error.cause)
}

/** Returns what a failed statement means for the database as a whole, if anything. */
export const storageFailure = (error: unknown): Meaning | undefined => {
  const code = codeIn(error)
  return code === undefined ? undefined : meaningOf(code)
}

/** Like `storageFailure`, for the cause of a failed effect in this thread or another. */
export const storageFailureIn = (cause: Cause.Cause<unknown>): Meaning | undefined =>
  [...Cause.failures(cause), ...Chunk.toReadonlyArray(Cause.defects(cause))]
    .map(storageFailure)
    .find((meaning) => meaning !== undefined)

/** Adds SQLite's code to the message of a statement's failure, because only the message leaves a thread. */
export const withCode = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause } = error
  return cause instanceof Error && "code" in cause
    ? new SqlError.SqlError({ cause, message: `${cause.message} (${cause.code})` })
    : error
}

/** Bytes that SQLite writes to open a library: its log, the log's index, and temporary data for sorting. */
const OPENING = 4_000_000

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/** The disk has too little space to open or upgrade the library, which is unchanged. Sizes are in bytes. */
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

/** Finds SQLite's error beneath the errors that wrap it. */
const sqliteErrorIn = (cause: unknown): SQLiteError | undefined =>
  cause instanceof SQLiteError
    ? cause
    : cause instanceof Error && cause.cause !== undefined
      ? sqliteErrorIn(cause.cause)
      : undefined

/**
 * Returns `DiskFull` if a full disk caused the failure. On a full disk SQLite reports an I/O error when it cannot
 * create its log's index, so the free space decides. `copies` is how many times the file's size is needed in addition.
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
    // The disk does not report its free space, so SQLite's own error must do.
    return undefined
  }
}
