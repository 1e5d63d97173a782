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
