import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Stream } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import { LINKS_FILE } from "../../src/domain/ExportedFiles.ts"
import { newHighlight } from "../../src/domain/Highlight.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { ExportLinks } from "../../src/library/ExportLinks.ts"
import { Highlights } from "../../src/library/Highlights.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { PagePictureStore } from "../../src/store/pages/PagePictureStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { SnapshotStore } from "../../src/store/pages/SnapshotStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fill } from "../support/fillLibrary.ts"
import { pageToKeep } from "../support/pages.ts"
import { takeFile, withFiles } from "../support/transfer.ts"

const it = libraryTest(withFiles())

/** The rows of each of the owner's tables, without numbers that only order or join rows. */
const carried: Readonly<Record<string, string>> = {
  links: "SELECT * FROM links ORDER BY id",
  trash: "SELECT * FROM trash ORDER BY id",
  collections: "SELECT * FROM collections ORDER BY id",
  aliases: "SELECT * FROM aliases ORDER BY kind, name",
  searches: "SELECT name, query, sort, pinned, position FROM searches ORDER BY position",
  pages: "SELECT * FROM pages ORDER BY link_id",
  page_contents: "SELECT * FROM page_contents ORDER BY link_id",
  page_versions: "SELECT * FROM page_versions ORDER BY link_id, version",
  pictures: "SELECT hash, type, width, height, size, bytes FROM pictures ORDER BY hash",
  page_pictures: `SELECT link_id, address, host, place, state, tries, due_at, changed_at, hash FROM page_pictures
    LEFT JOIN pictures ON pictures.id = picture_id ORDER BY link_id, address`,
  highlights: `SELECT link_id, quote, prefix, suffix, start_at, end_at, colour, note, source, created_at, updated_at
    FROM highlights ORDER BY link_id, created_at, quote`,
  reading_positions: "SELECT * FROM reading_positions ORDER BY link_id",
  snapshots: "SELECT * FROM snapshots ORDER BY link_id",
  snapshot_versions: "SELECT * FROM snapshot_versions ORDER BY link_id, version",
  // When to look next, and when to ask the archive again, follow from the import.
  link_checks: `SELECT link_id, state, since, reason, moved_to, declined, looked_at, capture_url, capture_at
    FROM link_checks ORDER BY link_id`,
  // Pages that are to be read.
  tasks: "SELECT subject FROM tasks WHERE kind = 'read' ORDER BY subject"
}

/** Tables that follow from the others, or belong to this service, its chat or its machine. */
const others = [
  ...["link_tags", "tags_in_use", "categories_in_use", "page_keys", "spellings", "image_removals"],
  ...["public_collections", "public_links", "public_tags", "public_state", "public_vectors"],
  ...["public_vector_removals", "public_embedding_queue", "embedders", "vectors", "vector_floats"],
  ...["vector_removals", "embedding_queue", "changes", "change_rows", "change_work", "clock"],
  ...["inbox", "inbox_links", "capture_answers", "captured_pages", "jobs", "job_messages", "link_waits"],
  ...["message_links", "outbox", "chat_prompts", "chat_lists", "chat_claims", "chat_offsets", "outage"],
  ...["signin_sessions", "signin_owner", "signin_passkeys", "signin_code", "signin_browsers", "ereaders"],
  ...["tokens", "oauth_clients", "public_pages", "public_page_pictures", "effect_sql_migrations"]
]

const dump = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  return yield* Effect.all(
    Object.fromEntries(Object.entries(carried).map(([table, query]) => [table, sql.unsafe(query)]))
  )
})

const html = (text: string) => strToU8(`<!doctype html><title>t</title><p>${text}</p>`)
const webp = (n: number) => strToU8(`RIFF0000WEBPVP8 ${n}`)

