import { Database as Sqlite } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Effect, Fiber, Layer, Option } from "effect"
import { LinkId } from "../../../src/domain/Link.ts"
import * as Database from "../../../src/store/Database.ts"
import { Lock } from "../../../src/store/Lock.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Erasure } from "../../../src/store/maintenance/Erasure.ts"
import { repairIndexes } from "../../../src/store/maintenance/RenewIndexes.ts"
import type { Transaction } from "../../../src/store/Transaction.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { addLink, inDatabase, makeLibrary, numberIn } from "../../support/libraryFile.ts"
import { newLink } from "../../support/links.ts"
import { makePlaces, open, opening, quiet } from "../../support/places.ts"

const { place } = makePlaces("erasure")
const holds = (file: string, word: string) => existsSync(file) && readFileSync(file).includes(word)

const it = libraryTest(stores())
const rows = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql.unsafe(statement).values).map(([value]) => value)
})

describe("deleting a link", () => {
  it("removes it from results of jobs and from undo data, and keeps other links there", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const ids = [1, 2].map((id) => LinkId.make(id))
    for (const name of ["a", "b"]) yield* links.upsert(newLink(name))
    yield* changes.apply({ fields: ["title"], links: ids.map((id) => ({ id, title: `New ${id}` })) })
    const moves = ids.map((id) => ({ id, to: `Group ${id}`, because: [id], similarity: 1 }))
    const result = JSON.stringify({ filed: 2, moves })
    yield* sql`INSERT INTO jobs ${sql.insert({ action: "organize", state: "done", result, startedAt: "2026" })}`
    yield* links.remove([LinkId.make(1)])
    expect(yield* rows("SELECT result ->> '$.moves' FROM jobs")).toEqual([JSON.stringify(moves.slice(1))])
    expect(yield* rows("SELECT key || ' ' || before FROM change_rows")).toEqual([
      '2 {"title":"example.org","titleByHand":false}'
    ])
  })

  it("drops replies about it alone", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    for (const name of ["a", "b"]) yield* links.upsert(newLink(name))
    for (const linkIds of ["[]", "[1]", "[1,2]", "[2]", "[9]"])
      yield* sql`INSERT INTO outbox ${sql.insert({ message: "{}", linkIds, nextAt: "2026", createdAt: "2026" })}`
    yield* links.remove([LinkId.make(1)])
    expect(yield* rows("SELECT link_ids FROM outbox ORDER BY id")).toEqual(["[]", "[1,2]", "[2]", "[9]"])
  })

  it("clears dead arrivals about it, however their JSON is written", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("gone"))
    const deep = `${"[".repeat(1_500)}"${link.url}"${"]".repeat(1_500)}`
    const payloads = {
      plain: JSON.stringify({ message: { text: `look: ${link.url} soon` } }),
      escaped: JSON.stringify({ url: link.url }).replaceAll("/", "\\/"),
      deep,
      other: JSON.stringify({ url: "https://example.org/other" }),
      broken: "{"
    }
    for (const state of ["dead", "waiting"])
      for (const [key, payload] of Object.entries(payloads))
        yield* sql`INSERT INTO inbox ${sql.insert({ source: "chat", key: `${state} ${key}`, payload, state, nextAt: "2026", receivedAt: "2026" })}`
    yield* links.remove([link.id])
    expect(yield* rows("SELECT key FROM inbox WHERE payload = '' ORDER BY id")).toEqual([
      "dead plain",
      "dead escaped",
      "dead deep"
    ])
  })
})

