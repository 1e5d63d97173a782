import { describe, expect, test } from "bun:test"
import { SqlError } from "@effect/sql"
import { Cause } from "effect"
import { storageFailure, storageFailureIn } from "../../src/domain/StoreUnavailable.ts"
import { LibraryMoved, withCode } from "../../src/store/Connection.ts"

/** An error as SQLite's binding throws it. */
const sqlite = (code: string) => Object.assign(new Error("disk I/O error"), { code })
const failed = (code: string) => new SqlError.SqlError({ cause: sqlite(code), message: "failed" })

const codes: ReadonlyArray<readonly [code: string, reason: string, problem: string | undefined]> = [
  ["SQLITE_FULL", "full", "storage-full"],
  ["SQLITE_BUSY_SNAPSHOT", "busy", undefined],
  ["SQLITE_READONLY_DIRECTORY", "read-only", "storage-unwritable"],
  ["SQLITE_IOERR_WRITE", "unwritable", "storage-unwritable"],
  ["SQLITE_IOERR_FSYNC", "unwritable", "storage-unwritable"],
  ["SQLITE_IOERR_READ", "damaged", "storage-damaged"],
  ["SQLITE_IOERR_SHORT_READ", "damaged", "storage-damaged"],
  ["SQLITE_CORRUPT_VTAB", "damaged", "search-damaged"],
  ["SQLITE_CORRUPT_INDEX", "damaged", "storage-damaged"],
  ["LIBRARY_DAMAGED", "damaged", undefined],
  ["SQLITE_NOTADB", "damaged", "storage-damaged"]
]

describe("storageFailure", () => {
  for (const [code, reason, problem] of codes)
    test(`reads ${code} as "${reason}", also from an error message of a thread`, () => {
      const wanted = problem === undefined ? { reason } : { reason, problem }
      expect(storageFailure(failed(code))).toMatchObject(wanted)
      const fromThread = new Error(withCode(failed(code)).message)
      expect(storageFailureIn(Cause.die(fromThread))).toMatchObject(wanted)
      expect(storageFailureIn(Cause.fail(failed(code)))).toMatchObject(wanted)
    })

  test("ignores a constraint, a bug and an empty cause", () => {
    for (const cause of [
      Cause.fail(failed("SQLITE_CONSTRAINT_UNIQUE")),
      Cause.die(new TypeError("undefined is not a function")),
      Cause.empty
    ])
      expect(storageFailureIn(cause)).toBeUndefined()
  })

  test("distinguishes a missing library from a damaged one", () => {
    const cause = new LibraryMoved()
    expect(storageFailure(new SqlError.SqlError({ cause, message: cause.message }))).toEqual({
      reason: "gone",
      problem: "storage-gone"
    })
  })
})
