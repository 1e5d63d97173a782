import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Fiber, Layer } from "effect"
import { lockProbeCommand } from "../../src/SandboxCommand.ts"
import { Lock } from "../../src/store/Lock.ts"
import { EXIT_LOCK_GRANTED } from "../../src/store/LockFile.ts"
import { until } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-lock-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folderOf = (name: string) => join(root, name)
const isFree = (folder: string) => Effect.runPromise(Effect.scoped(Lock.ifFree(folder)))
const hold = (folder: string) => Effect.runPromise(Effect.scoped(Layer.build(Lock.layer(folder))))

describe("Lock", () => {
  test("makes the folder it holds, and is free again when its scope closes", async () => {
    const folder = folderOf("one")
    await Effect.runPromise(
      Effect.gen(function* () {
        expect(yield* Lock.ifFree(folder)).toBe(true)
        expect(yield* Effect.scoped(Lock.ifFree(folder))).toBe(false)
      }).pipe(Effect.scoped)
    )
    expect(await isFree(folder)).toBe(true)
    expect(readdirSync(folder)).toEqual(["linkbower.lock"])
  })

  test("is refused in a sentence to a second one after two seconds", async () => {
    const folder = folderOf("two")
    const error = await Effect.runPromise(
      Effect.zipRight(Lock.ifFree(folder), Effect.flip(Layer.build(Lock.layer(folder)))).pipe(Effect.scoped)
    )
    expect(error).toMatchObject({ _tag: "LibraryInUse", reason: "taken" })
    expect(error.message).toContain(folder)
  })

  test("waits for one that is just ending", async () => {
    const folder = folderOf("three")
    await Effect.runPromise(
      Effect.gen(function* () {
        const first = yield* Effect.fork(
          Effect.scoped(Effect.zipRight(Lock.ifFree(folder), Effect.sleep("300 millis")))
        )
        yield* Effect.sleep("50 millis")
        yield* Effect.scoped(Layer.build(Lock.layer(folder)))
        yield* Fiber.join(first)
      })
    )
  })

  test("is given back by the operating system when the process that held it is killed", async () => {
    const folder = folderOf("four")
    const script = join(root, "hold.ts")
    const module = resolve(import.meta.dir, "../../src/store/Lock.ts")
    const effect = Bun.resolveSync("effect", import.meta.dir)
    writeFileSync(
      script,
      `import { Effect } from "${effect}"
       import { Lock } from "${module}"
       // The test's own look holds the lock for a moment.
       const taken = Effect.repeat(Lock.ifFree("${folder}"), { until: (isTaken) => isTaken })
       await Effect.runPromise(Effect.scoped(Effect.zipRight(taken, Effect.never)))`
    )
    const child = Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "inherit" })
    try {
      await until(async () => !(await isFree(folder)), 20)
    } finally {
      child.kill("SIGKILL")
    }
    await child.exited
    await hold(folder)
  }, 30_000)

  test("says where it cannot write", async () => {
    const file = folderOf("file")
    writeFileSync(file, "")
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(Lock.ifFree(join(file, "data")))))
    expect(error).toMatchObject({ reason: "unwritable" })
    expect(error.message).toContain(join(file, "data"))
  })
})

describe("the owner's file, where the file system does not lock", () => {
  const another = (folder: string, beat: number | null) =>
    writeFileSync(
      join(folder, "linkbower.owner"),
      JSON.stringify({ pid: 1, started: "7", boot: "another machine", space: "pid:[1]", beat })
    )
  const attempt = (folder: string) => Effect.runPromise(Effect.exit(Effect.scoped(Lock.ifFree(folder))))
  const folderWith = async (name: string, beat: number | null) => {
    const folder = folderOf(name)
    await isFree(folder)
    another(folder, beat)
    return folder
  }

  test("keeps out a second process while another machine renews it", async () => {
    const folder = await folderWith("renewed", 0)
    let beat = 1
    const timer = setInterval(() => another(folder, beat++), 500)
    try {
      const exit = await attempt(folder)
      expect(exit).toMatchObject({ cause: { error: { _tag: "LibraryInUse", reason: "unlocked" } } })
    } finally {
      clearInterval(timer)
    }
  }, 30_000)

  test("excludes no other process once it is no longer renewed, or where locks work", async () => {
    for (const beat of [3, null]) {
      const folder = await folderWith(`left-${beat}`, beat)
      expect(await attempt(folder)).toMatchObject({ _tag: "Success", value: true })
      expect(readdirSync(folder)).toEqual(["linkbower.lock"])
    }
  }, 30_000)

  test.skipIf(process.platform !== "linux")(
    "names a living process of this machine, by its number and its start",
    async () => {
      const folder = folderOf("alive")
      await isFree(folder)
      const child = Bun.spawn(["sleep", "60"])
      try {
        const owner = join(folder, "linkbower.owner")
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()
        const space = readlinkSync("/proc/self/ns/pid")
        const started = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19]
        const named = { pid: child.pid, started, boot, space, beat: null }
        writeFileSync(owner, JSON.stringify(named))
        expect(await attempt(folder)).toMatchObject({ cause: { error: { reason: "unlocked" } } })
        // The number of a process that ended is used again.
        writeFileSync(owner, JSON.stringify({ ...named, started: "1" }))
        expect(await attempt(folder)).toMatchObject({ _tag: "Success", value: true })
      } finally {
        child.kill()
        await child.exited
      }
    },
    30_000
  )
})

test("a probe in another process is refused the lock that this one holds, and granted a free one", async () => {
  const folder = folderOf("probed")
  const probe = () => Bun.spawnSync([...lockProbeCommand, join(folder, "linkbower.lock")]).exitCode
  await Effect.runPromise(
    Effect.scoped(
      Effect.zipRight(
        Lock.ifFree(folder),
        Effect.sync(() => expect(probe()).toBe(0))
      )
    )
  )
  expect(probe()).toBe(EXIT_LOCK_GRANTED)
}, 30_000)
