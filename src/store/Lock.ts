import { Database, SQLiteError } from "bun:sqlite"
import { mkdirSync } from "node:fs"
import { Context, Data, Duration, Effect, Layer, Schedule } from "effect"
import { dataFolder } from "./DataFolder.ts"

/** Another process works on the library, or the folder does not let this one say that it does. */
export class LibraryInUse extends Data.TaggedError("LibraryInUse")<{
  readonly folder: string
  readonly reason: "taken" | "unwritable"
}> {
  override get message() {
    return this.reason === "taken"
      ? `Another Linkbower works on the library in ${this.folder}. Stop it first, or set DATA_DIR to another folder.`
      : `The folder ${this.folder} cannot be written. See who owns it, and that its disk can be written.`
  }
}

/** So long a process that is just ending is waited for. */
const WAIT = Duration.seconds(2)
const LOOK = Duration.millis(50)

/**
 * SQLite's own lock on a database with nothing in it: the operating system gives it back however a process ends, and it
 * keeps out the same process too.
 */
const lockFile = (file: string) => {
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

const isTaken = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")

/** Takes the lock until the scope closes, trying for as long as `wait`. */
const take = Effect.fn("Lock.take")((folder: string, wait: Duration.Duration) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        return lockFile(dataFolder(folder).lock)
      },
      catch: (error) => new LibraryInUse({ folder, reason: isTaken(error) ? "taken" : "unwritable" })
    }).pipe(
      Effect.retry({
        while: ({ reason }) => reason === "taken",
        schedule: Schedule.spaced(LOOK).pipe(Schedule.upTo(wait))
      })
    ),
    (database) => Effect.sync(() => database.close())
  )
)

/** Holds the library in `folder` for one process: the service, or a command that it must not run beside. */
export class Lock extends Context.Tag("Lock")<Lock, { readonly folder: string }>() {
  /** Held as long as the layer; refused where another process has held it for two seconds. */
  static readonly layer = (folder: string) => Layer.scoped(this, Effect.as(take(folder, WAIT), { folder }))

  /** Whether nobody held it; then it is held until the scope closes. */
  static readonly ifFree = (folder: string) =>
    take(folder, Duration.zero).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ reason }) => reason === "taken",
        () => Effect.succeed(false)
      )
    )
}
