import { SQLiteError } from "bun:sqlite"
import { existsSync, statfsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Data } from "effect"

const RESTORE = "Put a backup in its place with `linkbower restore FILE`."

export class LibraryMissing extends Data.TaggedError("LibraryMissing")<{
  readonly file: string
  /** Whether a library was here before; then no new one is created. */
  readonly was: boolean
  readonly isEmpty: boolean
}> {
  get what() {
    const now = this.isEmpty ? `${this.file} is empty` : `${this.file} is missing`
    return this.was ? `${now}, but a library was here before.` : `${now}: there is no library.`
  }
  override get message() {
    return this.was
      ? `${this.what} ${RESTORE} To begin with an empty one, delete ${this.file}.initialised.`
      : this.what
  }
}

const foundAs = {
  folder: "is a folder, not a library.",
  "no database": "is not an SQLite database: it is another file, or its beginning is damaged.",
  "other database": "is a database, but not a library of Linkbower."
}

/** The path is not a Linkbower library: a folder, a text file, another program's database. */
export class NotALibrary extends Data.TaggedError("NotALibrary")<{
  readonly file: string
  readonly found: keyof typeof foundAs
}> {
  get what() {
    return `${this.file} ${foundAs[this.found]}`
  }
  override get message() {
    return `${this.what} ${RESTORE}`
  }
}

/** The library has the schema of before the first release. To be deleted after the first release, with `convert`. */
export class LibraryOutdated extends Data.TaggedError("LibraryOutdated")<{ readonly file: string }> {
  get what() {
    return `${this.file} is a library from before the first release: copy it with \`linkbower convert OLD.db NEW.db\`.`
  }
  override get message() {
    return `${this.what} Then put NEW.db in its place.`
  }
}

/** The file cannot be opened, or cannot be written where that is needed. */
export class LibraryUnreadable extends Data.TaggedError("LibraryUnreadable")<{
  readonly file: string
  readonly reason: string
}> {
  get what() {
    return `${this.file} cannot be used: ${this.reason}.`
  }
  override get message() {
    return `${this.what} Check who owns it and its folder, and whether the disk is writable.`
  }
}

const damagedParts = { search: "The search index in", indexes: "An index in", tables: "The database" }

export class DatabaseDamaged extends Data.TaggedError("DatabaseDamaged")<{
  readonly file: string
  /** SQLite's own messages; a few lines at most. */
  readonly problems: ReadonlyArray<string>
  readonly part: keyof typeof damagedParts
}> {
  get what() {
    const [first = "it cannot be read"] = this.problems
    return `${damagedParts[this.part]} ${this.file} is damaged: ${first.replaceAll(/\s+/g, " ").replace(/\.$/, "")}.`
  }
  override get message() {
    return `${this.what} ${this.part === "tables" ? RESTORE : "Stop the service and rebuild it with `linkbower reindex`."}`
  }
}

/** The schema differs from the one the migrations make, so data written through it may be lost. */
export class SchemaAltered extends Data.TaggedError("SchemaAltered")<{
  readonly file: string
  /** Each difference as a clause that names the object. */
  readonly problems: ReadonlyArray<string>
}> {
  get what() {
    const named = this.problems.slice(0, 3).join("; ")
    const more = this.problems.length > 3 ? `; and ${this.problems.length - 3} more` : ""
    return `Another program changed the schema of ${this.file}: ${named}${more}.`
  }
  override get message() {
    return `${this.what} ${RESTORE}`
  }
}

/** The log beside the database belongs to another database; SQLite would write its pages into this one. */
export class ForeignLog extends Data.TaggedError("ForeignLog")<{ readonly file: string }> {
  get what() {
    return `${this.file}-wal is the log of another library.`
  }
  override get message() {
    return `${this.what} Move it out of the folder, or put back the log that was there, and start again.`
  }
}

export class DatabaseTooNew extends Data.TaggedError("DatabaseTooNew")<{
  readonly file: string
  readonly found: number
  readonly known: number
}> {
  get what() {
    return `The database ${this.file} has version ${this.found}; this Linkbower supports versions up to ${this.known}.`
  }
  override get message() {
    return `${this.what} Install a newer Linkbower.`
  }
}

/** Migrating the library to this program's version failed; the library is unchanged. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly file: string
  readonly reason: string
}> {
  get what() {
    return `${this.file} could not be prepared for this version of Linkbower: ${this.reason}.`
  }
  override get message() {
    return `${this.what} It is unchanged, and the earlier version still opens it.`
  }
}

/** Bytes that SQLite writes to open a library: its log, the log's index, and temporary data for sorting. */
const OPENING = 4_000_000

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/** The disk has too little space to open or upgrade the library, which is unchanged. Sizes are in bytes. */
class DiskFull extends Data.TaggedError("DiskFull")<{
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

const sqliteErrorIn = (cause: unknown): SQLiteError | undefined =>
  cause instanceof SQLiteError
    ? cause
    : cause instanceof Error && cause.cause !== undefined
      ? sqliteErrorIn(cause.cause)
      : undefined

/** On a full disk SQLite reports an I/O error, so the free space decides. `copies`: further sizes of the file needed. */
export const asDiskFull = (file: string, cause: unknown, copies = 0): DiskFull | undefined => {
  const code = sqliteErrorIn(cause)?.code ?? ""
  if (!/^SQLITE_(FULL|IOERR|CANTOPEN)/.test(code)) return undefined
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(file)))
    const free = bavail * bsize
    const needed = OPENING + copies * (existsSync(file) ? statSync(file).size : 0)
    return code.startsWith("SQLITE_FULL") || free < OPENING ? new DiskFull({ file, free, needed }) : undefined
  } catch {
    // The disk does not report its free space, so SQLite's own error must do.
    return undefined
  }
}

/** Why a file is rejected as a library: `what` says why in one sentence, `message` adds what to do. */
export type InspectionError =
  | LibraryMissing
  | NotALibrary
  | LibraryOutdated
  | LibraryUnreadable
  | DatabaseDamaged
  | SchemaAltered
  | ForeignLog
  | DatabaseTooNew
  | DiskFull
