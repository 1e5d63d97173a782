import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PROGRAM } from "../support/program.ts"
import { freePort, until } from "../support/service.ts"

// A test that is cut off would leave the service behind.
setDefaultTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), "linkbower-terminal-"))
let port: number
beforeAll(async () => {
  port = await freePort()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const answers = () =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false
  )

/** Starts a command in its own terminal, and waits until the service answers. */
const startIn = async (...command: ReadonlyArray<string>) => {
  let output = ""
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: String(port), DATA_DIR: join(folder, "data") },
    terminal: {
      data: (_, bytes) => {
        output += new TextDecoder().decode(bytes)
      }
    }
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output}`)
    return answers()
  }, 30)
  return child
}

describe("a service in a terminal", () => {
  test("ends cleanly when the terminal is closed", async () => {
    const service = await startIn(...PROGRAM, "serve")
    service.terminal?.close()
    expect(await service.exited).toBe(0)
    // SQLite removes its log at a clean end.
    expect(existsSync(join(folder, "data/library.db-wal"))).toBe(false)
  })

  test("goes on after the terminal is closed where nohup started it", async () => {
    const service = await startIn("nohup", ...PROGRAM, "serve")
    service.terminal?.close()
    await Bun.sleep(1_000)
    expect(await answers()).toBe(true)
    service.kill("SIGTERM")
    expect(await service.exited).toBe(0)
  })
})
