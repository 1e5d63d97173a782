import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  copyFileSync,
  existsSync,
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
import { Effect } from "effect"
import { inspect } from "../../src/store/maintenance/Inspection.ts"
import { linkbower } from "../support/command.ts"
import { hashOf, inDatabase, makeLibrary, numberIn, overwrite } from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService, until, type World } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-damage-"))
const sound = join(root, "sound.db")
let world: World
beforeAll(async () => {
  world = await makeWorld()
  await makeLibrary(sound)
})
afterAll(async () => {
  await world.stop()
  rmSync(root, { recursive: true, force: true })
})

/** A folder in which a service has run before. */
const place = () => {
  const folder = mkdtempSync(join(root, "place-"))
  const data = join(folder, "data")
  mkdirSync(data)
  const library = join(data, "library.db")
  copyFileSync(sound, library)
  writeFileSync(`${library}.initialised`, "")
  return { folder, data, library }
}

/** What lies in a folder, but for the lock. */
const lying = (data: string) =>
  readdirSync(data)
    .filter((name) => name !== "linkbower.lock")
    .map((name) => [name, statSync(join(data, name)).isFile() ? hashOf(join(data, name)) : "folder"])

const isImmutable = (file: string, on: boolean) =>
  Bun.spawnSync(["chattr", on ? "+i" : "-i", file], { stderr: "ignore" }).success

const damages: ReadonlyArray<readonly [what: string, spoil: (library: string) => void, says: RegExp]> = [
  [
    "whose beginning is overwritten",
    (file) => overwrite(file, 0, 100),
    /not an SQLite database.*restore FILE/
  ],
  [
    "of which a page in the middle is overwritten",
    (file) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
    /is damaged.*linkbower re(store FILE|index)/
  ],
  ["that is cut off", (file) => truncateSync(file, statSync(file).size / 2), /is damaged.*restore FILE/],
  ["that is empty", (file) => truncateSync(file, 0), /is empty.*restore FILE/],
  [
    "that is a text",
    (file) => writeFileSync(file, "a text\n".repeat(2000)),
    /not an SQLite database.*restore FILE/
  ],
  [
    "that is a folder",
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    /is a folder.*restore FILE/
  ],
  ["that is gone", (file) => rmSync(file), /is missing.*restore FILE/],
  [
    "of a newer version",
    (file) =>
      inDatabase(file, (database) =>
        database.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
      ),
    /has version 9999.*Install a newer Linkbower/
  ]
]

describe("the service does not start over a library", () => {
  for (const [what, spoil, says] of damages)
    test(`${what}: it says so in a sentence, and changes nothing`, async () => {
      const { data, folder, library } = place()
      spoil(library)
      const before = lying(data)
      const began = performance.now()
      const { code, error } = await linkbower(folder, "serve")
      expect(performance.now() - began).toBeLessThan(10_000)
      expect(code).toBe(1)
      const last = error.trimEnd().split("\n").at(-1) ?? ""
      expect(last).toMatch(/^linkbower: .*\.$/)
      expect(last).toMatch(says)
      expect(last).toContain(library)
      expect(lying(data)).toEqual(before)
    }, 30_000)

  test("that may not be written: it says so, and changes nothing", async () => {
    const { data, folder, library } = place()
    const isRoot = process.getuid?.() === 0
    chmodSync(library, 0o400)
    if (isRoot && !isImmutable(library, true)) return console.log("skipped: nothing here refuses root a file")
    try {
      const before = lying(data)
      const { code, error } = await linkbower(folder, "serve")
      expect([code, error]).toEqual([1, expect.stringContaining(`${library} cannot be used`)])
      expect(lying(data)).toEqual(before)
    } finally {
      if (isRoot) isImmutable(library, false)
    }
  }, 30_000)
})

test("a second service on the same folder is refused, and takes over at once when the first is killed", async () => {
  const { folder, library } = place()
  const first = await startService(world.settings, folder)
  try {
    const second = await linkbower(folder, "serve")
    expect(second.code).toBe(1)
    expect(second.error).toContain("Another Linkbower uses the library")
    expect(await makeClient(first, world).links()).toHaveLength(60)
  } finally {
    await first.stop("SIGKILL")
  }
  const third = await startService(world.settings, folder)
  try {
    expect(await makeClient(third, world).links()).toHaveLength(60)
  } finally {
    await third.stop()
  }
  expect(existsSync(`${library}-wal`)).toBe(false)
}, 60_000)

test("links that the indexes have lost while the service was stopped are found again when it runs", async () => {
  const { folder, library } = place()
  inDatabase(library, (database) => {
    database.run("INSERT INTO links_fts (links_fts) VALUES ('delete-all')")
    database.run("INSERT INTO links_trigram (links_trigram) VALUES ('delete-all')")
    database.run("DELETE FROM vectors")
    database.run("DELETE FROM vector_floats")
  })
  const service = await startService(world.settings, folder)
  try {
    const client = makeClient(service, world)
    await until(() => numberIn(library, "SELECT count(*) FROM embedding_queue") === 0, 20)
    expect((await client.links("?q=page42"))[0]?.title).toBe("Title of page42")
    expect(await Effect.runPromise(inspect(library))).toMatchObject({
      links: 60,
      withoutText: 0,
      withoutVector: 0,
      waiting: 0
    })
  } finally {
    await service.stop()
  }
}, 60_000)
