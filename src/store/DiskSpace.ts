import { SQLiteError } from "bun:sqlite"
import { existsSync, statfsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Data } from "effect"

/** What SQLite writes to open a library: its log, the log's index, and what it sorts. In bytes. */
const OPENING = 4_000_000

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/** There is not enough room on the disk to open or upgrade the library, which is unchanged. Sizes are in bytes. */
export class DiskFull extends Data.TaggedError("DiskFull")<{
  readonly file: string
  readonly free: number
  readonly needed: number
}> {
  get what() {
    return `The disk that holds ${this.file} is full: ${megabytes(this.free)} are free, and about ${megabytes(this.needed)} are needed.`
  }
  override get message() {
    return `${this.what} Free at least ${megabytes(Math.max(this.needed - this.free, 0))} in ${dirname(this.file)} and try again; the library is unchanged.`
  }
}

/** Finds SQLite's error beneath those that wrap it. */
const sqliteErrorIn = (cause: unknown): SQLiteError | undefined =>
  cause instanceof SQLiteError
    ? cause
    : cause instanceof Error && cause.cause !== undefined
      ? sqliteErrorIn(cause.cause)
      : undefined

/**
 * The failure as a full disk, if that is what it is. On a full disk SQLite reports an I/O error where it cannot make the
 * index of its log, so the free space decides. `copies` says how many times the size of the file is needed beside it.
 */
export const asDiskFull = (file: string, cause: unknown, copies = 0): DiskFull | undefined => {
  const code = sqliteErrorIn(cause)?.code ?? ""
  if (!/^SQLITE_(FULL|IOERR|CANTOPEN)/.test(code)) return undefined
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(file)))
    const free = bavail * bsize
    const needed = OPENING + copies * (existsSync(file) ? statSync(file).size : 0)
    return code.startsWith("SQLITE_FULL") || free < OPENING ? new DiskFull({ file, free, needed }) : undefined
  } catch {
    // A disk that does not say how full it is: SQLite's own words must do.
    return undefined
  }
}
