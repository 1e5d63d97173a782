import { Cause, Chunk, Effect, Schema } from "effect"
import { Health, type HealthProblem } from "./Health.ts"

const sentences = {
  full: "The disk is full.",
  busy: "Another program is using the library's database.",
  "read-only": "The library's database is read-only.",
  unwritable: "The disk refuses to write the library's database.",
  damaged: "The library's database is damaged.",
  gone: "The library's database was moved or deleted.",
  crowded: "Too many pages are waiting to be read."
}

/** The disk is full or rejects writes, or the database is locked, damaged or gone: the sender must keep its data and retry. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.Literal("full", "busy", "read-only", "unwritable", "damaged", "gone", "crowded")
}) {
  get what() {
    return sentences[this.reason]
  }
  override get message() {
    return `${this.what} Nothing was saved; try again later.`
  }
}

interface Meaning {
  readonly reason: StoreUnavailable["reason"]
  /** The health problem of the whole service; absent for transient failures. */
  readonly problem?: HealthProblem
}

/** SQLite's result codes (https://www.sqlite.org/rescode.html); the first match counts. A failed read is damage. */
const meanings: ReadonlyArray<readonly [code: RegExp, meaning: Meaning]> = [
  [/^LIBRARY_DAMAGED/, { reason: "damaged" }],
  [/^LIBRARY_GONE/, { reason: "gone", problem: "storage-gone" }],
  [/^SQLITE_FULL/, { reason: "full", problem: "storage-full" }],
  [/^SQLITE_(BUSY|LOCKED)/, { reason: "busy" }],
  [/^SQLITE_READONLY/, { reason: "read-only", problem: "storage-unwritable" }],
  [/^SQLITE_IOERR_NOMEM/, { reason: "busy" }],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE|LOCK|UNLOCK|RDLOCK|BLOCKED|SHM|COMMIT_ATOMIC|BEGIN_ATOMIC)/,
    { reason: "unwritable", problem: "storage-unwritable" }
  ],
  // Only the full-text indexes report this.
  [/^SQLITE_CORRUPT_VTAB/, { reason: "damaged", problem: "search-damaged" }],
  [/^SQLITE_(IOERR|CORRUPT|NOTADB)/, { reason: "damaged", problem: "storage-damaged" }],
  [/^SQLITE_CANTOPEN/, { reason: "damaged" }]
]

const meaningOf = (code: string): Meaning | undefined => meanings.find(([known]) => known.test(code))?.[1]

/** SQLite's code, or the guard's (`LIBRARY_…`); errors from threads carry it only in their message. */
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

/** Whether the database failed, so that the caller must retry; tells `Health`. The connection has logged it. */
export const reportStorageFailure = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const failure = storageFailureIn(cause)
  if (failure?.problem !== undefined) yield* (yield* Health).set(failure.problem, true)
  return failure !== undefined
})
