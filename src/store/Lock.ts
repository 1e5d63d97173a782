import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Context, Data, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { Health } from "../domain/Health.ts"
import { dataFolder } from "./DataFolder.ts"
import { EXIT_LOCK_GRANTED, isLockTaken, lockFile } from "./LockFile.ts"

/** The process that uses a library, in a file beside it, for file systems that grant every lock. */
const Owner = Schema.Struct({
  pid: Schema.Int,
  /** Start time of the process, in the system's own units, because process numbers are reused. */
  started: Schema.String,
  /** Boot id of the machine, and the process namespace (`space`) within it. */
  boot: Schema.String,
  space: Schema.String,
  /** Heartbeat counter, for folders where another machine can see no other sign of life. */
  beat: Schema.NullOr(Schema.Int)
})
type Owner = typeof Owner.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Owner))

/** How often the owner file is renewed, and how long another process waits for a renewal. */
const BEAT = "2 seconds"
const BEAT_TIMEOUT = "7 seconds"

/** File system types that other machines may write to (statfs(2)): NFS, SMB, CIFS, SMB2, FUSE, 9P, Ceph, AFS. */
const SHARED: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f
])

/** Whether another machine may mount the folder too. */
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

/** Start time of a process: field 22 of /proc/PID/stat, counted after the name in parentheses (proc(5)). */
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

/** Atomic, without a sync: it may write every two seconds, and is worthless after a crash. The lock stays the first guard. */
const write = (file: string, owner: Owner) =>
  Effect.try(() => {
    const temporaryFile = `${file}.${process.pid}`
    writeFileSync(temporaryFile, JSON.stringify(owner), { mode: 0o600 })
    renameSync(temporaryFile, file)
  }).pipe(Effect.ignore)

const exists = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** A process of another machine counts as alive if it renews the file within 7 seconds. */
const isAlive = Effect.fn("Lock.isAlive")(function* (file: string) {
  const found = yield* read(file)
  if (Option.isNone(found)) return false
  const { beat, boot, pid, space, started } = found.value
  const own = self()
  if (boot === own.boot && space === own.space)
    return (pid !== own.pid || started !== own.started) && exists(pid) && startOf(pid) === started
  if (beat === null) return false
  yield* Effect.sleep(BEAT_TIMEOUT)
  return Option.exists(yield* read(file), (now) => now.boot === boot && now.pid === pid && now.beat !== beat)
})

const claim = (file: string) =>
  Effect.acquireRelease(write(file, self()), () => Effect.sync(() => rmSync(file, { force: true })))

const renewOwner = (file: string) =>
  Effect.suspend(() => {
    let beat = 0
    return Effect.repeat(
      Effect.suspend(() => write(file, { ...self(), beat: beat++ })),
      Schedule.spaced(BEAT)
    )
  })

/** Another process uses the library, or the folder cannot be written. */
export class LibraryInUse extends Data.TaggedError("LibraryInUse")<{
  readonly folder: string
  /** `unlocked`: the file system granted the lock although another process holds it. */
  readonly reason: "taken" | "unlocked" | "unwritable"
}> {
  override get message() {
    if (this.reason === "unlocked")
      return `Another Linkbower uses the library in ${this.folder}, whose file system does not lock files. Stop it first, and move DATA_DIR to a local disk.`
    return this.reason === "taken"
      ? `Another Linkbower uses the library in ${this.folder}. Stop it first, or set DATA_DIR to another folder.`
      : `The folder ${this.folder} is not writable. Check its owner and its disk.`
  }
}

/** How long, and how often, the lock of a process that is ending is retried. */
const LOCK_TIMEOUT = Duration.seconds(2)
const RETRY_INTERVAL = Duration.millis(50)

const takeLock = (folder: string, wait: Duration.Duration) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        return lockFile(dataFolder(folder).lock)
      },
      catch: (error) => new LibraryInUse({ folder, reason: isLockTaken(error) ? "taken" : "unwritable" })
    }).pipe(
      Effect.retry({
        while: ({ reason }) => reason === "taken",
        schedule: Schedule.spaced(RETRY_INTERVAL).pipe(Schedule.upTo(wait))
      })
    ),
    (database) => Effect.sync(() => database.close())
  )

const take = Effect.fn("Lock.take")(function* (folder: string, wait: Duration.Duration) {
  yield* takeLock(folder, wait)
  const { owner } = dataFolder(folder)
  if (yield* isAlive(owner)) return yield* new LibraryInUse({ folder, reason: "unlocked" })
  yield* claim(owner)
})

/** Checks whether a child process is granted the lock that this one holds; `probe` is the child's command line. */
const watch = Effect.fnUntraced(function* (folder: string, probe: ReadonlyArray<string>) {
  const health = yield* Health
  const { lock, owner } = dataFolder(folder)
  const granted = yield* Effect.promise(
    () => Bun.spawn([...probe, lock], { stdio: ["ignore", "ignore", "ignore"] }).exited
  )
  if (granted === EXIT_LOCK_GRANTED) {
    yield* Effect.logWarning(
      `the file system of ${folder} does not lock files: a second process could destroy what this one saves. Move DATA_DIR to a local disk`
    )
    yield* health.set("storage-unlocked", true)
  }
  if (granted === EXIT_LOCK_GRANTED || isShared(folder)) yield* renewOwner(owner)
})

export class Lock extends Context.Tag("Lock")<Lock, { readonly folder: string }>() {
  /** Fails if the lock is not free within two seconds; with `probe`, `Health` learns if the file system does not lock. */
  static readonly layer = (folder: string, probe?: ReadonlyArray<string>) =>
    Layer.scoped(
      this,
      Effect.gen(this, function* () {
        yield* take(folder, LOCK_TIMEOUT)
        if (probe !== undefined) yield* Effect.forkScoped(watch(folder, probe))
        return { folder }
      })
    ).pipe(Layer.provide(Health.layer))

  /** Takes the lock until the scope closes and returns whether it was free; fails if the file system does not lock. */
  static readonly ifFree = (folder: string) =>
    take(folder, Duration.zero).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ reason }) => reason === "taken",
        () => Effect.succeed(false)
      )
    )
}
