import { Database as Sqlite } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber, Option, TestClock } from "effect"
import { Lock } from "../../../src/store/Lock.ts"
import { inspect } from "../../../src/store/maintenance/Inspection.ts"
import { restore } from "../../../src/store/maintenance/Restore.ts"
import { addLink, hashOf, inDatabase, makeLibrary, numberIn, overwrite } from "../../support/libraryFile.ts"
import { onManualClock } from "../../support/manualClock.ts"
import { makePlaces } from "../../support/places.ts"

const { place: newPlace, root } = makePlaces("restore")
const backup = join(root, "backup.db")
beforeAll(async () => {
  await makeLibrary(backup, 10)
})

/** A folder with a library of three links, pictures and uploads. */
const place = async () => {
  const { file: library, folder } = newPlace()
  mkdirSync(join(folder, "images"))
  mkdirSync(join(folder, "imports"))
  await makeLibrary(library, 3)
  return { folder, library }
}

const run = Effect.runPromise
const restoring = (folder: string) => Effect.provide(restore(backup), Lock.layer(folder))
const links = async (file: string) => (await run(inspect(file))).links
const kept = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith("library-before-restore-"))

describe("restore", () => {
  test("replaces the library with a copy of the backup, and keeps the replaced one", async () => {
    const { folder, library } = await place()
    const before = hashOf(backup)
    const { aside, restored } = await run(restoring(folder))
    expect(restored.links).toBe(10)
    expect(await links(library)).toBe(10)
    expect(await links(Option.getOrThrow(aside))).toBe(3)
    expect(statSync(library).mode & 0o777).toBe(0o600)
    expect(hashOf(backup)).toBe(before)
    expect(readdirSync(folder).sort()).toEqual([
      ...kept(folder),
      "library.db",
      "library.db.initialised",
      "linkbower.lock"
    ])
  })

  test("keeps the log's content with the replaced library, and leaves no log beside the new one", async () => {
    const { folder, library } = await place()
    const { folder: crashed } = newPlace()
    // A crash leaves the files of an open library behind.
    const open = new Sqlite(library)
    addLink(open, "in-the-log")
    for (const name of ["library.db", "library.db-wal", "library.db-shm"])
      copyFileSync(join(folder, name), join(crashed, name))
    open.close()
    const { aside } = await run(restoring(crashed))
    expect(await links(join(crashed, "library.db"))).toBe(10)
    expect(await links(Option.getOrThrow(aside))).toBe(4)
    expect(existsSync(join(crashed, "library.db-wal"))).toBe(false)
  })

  test("keeps a damaged library byte for byte, with its log under a matching name", async () => {
    const { folder, library } = await place()
    overwrite(library, 0, 100)
    writeFileSync(`${library}-wal`, "what a crash left")
    const before = hashOf(library)
    const { aside } = await run(restoring(folder))
    const old = Option.getOrThrow(aside)
    expect(hashOf(old)).toBe(before)
    expect(existsSync(`${old}-wal`)).toBe(true)
    expect(existsSync(`${library}-wal`)).toBe(false)
    expect(await links(library)).toBe(10)
  })

  test("works without a library, and removes what an earlier attempt left", async () => {
    const { folder, library } = await place()
    rmSync(library)
    writeFileSync(`${library}.restoring.1.tmp`, "half a copy")
    const { aside } = await run(restoring(folder))
    expect(Option.isNone(aside)).toBe(true)
    expect(await links(library)).toBe(10)
    expect(readdirSync(folder).filter((name) => name.includes("restoring"))).toEqual([])
  })

  test("moves a folder away that has the library's name", async () => {
    const { folder, library } = await place()
    rmSync(library)
    mkdirSync(library)
    await run(restoring(folder))
    expect(await links(library)).toBe(10)
    expect(statSync(join(folder, kept(folder)[0] ?? "")).isDirectory()).toBe(true)
  })

  test("changes nothing while another process has the library open or the service runs", async () => {
    const { folder, library } = await place()
    const open = new Sqlite(library)
    open.query("SELECT count(*) FROM links").get()
    try {
      expect(await run(Effect.flip(restoring(folder)))).toMatchObject({ _tag: "LibraryInUse" })
    } finally {
      open.close()
    }
    const whileHeld = Effect.gen(function* () {
      yield* Lock.ifFree(folder)
      const restore = yield* Effect.fork(Effect.flip(restoring(folder)))
      yield* TestClock.adjust("3 seconds")
      return yield* Fiber.join(restore)
    })
    expect(await run(onManualClock(Effect.scoped(whileHeld)))).toMatchObject({ _tag: "LibraryInUse" })
    expect(await links(library)).toBe(3)
    expect(kept(folder)).toEqual([])
    expect(existsSync(join(folder, "images"))).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes("restoring"))).toEqual([])
  })

  test("restores the search indexes and vectors with the links", async () => {
    const { folder, library } = await place()
    await run(restoring(folder))
    expect(numberIn(library, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page9'")).toBe(1)
    expect(inDatabase(library, (open) => open.query("SELECT count(*) AS n FROM vectors").get())).toEqual({
      n: 10
    })
  })
})