describe("Erasure.prune", () => {
  it("keeps the last job of each kind, running ones, and up to 50 of each from the last 30 days", function* () {
    const sql = yield* SqlClient.SqlClient
    const now = new Date().toISOString()
    const add = (action: string, state: string, endedAt: string | null) =>
      sql`INSERT INTO jobs ${sql.insert({ action, state, startedAt: "2020", endedAt })}`
    for (let n = 0; n < 60; n++) yield* add("dupes", "done", now)
    yield* add("organize", "running", null)
    yield* add("organize", "done", "2020-01-01T00:00:00.000Z")
    yield* add("organize", "interrupted", now)
    yield* add("read", "done", "2020-01-01T00:00:00.000Z")
    const erasure = yield* Erasure
    yield* erasure.prune
    expect(yield* rows("SELECT action || ' ' || count(*) FROM jobs GROUP BY action ORDER BY action")).toEqual(
      ["dupes 50", "organize 2", "read 1"]
    )
    expect(yield* rows("SELECT min(id) FROM jobs WHERE action = 'dupes'")).toEqual([11])
  })

  it("deletes changes after 7 days, those of programs and imports and chat lists after 30", function* () {
    const sql = yield* SqlClient.SqlClient
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    for (const days of [0, 6, 8])
      yield* sql`INSERT INTO changes ${sql.insert({ token: `t${days}`, kind: "edit", finished: 1, createdAt: ago(days) })}`
    for (const [author, days] of [
      ["import", 29],
      ["import", 31],
      ["token:x", 29],
      ["token:x", 31]
    ] as const)
      yield* sql`INSERT INTO changes ${sql.insert({ token: `${author} ${days}`, kind: "edit", author, finished: 1, createdAt: ago(days) })}`
    for (const days of [0, 29, 31])
      yield* sql`INSERT INTO chat_lists ${sql.insert({ id: days + 1, request: "{}", createdAt: ago(days) })}`
    yield* (yield* Erasure).prune
    yield* (yield* ChangeStore).prune
    expect(yield* rows("SELECT token FROM changes ORDER BY token")).toEqual([
      "import 29",
      "t0",
      "t6",
      "token:x 29"
    ])
    expect(yield* rows("SELECT id FROM chat_lists ORDER BY id")).toEqual([1, 30])
  })

  it("deletes expired sessions and one-time codes", function* () {
    const sql = yield* SqlClient.SqlClient
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const at = { createdAt: inHours(-2), usedAt: inHours(-2) }
    for (const hours of [-1, 1])
      yield* sql`INSERT INTO signin_sessions ${sql.insert({ secret: `${hours}`, way: "password", device: "", address: "", expiresAt: inHours(hours), ...at })}`
    yield* sql`INSERT INTO signin_code ${sql.insert({ id: 1, first: "", secret: "", origin: "log", tries: 0, expiresAt: inHours(-1) })}`
    yield* (yield* Erasure).prune
    expect(yield* rows("SELECT secret FROM signin_sessions")).toEqual(["1"])
    expect(yield* rows("SELECT id FROM signin_code")).toEqual([])
  })
})

describe("Erasure.emptyLog", () => {
  const withErasure = <A>(
    file: string,
    work: Effect.Effect<A, unknown, Erasure | SqlClient.SqlClient | Transaction>
  ) =>
    quiet(
      work.pipe(
        Effect.provide(Layer.provideMerge(Layer.effect(Erasure, Erasure.make), Database.layer(file))),
        Effect.scoped
      )
    )

  test("removes deleted rows from the log and the file, and does nothing the second time", async () => {
    const { file } = place()
    await makeLibrary(file, 30)
    await withErasure(
      file,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const erasure = yield* Erasure
        yield* sql`UPDATE links SET title = 'zqsecretword', text = ${"zqsecretword ".repeat(2_000)} WHERE id = 7`
        yield* sql`DELETE FROM links WHERE id = 7`
        yield* sql`INSERT INTO tasks (kind, subject, due_at) VALUES ('merge', 0, 0)`
        yield* erasure.mergeIndexes
        expect(holds(`${file}-wal`, "secretword")).toBe(true)
        expect(yield* erasure.emptyLog).toBe(true)
        expect(statSync(`${file}-wal`).size).toBe(0)
        expect(holds(file, "secretword")).toBe(false)
        const before = statSync(file).mtimeMs
        expect(yield* erasure.emptyLog).toBe(true)
        expect(statSync(file).mtimeMs).toBe(before)
      })
    )
  })

  test("returns false at once during a read, and succeeds afterwards", async () => {
    const { file } = place()
    await makeLibrary(file, 30)
    const reader = new Sqlite(file)
    await withErasure(
      file,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const erasure = yield* Erasure
        reader.run("BEGIN")
        reader.query("SELECT count(*) FROM links").get()
        yield* sql`DELETE FROM links WHERE id = 7`
        const began = performance.now()
        expect(yield* erasure.emptyLog).toBe(false)
        expect(performance.now() - began).toBeLessThan(1_000)
        expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
        reader.run("ROLLBACK")
        expect(yield* erasure.emptyLog).toBe(true)
        expect(statSync(`${file}-wal`).size).toBe(0)
      })
    )
    reader.close()
  })
})

