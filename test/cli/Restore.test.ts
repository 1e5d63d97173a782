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
import { long } from "../support/tier.ts"
import { runHere } from "./support/doctor.ts"

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
  long(test)(
    "replaces the library, keeps the previous one, and the service starts from the backup",
    async () => {
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
    }
  )

  test("ends the sessions of the backup, and keeps its password, passkeys and feeds", async () => {
    const { folder, library, restore } = await place()
    const file = join(folder, "signed-in.db")
    copyFileSync(backup, file)
    inDatabase(file, (database) => {
      database.run("INSERT INTO signin_owner (id, handle, password) VALUES (1, 'h', 'p')")
      database.run(
        "INSERT INTO signin_sessions VALUES (1, 'the-hash', 'password', 'd', 'a', '2026-01-01', '2026-01-01', '2999-01-01')"
      )
      database.run("INSERT INTO signin_code VALUES (1, 'ACDEF', 's', 'log', 0, '2999-01-01')")
      for (const token of ["the-secret", "left out 2"])
        database.run("INSERT INTO searches (name, query, token, created_at) VALUES (?1, '', ?1, '2026')", [
          token
        ])
      database.run("INSERT INTO ereaders VALUES (1, 'token', '2026-01-01')")
    })
    expect((await restore(file)).code).toBe(0)
    const counts = ["signin_sessions", "signin_code", "ereaders", "signin_owner"].map((table) =>
      numberIn(library, `SELECT count(*) FROM ${table}`)
    )
    expect(counts).toEqual([0, 0, 0, 1])
    // A backup for the chat has no addresses of feeds.
    expect(numberIn(library, "SELECT count(*) FROM searches WHERE token = 'the-secret'")).toBe(1)
    expect(numberIn(library, "SELECT count(*) FROM searches WHERE token LIKE 'left out%'")).toBe(0)
    expect(numberIn(file, "SELECT count(*) FROM signin_sessions")).toBe(1)
    expect(readdirSync(join(folder, "data")).filter((name) => name.includes("restoring"))).toEqual([])
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
