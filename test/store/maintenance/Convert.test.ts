import { describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { convert } from "../../../src/store/maintenance/Convert.ts"
import { inspect } from "../../../src/store/maintenance/Inspection.ts"
import { LATEST_VERSION, shadowTables } from "../../../src/store/Schema.ts"
import { hashOf, inDatabase, makeLibrary, numberIn, thaw } from "../../support/libraryFile.ts"
import { makePlaces, open, opening, quiet } from "../../support/places.ts"

/** To be deleted after the first release, with the converter. */

const { place } = makePlaces("convert")
const AT = "2026-01-02T03:04:05.678Z"
const VERSIONS = [33, 40] as const

const told = `json_object('change', '{"token":"undo-me","change":{"kind":"title","id":1,"from":"before"}}')`

/** Rows of the tables that the frozen libraries have none in. */
const MORE = [
  `INSERT INTO trash (id, deleted_at, messages, url, normalized_url, host, title, note, summary, description, tags,
      category, favorite, shareable, enrichment, created_at, updated_at, hand_tags, state, type, facts, stages, refused,
      text, highlighted) VALUES (99, '${AT}', '[[4242,7]]', 'https://trash.example/', 'https://trash.example/',
      'trash.example', 'Thrown away', 'n', 's', 'd', '["t"]', 'Other', 1, 0, 'complete', '${AT}', '${AT}', '[]', 'read',
      'page', '{}', '[]', '[]', 'its text', 'marked')`,
  "INSERT INTO aliases VALUES ('tag', 'ts', 'typescript')",
  `INSERT INTO searches (name, query, sort, pinned, position, token, created_at)
    VALUES ('Mine', 'tag:bread', 'title', 1, 2, 'secret-feed', '${AT}')`,
  `INSERT INTO changes (id, token, kind, fields, automatic, finished, created_at, import)
    VALUES (5, 'undo-me', 'edit', '["title"]', 0, 1, '${AT}', NULL), (6, 'import', 'edit', '[]', 0, 0, '${AT}', 'added'),
      (7, 'unfinished', 'edit', '["note"]', 0, 0, '${AT}', NULL), (8, 'deleting', 'trash', '[]', 0, 0, '${AT}', NULL)`,
  `INSERT INTO change_links VALUES (5, 1, 0, '{"title":"before"}', '{"title":"after"}'), (7, 1, 1, NULL, '{"note":"later"}'),
    (8, 2, 1, NULL, NULL), (8, 99, 0, NULL, NULL)`,
  `INSERT INTO change_things VALUES (5, 'alias', 'tag ts', NULL, '{"target":"typescript"}')`,
  `INSERT INTO signin_sessions (secret, way, device, address, created_at, used_at, expires_at)
    VALUES ('${"c".repeat(64)}', 'password', 'Firefox', '::1', '${AT}', '${AT}', '2030-01-01T00:00:00.000Z')`,
  "INSERT INTO signin_owner VALUES (1, 'handle', '$argon2id$hash')",
  `INSERT INTO signin_passkeys (credential, public_key, counter, transports, host, name, created_at)
    VALUES ('cred', 'key', 3, '[]', 'example.org', 'Key', '${AT}')`,
  `INSERT INTO signin_code VALUES (1, 'ABCD', '${"d".repeat(64)}', 'log', 1, '2030-01-01T00:00:00.000Z')`,
  `INSERT INTO chat_claims VALUES (7, 'Somebody', '123456', 1, '${AT}')`,
  `INSERT INTO chat_offsets VALUES (11, 222, '${AT}')`,
  `INSERT INTO chat_lists (request, created_at) VALUES ('{"list":"newest"}', '${AT}'), (${told}, '${AT}')`,
  `INSERT INTO capture_answers (inbox_id, link_id, title) VALUES (1, 2, 'Its title')`,
  "INSERT INTO captured_pages VALUES (1, x'0102')",
  "INSERT INTO link_waits VALUES (3, 'model')",
  `INSERT INTO outage VALUES (1, '${AT}', '["model"]', 2, 1, NULL)`,
  "INSERT INTO vector_removals (link_id, embedder_id) VALUES (98, 1)",
  "INSERT INTO public_vector_removals (link_id) VALUES (98)",
  "INSERT OR IGNORE INTO embedding_queue (link_id) VALUES (7)",
  "UPDATE collections SET shareable = 1, shared = 1, parent_id = NULL, description = 'Open', color = 'red' WHERE id = 2",
  "UPDATE links SET state = 'archived', facts = '{\"duration\":3}', refused = '[\"no\"]' WHERE id = 4",
  "UPDATE link_checks SET state = 'broken', since = 1, looked_at = 2, capture_url = 'https://archive.example/'",
  "INSERT INTO upkeep VALUES ('merge', 3)"
]
/** Tables whose rows are tasks now, in the order in which they are due. */
const QUEUES = ["reading_queue", "spared_links", "archive_queue", "weekly_highlights"]
const TASKS = [
  ["archive", 3, 1_767_225_600_000, 1, 0],
  ["highlights", 4242, Date.parse(AT), 0, 0],
  ["read", 5, 0, 0, 2],
  ["read", 6, null, 0, 0],
  ["suspect", 7, Date.parse(AT) + 3_600_000, 0, 0]
]
const WAITING = [
  ...QUEUES.map((table) => `DELETE FROM ${table}`),
  "INSERT INTO reading_queue (link_id, held, starts) VALUES (5, 0, 2), (6, 1, 0)",
  `INSERT INTO spared_links (link_id, spared_at) VALUES (7, '${AT}')`,
  "INSERT INTO archive_queue VALUES (3, 1, 1767225600000)",
  `INSERT INTO weekly_highlights VALUES (4242, '${AT}')`
]
/** In the tables that version 33 lacks. */
const LATER = [
  "INSERT INTO clock VALUES (1, 1, 2, 3, 4)",
  `INSERT INTO spared_links (link_id, spared_at, retried) VALUES (8, '${AT}', 1)`
]
const LATER_TASKS = [["suspect", 8, null, 0, 0]]

const earlier = (version: (typeof VERSIONS)[number]) => {
  const at = place()
  const old = join(at.folder, "old.db")
  thaw(version, old)
  inDatabase(old, (database) => {
    for (const statement of [...MORE, ...WAITING, ...(version === 40 ? LATER : [])]) database.run(statement)
  })
  return { ...at, old, fresh: join(at.folder, "fresh.db") }
}

/** What the file has of its own. */
const DERIVED = new Set([...shadowTables, "effect_sql_migrations", "spellings", "upkeep", "sqlite_sequence"])
/** Vectors, which are carried if they are in today's form. */
const VECTORS = ["vector_floats", "public_vectors", "embedding_queue", "public_embedding_queue"]
const MADE_AGAIN = new Set([...VECTORS, "public_vector_removals", "page_keys"])
/** What became one table, with the work that is left apart. */
const JOINED = new Set(["change_links", "change_things", "chat_lists"])

const columnsIn = (file: string) =>
  inDatabase(file, (database) =>
    Map.groupBy(
      database
        .query<{ name: string; columns: string }, []>(
          `SELECT t.name, c.name AS columns FROM sqlite_schema t, pragma_table_xinfo(t.name) c
            WHERE t.type = 'table' AND t.rootpage > 0`
        )
        .all()
        .filter(({ name }) => !DERIVED.has(name)),
      ({ name }) => name
    )
  )

/** Every row of a table, with these columns. */
const rowsIn = (file: string, table: string, columns: ReadonlyArray<string>) =>
  inDatabase(file, (database) =>
    database
      .query(`SELECT ${columns.map((column) => `"${column}"`)} FROM "${table}"`)
      .values()
      .map((row) => JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [...value] : value))))
      .sort()
  )

