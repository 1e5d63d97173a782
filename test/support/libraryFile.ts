import { Database as Sqlite } from "bun:sqlite"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Database from "../../src/store/Database.ts"

const TIME = "2026-01-01T00:00:00.000Z"

/** Opens the database, hands it to `work`, and closes it. */
export const inDatabase = <A>(file: string, work: (database: Sqlite) => A): A => {
  const database = new Sqlite(file)
  try {
    database.run("PRAGMA foreign_keys = ON")
    database.run("PRAGMA busy_timeout = 5000")
    return work(database)
  } finally {
    database.close()
  }
}

/** The one number a statement gives. */
export const numberIn = (file: string, statement: string): number =>
  inDatabase(file, (database) => Number(Object.values(Object(database.query(statement).get()))[0]))

/** Adds a link that has been looked at, with its vector. */
export const addLink = (database: Sqlite, name: string) => {
  const url = `https://example.org/${name}`
  const { lastInsertRowid: id } = database.run(
    `INSERT INTO links (url, normalized_url, host, title, text, category, enrichment, created_at, updated_at)
      VALUES (?, ?, 'example.org', ?, ?, 'Other', 'complete', ?, ?)`,
    [url, url, `Title of ${name}`, `${name} ${"what the page says ".repeat(200)}`, TIME, TIME]
  )
  database.run("INSERT OR IGNORE INTO embedders (id, name, dimensions, threshold) VALUES (1, 'test', 4, 0.5)")
  database.run("INSERT INTO vectors (link_id, embedder_id, scale, codes) VALUES (?, 1, 1, ?)", [
    id,
    new Uint8Array(4)
  ])
  database.run("INSERT INTO vector_floats (link_id, embedder_id, floats) VALUES (?, 1, ?)", [
    id,
    new Uint8Array(8)
  ])
  database.run("DELETE FROM embedding_queue WHERE link_id = ?", [id])
}

/** Writes a library from before the first release, with rows in every table, as its version made it. */
export const thaw = (version: 33 | 40, file: string) => {
  const frozen = join(import.meta.dir, `../fixtures/libraries/00${version}.db.zst`)
  writeFileSync(file, Bun.zstdDecompressSync(readFileSync(frozen)))
}

/** Makes a library of `count` links in the file, all of them indexed and with vectors; nothing of it stays open. */
export const makeLibrary = async (file: string, count = 60) => {
  await Effect.runPromise(Effect.scoped(Effect.provide(Effect.void, Database.layer(file))))
  inDatabase(file, (database) =>
    database.transaction(() => {
      for (let i = 0; i < count; i++) addLink(database, `page${i}`)
    })()
  )
}

export const hashOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex")

const PAGE = 4096

/** Overwrites the bytes of a file from `start` on. */
export const overwrite = (file: string, start: number, length = PAGE) => {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, start, Math.min(start + length, bytes.length))
  writeFileSync(file, bytes)
}

/** Overwrites every page of a table. */
export const overwriteTable = (file: string, table: string) => {
  const pages = inDatabase(file, (database) =>
    database.query<{ pageno: number }, [string]>("SELECT pageno FROM dbstat WHERE name = ?").all(table)
  )
  for (const { pageno } of pages) overwrite(file, (pageno - 1) * PAGE)
}

/** Makes folders in which a service has run before, each with a copy of one library of 60 links. */
export const libraryFolders = async () => {
  const root = mkdtempSync(join(tmpdir(), "linkbower-library-"))
  const original = join(root, "library.db")
  await makeLibrary(original)
  return {
    original,
    make: () => {
      const folder = mkdtempSync(join(root, "service-"))
      const data = join(folder, "data")
      const library = join(data, "library.db")
      mkdirSync(data)
      copyFileSync(original, library)
      writeFileSync(`${library}.initialised`, "")
      return { folder, data, library }
    },
    remove: () => rmSync(root, { recursive: true, force: true })
  }
}

/** Replaces a word in the pages of a table or an index by one of equal length; returns how often. */
export const misspell = (file: string, table: string, from: string, to: string): number => {
  const pages = inDatabase(file, (database) =>
    database.query<{ pageno: number }, [string]>("SELECT pageno FROM dbstat WHERE name = ?").all(table)
  )
  const bytes = readFileSync(file)
  let changed = 0
  for (const { pageno } of pages) {
    const page = bytes.subarray((pageno - 1) * PAGE, pageno * PAGE)
    for (let at = page.indexOf(from); at >= 0; at = page.indexOf(from, at + 1), changed++) page.write(to, at)
  }
  writeFileSync(file, bytes)
  return changed
}

/** Changes a letter of every address in the index of addresses: no search by address finds a link any more. */
export const spoilAddressIndex = (file: string) => {
  misspell(file, "sqlite_autoindex_links_1", "example.org", "exbmple.org")
}
