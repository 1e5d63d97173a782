import { beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { migrations } from "../../migrations/index.ts"
import { buildNewLibrary } from "../../src/store/buildNewLibrary.ts"
import * as Database from "../../src/store/Database.ts"
import { migrate } from "../../src/store/Database.ts"
import { Lock } from "../../src/store/Lock.ts"
import { inspect, quickInspect } from "../../src/store/maintenance/Inspection.ts"
import { restore } from "../../src/store/maintenance/Restore.ts"
import { readNewLibrary } from "../../src/store/NewLibrary.ts"
import newest from "../../src/store/newLibrary.json" with { type: "json" }
import { LATEST_VERSION } from "../../src/store/Schema.ts"
import { bundle } from "../support/bundle.ts"
import { hashOf, inDatabase, makeLibrary, numberIn } from "../support/libraryFile.ts"
import { makePlaces, open, opening, quiet } from "../support/places.ts"
import { WITHOUT_OPTIMIZER } from "../support/program.ts"
import { long } from "../support/tier.ts"

const LINKS = 60
const { place, root } = makePlaces("migrations")
const sound = join(root, "sound.db")
beforeAll(() => makeLibrary(sound, LINKS))
const copy = () => {
  const at = place()
  copyFileSync(sound, at.file)
  writeFileSync(`${at.file}.initialised`, "")
  return at
}

const numbered = (more: number) => String(LATEST_VERSION + more).padStart(4, "0")
const KEPT = `library-before-${numbered(1)}.db`
const copiesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("library-before-"))

/** The next version of the program, whose one more migration changes every link and takes some moments. */
const nextVersion = () =>
  bundle("openLibrary.ts", [
    {
      name: "next version",
      setup: (build) => {
        build.onLoad({ filter: /migrations\/index\.ts$/ }, ({ path }) => ({
          loader: "ts",
          contents: readFileSync(path, "utf8")
            .replace(
              "import library",
              `import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import library`
            )
            .replace(
              '"0001_library": library',
              `"0001_library": library,
  "${numbered(1)}_more": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql\`CREATE TABLE more (id INTEGER PRIMARY KEY)\`
    for (let n = 0; n < 10; n++) yield* sql\`UPDATE links SET summary = 'changed ' || \${n}\`
  })`
            )
        }))
      }
    }
  ])

let script = ""
beforeAll(async () => {
  script = await nextVersion()
})

/** Opens the library with the next version of the program; the child prints a line when it begins. */
const upgrades = async (file: string) => {
  const child = Bun.spawn([process.execPath, script, file], {
    env: { ...process.env, ...WITHOUT_OPTIMIZER },
    stdout: "pipe",
    stderr: "ignore"
  })
  await child.stdout.getReader().read()
  return child
}
const upgrade = async (file: string) => expect(await (await upgrades(file)).exited).toBe(0)

const linksIn = (file: string) =>
  inDatabase(file, (database) => database.query("SELECT id, url, title, text FROM links ORDER BY id").all())
const changedIn = (file: string) => numberIn(file, "SELECT count(*) FROM links WHERE summary = 'changed 9'")

test("the embedded library is the one that the migrations make", async () => {
  const made = await Effect.runPromise(buildNewLibrary)
  // To mend it: bun src/store/buildNewLibrary.ts
  expect(readNewLibrary((database) => database.serialize()).equals(made.library)).toBe(true)
  expect(newest.schema).toBe(made.schema)
})

test("a new library is made by the migrations where its file cannot be put in place", async () => {
  const [empty, made] = [place(), place()]
  writeFileSync(empty.file, "")
  for (const { file } of [empty, made]) await open(file)
  const schemaIn = (file: string) =>
    inDatabase(file, (database) => [
      database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all(),
      database.query("PRAGMA application_id").get()
    ])
  expect(schemaIn(empty.file)).toEqual(schemaIn(made.file))
  for (const { file } of [empty, made])
    expect(numberIn(file, "SELECT created_at > datetime('now', '-1 hour') FROM effect_sql_migrations")).toBe(
      1
    )
})

