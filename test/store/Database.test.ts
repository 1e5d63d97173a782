import { Database as Sqlite } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as Database from "../../src/store/Database.ts"
import { inspect } from "../../src/store/maintenance/Inspection.ts"
import { LATEST_VERSION } from "../../src/store/Schema.ts"
import { hashOf, inDatabase, makeLibrary, numberIn, overwrite } from "../support/libraryFile.ts"
import { makePlaces, open, opening, quiet } from "../support/places.ts"

const { place, root } = makePlaces("database")
const sound = join(root, "sound.db")
beforeAll(() => makeLibrary(sound))
/** A copy of the sound library, in a folder that records that it exists. */
const copy = () => {
  const at = place()
  copyFileSync(sound, at.file)
  writeFileSync(`${at.file}.initialised`, "")
  return at
}

const refusal = (file: string) => quiet(Effect.flip(opening(file)))

describe("opening", () => {
  test("creates a library in an empty folder, and records that it exists", async () => {
    const { file, folder } = place()
    await open(file)
    expect(readdirSync(folder).sort()).toEqual(["library.db", "library.db.initialised"])
    expect((await quiet(inspect(file))).version).toBe(LATEST_VERSION)
  })

  test("creates one in an empty file, unless a library was there", async () => {
    const first = place()
    writeFileSync(first.file, "")
    await open(first.file)
    truncateSync(first.file, 0)
    expect(await refusal(first.file)).toMatchObject({ _tag: "LibraryMissing", isEmpty: true, was: true })
    expect(statSync(first.file).size).toBe(0)
  })

  test("rejects a folder whose library is missing, and says what to do", async () => {
    const { file, folder } = copy()
    rmSync(file)
    const error = await refusal(file)
    expect(error).toMatchObject({ _tag: "LibraryMissing", isEmpty: false, was: true })
    expect(error.message).toContain("linkbower restore")
    expect(readdirSync(folder)).toEqual(["library.db.initialised"])
    rmSync(`${file}.initialised`)
    await open(file)
  })

  test("rejects a folder with only the log of a library", async () => {
    const { file } = place()
    writeFileSync(`${file}-wal`, "what waits to be written")
    expect(await refusal(file)).toMatchObject({ _tag: "LibraryMissing", was: true })
    expect(existsSync(file)).toBe(false)
  })

  test("leaves a damaged library and its folder unchanged", async () => {
    const { file, folder } = copy()
    overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)
    const before = [hashOf(file), readdirSync(folder).sort()]
    expect(await refusal(file)).toMatchObject({ _tag: "DatabaseDamaged" })
    expect([hashOf(file), readdirSync(folder).sort()]).toEqual(before)
  })

  test("writes the log back when it closes, even if another program has the library open", async () => {
    const { file } = copy()
    const other = new Sqlite(file)
    try {
      other.query("SELECT count(*) FROM links").get()
      await quiet(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE links SET note = 'changed'`
          expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
        }).pipe(Effect.provide(Database.layer(file)), Effect.scoped)
      )
      expect(statSync(`${file}-wal`).size).toBe(0)
    } finally {
      other.close()
    }
    expect(numberIn(file, "SELECT count(*) FROM links WHERE note = 'changed'")).toBe(60)
  })
})

describe("the derived data", () => {
  test("is updated at a start", async () => {
    const { file } = copy()
    inDatabase(file, (database) => {
      database.run("INSERT INTO links_fts (links_fts) VALUES ('delete-all')")
      database.run("INSERT INTO links_trigram (links_trigram) VALUES ('delete-all')")
      database.run("DELETE FROM vectors WHERE link_id <= 5")
      database.run("DELETE FROM vector_floats WHERE link_id = 9")
    })
    await open(file)
    expect(await quiet(inspect(file))).toMatchObject({ withoutText: 0, withoutVector: 0, waiting: 6 })
    expect(numberIn(file, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page7'")).toBe(1)
    expect(numberIn(file, "SELECT count(*) FROM links_trigram WHERE links_trigram MATCH 'age7'")).toBe(1)
  })

  test("gains a single link that an index lacks, and queues a single one without a vector", async () => {
    const { file } = copy()
    inDatabase(file, (database) => {
      database.run(`INSERT INTO links_fts (links_fts, rowid, title, tags, note, summary, description, url, text)
        SELECT 'delete', id, title, tags, note, summary, description, url, text FROM links WHERE id = 8`)
      database.run("DELETE FROM vector_floats WHERE link_id = 9")
    })
    await open(file)
    expect(await quiet(inspect(file))).toMatchObject({ withoutText: 0, withoutVector: 0, waiting: 1 })
  })

  test("gains the links an index lacks, and loses deleted ones, at a start", async () => {
    const { file } = copy()
    inDatabase(file, (database) => {
      const triggers = database
        .query<{ name: string; sql: string }, []>(
          "SELECT name, sql FROM sqlite_schema WHERE name GLOB 'links_*_delete'"
        )
        .all()
      for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`)
      database.run("DELETE FROM links WHERE id = 3")
      for (const { sql } of triggers) database.run(sql)
      database.run(`INSERT INTO links_fts (links_fts, rowid, title, tags, note, summary, description, url, text)
        SELECT 'delete', id, title, tags, note, summary, description, url, text FROM links WHERE id = 8`)
    })
    expect((await quiet(inspect(file))).withoutText).toBe(1)
    await open(file)
    expect(numberIn(file, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page7'")).toBe(1)
    expect(numberIn(file, "SELECT count(*) FROM links_fts_docsize")).toBe(59)
    expect(numberIn(file, "SELECT count(*) FROM links_trigram_docsize")).toBe(59)
    expect(await quiet(inspect(file))).toMatchObject({ links: 59, withoutText: 0 })
  })

  test("lacks nothing for a pending link", async () => {
    const { file } = copy()
    inDatabase(file, (database) => {
      database.run(`INSERT INTO links (url, normalized_url, host, title, category, created_at, updated_at)
        VALUES ('https://example.org/p', 'https://example.org/p', 'example.org', 'P', 'Other', '2026', '2026')`)
    })
    await open(file)
    expect(await quiet(inspect(file))).toMatchObject({ links: 61, withoutVector: 0, waiting: 0 })
    expect(numberIn(file, "SELECT count(*) FROM links_trigram_docsize")).toBe(60)
  })
})

