import { afterAll, describe, expect } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { dataFolder } from "../../src/store/DataFolder.ts"
import { quickInspect } from "../../src/store/maintenance/Inspection.ts"
import { appTests } from "../support/app.ts"
import { makeLibrary } from "../support/libraryFile.ts"
import { until } from "../support/service.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const it = appTests()

describe("the backups' routes", () => {
  it(
    "list backups, make one and say what an export has",
    async (app) => {
      // The app's own library is in memory.
      await makeLibrary(dataFolder(folder).library, 3)
      const state = async () => (await app.owner("GET", "/api/backups")).json()
      expect(await state()).toMatchObject({ every: "off", keep: 7, backups: [], state: "idle", nextAt: null })
      const made = await app.owner("POST", "/api/backups")
      expect([made.status, (await made.json()).state]).toEqual([202, "running"])
      await until(async () => (await state()).backups.length === 1)
      const { backups, error, export: size } = await state()
      expect(error).toBeNull()
      expect(size).toEqual({
        links: 0,
        trashed: 0,
        pages: 0,
        versions: 0,
        pictures: 0,
        snapshots: 0,
        bytes: 0
      })
      const [name] = readdirSync(dataFolder(folder).backups)
      expect(backups).toEqual([{ name, createdAt: expect.any(String), bytes: expect.any(Number) }])
      const copy = join(dataFolder(folder).backups, name ?? "")
      expect((await Effect.runPromise(quickInspect(copy))).links).toBe(3)
    },
    { DATA_DIR: folder }
  )

  it("refuse what is no setting, and anyone else", async (app) => {
    for (const body of [{ every: "daily" }, { every: "1 minute" }, { keep: 0 }, { keep: 1.5 }, { every: 1 }])
      expect([body, (await app.owner("PATCH", "/api/backups", body)).status]).toEqual([body, 400])
    for (const body of [{ every: "2 days" }, { keep: 3, every: "off" }])
      expect((await app.owner("PATCH", "/api/backups", body)).status).toBe(409)
    for (const method of ["GET", "POST", "PATCH"])
      expect(
        (await app.request(method, "/dashboard/api/backups", method === "GET" ? undefined : {})).status
      ).toBe(403)
  })
})
