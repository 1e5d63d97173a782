import { Database, SQLiteError } from "bun:sqlite"

/** SQLite's own lock on an empty database: released however the process ends. Throws if it is taken or not writable. */
export const lockFile = (file: string) => {
  const database = new Database(file)
  try {
    database.run("PRAGMA journal_mode = MEMORY")
    database.run("BEGIN EXCLUSIVE")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export const isLockTaken = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true

/** Exit code of a process that was granted a lock its parent holds. */
export const EXIT_LOCK_GRANTED = 3

/** Tests, as a child process, its parent's lock; returns the exit code. Locks within one process prove nothing. */
export const probeLock = (file: string): number => {
  try {
    lockFile(file).close()
    return EXIT_LOCK_GRANTED
  } catch {
    return 0
  }
}