/** A library with a row in every table that a full export carries, several in most. */
const makeAll = Effect.fnUntraced(function* (seed: number) {
  yield* fill(seed, 24)
  const sql = yield* SqlClient.SqlClient
  const [pages, pictures, snapshots] = [yield* PageStore, yield* PagePictureStore, yield* SnapshotStore]
  const [highlights, trash] = [yield* Highlights, yield* TrashStore]
  const ids = (yield* sql<{ id: number }>`SELECT id FROM links ORDER BY id`).map(({ id }) => LinkId.make(id))
  for (const [n, id] of ids.entries()) {
    if (n % 2 === 0)
      for (let version = 0; version <= n % 4; version++) {
        const images = [n, n + version, 0].map(
          (at) => `<p><img src="https://pictures.example/${at}.png" alt=""></p>`
        )
        yield* pages.keep(
          id,
          pageToKeep(`Page ${id}, version ${version} 🦜 &amp; a quotation</p>${images.join("")}<p>The end`)
        )
        yield* pictures.queue(
          id,
          [n, n + version, 0].map((at) => `https://pictures.example/${at}.png`)
        )
        for (const { address, id: picture } of yield* pictures.due(3, []))
          yield* address.endsWith("/4.png")
            ? pictures.failed(picture, true)
            : pictures.keep(
                picture,
                { bytes: webp(address.length + n), type: "image/webp", width: 4, height: 3 },
                1e6
              )
      }
    for (let version = 0; version < n % 3; version++)
      yield* snapshots.keep(
        id,
        `https://example.org/${version}`,
        yield* Effect.promise(() => Bun.zstdCompress(html(`${id} ${version}`))),
        1e6
      )
    if (n % 3 === 0)
      yield* sql`INSERT INTO reading_positions (link_id, at, text_offset, updated_at)
        VALUES (${id}, 0.25, ${n}, '2026-01-02T03:04:05.000Z')`
    if (n % 4 < 2)
      yield* highlights.addAll(
        id,
        [
          { ...newHighlight("a quotation"), colour: "green", createdAt: "2026-01-02T03:04:05.000Z" },
          { ...newHighlight(`lost ${n}`), note: "a note" }
        ],
        undefined
      )
  }
  yield* sql`UPDATE page_pictures SET changed_at = '2026-02-0' || (1 + link_id % 9) || 'T00:00:00.000Z'`
  yield* sql`UPDATE link_checks SET looked_at = 1767225600123 + link_id, since = 1767225600001, state = 'broken',
    reason = '404 Not Found', declined = 'https://declined.example/' WHERE link_id % 2 = 0`
  yield* trash.moveBack(
    ids.filter((_, n) => n % 5 === 0).map((id, n) => ({ id, deletedAt: `2026-11-0${n + 1}T00:00:00.000Z` }))
  )
})

const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, "full.zip")

/** Writes a full export of the library to `path`. */
const exportFull = Effect.gen(function* () {
  const chunks = yield* Stream.runCollect((yield* ExportLinks).writeFull())
  writeFileSync(path, Buffer.concat([...chunks]))
})

/** The tables of the exported library. */
let before: Effect.Effect.Success<typeof dump> = {}
beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* makeAll(3)
      before = yield* dump
      yield* exportFull
    }).pipe(Effect.provide(withFiles()))
  )
)

const files = () => unzipSync(readFileSync(path))

