import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { hashOf, inDatabase, makeLibrary, numberIn, overwrite } from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-restore-"))
const backup = join(root, "backup.db")
beforeAll(() => makeLibrary(backup, 10))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = async () => {
  const folder = mkdtempSync(join(root, "place-"))
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"))
  await makeLibrary(library, 3)
  return { folder, library }
}

const linksIn = (file: string) => numberIn(file, "SELECT count(*) FROM links")

describe("linkbower restore", () => {
  test("puts the backup in place, says where the earlier library is, and the service starts from it", async () => {
    const { folder, library } = await place()
    const { code, error, out } = await linkbower(folder, "restore", backup)
    expect([code, error]).toEqual([0, ""])
    expect(out).toContain(`Restored from ${backup}: 10 links, `)
    const aside = out.match(/kept as (\S+\.db)/)?.[1] ?? ""
    expect([linksIn(library), linksIn(aside)]).toEqual([10, 3])
    const world = await makeWorld()
    const service = await startService(world.settings, folder)
    try {
      expect(await makeClient(service, world).links()).toHaveLength(10)
      const refused = await linkbower(folder, "restore", aside)
      expect(refused.code).toBe(1)
      expect(refused.error).toMatch(/^linkbower: Another Linkbower uses the library in [^\n]*\n$/)
      expect(await makeClient(service, world).links()).toHaveLength(10)
    } finally {
      await service.stop()
      await world.stop()
    }
  }, 60_000)

  const bad: ReadonlyArray<readonly [what: string, spoil: (file: string) => void]> = [
    ["broken", (file) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)],
    ["cut off", (file) => truncateSync(file, statSync(file).size / 2)],
    ["empty", (file) => truncateSync(file, 0)],
    ["no database", (file) => writeFileSync(file, "a text")],
    [
      "newer",
      (file) =>
        inDatabase(file, (database) =>
          database.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
        )
    ]
  ]
  for (const [what, spoil] of bad)
    test(`refuses a file that is ${what}, and leaves everything as it was`, async () => {
      const { folder, library } = await place()
      const file = join(folder, "bad.db")
      copyFileSync(backup, file)
      spoil(file)
      const before = [hashOf(library), hashOf(file), readdirSync(join(folder, "data")).sort()]
      const { code, error } = await linkbower(folder, "restore", file)
      expect(code).toBe(1)
      expect(error).toMatch(/^linkbower: [^\n]*bad\.db[^\n]* Nothing was restored or changed\.\n$/)
      expect([hashOf(library), hashOf(file), readdirSync(join(folder, "data")).sort()]).toEqual(before)
    }, 30_000)

  test("does not take the library itself for a backup of it", async () => {
    const { folder, library } = await place()
    const { code, error } = await linkbower(folder, "restore", library)
    expect([code, error]).toEqual([1, expect.stringContaining("is the library itself")])
  }, 30_000)
})
