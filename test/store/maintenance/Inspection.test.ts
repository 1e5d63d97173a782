import { Database as Sqlite } from "bun:sqlite"
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

const root = mkdtempSync(join(tmpdir(), "linkbower-inspection-"))
const sound = join(root, "sound.db")
beforeAll(() => makeLibrary(sound))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
/** A copy of the sound library, alone in a folder. */
const copy = () => {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  const file = join(folder, "library.db")
  copyFileSync(sound, file)
  return { file, folder }
}

const refusal = (file: string, how: typeof inspect = inspect) => Effect.runPromise(Effect.flip(how(file)))

const middle = (file: string) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)

describe("inspect", () => {
  test("tells what is in a sound library, and leaves the file and its folder as they were", async () => {
    const { file, folder } = copy()
    const before = hashOf(file)
    expect(await Effect.runPromise(inspect(file))).toEqual({
      bytes: statSync(file).size,
      version: LATEST_VERSION,
      known: LATEST_VERSION,
      links: 60,
      collections: 0,
      shareable: 0,
      withoutText: 0,
      withoutVector: 0,
      waiting: 0,
      inboxWaiting: 0,
      outboxWaiting: 0,
      spared: [],
      givenUp: [],
      missingIndexes: [],
      additions: [],
      lost: Option.none()
    })
    expect(hashOf(file)).toBe(before)
    expect(readdirSync(folder)).toEqual(["library.db"])
  })

  test("sees what a process that has the library open has just written", async () => {
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

  test("refuses a library of which a table or a trigger is missing", async () => {
    for (const statement of ["DROP TABLE message_links", "DROP TRIGGER links_fts_update"]) {
      const { file } = copy()
      inDatabase(file, (database) => database.run(statement))
      expect(await refusal(file)).toMatchObject({ _tag: "SchemaAltered" })
    }
  })

  test("knows damage in the search indexes alone, be it in their pages or inside, and what helps", async () => {
    const pages = copy()
    overwriteTable(pages.file, "links_fts_data")
    const inside = copy()
    // The end of a page holds what is in a row: the page itself stays well-formed.
    const page = numberIn(inside.file, "SELECT max(pageno) FROM dbstat WHERE name = 'links_trigram_data'")
    overwrite(inside.file, page * 4096 - 600, 500)
    await Effect.runPromise(quickInspect(inside.file))
    const gone = copy()
    inDatabase(gone.file, (database) => database.run("DROP TABLE links_words"))
    for (const { file } of [pages, inside, gone]) {
      const error = await refusal(file)
      expect(error).toMatchObject({ _tag: "DatabaseDamaged", onlyIndex: true })
      expect(error.message).toContain("linkbower reindex")
    }
  })

  test("takes an earlier version for sound, and counts what that version has", async () => {
    const file = join(root, "seven.db")
    await makeLibrary(file, 60, 7)
    expect(await Effect.runPromise(inspect(file))).toMatchObject({
      version: 7,
      known: LATEST_VERSION,
      links: 60
    })
  })
})
