import { Database, SQLiteError } from "bun:sqlite"
import { expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { compareWords } from "../../../src/store/maintenance/IndexComparison.ts"
import { openReadOnly } from "../../../src/store/maintenance/TableCheck.ts"
import { searchIndexes } from "../../../src/store/Schema.ts"
import { inDatabase, makeLibrary, misspell } from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"

const { place } = makePlaces("index-comparison")
const { file: sound } = place()
await makeLibrary(sound)
inDatabase(sound, (database) => {
  database.run("UPDATE links SET text = title || ' Κείμενο 日本語のページ naïve running', shareable = id % 2")
  database.run("UPDATE links SET note = 'crème brûlée', tags = '[\"один\"]' WHERE id % 3 = 0")
})

/** The problems of an index as a check sees them; SQLite's own message counts. */
const problemsOf = (file: string, index: string, afterPiece = () => {}) => {
  using database = openReadOnly(file, false)
  try {
    return compareWords(database, index, afterPiece)
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_CORRUPT")) return [error.message]
    throw error
  }
}

for (const index of searchIndexes)
  test(`finds a sound ${index} sound`, () => {
    expect(problemsOf(sound, index)).toEqual([])
  })

test("finds a word that is misspelt in an index alone, which SQLite's own check does not", () => {
  const { file } = place()
  copyFileSync(sound, file)
  expect(misspell(file, "links_fts_data", "naiv", "naix")).toBeGreaterThan(0)
  inDatabase(file, (database) => {
    expect(database.query("PRAGMA integrity_check").values().join()).toBe("ok")
  })
  expect(problemsOf(file, "links_fts")).toEqual(["links_fts lacks or misplaces words of 60 rows"])
})

test("finds a prefix that is misspelt in its list alone", () => {
  const { file } = place()
  copyFileSync(sound, file)
  expect(misspell(file, "links_fts_data", "\u0001\u0003nai", "\u0001\u0003nax")).toBeGreaterThan(0)
  expect(problemsOf(file, "links_fts")).toEqual(["links_fts lacks or misplaces words of 60 rows"])
})

test("does not take a change in the middle of the comparison for damage", () => {
  const { file } = place()
  copyFileSync(sound, file)
  using writer = new Database(file)
  let piece = 0
  const change = () => {
    writer.run("UPDATE links SET title = title || ' more' WHERE id = ?", [1 + (piece++ % 60)])
    if (piece === 2) writer.run("DELETE FROM links WHERE id = 50")
  }
  expect(problemsOf(file, "links_fts", change)).toEqual([])
  expect(piece).toBeGreaterThan(2)
})