for (const version of VERSIONS)
  describe(`a library of version ${version}`, () => {
    test("is refused at a start, which names the converter", async () => {
      const { old } = earlier(version)
      const before = hashOf(old)
      const error = await quiet(Effect.flip(opening(old)))
      expect(error).toMatchObject({ _tag: "LibraryOutdated" })
      expect(error.message).toContain("linkbower convert OLD.db NEW.db")
      expect(hashOf(old)).toBe(before)
    })

    test("is converted with every row of every table, and stays as it is", async () => {
      const { folder, fresh, old } = earlier(version)
      const before = hashOf(old)
      const names = readdirSync(folder)
      const made = await quiet(convert(old, fresh))
      expect(readdirSync(folder).sort()).toEqual([...names, "fresh.db"].sort())
      expect([hashOf(old), statSync(fresh).mode & 0o777]).toEqual([before, 0o600])
      const tables = columnsIn(old)
      const [carried, fresher] = [new Map(made.carried), columnsIn(fresh)]
      expect(tables.size).toBeGreaterThan(50)
      for (const [table, columns] of tables) {
        if (MADE_AGAIN.has(table) || JOINED.has(table)) continue
        const list = columns.map(({ columns }) => columns)
        const there = rowsIn(old, table, list)
        expect([table, there.length > 0]).toEqual([table, true])
        if (!QUEUES.includes(table)) expect([table, rowsIn(fresh, table, list)]).toEqual([table, there])
        expect([table, carried.get(table)]).toEqual([table, there.length])
      }
      expect(rowsIn(fresh, "tasks", ["kind", "subject", "due_at", "attempts", "starts"])).toEqual(
        [...TASKS, ...(version === 40 ? LATER_TASKS : [])].map((row) => JSON.stringify(row)).sort()
      )
      // Nothing else but the tables that this version lacks is new, and these are empty.
      for (const table of [...fresher.keys()].filter(
        (name) => !tables.has(name) && name !== "tasks" && !name.startsWith("change_")
      ))
        expect([table, numberIn(fresh, `SELECT count(*) FROM "${table}"`)]).toEqual([table, 0])
      expect(rowsIn(fresh, "chat_lists", ["request"])).toEqual([JSON.stringify(['{"list":"newest"}'])])
      expect(
        numberIn(fresh, "SELECT told > 0 AND label ->> 'kind' = 'title' FROM changes WHERE id = 5")
      ).toBe(1)
      expect(rowsIn(fresh, "change_rows", ["change_id", "kind", "key", "before", "after"])).toEqual(
        [
          [5, "link", 1, '{"title":"before"}', '{"title":"after"}'],
          [5, "alias", "tag ts", null, '{"target":"typescript"}'],
          [8, "link", 99, '{"place":"library"}', '{"place":"trash"}']
        ]
          .map((row) => JSON.stringify(row))
          .sort()
      )
      expect(rowsIn(fresh, "change_work", ["change_id", "link_id", "work"])).toEqual(
        [
          [7, 1, '{"note":"later"}'],
          [8, 2, '{"move":"trash"}']
        ].map((row) => JSON.stringify(row))
      )
      const ids = "SELECT seq FROM sqlite_sequence WHERE name = 'links'"
      expect(numberIn(fresh, ids)).toBe(numberIn(old, ids))
    })

    test("finds everything, and opens", async () => {
      const { file, fresh, old } = earlier(version)
      const links = numberIn(old, "SELECT count(*) FROM links")
      await quiet(convert(old, fresh))
      copyFileSync(fresh, file)
      await open(file)
      expect(await quiet(inspect(file))).toMatchObject({
        version: LATEST_VERSION,
        links,
        trash: 1,
        passwords: 1,
        passkeys: 1,
        withoutText: 0,
        withoutVector: 0
      })
      for (let id = 1; id <= links; id++)
        expect(numberIn(file, `SELECT rowid FROM links_fts WHERE links_fts MATCH 'zephyr${id}q'`)).toBe(id)
      // Vectors of four bytes a value are made again, those of two are carried.
      expect(numberIn(file, "SELECT count(*) FROM vector_floats")).toBe(0)
      expect(numberIn(file, "SELECT count(*) FROM embedding_queue")).toBe(links)
    })
  })

