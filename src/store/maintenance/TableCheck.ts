import { constants, Database } from "bun:sqlite"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** The tables of a library that two threads check together: each takes the next one until none is left. */
export interface TableCheck {
  readonly file: string
  /** Whether nothing writes the file meanwhile. */
  readonly unchanging: boolean
  readonly tables: ReadonlyArray<string>
  /** One integer in shared memory: how many tables are taken. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** Creates the check of these tables, none of which is taken. */
export const makeTableCheck = (
  file: string,
  unchanging: boolean,
  tables: ReadonlyArray<string>
): TableCheck => ({ file, unchanging, tables, taken: new Int32Array(new SharedArrayBuffer(4)) })

/** Takes the next table; returns undefined if all are taken. */
export const takeTable = ({ tables, taken }: TableCheck): string | undefined =>
  tables[Atomics.add(taken, 0, 1)]

/** The statement that walks a table. Its only row is "ok" if the table is sound. */
export const walkTable = (table: string): string => `PRAGMA quick_check('${table.replaceAll("'", "''")}')`

/**
 * Opens a database read-only; throws SQLite's error. SQLite creates a log and an index beside it even then, unless it is
 * opened as immutable (`unchanging`).
 */
export const openReadOnly = (file: string, unchanging: boolean): Database => {
  const address = `${pathToFileURL(resolve(file)).href}${unchanging ? "?immutable=1" : ""}`
  const database = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  database.run("PRAGMA busy_timeout = 2000")
  return database
}

/**
 * Takes part in a check; returns the tables found sound. The other thread checks again whatever else this one took, so
 * the first failure ends it.
 */
export const helpCheck = (check: TableCheck): ReadonlyArray<string> => {
  const sound: Array<string> = []
  try {
    using database = openReadOnly(check.file, check.unchanging)
    for (let table = takeTable(check); table !== undefined; table = takeTable(check)) {
      const rows = database.query<object, []>(walkTable(table)).values()
      if (rows.length !== 1 || rows[0]?.[0] !== "ok") break
      sound.push(table)
    }
  } catch {
    // The other thread meets the same failure, and reports it.
  }
  return sound
}
