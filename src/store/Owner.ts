import { readFileSync, readlinkSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { Effect, Option, Schedule, Schema } from "effect"

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
export const isShared = (folder: string): boolean => {
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
export const isAlive = Effect.fn("Owner.isAlive")(function* (file: string) {
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
export const claim = (file: string) =>
  Effect.acquireRelease(write(file, self()), () => Effect.sync(() => rmSync(file, { force: true })))

/** Renews the file until interrupted, so that another machine sees that this process lives. */
export const beating = (file: string) =>
  Effect.suspend(() => {
    let beat = 0
    return Effect.repeat(
      Effect.suspend(() => write(file, { ...self(), beat: beat++ })),
      Schedule.spaced(BEAT)
    )
  })