describe("a newer program", () => {
  test("copies a library before it migrates it, and keeps only the newest copy", async () => {
    const { file, folder } = copy()
    writeFileSync(join(folder, "library-before-0001.db"), "an earlier copy")
    await upgrade(file)
    expect(numberIn(file, "SELECT max(migration_id) FROM effect_sql_migrations")).toBe(LATEST_VERSION + 1)
    expect([changedIn(file), linksIn(file)]).toEqual([LINKS, linksIn(sound)])
    expect(numberIn(file, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'changed'")).toBe(LINKS)
    expect(copiesIn(folder)).toEqual([KEPT])
    expect(statSync(join(folder, KEPT)).mode & 0o777).toBe(0o600)
  })

  test("leaves a library that this one refuses, and a copy that it restores", async () => {
    const { file, folder } = copy()
    await upgrade(file)
    const before = hashOf(file)
    expect(await quiet(Effect.flip(opening(file)))).toMatchObject({ _tag: "DatabaseTooNew" })
    expect(hashOf(file)).toBe(before)
    await quiet(Effect.provide(restore(join(folder, KEPT)), Lock.layer(folder)))
    await open(file)
    expect(await quiet(inspect(file))).toMatchObject({ version: LATEST_VERSION, withoutText: 0 })
    expect([changedIn(file), linksIn(file)]).toEqual([0, linksIn(sound)])
  })
})

test("a library is unchanged when any migration of a start fails", async () => {
  const { file, folder } = copy()
  const schema = () =>
    inDatabase(file, (database) =>
      database.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all()
    )
  const before = [schema(), await quiet(inspect(file))]
  const makes = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE more (id INTEGER PRIMARY KEY)`
    yield* sql`UPDATE links SET title = 'changed'`
  })
  const fails = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE half (id INTEGER PRIMARY KEY)`
    yield* sql`INSERT INTO no_such_table VALUES (1)`
  })
  const planted = {
    ...migrations,
    [`${numbered(1)}_makes`]: makes,
    [`${numbered(2)}_fails`]: fails
  }
  const error = await quiet(
    Effect.flip(Effect.provide(migrate(file, planted), Database.uncheckedLayer(file)))
  )
  expect(error).toMatchObject({ _tag: "MigrationFailed" })
  expect(error.message).toContain("no such table: no_such_table")
  expect([schema(), await quiet(inspect(file))]).toEqual(before)
  expect(numberIn(file, "SELECT count(*) FROM links WHERE title = 'changed'")).toBe(0)
  expect((await quiet(inspect(join(folder, KEPT)))).links).toBe(LINKS)
  await open(file)
})

describe("a migration that is killed", () => {
  const KILLS = 12

  /** Upgrades the library and kills that at a moment; returns whether it came to its end before. */
  const killAt = async (file: string, moment: () => Promise<unknown>) => {
    const child = await upgrades(file)
    const isDone = await Promise.race([moment().then(() => false), child.exited.then(() => true)])
    child.kill("SIGKILL")
    await child.exited
    const version = numberIn(file, "SELECT max(migration_id) FROM effect_sql_migrations")
    expect([LATEST_VERSION, LATEST_VERSION + 1]).toContain(version)
    expect([changedIn(file), linksIn(file)]).toEqual([version > LATEST_VERSION ? LINKS : 0, linksIn(sound)])
    return isDone || version > LATEST_VERSION
  }

  test("once it has copied the library leaves one that opens, with everything in it", async () => {
    let { file, folder } = copy()
    const copied = async () => {
      while (!existsSync(join(folder, KEPT))) await Bun.sleep(1)
    }
    while (await killAt(file, copied)) ({ file, folder } = copy())
    expect(await quiet(quickInspect(join(folder, KEPT)))).toMatchObject({ links: LINKS })
    await open(file)
    await upgrade(file)
    expect([changedIn(file), linksIn(file)]).toEqual([LINKS, linksIn(sound)])
  })

  long(test)(`${KILLS} times leaves a library that opens, with everything in it`, async () => {
    let inTheMiddle = 0
    /** Upgrades one library again and again, killing each run some time after it began. */
    const round = async (kills: number) => {
      // The time that an upgrade takes beside the others.
      const alone = await upgrades(copy().file)
      const began = performance.now()
      await alone.exited
      const duration = performance.now() - began
      let { file } = copy()
      for (let n = 0; n < kills; n++)
        if (await killAt(file, () => Bun.sleep(Math.random() * duration * 1.1))) file = copy().file
        else inTheMiddle++
      await open(file)
      await upgrade(file)
    }
    await Promise.all(Array.from({ length: 4 }, () => round(KILLS / 4)))
    expect(inTheMiddle).toBeGreaterThan(0)
  })
})
