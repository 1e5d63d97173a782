import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
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
import { runHere } from "./support/doctor.ts"

setDefaultTimeout(40_000)

const root = mkdtempSync(join(tmpdir(), "linkbower-restore-"))
const backup = join(root, "backup.db")
beforeAll(() => makeLibrary(backup, 10))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = async () => {
  const folder = mkdtempSync(join(root, "place-"))
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"))
  await makeLibrary(library, 3)
  /** Runs `linkbower restore` in this process. */
  const restore = (file: string) => runHere(`restore ${file}`, { DATA_DIR: join(folder, "data") })
  return { folder, library, restore }
}

const linksIn = (file: string) => numberIn(file, "SELECT count(*) FROM links")

describe("linkbower restore", () => {
  test("replaces the library, keeps the previous one, and the service starts from the backup", async () => {
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
      const rejected = await linkbower(folder, "restore", aside)
      expect(rejected.code).toBe(1)
      expect(rejected.error).toMatch(/^linkbower: Another Linkbower uses the library in [^\n]*\n$/)
      expect(await makeClient(service, world).links()).toHaveLength(10)
    } finally {
      await service.stop()
      await world.stop()
    }
  })

  const bad: ReadonlyArray<readonly [what: string, damage: (file: string) => void]> = [
    ["broken", (file) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)],
    ["truncated", (file) => truncateSync(file, statSync(file).size / 2)],
    ["empty", (file) => truncateSync(file, 0)],
    ["not a database", (file) => writeFileSync(file, "a text")],
    [
      "newer",
      (file) =>
        inDatabase(file, (database) =>
          database.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
        )
    ]
  ]
  for (const [what, damage] of bad)
    test(`rejects a file that is ${what}, and changes nothing`, async () => {
      const { folder, library, restore } = await place()
      const file = join(folder, "bad.db")
      copyFileSync(backup, file)
      damage(file)
      const before = [hashOf(library), hashOf(file), readdirSync(join(folder, "data")).sort()]
      const { code, error } = await restore(file)
      expect(code).toBe(1)
      expect(error).toMatch(/^linkbower: [^\n]*bad\.db[^\n]* Nothing was restored or changed\.\n$/)
      expect([hashOf(library), hashOf(file), readdirSync(join(folder, "data")).sort()]).toEqual(before)
    })

  test("rejects the library itself", async () => {
    const { library, restore } = await place()
    const { code, error } = await restore(library)
    expect([code, error]).toEqual([1, expect.stringContaining("is the library itself")])
  })
})
