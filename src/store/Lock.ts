import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Context, Data, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { Health } from "../domain/Health.ts"
import { dataFolder } from "./DataFolder.ts"
import { GRANTED, isTaken, lockFile } from "./LockFile.ts"

/**
 * The process that works on a library, as a file beside it says. The lock is what keeps a second process out; this file
 * keeps it out where the file system grants every lock.
 */
const Owner = Schema.Struct({
  pid: Schema.Int,
  /** When the process started, as its system counts: numbers of processes are used again. */
  started: Schema.String,
  /** One run of one machine, and the numbering of processes within it. */
  boot: Schema.String,
  space: Schema.String,
  /** Counts up while the process lives, where that is the only sign of life that another machine can see. */
  beat: Schema.NullOr(Schema.Int)
})
type Owner = typeof Owner.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Owner))

/** How often the owner's file is renewed, and how long another process waits to see it. */
const BEAT = "2 seconds"
const PATIENCE = "7 seconds"

/** Types of file systems that other machines may write (statfs(2)): NFS, SMB, CIFS, SMB2, FUSE, 9P, Ceph, AFS. */
const SHARED: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f
])

/** Whether another machine may have the folder too. */
const isShared = (folder: string): boolean => {
  try {
    return SHARED.has(statfsSync(folder).type)
  } catch {
    return false
  }
}

const textOf = (read: () => string, otherwise: string) => {
  try {
    return read().trim()
  } catch {
    return otherwise
  }
}

/** When a process started: the 22nd field of its stat, counted after its name in brackets (proc(5)). */
const startOf = (pid: number) =>
  textOf(() => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[19] ?? "", "")

const self = (): Owner => ({
  pid: process.pid,
  started: startOf(process.pid),
  boot: textOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"), hostname()),
  space: textOf(() => readlinkSync("/proc/self/ns/pid"), ""),
  beat: null
})

const read = (file: string) => Effect.sync(() => decode(textOf(() => readFileSync(file, "utf8"), "")))

/** The file is a second guard: a disk that does not take it leaves the first. No reader sees half of it. */
const write = (file: string, owner: Owner) =>
  Effect.try(() => {
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, JSON.stringify(owner), { mode: 0o600 })
    renameSync(beside, file)
  }).pipe(Effect.ignore)

const exists = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/**
 * Whether the process that the file names still lives. One of this machine is looked up; one that this machine cannot see is
 * watched for a few seconds, if it renews the file.
 */
const isAlive = Effect.fn("Owner.isAlive")(function* (file: string) {
  const found = yield* read(file)
  if (Option.isNone(found)) return false
  const { beat, boot, pid, space, started } = found.value
  const own = self()
  if (boot === own.boot && space === own.space)
    return (pid !== own.pid || started !== own.started) && exists(pid) && startOf(pid) === started
  if (beat === null) return false
  yield* Effect.sleep(PATIENCE)
  return Option.exists(yield* read(file), (now) => now.boot === boot && now.pid === pid && now.beat !== beat)
})

/** Names this process as the owner until the scope closes. */
const claim = (file: string) =>
  Effect.acquireRelease(write(file, self()), () => Effect.sync(() => rmSync(file, { force: true })))

/** Renews the file until interrupted, so that another machine sees that this process lives. */
const beating = (file: string) =>
  Effect.suspend(() => {
    let beat = 0
    return Effect.repeat(
      Effect.suspend(() => write(file, { ...self(), beat: beat++ })),
      Schedule.spaced(BEAT)
    )
  })

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
