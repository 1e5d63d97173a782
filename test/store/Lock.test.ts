import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Fiber, Layer } from "effect"
import { Lock } from "../../src/store/Lock.ts"
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
       await Effect.runPromise(Effect.scoped(Effect.zipRight(Lock.ifFree("${folder}"), Effect.never)))`
    )
    const child = Bun.spawn([process.execPath, script], { stdout: "ignore", stderr: "inherit" })
    await until(async () => !(await isFree(folder)), 20)
    child.kill("SIGKILL")
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
