import { beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { unzipSync } from "fflate"
import { Lock } from "../../../src/store/Lock.ts"
import { compact } from "../../../src/store/maintenance/Compaction.ts"
import { PackedBackup } from "../../../src/store/maintenance/PackedBackup.ts"
import { restore } from "../../../src/store/maintenance/Restore.ts"
import { snapshotOf } from "../../../src/store/maintenance/Snapshot.ts"
import { inDatabase, makeLibrary } from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"

/** A row of every table that holds what is kept for a link. */
const KEPT = [
  `UPDATE link_checks SET state = 'broken', since = 1, looked_at = 2, next_at = 3, reason = 'It is gone.',
    capture_url = 'https://archive.example/1', capture_at = '2026' WHERE link_id = 1`,
  "INSERT INTO tasks (kind, subject, due_at) VALUES ('archive', 2, 5), ('highlights', 7, 5)",
  `INSERT INTO pages (link_id, version, title, source, url, words, reading_time, saved_at, bytes, digest)
    VALUES (1, 2, 'A page', 'site', 'https://example.org/1', 2, 1, '2026', 3, x'01')`,
  "INSERT INTO page_contents VALUES (1, x'010203')",
  `INSERT INTO page_versions (link_id, version, title, source, url, words, reading_time, saved_at, bytes, difference)
    VALUES (1, 1, 'A page', 'site', 'https://example.org/1', 2, 1, '2026', 3, x'01')`,
  "INSERT INTO pictures VALUES (1, x'02', 'image/webp', 4, 3, 2, x'0506')",
  `INSERT INTO page_pictures (link_id, address, host, place, state, picture_id, changed_at)
    VALUES (1, 'https://example.org/1.png', 'example.org', 0, 'kept', 1, '2026')`,
  `INSERT INTO highlights (link_id, quote, prefix, suffix, start_at, end_at, colour, note, source, created_at, updated_at)
    VALUES (1, 'a quotation', '', '', 0, 11, 'green', 'schooner', 'reader', '2026', '2026')`,
  "UPDATE links SET highlighted = 'schooner' WHERE id = 1",
  "INSERT INTO reading_positions VALUES (1, 0.5, 12, '2026')",
  "INSERT INTO snapshots VALUES (1, 'https://example.org/1', '2026', 2, x'0708')",
  "INSERT INTO snapshot_versions VALUES (1, 1, 'https://example.org/1', '2025', 2, x'0809')"
]

const { place: newPlace, root } = makePlaces("kept")
const library = join(root, "library.db")
beforeAll(async () => {
  await makeLibrary(library, 3)
  inDatabase(library, (database) => {
    for (const statement of KEPT) database.run(statement)
  })
})

/** Every row of every table, by the table's name. */
const contentOf = (file: string) =>
  inDatabase(file, (database) => {
    const names = database
      .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
      .values()
    return new Map(
      names.map(([name]) => [String(name), database.query(`SELECT * FROM "${name}" ORDER BY 1, 2`).values()])
    )
  })

const finds = (file: string, word: string) =>
  inDatabase(file, (database) =>
    database.query("SELECT rowid FROM links_fts WHERE links_fts MATCH ?").values(word)
  )

const expectAll = (file: string) => {
  expect(contentOf(file)).toEqual(contentOf(library))
  expect(finds(file, "schooner")).toEqual([[1]])
}

const run = Effect.runPromise

describe("what is kept for a link", () => {
  test("has a row in every table that the links' pages brought", () => {
    const content = contentOf(library)
    for (const statement of KEPT) {
      const [, table = ""] = /(?:INTO|UPDATE) (\w+)/.exec(statement) ?? []
      expect([table, content.get(table)?.length]).not.toEqual([table, 0])
    }
  })

  test("comes back whole from a backup", async () => {
    const { folder } = newPlace()
    const copy = join(folder, "copy.db")
    await run(snapshotOf(library, copy, { replace: true }))
    expectAll(copy)
    const data = join(folder, "data")
    mkdirSync(data)
    await makeLibrary(join(data, "library.db"), 1)
    await run(Effect.provide(restore(copy), Lock.layer(data)))
    expectAll(join(data, "library.db"))
  })

  test("is in a backup for the chat", async () => {
    const { folder } = newPlace()
    const to = join(folder, "packed")
    const layer = Layer.provide(PackedBackup.layer, BunFileSystem.layer)
    const most = 50_000_000
    await run(
      PackedBackup.pipe(
        Effect.flatMap((backups) => backups.write({ library, to, name: "copy.db", most })),
        Effect.provide(layer)
      )
    )
    const copy = join(folder, "copy.db")
    writeFileSync(copy, unzipSync(readFileSync(to))["copy.db"] ?? new Uint8Array())
    expectAll(copy)
  })

  test("is untouched when the file is compacted", async () => {
    const { folder } = newPlace()
    const copy = join(folder, "library.db")
    await run(snapshotOf(library, copy, { replace: true }))
    await run(compact(copy))
    expectAll(copy)
  })
})