describe("the projection of the shared links", () => {
  const share = (database: Sqlite) => {
    database.run("UPDATE links SET shareable = 1 WHERE id <= 20")
  }
  const faults: Readonly<Record<string, ReadonlyArray<string>>> = {
    "lacks a link": ["DELETE FROM public_links WHERE id = 5"],
    "holds a private link": [
      `INSERT INTO public_links SELECT 40, url, normalized_url, host, 'hidden', summary, description, tags, category,
        NULL, NULL, NULL, NULL, created_at FROM links WHERE id = 40`
    ],
    "differs from its link": ["UPDATE public_links SET title = 'Another' WHERE id = 7"],
    "is empty": ["DELETE FROM public_links"],
    "has an empty index": ["INSERT INTO public_fts (public_fts) VALUES ('delete-all')"],
    "has an incomplete index": [
      `INSERT INTO public_trigram (public_trigram, rowid, title, tags, summary, description, url)
        SELECT 'delete', id, title, tags, summary, description, url FROM public_substrings WHERE id = 3`
    ]
  }
  for (const [fault, statements] of Object.entries(faults))
    test(`that ${fault} is rebuilt at the next start`, async () => {
      const { file } = copy()
      inDatabase(file, (database) => {
        share(database)
        for (const statement of statements) database.run(statement)
      })
      await open(file)
      inDatabase(file, (database) => {
        const rows = (table: string) => database.query(`SELECT * FROM ${table} ORDER BY id`).all()
        expect(rows("public_links")).toEqual(rows("shared_links"))
        expect(rows("public_links").length).toBe(20)
        for (const index of ["public_fts", "public_trigram"])
          database.run(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
      })
      expect(numberIn(file, "SELECT count(*) FROM public_fts WHERE public_fts MATCH 'page7'")).toBe(1)
      expect(
        numberIn(file, "SELECT count(*) FROM public_words WHERE term = 'another' OR term = 'hidden'")
      ).toBe(0)
    })

  test("that is up to date is left unchanged", async () => {
    const { file } = copy()
    inDatabase(file, share)
    const changed = () =>
      inDatabase(file, (database) => database.query("SELECT changed_at FROM public_state").get())
    const before = changed()
    await open(file)
    expect(changed()).toEqual(before)
  })
})