describe("a full export", () => {
  it("decides about every table", function* () {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const tables = yield* sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
      AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_fts_*' AND name NOT GLOB '*_trigram_*'`.values
    expect(tables.map(([name]) => String(name)).sort()).toEqual([...Object.keys(carried), ...others].sort())
  })

  it("imported into an empty library reproduces every table", function* () {
    for (const [table, rows] of Object.entries(before))
      expect([table, rows.length > 0]).toEqual([table, true])
    const result = yield* takeFile(path, { keepShared: true })
    expect(result).toMatchObject({
      found: 24,
      created: 24,
      rejected: 0,
      warnings: [],
      format: "Linkbower export (full)"
    })
    const after = yield* dump
    for (const table of Object.keys(carried)) expect([table, after[table]]).toEqual([table, before[table]])
    // The same again changes nothing.
    expect(yield* takeFile(path, { keepShared: true })).toMatchObject({ created: 0, hasChanged: false })
    expect(yield* dump).toEqual(after)
  })

  test("can be opened without this program", () => {
    const names = Object.keys(files())
    expect(names[0]).toBe(LINKS_FILE)
    const json = JSON.parse(strFromU8(files()[LINKS_FILE] ?? new Uint8Array()))
    expect(json.links).toHaveLength(24)
    const kinds = names.slice(1).map((name) => name.replace(/[0-9a-f]{64}|\d+/g, "N"))
    expect([...new Set(kinds)]).toEqual(["pages/N/N.html", "pictures/N.webp", "snapshots/N/N.html"])
    const page = names.find((name) => name.startsWith("pages/"))
    expect(strFromU8(files()[page ?? ""] ?? new Uint8Array())).toContain("version 1 🦜")
  })

  it("leaves the pages and snapshots of a library that has its own", function* () {
    const [pages, snapshots] = [yield* PageStore, yield* SnapshotStore]
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    yield* sql`INSERT INTO links (url, normalized_url, host, title, category, enrichment, created_at, updated_at)
      SELECT value, value, 'example.org', 'Mine', 'unsorted', 'complete', '2026', '2026'
      FROM json_each(${JSON.stringify([4, 2, 0].map((n) => `https://example.org/3/${n}`).concat("https://münchen.example/3/2"))})`
    const ids = (yield* sql`SELECT id FROM links ORDER BY id`.values).map(([id]) => LinkId.make(Number(id)))
    for (const id of ids) {
      yield* pages.keep(id, pageToKeep(`Mine ${id}`))
      yield* snapshots.keep(
        id,
        "https://example.org/mine",
        yield* Effect.promise(() => Bun.zstdCompress("<p>mine")),
        1e6
      )
    }
    const own = Effect.map(dump, ({ page_versions, pages, snapshot_versions, snapshots }) =>
      [page_versions, pages, snapshot_versions, snapshots].map((rows = []) =>
        rows.filter(
          (row) =>
            JSON.stringify(row).includes('"link_id":') &&
            ids.some((id) => JSON.stringify(row).includes(`"link_id":${id},`))
        )
      )
    )
    const mine = yield* own
    yield* takeFile(path)
    expect(yield* own).toEqual(mine)
    // The others have got theirs under other numbers, and nothing is public.
    expect((yield* dump)["page_versions"]).not.toEqual([])
    expect(yield* sql`SELECT count(*) FROM public_links`.values).toEqual([[0]])
    expect(
      yield* sql`SELECT max(shareable) FROM links UNION ALL SELECT max(shareable) FROM trash`.values
    ).toEqual([[0], [0]])
  })

  it("continues where an import was interrupted", function* () {
    const stop = new Error("killed")
    let steps = 0
    const saved = { done: 0, created: 0, shared: 0, warnings: [] as ReadonlyArray<never> }
    const first = takeFile(path, {
      keepShared: true,
      undo: "the-import",
      saveProgress: (reached) => Effect.sync(() => void Object.assign(saved, reached)),
      onStep: () => (steps++ > 0 ? Effect.die(stop) : Effect.void)
    })
    yield* Effect.exit(first)
    expect(saved.done).toBeGreaterThan(0)
    yield* takeFile(path, { keepShared: true, keepNumbers: true, undo: "the-import", from: saved })
    const after = yield* dump
    for (const table of Object.keys(carried)) expect([table, after[table]]).toEqual([table, before[table]])
  })
})

/** The export with some files replaced or, with null, removed. */
const changed = (
  change: (name: string, bytes: Uint8Array) => Uint8Array | null,
  more: Record<string, Uint8Array> = {}
) =>
  zipSync({
    ...Object.fromEntries(
      Object.entries(files()).flatMap(([name, bytes]) => {
        const now = change(name, bytes)
        return now === null ? [] : [[name, now] as const]
      })
    ),
    ...more
  })
