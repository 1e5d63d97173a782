import { constants, Database, SQLiteError } from "bun:sqlite"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { compareWords } from "./IndexComparison.ts"

/** The tables of a library that threads check together: each takes the next one until none is left. */
export interface TableCheck {
  readonly file: string
  /** Whether the file does not change during the check. */
  readonly unchanging: boolean
  /** Whether the contents of the tables' indexes are checked too, which takes ten times as long. */
  readonly isWhole: boolean
  /** Whether to compare the words of full-text indexes with their rows, which takes longer than everything else. */
  readonly comparesWords: boolean
  /** Whether to rest after each piece as long as it took, for the sake of a running service. */
  readonly rests: boolean
  readonly tables: ReadonlyArray<string>
  /** One integer in shared memory: how many tables are taken. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** More than the number of all tables: the value of `taken` when no more is to be checked. */
const ENDED = 1 << 30

export const makeTableCheck = (check: Omit<TableCheck, "taken">): TableCheck => ({
  ...check,
  taken: new Int32Array(new SharedArrayBuffer(4))
})

export const takeTable = ({ tables, taken }: TableCheck): string | undefined =>
  tables[Atomics.add(taken, 0, 1)]

/** Throws SQLite's error. SQLite makes a log and an index beside the file unless it is opened as `unchanging`. */
export const openReadOnly = (file: string, unchanging: boolean): Database => {
  const address = `${pathToFileURL(resolve(file)).href}${unchanging ? "?immutable=1" : ""}`
  const database = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  database.run("PRAGMA busy_timeout = 2000")
  return database
}

/** The tables that were checked, each with SQLite's messages about its problems. */
export type CheckedTables = ReadonlyArray<readonly [table: string, problems: ReadonlyArray<string>]>

/** Takes all tables that are left, and ends the comparison of words. */
export const endCheck = ({ taken }: TableCheck) => Atomics.store(taken, 0, ENDED)

/** Longest rest after a piece, in milliseconds. */
const LONGEST_REST = 500

/** Damage can abort a check; then SQLite says no more than that. */
const orItsDamage = (check: () => ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return check()
  } catch (error) {
    if (error instanceof SQLiteError && /^SQLITE_(CORRUPT|IOERR|NOTADB)/.test(error.code ?? ""))
      return [error.message]
    throw error
  }
}

const problemsIn = (database: Database, check: string, table: string) =>
  orItsDamage(() =>
    database
      .query<object, []>(`PRAGMA ${check}('${table.replaceAll("'", "''")}')`)
      .values()
      .map(([line]) => String(line))
      .filter((line) => line !== "ok")
  )

const isVirtual = (database: Database, table: string) =>
  database.query("SELECT 1 FROM sqlite_schema WHERE name = ? AND rootpage = 0").get(table) !== null

/** Checks tables that no other thread has taken, until none is left; throws SQLite's error if it is not damage. */
export const checkTables = (check: TableCheck): CheckedTables => {
  const checked: Array<readonly [string, ReadonlyArray<string>]> = []
  using database = openReadOnly(check.file, check.unchanging)
  let began = performance.now()
  const rest = () => {
    if (check.rests) Bun.sleepSync(Math.min(performance.now() - began, LONGEST_REST))
    if (Atomics.load(check.taken, 0) >= ENDED) throw new Error("the check was ended")
    began = performance.now()
  }
  for (let table = takeTable(check); table !== undefined; table = takeTable(check)) {
    const whole = check.isWhole ? problemsIn(database, "integrity_check", table) : []
    // The quick check passes over a damaged index that aborts the other one.
    const quick = check.isWhole && whole.length !== 1 ? [] : problemsIn(database, "quick_check", table)
    const found = quick.length > 0 ? quick : whole
    const comparable = check.comparesWords && found.length === 0 && isVirtual(database, table)
    checked.push([table, comparable ? orItsDamage(() => compareWords(database, table, rest)) : found])
    rest()
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
