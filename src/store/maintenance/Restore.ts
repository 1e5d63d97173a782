import { Database, SQLiteError } from "bun:sqlite"
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { DateTime, Effect, Option } from "effect"
import { syncNow } from "../../runtime/ReplaceFile.ts"
import { databaseSideFiles, dataFolder } from "../DataFolder.ts"
import { LibraryInUse, Lock } from "../Lock.ts"
import { quickInspect } from "./Inspection.ts"
import { markInitialized } from "./OpenChecks.ts"
import { removeSecrets } from "./SecretRows.ts"
import { NotCopied, reasonOf, snapshotOf } from "./Snapshot.ts"

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")

/** Checkpoints the library's log into the library; fails if another process has it open. */
const checkpoint = (library: string) => {
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

/** Gives the file a second name, so that it survives the replacement; moves anything but a regular file. */
const linkOrCopy = (file: string, name: string) => {
  if (!statSync(file).isFile()) return renameSync(file, name)
  try {
    linkSync(file, name)
  } catch {
    // Not every file system supports hard links.
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    syncNow(name)
  }
}

/** Swaps the files for `replaceDatabase`; `isSound` says whether SQLite can safely open `library`. */
const swapFiles = (file: string, library: string, aside: string, isSound: boolean) => {
  if (isSound) checkpoint(library)
  const wasThere = existsSync(library)
  if (wasThere) linkOrCopy(library, aside)
  const [from, to] = [databaseSideFiles(library), databaseSideFiles(aside)]
  // SQLite would apply a log left behind to the new database.
  if (existsSync(from.log) && statSync(from.log).size > 0) renameSync(from.log, to.log)
  rmSync(from.log, { force: true })
  rmSync(from.index, { force: true })
  rmSync(from.logMark, { force: true })
  renameSync(file, library)
  syncNow(dirname(library))
  return wasThere
}

/** Keeps the earlier one as `aside`; one is in place at any moment. `LibraryInUse` while another process has it. */
export const replaceDatabase = Effect.fn("Restore.replaceDatabase")(function* (
  file: string,
  library: string,
  aside: string
) {
  const isSound = yield* Effect.isSuccess(quickInspect(library))
  return yield* Effect.try({
    try: () => swapFiles(file, library, aside, isSound),
    catch: (error) =>
      isBusy(error)
        ? new LibraryInUse({ folder: dirname(library), reason: "taken" })
        : new NotCopied({ file: library, reason: reasonOf(error) })
  })
})

/** Returns a path beside the library that names the time and the reason; such names sort by time. */
export const backupPath = (folder: string, before: "reindex" | "restore") =>
  Effect.map(DateTime.now, (now) => {
    const time = DateTime.formatIso(now).replaceAll(/[:.]/g, "-")
    return join(folder, `library-before-${before}-${time}.db`)
  })

/**
 * Replaces the library in the locked folder with a copy of the sound library `file`, without its sessions. Returns an
 * inspection of the copy, and the path of the earlier library, if there was one. Deletes the cached pictures, pending
 * import files and unsent files, which belong to the earlier one.
 */
export const restore = Effect.fn("Restore.restore")(function* (file: string) {
  const { folder } = yield* Lock
  const at = dataFolder(folder)
  const beside = `${at.library}.restoring`
  const isLeft = (name: string) => name.startsWith(basename(beside))
  const sweep = Effect.sync(() => {
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name), { force: true })
  })
  const aside = yield* backupPath(folder, "restore")

  yield* sweep
  return yield* Effect.gen(function* () {
    const restored = yield* snapshotOf(file, beside, { replace: true })
    // The owner may have ended the sessions since the backup, or made it because a device was stolen.
    yield* removeSecrets(beside, "restore")
    const wasThere = yield* replaceDatabase(beside, at.library, aside)
    yield* markInitialized(at.library)
    yield* Effect.sync(() => {
      for (const path of [at.images, at.imports, at.outgoing]) rmSync(path, { recursive: true, force: true })
    })
    return { restored, aside: wasThere ? Option.some(aside) : Option.none() }
  }).pipe(Effect.ensuring(sweep))
})