describe("Erasure.mergeIndexes", () => {
  const terms = Effect.fnUntraced(function* (index: string) {
    const sql = yield* SqlClient.SqlClient
    const blocks = yield* sql.unsafe(`SELECT block FROM ${index}_data`).values
    const bounds = yield* sql.unsafe(`SELECT term FROM ${index}_idx`).values
    return Buffer.concat(
      [...blocks, ...bounds].map(([bytes]) =>
        Buffer.from(bytes instanceof Uint8Array ? bytes : String(bytes))
      )
    )
  })

  it("removes the words of deleted links and earlier edits from the indexes, and keeps the others", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    const erasure = yield* Erasure
    expect(yield* erasure.mergeIndexes).toBe(false)
    for (let n = 0; n < 400; n++) {
      const { link } = yield* links.upsert(newLink(`page${n}`, { note: `zqnote${n}end` }))
      yield* sql`UPDATE links SET enrichment = 'complete', title = ${`zqearlier${n}end`} WHERE id = ${link.id}`
      yield* sql`UPDATE links SET title = ${`zqtitle${n}end`} WHERE id = ${link.id}`
    }
    const gone = Array.from({ length: 200 }, (_, index) => index * 2 + 1)
    yield* links.remove(gone.map((id) => LinkId.make(id)))
    expect(yield* erasure.mergeIndexes).toBe(true)
    expect(yield* erasure.mergeIndexes).toBe(false)
    const held = (yield* terms("links_fts")).toString("latin1")
    for (const id of gone)
      for (const word of [`note${id - 1}end`, `title${id - 1}end`, `earlier${id - 1}end`])
        expect([word, held.includes(word)]).toEqual([word, false])
    for (const index of ["links_fts", "links_trigram"]) {
      expect(yield* rows(`SELECT count(DISTINCT segid) FROM ${index}_idx`)).toEqual([1])
      yield* sql.unsafe(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
    }
    expect(yield* rows("SELECT count(*) FROM links_fts WHERE links_fts MATCH 'zqtitle399end'")).toEqual([1])
    expect(yield* rows("SELECT count(*) FROM links_fts WHERE links_fts MATCH 'zqtitle398end'")).toEqual([0])
  })

  it("leaves few segments where nothing was deleted, and then writes nothing", function* () {
    const links = yield* LinkStore
    const erasure = yield* Erasure
    const segments = rows("SELECT count(DISTINCT segid) FROM links_fts_idx")
    for (let n = 0; n < 12; n++) yield* links.upsert(newLink(`page${n}`, { note: `word${n}` }))
    expect(yield* segments).not.toEqual([1])
    expect(yield* erasure.mergeIndexes).toBe(false)
    expect(yield* segments).toEqual([1])
    const written = yield* rows("SELECT total_changes()")
    expect(yield* erasure.mergeIndexes).toBe(false)
    expect(yield* rows("SELECT total_changes()")).toEqual(written)
    expect(yield* rows("SELECT count(*) FROM links_fts WHERE links_fts MATCH 'word7'")).toEqual([1])
  })

  it("handles a link deleted meanwhile, and continues after an interruption", function* () {
    const links = yield* LinkStore
    const erasure = yield* Erasure
    for (let n = 0; n < 300; n++) yield* links.upsert(newLink(`page${n}`, { note: `word${n} `.repeat(300) }))
    yield* links.remove([LinkId.make(1)])
    const merging = yield* Effect.fork(erasure.mergeIndexes)
    yield* Effect.yieldNow()
    yield* links.remove([LinkId.make(2)])
    expect(yield* Fiber.join(merging)).toBe(true)
    const cut = yield* Effect.fork(erasure.mergeIndexes)
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(cut)
    yield* links.remove([LinkId.make(3)])
    expect(yield* erasure.mergeIndexes).toBe(true)
    expect(yield* erasure.mergeIndexes).toBe(false)
    expect(yield* rows("SELECT count(DISTINCT segid) FROM links_fts_idx")).toEqual([1])
  })
})

describe("the file of a library", () => {
  /** A library with remnants of links that were deleted when nothing was overwritten. */
  const withRemnants = async () => {
    const at = place()
    await makeLibrary(at.file, 30)
    inDatabase(at.file, (database) => {
      database.run("PRAGMA secure_delete = OFF")
      for (const index of [1, 2, 3]) {
        addLink(database, `zqdeleted${index}`)
        database.run("DELETE FROM links WHERE id = (SELECT max(id) FROM links)")
      }
    })
    expect(holds(at.file, "zqdeleted")).toBe(true)
    return at
  }

  test("is rewritten by a reindex", async () => {
    const { file, folder } = await withRemnants()
    expect(await quiet(repairIndexes(folder, true))).toEqual(Option.none())
    expect(holds(file, "zqdeleted")).toBe(false)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(numberIn(file, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page7'")).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(["library.db", "library.db.initialised"])
  })

  test("has no leftovers once it is opened, wherever its rewriting was cut off", async () => {
    const { file, folder } = await withRemnants()
    for (const left of [".compacting", ".compacting-journal", ".replaced"])
      writeFileSync(`${file}${left}`, "zqdeleted")
    await open(file)
    expect(readdirSync(folder).filter((name) => /compacting|replaced/.test(name))).toEqual([])
    // After the files are exchanged, only this file is left to delete.
    copyFileSync(file, `${file}.replaced`)
    await open(file)
    expect(existsSync(`${file}.replaced`)).toBe(false)
    expect(numberIn(file, "SELECT count(*) FROM links")).toBe(30)
  })

  test("keeps its leftovers while another process holds its lock", async () => {
    const { file, folder } = await withRemnants()
    writeFileSync(`${file}.replaced`, "")
    await quiet(
      Effect.scoped(
        Effect.gen(function* () {
          expect(yield* Lock.ifFree(folder)).toBe(true)
          yield* opening(file)
          expect(existsSync(`${file}.replaced`)).toBe(true)
        })
      )
    )
    await quiet(
      Effect.scoped(Effect.provide(Effect.void, Layer.provide(Database.layer(file), Lock.layer(folder))))
    )
    expect(existsSync(`${file}.replaced`)).toBe(false)
  })
})
