import { mkdirSync } from "node:fs"
import { Context, Data, Duration, Effect, Layer, Schedule } from "effect"
import { Health } from "../domain/Health.ts"
import { dataFolder } from "./DataFolder.ts"
import { GRANTED, isTaken, lockFile } from "./LockFile.ts"
import { beating, claim, isAlive, isShared } from "./Owner.ts"

/** Another process works on the library, or the folder does not let this one say that it does. */
export class LibraryInUse extends Data.TaggedError("LibraryInUse")<{
  readonly folder: string
  /** With `unlocked` the file system granted the lock, though another process holds it. */
  readonly reason: "taken" | "unlocked" | "unwritable"
}> {
  override get message() {
    if (this.reason === "unlocked")
      return `Another Linkbower works on the library in ${this.folder}, whose file system does not lock files. Stop it first, and move DATA_DIR to a local disk.`
    return this.reason === "taken"
      ? `Another Linkbower works on the library in ${this.folder}. Stop it first, or set DATA_DIR to another folder.`
      : `The folder ${this.folder} cannot be written. See who owns it, and that its disk can be written.`
  }
}

/** So long a process that is just ending is waited for. */
const WAIT = Duration.seconds(2)
const LOOK = Duration.millis(50)

/** Takes SQLite's lock until the scope closes, trying for as long as `wait`. */
const takeLock = (folder: string, wait: Duration.Duration) =>
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

/** Takes the lock, and refuses it where a process that works on the library could not keep it. */
const take = Effect.fn("Lock.take")(function* (folder: string, wait: Duration.Duration) {
  yield* takeLock(folder, wait)
  const { owner } = dataFolder(folder)
  if (yield* isAlive(owner)) return yield* new LibraryInUse({ folder, reason: "unlocked" })
  yield* claim(owner)
})

/** Asks another process for the lock that this one holds, in the background; `probe` is its command line. */
const watch = Effect.fnUntraced(function* (folder: string, probe: ReadonlyArray<string>) {
  const health = yield* Health
  const { lock, owner } = dataFolder(folder)
  const granted = yield* Effect.promise(
    () => Bun.spawn([...probe, lock], { stdio: ["ignore", "ignore", "ignore"] }).exited
  )
  if (granted === GRANTED) {
    yield* Effect.logWarning(
      `the file system of ${folder} does not lock files: a second process could destroy what this one saves. Move DATA_DIR to a local disk`
    )
    yield* health.set("storage-unlocked", true)
  }
  if (granted === GRANTED || isShared(folder)) yield* beating(owner)
})

/** Holds the library in `folder` for one process: the service, or a command that it must not run beside. */
export class Lock extends Context.Tag("Lock")<Lock, { readonly folder: string }>() {
  /**
   * Held as long as the layer; refused where another process has held it for two seconds. With `probe`, the command line of
   * `LockFile.probe`, it reports to `Health` when the file system does not lock.
   */
  static readonly layer = (folder: string, probe?: ReadonlyArray<string>) =>
    Layer.scoped(
      this,
      Effect.gen(this, function* () {
        yield* take(folder, WAIT)
        if (probe !== undefined) yield* Effect.forkScoped(watch(folder, probe))
        return { folder }
      })
    ).pipe(Layer.provide(Health.layer))

  /** Whether it was free; then it is held until the scope closes. Fails where the file system does not lock. */
  static readonly ifFree = (folder: string) =>
    take(folder, Duration.zero).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ reason }) => reason === "taken",
        () => Effect.succeed(false)
      )
    )
}
