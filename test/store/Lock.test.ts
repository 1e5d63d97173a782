import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { lockProbeCommand } from "../../src/SandboxCommand.ts"
import { Lock } from "../../src/store/Lock.ts"
import { EXIT_LOCK_GRANTED } from "../../src/store/LockFile.ts"
import { clockTest } from "../support/effect.ts"
import { until } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-lock-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folderOf = (name: string) => join(root, name)
/** Whether the lock can be taken; gives it back at once. */
const isFree = (folder: string) => Effect.scoped(Lock.ifFree(folder))
/** Takes the lock as the service does, and gives it back at once. */
const hold = (folder: string) => Effect.scoped(Layer.build(Lock.layer(folder)))
const it = clockTest(Layer.empty)

describe("Lock", () => {
  it("creates the folder, excludes the same process, and is free again when its scope closes", function* () {
    const folder = folderOf("one")
    yield* Effect.scoped(
      Effect.gen(function* () {
        expect(yield* Lock.ifFree(folder)).toBe(true)
        expect(yield* isFree(folder)).toBe(false)
      })
    )
    expect(yield* isFree(folder)).toBe(true)
    expect(readdirSync(folder)).toEqual(["linkbower.lock"])
  })

  it("fails after two seconds while another process holds it, and names the folder", function* () {
    const folder = folderOf("two")
    yield* Lock.ifFree(folder)
    const second = yield* Effect.fork(Effect.flip(hold(folder)))
    yield* TestClock.adjust("1900 millis")
    expect((yield* Fiber.poll(second))._tag).toBe("None")
    yield* TestClock.adjust("200 millis")
    const error = yield* Fiber.join(second)
    expect(error).toMatchObject({ _tag: "LibraryInUse", reason: "taken" })
    expect(error.message).toContain(folder)
  })

  it("waits for a process that is ending", function* () {
    const folder = folderOf("three")
    const first = yield* Effect.fork(
      Effect.scoped(Effect.zipRight(Lock.ifFree(folder), Effect.sleep("300 millis")))
    )
    yield* Effect.yieldNow()
    const second = yield* Effect.fork(hold(folder))
    yield* TestClock.adjust("200 millis")
    expect((yield* Fiber.poll(second))._tag).toBe("None")
    yield* TestClock.adjust("200 millis")
    yield* Fiber.join(second)
    yield* Fiber.join(first)
  })

  test("is released by the operating system when its process is killed", async () => {
    const folder = folderOf("four")
    const script = join(root, "hold.ts")
    const module = resolve(import.meta.dir, "../../src/store/Lock.ts")
    const effect = Bun.resolveSync("effect", import.meta.dir)
    writeFileSync(
      script,
      `import { Effect } from "${effect}"
       import { Lock } from "${module}"
       // The test holds the lock for a moment when it looks.
       const taken = Effect.repeat(Lock.ifFree("${folder}"), { until: (isTaken) => isTaken })
       await Effect.runPromise(Effect.scoped(Effect.zipRight(taken, Effect.never)))`
    )
    const child = Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "inherit" })
    try {
      await until(async () => !(await Effect.runPromise(isFree(folder))))
    } finally {
      child.kill("SIGKILL")
    }
    await child.exited
    await Effect.runPromise(hold(folder))
  })

  it("fails where the folder cannot be written, and names it", function* () {
    const file = folderOf("file")
    writeFileSync(file, "")
    const error = yield* Effect.flip(isFree(join(file, "data")))
    expect(error).toMatchObject({ reason: "unwritable" })
    expect(error.message).toContain(join(file, "data"))
  })

  test("refuses a probe in another process while it is held, and grants a free one", async () => {
    const folder = folderOf("probed")
    const probe = () => Bun.spawnSync([...lockProbeCommand, join(folder, "linkbower.lock")]).exitCode
    const probeWhileHeld = Effect.zipRight(Lock.ifFree(folder), Effect.sync(probe))
    expect(await Effect.runPromise(Effect.scoped(probeWhileHeld))).toBe(0)
    expect(probe()).toBe(EXIT_LOCK_GRANTED)
  })
})

describe("the owner's file, where the file system does not lock", () => {
  /** Writes the file as another machine does. */
  const writeOwner = (folder: string, beat: number | null) =>
    writeFileSync(
      join(folder, "linkbower.owner"),
      JSON.stringify({ pid: 1, started: "7", boot: "another machine", space: "pid:[1]", beat })
    )
  const folderWith = Effect.fnUntraced(function* (name: string, beat: number | null) {
    const folder = folderOf(name)
    yield* isFree(folder)
    writeOwner(folder, beat)
    return folder
  })

  it("excludes a second process while another machine renews it", function* () {
    const folder = yield* folderWith("renewed", 0)
    const second = yield* Effect.fork(Effect.flip(isFree(folder)))
    yield* TestClock.adjust("6 seconds")
    writeOwner(folder, 1)
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(second)).toMatchObject({ _tag: "LibraryInUse", reason: "unlocked" })
  })

  for (const [name, beat] of [
    ["is no longer renewed", 3],
    ["comes from where locks work", null]
  ] as const)
    it(`excludes no process when it ${name}`, function* () {
      const folder = yield* folderWith(`left-${beat}`, beat)
      const second = yield* Effect.fork(isFree(folder))
      yield* TestClock.adjust("7 seconds")
      expect(yield* Fiber.join(second)).toBe(true)
      expect(readdirSync(folder)).toEqual(["linkbower.lock"])
    })

  test.skipIf(process.platform !== "linux")(
    "identifies a living process of this machine by its number and its start",
    async () => {
      const folder = folderOf("alive")
      const attempt = () => Effect.runPromiseExit(isFree(folder))
      await attempt()
      const child = Bun.spawn(["sleep", "60"])
      try {
        const owner = join(folder, "linkbower.owner")
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()
        const space = readlinkSync("/proc/self/ns/pid")
        const started = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19]
        const named = { pid: child.pid, started, boot, space, beat: null }
        writeFileSync(owner, JSON.stringify(named))
        expect(await attempt()).toMatchObject({ cause: { error: { reason: "unlocked" } } })
        // The system reuses the number of a process that ended.
        writeFileSync(owner, JSON.stringify({ ...named, started: "1" }))
        expect(await attempt()).toMatchObject({ _tag: "Success", value: true })
      } finally {
        child.kill()
        await child.exited
      }
    }
  )
})
