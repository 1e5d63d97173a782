import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { quickInspect } from "../../src/store/maintenance/Inspection.ts"
import { canFault, faulty, movableClock } from "../support/faults.ts"
import { makeLibrary } from "../support/libraryFile.ts"
import { type Client, until, update } from "../support/service.ts"
import { type TestService, withTestService } from "../support/testService.ts"

// A guard against hanging: a test that is cut off would take the service with it.
setDefaultTimeout(600_000)

/** Large enough that a copy takes a while. */
const LINKS = 3_000
const DAY = 86_400
/** The dashboard is open, because the gateway's tokens would expire with the clock. */
const OPEN = { DEV_NO_AUTH: "1", ACCESS_AUD: undefined, ACCESS_TEAM_DOMAIN: undefined }

const disk = mkdtempSync(join(tmpdir(), "linkbower-small-disk-"))
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=100m", "tmpfs", disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync("umount", [disk])
  rmSync(disk, { recursive: true, force: true })
})

const withLibrary = async (
  settings: Readonly<Record<string, string | undefined>>,
  body: (service: TestService, backups: string) => Promise<void>,
  { folder = mkdtempSync(join(tmpdir(), "linkbower-test-")), links = LINKS } = {}
) => {
  mkdirSync(join(folder, "data"), { recursive: true })
  await makeLibrary(join(folder, "data", "library.db"), links)
  writeFileSync(join(folder, ".env"), "")
  await withTestService({ folder, settings }, (service) => body(service, join(folder, "data", "backups")))
}

/** The files in the folder of backups: complete ones by their numbers, others by their names. */
const filesIn = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder) : []).map((name) => /-(\d+)\.db$/.exec(name)?.[1] ?? name).sort()

const state = async (client: Client) => (await client.owner("GET", "/api/backups")).json()
const make = async (client: Client) => {
  await client.owner("POST", "/api/backups", {})
  return until(async () => {
    const now = await state(client)
    return now.state === "running" ? undefined : now
  })
}
const linksIn = async (folder: string, number: string) => {
  const name = readdirSync(folder).find((one) => one.endsWith(`-${number}.db`)) ?? ""
  return (await Effect.runPromise(quickInspect(join(folder, name)))).links
}
const saves = async ({ client, world }: TestService, title: string) => {
  expect((await client.webhook(update(`${world.pages.url}/plain?t=${title}`))).status).toBe(200)
  await until(async () => (await client.links(`?q=${title}`)).length === 1)
}

test("a kill while one is made leaves nothing under a final name, and the next is made", () =>
  withLibrary({ BACKUP_EVERY: "1 day" }, async (service, folder) => {
    const { client } = service
    const isHalf = () => filesIn(folder).some((name) => name.endsWith(".tmp"))
    // The first is due at the start, and at the next one again.
    await until(isHalf)
    await service.restart("SIGKILL")
    await until(() => filesIn(folder).includes("1"))
    for (let round = 0; round < 3; round++) {
      void client.owner("POST", "/api/backups", {}).catch(() => {})
      while (!isHalf()) await Bun.sleep(1)
      await service.running.stop("SIGKILL")
      const [, ...half] = filesIn(folder)
      expect(half).toEqual(half.filter((name) => /\.tmp(-journal)?$/.test(name)))
      await service.restart()
      await until(() => !isHalf())
      expect(filesIn(folder)).toEqual(["1"])
    }
    expect(await make(client)).toMatchObject({ state: "idle", error: null })
    expect(filesIn(folder)).toEqual(["1", "2"])
    expect([await linksIn(folder, "1"), await linksIn(folder, "2")]).toEqual([LINKS, LINKS])
  }))

test.skipIf(!mounted)("a disk without space for one is told, and all else goes on", () =>
  withLibrary(
    {},
    async (service, folder) => {
      const { client } = service
      expect(statfsSync(disk).bavail * statfsSync(disk).bsize).toBeLessThan(256_000_000)
      const failed = await make(client)
      expect([failed.state, failed.error]).toEqual(["failed", expect.stringContaining("too little space")])
      expect(filesIn(folder)).toEqual([])
      expect(await client.health()).toMatchObject({
        code: 200,
        status: "degraded",
        problems: ["backup-failed"]
      })
      await saves(service, "Meanwhile")
      expect(spawnSync("mount", ["-o", "remount,size=600m", disk]).status).toBe(0)
      expect(await make(client)).toMatchObject({ state: "idle", error: null })
      expect(filesIn(folder)).toEqual(["1"])
      expect(await client.health()).toMatchObject({ code: 200, status: "ok" })
    },
    { folder: join(disk, "service"), links: 60 }
  )
)

test.skipIf(!canFault)(
  "a disk that fills up while one is made leaves the earlier ones, and nothing of it",
  async () => {
    const fault = faulty({ calls: "write", error: "ENOSPC", path: ".tmp", after: 50 })
    const work = async (service: TestService, folder: string) => {
      const { client } = service
      await make(client)
      fault.on()
      const failed = await make(client)
      expect([failed.state, failed.error]).toEqual(["failed", expect.stringMatching(/full/)])
      expect(filesIn(folder)).toEqual(["1"])
      expect((await client.health()).problems).toEqual(["backup-failed"])
      await saves(service, "Meanwhile")
      fault.off()
      expect(await make(client)).toMatchObject({ state: "idle", error: null })
      expect(filesIn(folder)).toEqual(["1", "2"])
      expect((await client.health()).problems).toEqual([])
    }
    await withLibrary(fault.env, work, { links: 60 })
  }
)

test.skipIf(!canFault)(
  "a clock that jumps makes one for each jump at most, and removes none early",
  async () => {
    const clock = movableClock()
    await withLibrary(
      { ...OPEN, ...clock.env },
      async (service, folder) => {
        const { client } = service
        /** Sets the clock, and has the service look whether a backup is due. */
        const at = async (days: number, wanted: ReadonlyArray<string>) => {
          clock.set(days * DAY)
          const settings = { every: "1 day", keep: 3 }
          expect((await client.send("PATCH", "/dashboard/api/backups", settings, {})).status).toBe(200)
          await until(() => filesIn(folder).length >= wanted.length)
          await until(async () => {
            const { state } = await (await client.send("GET", "/dashboard/api/backups", undefined, {})).json()
            return state !== "running"
          })
          expect([days, filesIn(folder)]).toEqual([days, [...wanted]])
        }
        await at(0, ["1"])
        await at(400, ["1", "2"])
        await at(0, ["1", "2"])
        await service.restart()
        await at(0, ["1", "2"])
        await at(-9_000, ["1", "2", "3"])
        await service.restart("SIGKILL")
        // The one from 2002 looks old.
        await at(0, ["1", "2", "3", "4"])
        await at(2, ["1", "2", "3", "4", "5"])
        expect((await client.health()).problems).toEqual([])
      },
      { links: 60 }
    )
  }
)