test("vectors in float16 are carried", async () => {
  const { fresh, old } = earlier(40)
  inDatabase(old, (database) => {
    for (const table of ["vector_floats", "public_vectors"])
      database.run(`UPDATE ${table} SET floats = randomblob(128)`)
    database.run("DELETE FROM embedding_queue")
    database.run("DELETE FROM public_embedding_queue")
  })
  await quiet(convert(old, fresh))
  for (const table of VECTORS)
    expect([table, rowsIn(fresh, table, ["link_id"])]).toEqual([table, rowsIn(old, table, ["link_id"])])
  const floats = ["vector_floats", "public_vectors"].map((table) => rowsIn(fresh, table, ["floats"]))
  expect(floats).toEqual(["vector_floats", "public_vectors"].map((table) => rowsIn(old, table, ["floats"])))
})

test("a library in use is converted with its log", async () => {
  const { fresh, old } = earlier(40)
  await inDatabase(old, async (database) => {
    database.run("PRAGMA journal_mode = WAL")
    database.run("UPDATE links SET note = 'in the log'")
    await quiet(convert(old, fresh))
  })
  expect(numberIn(fresh, "SELECT count(*) FROM links WHERE note = 'in the log'")).toBe(40)
})

describe("nothing is written", () => {
  const refusal = async (old: string, fresh: string) => {
    const error = await quiet(Effect.flip(convert(old, fresh)))
    expect(existsSync(fresh)).toBe(false)
    return error.message
  }

  test("for a library of an earlier version, of this one, or another database", async () => {
    const { folder, fresh, old } = earlier(33)
    inDatabase(old, (database) => database.run("DELETE FROM effect_sql_migrations WHERE migration_id > 12"))
    expect(await refusal(old, fresh)).toContain("it has version 12")
    const now = join(folder, "now.db")
    await makeLibrary(now, 1)
    expect(await refusal(now, fresh)).toContain("already")
    const other = join(folder, "other.db")
    inDatabase(other, (database) => database.run("CREATE TABLE links (id)"))
    expect(await refusal(other, fresh)).toContain("not a library")
  })
})
