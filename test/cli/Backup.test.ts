import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { hashOf, makeLibrary, overwrite } from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-backup-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = async (name: string, count?: number) => {
  const folder = join(root, name)
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"), { recursive: true })
  await makeLibrary(library, count)
  return { folder, library }
}

test("a backup taken while the service runs holds what it has just saved, and a service starts from it", async () => {
  const world = await makeWorld()
  const folder = mkdtempSync(join(root, "service-"))
  const other = mkdtempSync(join(root, "other-"))
  const url = `${world.pages.url}/plain?t=Kept`
  let service = await startService(world.settings, folder)
  try {
    expect((await makeClient(service, world).owner("POST", "/api/links", { url })).status).toBeLessThan(300)
    const { code, error, out } = await linkbower(folder, "backup", "copy.db")
    expect([code, error]).toEqual([0, ""])
    expect(out).toMatch(/^\/.*\/copy\.db: 1 link, \d[\d.]* kB, in \d+\.\d s\n$/)
    await service.stop()
    mkdirSync(join(other, "data"))
    writeFileSync(join(other, "data", "library.db"), readFileSync(join(folder, "copy.db")))
    service = await startService(world.settings, other)
    expect((await makeClient(service, world).links()).map((link) => link.url)).toEqual([url])
  } finally {
    await service.stop()
    await world.stop()
  }
}, 60_000)

test("an existing file is left as it is, and replaced when that is asked for", async () => {
  const { folder } = await place("existing")
  writeFileSync(join(folder, "copy.db"), "something else")
  const refused = await linkbower(folder, "backup", "copy.db")
  expect(refused.code).toBe(1)
  expect(refused.error).toMatch(/^linkbower: [^\n]*copy\.db could not be written[^\n]*--force[^\n]*\.\n$/)
  expect(readFileSync(join(folder, "copy.db"), "utf8")).toBe("something else")
  expect((await linkbower(folder, "backup", "--force", "copy.db")).out).toContain("60 links")
  expect(readdirSync(folder).sort()).toEqual(["copy.db", "data"])
}, 30_000)

test("a damaged library is not copied, and where there is none that is said", async () => {
  const { folder, library } = await place("damaged")
  overwrite(library, 8192, 4096 * 20)
  const before = hashOf(library)
  const damaged = await linkbower(folder, "backup", "copy.db")
  expect(damaged.code).toBe(1)
  expect(damaged.error).toContain("linkbower restore FILE")
  expect(hashOf(library)).toBe(before)
  expect(existsSync(join(folder, "copy.db"))).toBe(false)
  const empty = join(root, "empty")
  mkdirSync(empty)
  expect((await linkbower(empty, "backup", "copy.db")).error).toContain("No library found in")
  expect(readdirSync(empty)).toEqual([])
}, 30_000)
