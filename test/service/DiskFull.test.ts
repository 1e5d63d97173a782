import { afterAll, describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PROGRAM, WITHOUT_OPTIMIZER } from "../support/program.ts"
import { makeClient, makeWorld, startService, until, update } from "../support/service.ts"
import { sampleOf } from "../support/tier.ts"

const disk = mkdtempSync(join(tmpdir(), "linkbower-small-disk-"))
/** A small disk for the library; the vector index alone needs some of it. */
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync("umount", [disk])
  rmSync(disk, { recursive: true, force: true })
})

/** Fills the disk; returns a way to free the space again. */
const fill = () => {
  const ballast = join(disk, "ballast")
  for (let size = 1024 * 1024; size >= 512; size /= 2)
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(size), { flag: "a" })
      } catch {
        break
      }
    }
  return () => rmSync(ballast)
}

describe("a full disk", () => {
  test.skipIf(!mounted)(
    mounted
      ? "has saves rejected for now, loses nothing, serves reads, and recovers when space is freed"
      : "is skipped: this user may not mount",
    async () => {
      const world = await makeWorld()
      const start = () => startService({ ...world.settings, DATA_DIR: disk })
      let service = await start()
      const client = makeClient(
        {
          get base() {
            return service.base
          }
        },
        world
      )
      const page = (title: string) => `${world.pages.url}/plain?t=${title}`
      const titles = async () => (await client.links("?limit=1000")).map(({ title }) => title)
      try {
        await client.webhook(update(page("Before")))
        await until(async () => (await titles()).includes("Before"))
        let makeRoom = fill()
        expect(statfsSync(disk).bavail).toBe(0)

        const refused: Array<number> = []
        const acknowledged: Array<string> = []
        // The existing files may have free space inside.
        for (let n = 0; n < 400 && refused.length < 6; n++) {
          const title = `Full-${n}-${"x".repeat(200)}`
          const answer = await client.webhook(update(page(title), { caption: "y".repeat(8_000) }))
          if (answer.status === 200) acknowledged.push(title)
          else {
            refused.push(answer.status)
            expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
          }
        }
        expect([...new Set(refused)]).toEqual([503])
        const capture = await client.capture({ url: page("Captured"), note: "z".repeat(10_000) })
        expect(capture.status).toBe(503)
        expect(Number(capture.headers.get("retry-after"))).toBeGreaterThan(0)
        const html = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64")
        const brought = await client.capture({ url: page("Brought"), article: { html } })
        expect(brought.status).toBe(503)
        expect(await titles()).not.toContain("Brought")

        expect(await titles()).toContain("Before")
        expect((await client.links("?q=before")).length).toBeGreaterThan(0)
        expect((await fetch(`${service.base}/list`)).status).toBe(200)
        const health = await fetch(`${service.base}/healthz`)
        expect([health.status, await health.json()]).toMatchObject([503, { problems: ["storage-full"] }])

        await service.stop("SIGKILL")
        service.clean()
        service = await start()
        expect(await titles()).toContain("Before")
        expect(await client.health()).toMatchObject({ code: 503, problems: ["storage-full"] })
        expect(service.output()).toMatch(/The disk that holds .*library\.db is full: 0\.0 MB are free/)
        // One that fails again and again would fill the disk with its log.
        expect(service.output()).not.toContain('reading the inbox failed"')

        // A clean stop removes the log and its index, for which the full disk would have no room at the next start.
        expect(await service.stop()).toBe(0)
        service.clean()
        makeRoom()
        makeRoom = fill()
        expect(statfsSync(disk).bavail).toBe(0)
        service = await start()
        expect(await titles()).toContain("Before")
        expect(
          (await client.webhook(update(page("Full again"), { caption: "y".repeat(8_000) }))).status
        ).toBe(503)
        expect(await client.health()).toMatchObject({ code: 503, problems: ["storage-full"] })
        expect(service.output()).toMatch(/The disk that holds .*library\.db is full: 0\.\d MB are free/)

        makeRoom()
        await until(async () => (await client.health()).code === 200)
        expect((await client.webhook(update(page("After")))).status).toBe(200)
        await until(async () => (await titles()).includes("After"))
        await until(async () => {
          const there = new Set(await titles())
          return acknowledged.every((title) => there.has(title))
        })
        await until(async () => (await fetch(`${service.base}/healthz`)).ok)
        console.log(
          `${acknowledged.length} saves accepted on the full disk, ${refused.length} rejected, none lost`
        )
        expect(await titles()).not.toContain("Captured")
        expect(await service.stop()).toBe(0)
      } finally {
        await service.stop("SIGKILL")
        service.clean()
        await world.stop()
      }
    }
  )

  test.skipIf(!mounted)(
    "keeps commands from starting, with an error that says how much to free and where",
    async () => {
      const home = mkdtempSync(join(tmpdir(), "linkbower-full-start-"))
      const run = async (...args: ReadonlyArray<string>) => {
        const child = Bun.spawn([...PROGRAM, ...args], {
          cwd: home,
          env: {
            PATH: process.env["PATH"],
            ...WITHOUT_OPTIMIZER,
            DATA_DIR: data,
            PORT: "0",
            HOST: "127.0.0.1"
          },
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe"
        })
        const [out, error] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text()
        ])
        return { code: await child.exited, out, error }
      }
      const data = join(disk, "second")
      const library = join(data, "library.db")
      let makeRoom = () => {}
      try {
        writeFileSync(join(home, "list.txt"), "https://example.org/a\n")
        expect((await run("import", "list.txt")).code).toBe(0)
        const before = readFileSync(library)
        makeRoom = fill()
        for (const command of sampleOf(
          [["serve"], ["import", "list.txt"], ["backup", join(home, "copy.db")]],
          1
        )) {
          const { code, error } = await run(...command)
          expect(code).toBe(1)
          expect(error).toContain(`The disk that holds ${library} is full: 0.0 MB are free`)
          expect(error).toMatch(/Free at least \d+\.\d MB in /)
        }
        expect(readFileSync(library).equals(before)).toBe(true)
        makeRoom()
        makeRoom = () => {}
        expect((await run("import", "list.txt")).out).toContain("1 link found, 0 new")
      } finally {
        makeRoom()
        rmSync(data, { recursive: true, force: true })
        rmSync(home, { recursive: true, force: true })
      }
    }
  )
})
