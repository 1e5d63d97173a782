import { Database, SQLiteError } from "bun:sqlite"
import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { syncNow } from "../runtime/ReplaceFile.ts"
import { besides } from "./DataFolder.ts"
import { inspectQuickly } from "./Inspection.ts"
import { LibraryInUse } from "./Lock.ts"
import { NotCopied, reasonOf } from "./Snapshot.ts"

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")

/** Writes back what is in the library's log, and sees that nobody has it open. */
const writeBack = (library: string) => {
  const database = new Database(library, { readwrite: true, create: false })
  try {
    database.run("PRAGMA busy_timeout = 500")
    database.run("PRAGMA locking_mode = EXCLUSIVE")
    database.run("BEGIN EXCLUSIVE")
    database.run("COMMIT")
    database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } finally {
    database.close()
  }
}

/** Gives the file a second name, in which it stays whatever takes its first. */
const alsoAs = (file: string, name: string) => {
  if (!statSync(file).isFile()) return renameSync(file, name)
  try {
    linkSync(file, name)
  } catch {
    // Not every disk knows two names of a file.
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    syncNow(name)
  }
}

/** Does the work of `putInPlace`; `isSound` says whether SQLite may be trusted with what is there. */
const exchange = (file: string, library: string, aside: string, isSound: boolean) => {
  if (isSound) writeBack(library)
  const wasThere = existsSync(library)
  if (wasThere) alsoAs(library, aside)
  const [from, to] = [besides(library), besides(aside)]
  // Beside another database its log would be taken for that one's.
  if (existsSync(from.log) && statSync(from.log).size > 0) renameSync(from.log, to.log)
  rmSync(from.log, { force: true })
  rmSync(from.index, { force: true })
  rmSync(from.logMark, { force: true })
  renameSync(file, library)
  syncNow(dirname(library))
  return wasThere
}

/**
 * Puts the sound library `file`, which lies in the same folder, in the place of `library`. What was there is kept as
 * `aside`: a sound library whole in one file, a damaged one as it is, with its log. At any moment the one or the other
 * is in place. Gives whether there was one; refused while somebody has it open.
 */
export const putInPlace = Effect.fn("PutInPlace.putInPlace")(function* (
  file: string,
  library: string,
  aside: string
) {
  const isSound = yield* Effect.isSuccess(inspectQuickly(library))
  return yield* Effect.try({
    try: () => exchange(file, library, aside, isSound),
    catch: (error) =>
      isBusy(error)
        ? new LibraryInUse({ folder: dirname(library), reason: "taken" })
        : new NotCopied({ file: library, reason: reasonOf(error) })
  })
})
