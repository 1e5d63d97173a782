import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Stream } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { ExportLinks } from "../../src/library/ExportLinks.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fill } from "../support/fillLibrary.ts"
import { pageToKeep } from "../support/pages.ts"
import { byTier } from "../support/tier.ts"
import { allLinks, exported, takeText, withFiles } from "../support/transfer.ts"

const it = libraryTest(withFiles())

/** Every row of a library. */
const dump = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  return {
    links: yield* sql`SELECT * FROM links ORDER BY id`,
    collections: yield* sql`SELECT * FROM collections ORDER BY id`,
    aliases: yield* sql`SELECT * FROM aliases ORDER BY kind, name`,
    tags: yield* sql`SELECT * FROM link_tags ORDER BY tag, link_id`,
    // A feed's address and the time of saving belong to the library.
    searches: yield* sql`SELECT name, query, sort, pinned, position FROM searches ORDER BY position`,
    pages: yield* sql`SELECT * FROM pages JOIN page_contents USING (link_id) ORDER BY link_id`,
    positions: yield* sql`SELECT * FROM reading_positions ORDER BY link_id`,
    // When to look next, and when to ask the archive again, follow from the import.
    checks:
      yield* sql`SELECT link_id, state, since, reason, moved_to, declined, looked_at, capture_url, capture_at
      FROM link_checks ORDER BY link_id`,
    unread: yield* sql`SELECT subject FROM tasks WHERE kind = 'read' ORDER BY subject`
  }
})

/** Keeps pages of some of the links of a filled library, half of them begun. */
const keepPages = Effect.gen(function* () {
  const pages = yield* PageStore
  const sql = yield* SqlClient.SqlClient
  for (const { id } of yield* sql<{ id: number }>`SELECT id FROM links WHERE id % 2 = 0`)
    yield* pages.keep(
      LinkId.make(id),
      pageToKeep(`Page ${id} &amp; “more” \u2028 🦜`, {
        source: id % 4 === 0 ? "file" : "browser",
        author: null
      })
    )
  yield* sql`INSERT INTO reading_positions (link_id, at, text_offset, updated_at)
    SELECT id, 0.25, id, '2026-01-02T03:04:05.000Z' FROM links WHERE id % 4 = 0`
})

