import { Database as Sqlite } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option } from "effect"
import type { InspectionError } from "../../../src/store/DatabaseErrors.ts"
import { inspect, quickInspect } from "../../../src/store/maintenance/Inspection.ts"
import { LATEST_VERSION } from "../../../src/store/Schema.ts"
import {
  addLink,
  hashOf,
  inDatabase,
  makeLibrary,
  numberIn,
  overwrite,
  overwriteTable
} from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"

const { place, root } = makePlaces("inspection")
const sound = join(root, "sound.db")
beforeAll(() => makeLibrary(sound))

/** A copy of the sound library, alone in a folder. */
const copy = () => {
  const at = place()
  copyFileSync(sound, at.file)
  return at
}

const refusal = (file: string, how: typeof inspect = inspect) => Effect.runPromise(Effect.flip(how(file)))

const middle = (file: string) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)

describe("inspect", () => {
  test("describes a sound library, and changes neither file nor folder", async () => {
    const { file, folder } = copy()
    const before = hashOf(file)
    expect(await Effect.runPromise(inspect(file))).toEqual({
      bytes: statSync(file).size,
      version: LATEST_VERSION,
      known: LATEST_VERSION,
      links: 60,
      collections: 0,
      shared: 0,
      trash: 0,
      withoutText: 0,
      withoutVector: 0,
      waiting: 0,
      inboxWaiting: 0,
      outboxWaiting: 0,
      passwords: 0,
      passkeys: 0,
      spared: [],
      givenUp: [],
      missingIndexes: [],
      additions: [],
      lost: Option.none()
    })
    expect(hashOf(file)).toBe(before)
    expect(readdirSync(folder)).toEqual(["library.db"])
  })

  test("sees the latest writes of a process that has the library open", async () => {
    const { file } = copy()
    const open = new Sqlite(file)
    try {
      addLink(open, "more")
      expect((await Effect.runPromise(inspect(file))).links).toBe(61)
      addLink(open, "after")
      expect((await Effect.runPromise(inspect(file))).links).toBe(62)
    } finally {
      open.close()
    }
  })

  test("counts the links that the indexes lack", async () => {
    const { file } = copy()
    inDatabase(file, (database) => {
      database.run("INSERT INTO links_fts (links_fts) VALUES ('delete-all')")
      database.run("DELETE FROM vectors WHERE link_id <= 10")
      database.run("INSERT INTO embedding_queue (link_id) VALUES (1)")
    })
    expect(await Effect.runPromise(inspect(file))).toMatchObject({
      withoutText: 60,
      withoutVector: 9,
      waiting: 1
    })
  })

  const damages: ReadonlyArray<
    readonly [what: string, how: (file: string) => void, tag: InspectionError["_tag"]]
  > = [
    ["an overwritten beginning", (file) => overwrite(file, 0, 100), "NotALibrary"],
    ["an overwritten page in the middle", middle, "DatabaseDamaged"],
    ["a table that was overwritten", (file) => overwriteTable(file, "vectors"), "DatabaseDamaged"],
    ["a cut off end", (file) => truncateSync(file, statSync(file).size / 2), "DatabaseDamaged"],
    ["a text", (file) => writeFileSync(file, "https://example.org\n".repeat(300)), "NotALibrary"],
    ["nothing", (file) => truncateSync(file, 0), "LibraryMissing"],
    ["a missing file", (file) => rmSync(file), "LibraryMissing"],
    [
      "a folder",
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
      "NotALibrary"
    ],
    [
      "another program's database",
      (file) => {
        rmSync(file)
        inDatabase(file, (database) => database.run("CREATE TABLE moz_places (url TEXT)"))
      },
      "NotALibrary"
    ],
    [
      "a newer library",
      (file) =>
        inDatabase(file, (database) =>
          database.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
        ),
      "DatabaseTooNew"
    ]
  ]
  for (const how of [inspect, quickInspect])
    for (const [what, damage, tag] of damages)
      test(`${how === inspect ? "refuses" : "refuses quickly"} ${what} in a sentence that names the file`, async () => {
        const { file } = copy()
        damage(file)
        const error = await refusal(file, how)
        expect(error._tag).toBe(tag)
        expect(error.what).toContain(file)
        expect(error.what).toMatch(/^[^\n]*\.$/)
        expect(error.message.startsWith(error.what)).toBe(true)
      })

  test("rejects a library without a table or a trigger", async () => {
    for (const statement of ["DROP TABLE message_links", "DROP TRIGGER links_fts_update"]) {
      const { file } = copy()
      inDatabase(file, (database) => database.run(statement))
      expect(await refusal(file)).toMatchObject({ _tag: "SchemaAltered" })
    }
  })

  test("recognizes damage in the search indexes alone, and suggests a reindex", async () => {
    const pages = copy()
    overwriteTable(pages.file, "links_fts_data")
    const inside = copy()
    // The end of a page holds the values of a row, so the page stays well-formed.
    const page = numberIn(inside.file, "SELECT max(pageno) FROM dbstat WHERE name = 'links_trigram_data'")
    overwrite(inside.file, page * 4096 - 600, 500)
    await Effect.runPromise(quickInspect(inside.file))
    const gone = copy()
    inDatabase(gone.file, (database) => database.run("DROP TABLE links_words"))
    for (const { file } of [pages, inside, gone]) {
      const error = await refusal(file)
      expect(error).toMatchObject({ _tag: "DatabaseDamaged", part: "search" })
      expect(error.message).toContain("linkbower reindex")
    }
  })
})
