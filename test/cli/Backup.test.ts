import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { hashOf, inDatabase, makeLibrary, overwrite } from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { runHere } from "./support/doctor.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-backup-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A folder with a library, and a backup command for it. */
const place = async (name: string) => {
  const folder = join(root, name)
  const copy = join(folder, "copy.db")
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"), { recursive: true })
  await makeLibrary(library)
  const backup = (options = "") => runHere(`backup ${options}${copy}`, { DATA_DIR: join(folder, "data") })
  return { folder, copy, library, backup }
}

describe("linkbower backup", () => {
  test("copies what a running service has just saved", async () => {
    const world = await makeWorld()
    const url = `${world.pages.url}/plain?t=Kept`
    const service = await startService(world.settings, mkdtempSync(join(root, "service-")))
    try {
      const saved = await makeClient(service, world).owner("POST", "/api/links", { url })
      expect(saved.status).toBeLessThan(300)
      const { code, error, out } = await linkbower(service.folder, "backup", "copy.db")
      expect([code, error]).toEqual([0, ""])
      expect(out).toMatch(/^\/.*\/copy\.db: 1 link, \d[\d.]* kB, in \d+\.\d s\n$/)
      const urls = inDatabase(join(service.folder, "copy.db"), (database) =>
        database.query("SELECT url FROM links").values()
      )
      expect(urls).toEqual([[url]])
    } finally {
      await service.stop()
      await world.stop()
    }
  })

  long(test)("replaces an existing file only with --force", async () => {
    const { backup, copy, folder } = await place("existing")
    writeFileSync(copy, "something else")
    const rejected = await backup()
    expect(rejected.code).toBe(1)
    expect(rejected.error).toMatch(/^linkbower: [^\n]*copy\.db could not be written[^\n]*--force[^\n]*\.\n$/)
    expect(readFileSync(copy, "utf8")).toBe("something else")
    expect((await backup("--force ")).out).toContain("60 links")
    expect(readdirSync(folder).sort()).toEqual(["copy.db", "data"])
  })

  test("fails for a damaged or missing library", async () => {
    const { backup, copy, library } = await place("damaged")
    overwrite(library, 8192, 4096 * 20)
    const before = hashOf(library)
    const damaged = await backup()
    expect([damaged.code, damaged.error]).toEqual([1, expect.stringContaining("linkbower restore FILE")])
    expect(hashOf(library)).toBe(before)
    expect(existsSync(copy)).toBe(false)
    const empty = join(root, "empty")
    mkdirSync(empty)
    const missing = await runHere(`backup ${empty}/copy.db`, { DATA_DIR: join(empty, "data") })
    expect(missing.error).toContain("No library found in")
    expect(readdirSync(empty)).toEqual([])
  })
})