/** Stores what is known about the pages of three of four links of a filled library. */
const lookAtPages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE link_checks SET looked_at = 1767225600123 + link_id, since = 1767225600001 - link_id,
    state = CASE link_id % 4 WHEN 1 THEN 'broken' WHEN 2 THEN 'moved' ELSE 'ok' END WHERE link_id % 4 <> 0`
  yield* sql`UPDATE link_checks SET reason = '404 “Not” Found', capture_url = 'https://web.archive.org/web/1/' || link_id,
    capture_at = '2020-01-01T00:00:00.000Z' WHERE state = 'broken'`
  yield* sql`UPDATE link_checks SET moved_to = 'https://new.example/' || link_id WHERE state = 'moved'`
  yield* sql`UPDATE link_checks SET declined = 'https://declined.example/' || link_id WHERE state = 'ok'`
})

describe("an export", () => {
  for (let seed = 1; seed <= byTier(1, 4); seed++)
    test(`imported into an empty library reproduces the library (seed ${seed})`, async () => {
      const made = Effect.gen(function* () {
        yield* fill(seed, 40)
        yield* keepPages
        yield* lookAtPages
        return { json: yield* exported("json"), before: yield* dump }
      })
      const { before, json } = await Effect.runPromise(Effect.provide(made, withFiles()))
      const again = Effect.gen(function* () {
        const result = yield* takeText("export.json", json, { keepShared: true })
        return { result, after: yield* dump, json: yield* exported("json") }
      })
      const taken = await Effect.runPromise(Effect.provide(Effect.scoped(again), withFiles()))
      expect(taken.result).toMatchObject({ created: 40, merged: 0, rejected: 0 })
      expect(taken.after).toEqual(before)
      expect(withoutTime(taken.json)).toBe(withoutTime(json))
    })

  it("imported into its own library changes nothing", function* () {
    yield* fill(99, 30)
    yield* keepPages
    yield* lookAtPages
    const before = yield* dump
    const result = yield* takeText("export.json", yield* exported("json"))
    expect(result).toMatchObject({ created: 0, merged: 30, rejected: 0 })
    expect(yield* dump).toEqual(before)
  })

  it("can be imported after another program has reformatted it", function* () {
    yield* fill(5, 20)
    yield* keepPages
    yield* lookAtPages
    const before = yield* dump
    const json = JSON.stringify(JSON.parse(yield* exported("json")), null, 2)
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM links`
    yield* sql`DELETE FROM collections`
    yield* sql`DELETE FROM sqlite_sequence`
    expect(yield* takeText("export.json", json, { keepShared: true })).toMatchObject({
      created: 20,
      rejected: 0
    })
    expect(yield* dump).toEqual(before)
  })

  it("adds its saved searches after those of the library, each with a feed of its own", function* () {
    yield* fill(8, 1)
    const json = yield* exported("json")
    expect(json).not.toContain("8 Reading")
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM searches WHERE name <> 'Reading'`
    yield* sql`UPDATE searches SET name = 'READING', query = 'mine', position = 7`
    yield* takeText("export.json", json)
    const searches = yield* sql<{ token: string }>`SELECT name, token FROM searches ORDER BY position`
    expect(searches).toMatchObject([{ name: "READING", token: "8 Reading" }, { name: "ünï “code”" }])
    expect(searches[1]?.token).toMatch(/^[\w-]{43}$/)
    for (let n = 2; n < 199; n++)
      yield* sql`INSERT INTO searches (name, query, token, created_at) VALUES (${`n${n}`}, '', ${`n${n}`}, '')`
    const extra = ["a", "b"].map((name) => ({ name, query: "", sort: null, pinned: true }))
    yield* takeText("export.json", json.replace(/"searches":\[/, `$&${JSON.stringify(extra).slice(1, -1)},`))
    expect(yield* sql`SELECT count(*) FROM searches`.values).toEqual([[200]])
  })

  it("of an empty library can be imported", function* () {
    expect(yield* takeText("export.json", yield* exported("json"))).toMatchObject({ found: 0, created: 0 })
  })

  it("does not change what the library has found out about a page", function* () {
    yield* fill(4, 4)
    yield* lookAtPages
    const json = yield* exported("json")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET state = 'changed', reason = 'mine', moved_to = NULL, declined = NULL,
      looked_at = 1, capture_url = NULL`
    const before = yield* dump
    expect(yield* takeText("export.json", json)).toMatchObject({ created: 0, merged: 4, rejected: 0 })
    expect((yield* dump).checks).toEqual(before.checks)
  })

  it("of an earlier version has no looks, and one with an address that is none is rejected", function* () {
    yield* fill(4, 4)
    yield* lookAtPages
    const lines = (yield* exported("json"))
      .replace(/,"check":\{[^\n]*?"declined":null\}/, "")
      .replace(/"to":"https:/, '"to":"javascript:')
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM links`
    const result = yield* takeText("export.json", lines)
    expect(result).toMatchObject({ created: 3, rejected: 1 })
    expect(result.rejects[0]?.reason).toContain("check")
    expect(yield* sql`SELECT count(*) FROM link_checks WHERE state = 'broken'`.values).toEqual([[0]])
  })

  it("with a line broken by hand is imported except for that line, which is reported", function* () {
    yield* fill(7, 5)
    const json = (yield* exported("json")).replace(/"createdAt":"[^"]*"(?=.*\n\])/, '"createdAt":"yesterday"')
    const lines = json.split("\n")
    const broken = lines.map((line, index) =>
      index === 2 ? line.replace(/"note":"/, '"note":7,"x":"') : line
    )
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM links`
    const result = yield* takeText("export.json", broken.join("\n"))
    expect(result.created + result.rejected).toBe(5)
    expect(result.rejects[0]).toEqual({ place: 3, reason: "Its field “note” cannot be read." })
  })

  for (const format of ["html", "csv"] as const)
    it(`as ${format} keeps addresses, titles, notes, tags, collections and dates`, function* () {
      yield* fill(3, 60)
      const before = yield* allLinks
      const text = yield* exported(format)
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM links`
      expect(yield* takeText(`export.${format}`, text)).toMatchObject({ created: 60, rejected: 0 })
      const told = (links: typeof before) =>
        links
          .map(({ collection, createdAt, favorite, note, tags, title, url }) => ({
            url,
            title: title.replace(/\s+/g, " ").trim(),
            note: note.trim(),
            tags: [...tags].sort(),
            collection: collection?.name ?? null,
            createdAt: createdAt.slice(0, 19),
            favorite: format === "csv" && favorite
          }))
          .sort((a, b) => (a.url < b.url ? -1 : 1))
      expect(told(yield* allLinks)).toEqual(told(before))
    })
})

describe("an export of whole batches", () => {
  for (const count of byTier([0, 200], [0, 1, 199, 200, 201, 400]))
    it(`of ${count} links has no empty chunk, which writing to a file rejects`, function* () {
      const list = Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join("")
      if (count > 0) yield* takeText("list.txt", list)
      for (const format of ["json", "html", "csv"] as const) {
        const chunks = Chunk.toArray(yield* Stream.runCollect((yield* ExportLinks).write(format)))
        expect([format, chunks.filter((chunk) => chunk === "")]).toEqual([format, []])
        expect([format, chunks.join("").split("https://example.org/").length - 1]).toEqual([format, count])
      }
    })
})

const withoutTime = (json: string) => json.replace(/"exportedAt":"[^"]*"/, "")
