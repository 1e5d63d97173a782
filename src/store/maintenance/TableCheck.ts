import { constants, Database, SQLiteError } from "bun:sqlite"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** The tables of a library that threads check together: each takes the next one until none is left. */
export interface TableCheck {
  readonly file: string
  /** Whether nothing writes the file meanwhile. */
  readonly unchanging: boolean
  /** Whether the contents of the tables' indexes are checked too, which takes ten times as long. */
  readonly isWhole: boolean
  /** Whether to rest after each table as long as its check took, for the sake of a running service. */
  readonly rests: boolean
  readonly tables: ReadonlyArray<string>
  /** One integer in shared memory: how many tables are taken. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** Creates the check of these tables, none of which is taken. */
export const makeTableCheck = (check: Omit<TableCheck, "taken">): TableCheck => ({
  ...check,
  taken: new Int32Array(new SharedArrayBuffer(4))
})

/** Takes the next table; returns undefined if all are taken. */
export const takeTable = ({ tables, taken }: TableCheck): string | undefined =>
  tables[Atomics.add(taken, 0, 1)]

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

/** The tables that were checked, each with SQLite's messages about its problems. */
export type CheckedTables = ReadonlyArray<readonly [table: string, problems: ReadonlyArray<string>]>

/** Longest rest after a table, in milliseconds. */
const LONGEST_REST = 500

/** Damage can abort a check; then SQLite says no more than that. */
const problemsIn = (database: Database, check: string, table: string): ReadonlyArray<string> => {
  try {
    const rows = database.query<object, []>(`PRAGMA ${check}('${table.replaceAll("'", "''")}')`).values()
    return rows.map(([line]) => String(line)).filter((line) => line !== "ok")
  } catch (error) {
    if (error instanceof SQLiteError && /^SQLITE_(CORRUPT|IOERR|NOTADB)/.test(error.code ?? ""))
      return [error.message]
    throw error
  }
}

/** Checks tables that no other thread has taken, until none is left; throws SQLite's error if it is not damage. */
export const checkTables = (check: TableCheck): CheckedTables => {
  const checked: Array<readonly [string, ReadonlyArray<string>]> = []
  using database = openReadOnly(check.file, check.unchanging)
  for (let table = takeTable(check); table !== undefined; table = takeTable(check)) {
    const began = performance.now()
    const whole = check.isWhole ? problemsIn(database, "integrity_check", table) : []
    // The quick check passes over a damaged index that aborts the other one.
    const quick = check.isWhole && whole.length !== 1 ? [] : problemsIn(database, "quick_check", table)
    checked.push([table, quick.length > 0 ? quick : whole])
    if (check.rests) Bun.sleepSync(Math.min(performance.now() - began, LONGEST_REST))
  }
  return checked
}

/** Takes part in a check in another thread; the first one meets the same failure, and reports it. */
export const helpCheck = (check: TableCheck): CheckedTables => {
  try {
    return checkTables(check)
  } catch {
    return []
  }
}

/** Takes part in the checks that the calling thread is sent. */
export const serveCheck = () =>
  self.addEventListener("message", ({ data }: MessageEvent<TableCheck>) => {
    self.postMessage(helpCheck(data))
  })
