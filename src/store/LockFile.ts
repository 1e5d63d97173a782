import { Database, SQLiteError } from "bun:sqlite"

/**
 * Takes SQLite's own lock on a database with nothing in it: the operating system gives it back however a process ends, and it
 * keeps out the same process too. Throws where it is taken or cannot be written.
 */
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

/** Whether a lock was refused because somebody holds it. */
export const isTaken = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true

/** The exit code of a process that was granted a lock its parent holds. */
export const GRANTED = 3

/** The work of a child that tests a lock its parent holds: locks of one process say nothing about another. */
export const probe = (file: string): number => {
  try {
    lockFile(file).close()
    return GRANTED
  } catch {
    return 0
  }
}
