import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { inspect } from "../../../src/store/maintenance/Inspection.ts"
import { NotCopied, snapshotOf, writeSnapshot } from "../../../src/store/maintenance/Snapshot.ts"
import { addLink, hashOf, inDatabase, makeLibrary, numberIn, overwrite } from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"
import { until } from "../../support/service.ts"
import { byTier } from "../../support/tier.ts"

const places = makePlaces("snapshot")
const place = async (count?: number) => {
  const { file: library, folder } = places.place()
  await makeLibrary(library, count)
  return { folder, library, copy: join(folder, "copy.db") }
}

const run = Effect.runPromise

describe("a copy of the library", () => {
  test("is consistent each time while another process writes", async () => {
    const { copy, folder, library } = await place(20)
    const child = Bun.spawn(
      [process.execPath, resolve(import.meta.dir, "../../support/writer.ts"), library],
      {
        stdout: "pipe",
        stderr: "inherit"
      }
    )
    try {
      await until(() => numberIn(library, "SELECT count(*) FROM links") > 20)
      let links = 20
      for (let round = 0; round < byTier(2, 10); round++) {
        await run(snapshotOf(library, copy, { replace: true }))
        const found = await run(inspect(copy))
        expect(found).toMatchObject({ withoutText: 0, withoutVector: 0, waiting: 0 })
        expect(numberIn(copy, "SELECT count(*) FROM vectors")).toBe(found.links)
        expect(numberIn(copy, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page'")).toBe(
          found.links
        )
        expect(found.links).toBeGreaterThanOrEqual(links)
        links = found.links
      }
      expect(links).toBeGreaterThan(20)
      expect(child.exitCode).toBe(null)
    } finally {
      child.kill("SIGKILL")
      await child.exited
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"])
  })

  test("includes the log, is readable by its owner alone, and is described", async () => {
    const { copy, folder, library } = await place()
    const made = await run(
      Effect.promise(async () =>
        inDatabase(library, async (open) => {
          addLink(open, "in-the-log")
          expect(statSync(`${library}-wal`).size).toBeGreaterThan(0)
        })
      ).pipe(Effect.zipRight(snapshotOf(library, copy, { replace: false })))
    )
    expect(made).toMatchObject({ links: 61, bytes: statSync(copy).size })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(["copy.db", "library.db", "library.db.initialised"])
  })

  test("replaces a file only if allowed, and then atomically", async () => {
    const { copy, folder, library } = await place()
    writeFileSync(copy, "something else")
    const error = await run(Effect.flip(snapshotOf(library, copy, { replace: false })))
    expect(error.message).toContain(`${copy} could not be written: the file already exists`)
    expect(readFileSync(copy, "utf8")).toBe("something else")
    await run(snapshotOf(library, copy, { replace: true }))
    expect((await run(inspect(copy))).links).toBe(60)
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([])
  })

  test("leaves no file if it is damaged or cannot be written", async () => {
    const { copy, folder, library } = await place()
    writeFileSync(copy, "the one before")
    const spoilt = (path: string) =>
      Effect.sync(() => {
        inDatabase(library, (open) => open.run("VACUUM INTO ?", [path]))
        overwrite(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)
      })
    const before = readdirSync(folder)
    const damaged = await run(Effect.flip(writeSnapshot(copy, spoilt, { replace: true })))
    expect(damaged.message).toContain("damaged")
    await run(
      Effect.flip(
        writeSnapshot(copy, () => Effect.fail(new NotCopied({ file: copy, reason: "no" })), { replace: true })
      )
    )
    expect(readFileSync(copy, "utf8")).toBe("the one before")
    expect(readdirSync(folder)).toEqual(before)
    const nowhere = join(folder, "no", "such", "folder.db")
    await run(Effect.flip(snapshotOf(library, nowhere, { replace: false })))
    expect(existsSync(join(folder, "no"))).toBe(false)
  })

  test("is rejected for a damaged library, which stays unchanged", async () => {
    const { copy, library } = await place()
    overwrite(library, 0, 100)
    const before = hashOf(library)
    expect(await run(Effect.flip(snapshotOf(library, copy, { replace: false })))).toMatchObject({
      _tag: "NotALibrary"
    })
    expect(hashOf(library)).toBe(before)
    expect(existsSync(copy)).toBe(false)
  })
})
