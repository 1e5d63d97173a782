import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { numberIn } from "../support/libraryFile.ts"
import { PROGRAM, WITHOUT_OPTIMIZER } from "../support/program.ts"
import { freePort, type Running, until, update } from "../support/service.ts"
import { withTestService } from "../support/testService.ts"
import { byTier, isLong, long } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

/** How long the service waits for its work, in milliseconds. */
const GRACE = 3_000
/** How long a stop may take on a busy machine. */
const STOPPED_WITHIN = 60_000
const UPDATES = byTier(48, 400)

const count = ({ folder }: Running, rows: string) =>
  numberIn(join(folder, "data/library.db"), `SELECT count(*) FROM ${rows}`)

describe("a service that is told to stop", () => {
  test.concurrent("finishes its work first; twice stops at once, and continues its work after the next start", () =>
    withTestService({}, async (service) => {
      const { client, restart, world } = service
      const url = `${world.pages.url}/slow?ms=200&t=In+progress`
      expect((await client.webhook(update(url))).status).toBe(200)
      await until(() => world.pages.hits.has("/slow"))
      const begun = performance.now()
      expect(await service.running.stop()).toBe(0)
      const waited = performance.now() - begun
      // A busy machine may need longer than the service waits; then it reads the page again after the start.
      const isDone = count(service.running, "inbox WHERE state = 'waiting'") === 0
      expect(isDone || waited >= GRACE).toBe(true)
      await restart()
      await until(async () => {
        const [link] = await client.links()
        return link?.title === "In progress" && link.enrichment === "complete"
      })
      expect(world.pages.hits.get("/slow")).toBe(isDone ? 1 : 2)

      const { running } = service
      await client.webhook(update(`${world.pages.url}/held?t=Held+back`))
      await until(() => world.pages.hits.has("/held"))
      process.kill(running.pid, "SIGTERM")
      // It waits three seconds for the page.
      await until(() => running.output().includes("is stopping"))
      process.kill(running.pid, "SIGTERM")
      expect(await running.exited).toBe(143)
      expect(count(running, "inbox WHERE state = 'waiting'")).toBe(1)

      world.pages.release()
      await restart()
      await until(async () => {
        const [link] = await client.links()
        return link?.title === "Held back" && link.enrichment !== "pending"
      })
      expect((await client.links()).length).toBe(2)
      expect(await service.running.stop("SIGINT")).toBe(0)
    }))

  long(test)(`among ${UPDATES} updates keeps them all, saves no link twice or half, and continues`, () =>
    withTestService({}, async ({ client, restart, running }) => {
      const sent = Array.from({ length: UPDATES }, (_, n) => update(`https://127.0.0.1:1/flood/${n}`))
      const answers = await Promise.all(sent.map((one) => client.webhook(one)))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      const begun = performance.now()
      expect(await running.stop()).toBe(0)
      if (isLong) expect(performance.now() - begun).toBeLessThan(STOPPED_WITHIN)

      const floods = "links WHERE url LIKE '%/flood/%'"
      const twice = `(SELECT url FROM ${floods} GROUP BY url HAVING count(*) > 1)`
      const here = count(running, floods)
      expect(running.output()).not.toContain('"ERROR"')
      expect(count(running, "inbox")).toBe(UPDATES)
      expect(count(running, twice)).toBe(0)
      expect(count(running, `${floods} AND id NOT IN (SELECT rowid FROM links_fts)`)).toBe(0)

      await restart()
      await until(() => count(running, floods) >= Math.min(UPDATES, here + byTier(10, 60)))
      expect(count(running, twice)).toBe(0)
    })
  )
})

describe("a service in a terminal", () => {
  /** Starts a command in its own terminal, and waits until the service responds. */
  const withTerminal = async (
    command: ReadonlyArray<string>,
    body: (child: Bun.Subprocess, responds: () => Promise<boolean>, data: string) => Promise<void>
  ) => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-terminal-"))
    const data = join(folder, "data")
    const port = await freePort()
    const responds = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false
      )
    let output = ""
    const child = Bun.spawn([...command], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        ...WITHOUT_OPTIMIZER,
        HOST: "127.0.0.1",
        PORT: String(port),
        DATA_DIR: data
      },
      terminal: {
        data: (_, bytes) => {
          output += new TextDecoder().decode(bytes)
        }
      }
    })
    try {
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output}`)
        return responds()
      })
      await body(child, responds, data)
    } finally {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test.concurrent("stops cleanly when the terminal is closed", () =>
    withTerminal([...PROGRAM, "serve"], async (child, _, data) => {
      child.terminal?.close()
      expect(await child.exited).toBe(0)
      // SQLite removes its log at a clean end.
      expect(existsSync(join(data, "library.db-wal"))).toBe(false)
    }))

  long(test.concurrent)("outlives the terminal when nohup started it", () =>
    withTerminal(["nohup", ...PROGRAM, "serve"], async (child, responds) => {
      child.terminal?.close()
      await Bun.sleep(300)
      expect(await responds()).toBe(true)
      child.kill("SIGTERM")
      expect(await child.exited).toBe(0)
    })
  )
})