/** The export with the first file of a kind replaced or, with null, removed. */
const only = (start: string, replaced: Uint8Array | null) => {
  const first = Object.keys(files()).find((name) => name.startsWith(start))
  return changed((name, bytes) => (name === first ? replaced : bytes))
}
const links = () => files()[LINKS_FILE] ?? new Uint8Array()

describe("a zip that is damaged or hostile", () => {
  const hostile: ReadonlyArray<readonly [what: string, zip: () => Uint8Array, outcome: string]> = [
    ["without a picture", () => only("pictures/", null), "file_missing"],
    ["without a version", () => only("pages/", null), "file_missing"],
    [
      "with a page for a picture",
      () => only("pictures/", strToU8("<script>alert(1)</script>")),
      "file_missing"
    ],
    ["with a picture of another type", () => only("pictures/", strToU8("GIF89a")), "file_missing"],
    ["with a script in a page", () => only("pages/", strToU8("<script>alert(1)</script>")), "file_missing"],
    ["with bytes that are no text in a page", () => only("pages/", new Uint8Array([0xff])), "file_missing"],
    ["with a huge page", () => only("pages/", new Uint8Array(2_000_000)), "file_missing"],
    ["with a huge snapshot", () => only("snapshots/", new Uint8Array(9_000_000)), "file_missing"],
    [
      "in a folder",
      () => zipSync(Object.fromEntries(Object.entries(files()).map(([n, b]) => [`a b/${n}`, b]))),
      ""
    ],
    [
      "with files of other names",
      () =>
        changed((_, bytes) => bytes, {
          "../../etc/passwd": strToU8("x"),
          "/abs": strToU8("x"),
          "pages/../../x.html": strToU8("x")
        }),
      ""
    ],
    [
      "with thousands of other files",
      () =>
        changed(
          (_, bytes) => bytes,
          Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`pages/${n}/9.html`, strToU8("x")]))
        ),
      ""
    ],
    [
      "whose links are a bomb",
      () => zipSync({ [LINKS_FILE]: strToU8(`${strFromU8(links()).slice(0, 200)}${" ".repeat(4_000_000)}`) }),
      "built to fill the memory"
    ],
    [
      "whose links are cut off",
      () => zipSync({ [LINKS_FILE]: links().subarray(0, links().length / 2) }),
      "cut off"
    ],
    ["whose links are others", () => zipSync({ [LINKS_FILE]: strToU8("{}") }), "incomplete"],
    ["that is cut off", () => readFileSync(path).subarray(0, 9_000), "cut off"],
    [
      "whose links have other bytes than it says",
      () => {
        const zip = Buffer.from(zipSync({ [LINKS_FILE]: [links(), { level: 0 }] }))
        zip[400] = (zip[400] ?? 0) ^ 1
        return zip
      },
      "damaged"
    ]
  ]
  for (const [what, zip, outcome] of hostile)
    it(`${what}: ${outcome || "is read whole"}`, function* () {
      const file = join(folder, "hostile.zip")
      writeFileSync(file, zip())
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()
      const result = yield* Effect.either(takeFile(file))
      const kinds =
        result._tag === "Left" ? [result.left.message] : result.right.warnings.map(({ kind }) => kind)
      const said = kinds.filter((kind) => kind !== "not_shared").join()
      if (outcome === "") expect(said).toBe("")
      else expect(said).toContain(outcome)
      expect(
        yield* sql`SELECT count(*) FROM (SELECT id FROM links UNION ALL SELECT id FROM trash)`.values
      ).toEqual([[result._tag === "Left" ? 0 : 24]])
      expect(
        yield* sql`SELECT count(*) FROM pictures WHERE type <> 'image/webp' OR substr(bytes, 1, 4) <> CAST('RIFF' AS BLOB)`
          .values
      ).toEqual([[0]])
    })
})
