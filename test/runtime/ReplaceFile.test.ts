import { afterAll, describe, expect, test } from "bun:test"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { Effect } from "effect"
import { FileNotReplaced, removeAbandonedTemporaries, replaceFile } from "../../src/runtime/ReplaceFile.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-replace-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const place = () => {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  const file = join(folder, "export.json")
  writeFileSync(file, "before")
  return { folder, file }
}

const run = Effect.runPromise
const writing = (text: string) => (temporary: string) => Effect.sync(() => writeFileSync(temporary, text))
const sweep = (folder: string) => run(removeAbandonedTemporaries(folder))

const hangingWriter = async (file: string) => {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, "../support/hangingWriter.ts"), file], {
    stdout: "pipe",
    stderr: "inherit"
  })
  const { value } = await child.stdout.getReader().read()
  const temporary = new TextDecoder().decode(value).trim()
  const kill = async () => {
    child.kill("SIGKILL")
    await child.exited
  }
  return { kill, temporary }
}

describe("replaceFile", () => {
  test("keeps the old content until the new file is complete, with mode 600", async () => {
    const { file, folder } = place()
    const seen = await run(
      replaceFile(file, (temporary) =>
        Effect.sync(() => {
          writeFileSync(temporary, "after")
          return readFileSync(file, "utf8")
        })
      )
    )
    expect([seen, readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([
      "before",
      "after",
      0o600
    ])
    expect(readdirSync(folder)).toEqual([basename(file)])
  })

  test("keeps the old content and leaves no temporary file if the writer fails", async () => {
    const { file, folder } = place()
    const failing = replaceFile(file, (temporary) =>
      Effect.zipRight(writing("half")(temporary), Effect.fail("no" as const))
    )
    expect(await run(Effect.flip(failing))).toBe("no")
    await run(Effect.exit(replaceFile(file, () => Effect.die("a bug"))))
    expect(readFileSync(file, "utf8")).toBe("before")
    expect(readdirSync(folder)).toEqual([basename(file)])
  })

  test("replaces the target of a symbolic link", async () => {
    const { file, folder } = place()
    const link = join(folder, "latest.json")
    symlinkSync(file, link)
    await run(replaceFile(link, writing("after")))
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, "utf8")).toBe("after")
  })

  test("fails with EEXIST for an existing file if it may not replace one", async () => {
    const { file, folder } = place()
    const error = await run(Effect.flip(replaceFile(file, writing("after"), { replace: false })))
    expect(error).toBeInstanceOf(FileNotReplaced)
    expect(error.code).toBe("EEXIST")
    expect(readFileSync(file, "utf8")).toBe("before")
    const other = join(folder, "new.json")
    await run(replaceFile(other, writing("new"), { replace: false }))
    expect(readFileSync(other, "utf8")).toBe("new")
    expect(readdirSync(folder).sort()).toEqual(["export.json", "new.json"])
  })

  test("rejects a folder, a device and a missing folder", async () => {
    const { file, folder } = place()
    const refused = async (path: string) => (await run(Effect.flip(replaceFile(path, writing("x"))))).message
    expect(await refused(folder)).toBe(`${folder} could not be written: it is a folder.`)
    expect(await refused("/dev/null")).toBe("/dev/null could not be written: it is not a regular file.")
    const nowhere = join(folder, "nowhere", "x")
    expect(await refused(nowhere)).toBe(`${nowhere} could not be written: its folder is missing.`)
    expect(readFileSync(file, "utf8")).toBe("before")
  })
})

describe("replaceFile before a power cut", () => {
  const strace = Bun.which("strace")
  test.skipIf(strace === null)("syncs the file, renames it and syncs its folder", async () => {
    const { file, folder } = place()
    const log = join(folder, "calls")
    const script = join(folder, "write.ts")
    writeFileSync(
      script,
      `import { replaceFile } from ${JSON.stringify(resolve(import.meta.dir, "../../src/runtime/ReplaceFile.ts"))}
       import { Effect } from ${JSON.stringify(Bun.resolveSync("effect", import.meta.dir))}
       await Effect.runPromise(replaceFile(process.argv[2] ?? "", (t) => Effect.promise(() => Bun.write(t, "after"))))`
    )
    const traced = "trace=fsync,fdatasync,rename,renameat,renameat2"
    const child = Bun.spawn(
      [strace ?? "", "-f", "-qq", "-y", "-e", traced, "-o", log, process.execPath, script, file],
      { stdout: "ignore", stderr: "ignore" }
    )
    expect(await child.exited).toBe(0)
    const calls = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes(folder) && !line.includes(script))
      .map((line) => /(fsync|fdatasync|rename)\w*\(/.exec(line)?.[1])
    expect(calls).toEqual(["fsync", "rename", "fsync"])
    expect(readFileSync(file, "utf8")).toBe("after")
  })
})

describe("removeAbandonedTemporaries", () => {
  test("removes the temporary file of a killed process, but not of a running one", async () => {
    const { file, folder } = place()
    const { kill, temporary } = await hangingWriter(file)
    writeFileSync(`${temporary}-journal`, "")
    try {
      expect(await sweep(folder)).toEqual([])
      expect(existsSync(temporary)).toBe(true)
    } finally {
      await kill()
    }
    expect(readFileSync(file, "utf8")).toBe("before")
    expect((await sweep(folder)).sort()).toEqual([basename(temporary), `${basename(temporary)}-journal`])
    expect(readdirSync(folder)).toEqual([basename(file)])
  })

  test("removes the file of a dead process with the same process id, but not its own", async () => {
    const { file, folder } = place()
    const { kill, temporary } = await hangingWriter(file)
    await kill()
    // The first process of a container has the same id after a restart.
    const earlier = temporary.replace(/-\d+-([0-9a-f]{8}\.tmp)$/, `-${process.pid}-$1`)
    writeFileSync(earlier, "half of it")
    rmSync(temporary)
    const seen = await run(
      replaceFile(file, (now) =>
        Effect.map(removeAbandonedTemporaries(folder), (removed) => [existsSync(now), removed])
      )
    )
    expect(seen).toEqual([true, [basename(earlier)]])
  })

  test("removes a file of another machine an hour after its last change", async () => {
    const { folder } = place()
    const old = "export.json.linkbower-00000000-1-0123abcd.tmp"
    writeFileSync(join(folder, old), "half")
    expect(await sweep(folder)).toEqual([])
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
    utimesSync(join(folder, old), hoursAgo, hoursAgo)
    expect(await sweep(folder)).toEqual([old])
  })

  test("keeps files of other names", async () => {
    const { folder } = place()
    const own = [
      "notes.tmp",
      "linkbower.tmp",
      "other.0d9f2f8e-5f0a-4c58-9a44-6a7e0d3f1b2c.tmp",
      "export.json.tmp"
    ]
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of own) {
      writeFileSync(join(folder, name), "mine")
      utimesSync(join(folder, name), hoursAgo, hoursAgo)
    }
    expect(await sweep(folder)).toEqual([])
    expect(readdirSync(folder).sort()).toEqual([...own, "export.json"].sort())
    expect(await sweep(join(folder, "nowhere"))).toEqual([])
  })
})
