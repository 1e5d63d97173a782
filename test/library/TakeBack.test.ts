import { describe, expect } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Stream } from "effect"
import type { Field } from "../../src/domain/Change.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { ImportLinks } from "../../src/library/ImportLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { LargeChanges } from "../../src/library/LargeChanges.ts"
import { yieldToEventLoop } from "../../src/runtime/Scheduling.ts"
import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { ImportStore } from "../../src/store/transfer/ImportStore.ts"
import { effectTest, libraryTest } from "../support/effect.ts"
import { fill } from "../support/fillLibrary.ts"
import { add, cookies, file, one } from "../support/libraryOf.ts"
import { found } from "../support/links.ts"
import { pageToKeep } from "../support/pages.ts"
import { checkIndexes, contents } from "../support/takeBack.ts"
import { byTier, sampleOf } from "../support/tier.ts"
import {
  allLinks,
  exported,
  takeFile,
  takeText,
  temporary,
  withFiles,
  withFilesAt
} from "../support/transfer.ts"

const it = libraryTest(withFiles())

const takeBack = Effect.fnUntraced(function* (undo: string, force = false) {
  return yield* (yield* EditLinks).undo(undo, { force })
})

/** Runs what is queued for vectors, so that a library is at rest. */
const atRest = Effect.flatMap(Embeddings, (embeddings) => embeddings.catchUp(() => Effect.void))

const bookmarks = (body: string) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n${body}</DL><p>\n`

/** A link with this much of a file's entry. */
const entry = (url: string, title: string, more = "", note = "") =>
  `<DT><A HREF="${url}" ${more}>${title}</A>\n${note === "" ? "" : `<DD>${note}\n`}`

const idOf = Effect.fnUntraced(function* (address: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    id: number
  }>`SELECT id FROM links WHERE normalized_url = ${normalizeUrl(new URL(address))}`
  return LinkId.make(rows[0]?.id ?? 0)
})

describe("an import that is taken back", () => {
  const PASSED = "2025-01-02T03:04:05.000Z"

  /** A library with everything that an import can meet: filed, shared, tagged, unread and trashed links. */
  const library = Effect.gen(function* () {
    const edits = yield* EditLinks
    const sql = yield* SqlClient.SqlClient
    const known = yield* add(one(cookies), { tags: ["found"], category: "recipes" })
    const shared = yield* add(one(cookies, 1))
    const trashed = yield* add(one(cookies, 2))
    yield* file([shared], "Baking")
    yield* edits.change([shared], { shareable: true })
    yield* edits.change([trashed], { note: "never tried" })
    yield* edits.trash([trashed])
    yield* sql`UPDATE trash SET deleted_at = ${PASSED}`
    yield* sql`UPDATE links SET created_at = '2026-02-03T04:05:06.000Z'`
    yield* atRest
    return { known, shared, trashed }
  })

  const mixed = bookmarks(
    `${entry("https://new.example/a", "A new one", 'TAGS="x,y" PRIVATE="1"', "with a note")}
<DT><H3>Baking</H3><DL><p>
${entry("https://example.org/brown-butter-chocolate-chip-cookies", "Mine", 'ADD_DATE="500000000" TAGS="sweet"', "two\nlines")}
${entry("https://new.example/b", "Filed")}
<DT><H3>Deep</H3><DL><p>
${entry("https://example.org/easy-sugar-cookies", "Out of the trash", 'TAGS="sugar"', "tried")}
</DL><p></DL><p>
<DT><H3>New</H3><DL><p>${entry("https://new.example/c", "In a new folder")}</DL><p>
${entry("https://example.org/classic-oatmeal-raisin-cookies", "Classic oatmeal raisin cookies")}`
  )

  it("leaves the library as it was, and can be imported again", function* () {
    yield* library
    const before = yield* contents
    const undo = crypto.randomUUID()
    const result = yield* takeText("bookmarks.html", mixed, { undo })
    expect(result).toMatchObject({ created: 3, merged: 3, changed: 2, hasChanged: true })
    const imported = yield* contents
    expect(imported).not.toEqual(before)
    const back = yield* takeBack(undo)
    expect(back).toMatchObject({ isFinal: true })
    expect(back.deleted).toHaveLength(3)
    yield* atRest
    expect(yield* contents).toEqual(before)
    yield* checkIndexes
    expect(yield* Effect.flip(takeBack(undo))).toMatchObject({ _tag: "UndoNotFound" })

    const again = crypto.randomUUID()
    expect(yield* takeText("bookmarks.html", mixed, { undo: again })).toMatchObject({
      created: 3,
      changed: 2
    })
    yield* takeBack(again)
    yield* atRest
    expect(yield* contents).toEqual(before)
  })

  it("keeps what pages and models have said since, of links that were there before", function* () {
    const { known } = yield* library
    const links = yield* LinkStore
    const undo = crypto.randomUUID()
    yield* takeText("bookmarks.html", mixed, { undo })
    const summary = { summary: "Chewy.", tags: ["found", "later"], category: "food" }
    for (const id of [known, yield* idOf("https://new.example/a"), yield* idOf("https://new.example/b")])
      yield* links.finish(
        id,
        found({ url: "https://example.org/read", title: "Read", text: "Its text." }, { summary })
      )
    yield* takeBack(undo)
    expect(yield* allLinks).toHaveLength(2)
    expect(yield* links.get(known)).toMatchObject({
      title: "Brown butter chocolate chip cookies",
      summary: "Chewy.",
      category: "food",
      note: "",
      tags: ["found", "later"],
      collection: null,
      createdAt: "2026-02-03T04:05:06.000Z"
    })
  })

  it("forgets the copies of pages that it has brought, but not one that was read anew since", function* () {
    const ids = yield* Effect.forEach(cookies.slice(0, 3), (text) => add(text))
    const [a = LinkId.make(0), b = LinkId.make(0), c = LinkId.make(0)] = ids
    const pages = yield* PageStore
    for (const id of ids) yield* pages.keep(id, pageToKeep(`page of ${id}`))
    const json = yield* exported("json")
    yield* pages.forget([a, b])
    const undo = crypto.randomUUID()
    yield* takeText("export.json", json, { undo })
    expect((yield* pages.read(a)).html).toBe(`<p>page of ${a}</p>`)
    yield* pages.keep(b, pageToKeep("read anew"))
    yield* takeBack(undo)
    expect(yield* Effect.forEach([a, b, c], pages.isKept)).toEqual([false, true, true])
  })

  it("empties the page's text that it has filled, but not one that was read since", function* () {
    const [a = LinkId.make(0), b = LinkId.make(0)] = yield* Effect.forEach(cookies.slice(0, 2), (text) =>
      add(text)
    )
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const undo = crypto.randomUUID()
    const path = join(yield* temporary, "export.json")
    // The library's own export, with texts.
    writeFileSync(path, (yield* exported("json")).replaceAll('"text":""', '"text":"as saved then"'))
    yield* takeFile(path, { undo, keepNumbers: false })
    expect(yield* sql`SELECT text FROM links`.values).toEqual([["as saved then"], ["as saved then"]])
    yield* links.finish(b, found({ url: "https://example.org/b", title: "B", text: "read since then" }))
    yield* takeBack(undo)
    expect(yield* sql`SELECT id, text FROM links ORDER BY id`.values).toEqual([
      [a, ""],
      [b, "read since then"]
    ])
  })

  it("that changed nothing offers nothing", function* () {
    yield* library
    const sql = yield* SqlClient.SqlClient
    const first = crypto.randomUUID()
    yield* takeText("bookmarks.html", mixed, { undo: first })
    const before = yield* contents
    const undo = crypto.randomUUID()
    const result = yield* takeText("bookmarks.html", mixed, { undo })
    expect(result).toMatchObject({ created: 0, merged: 6, changed: 0, hasChanged: false })
    expect(yield* contents).toEqual(before)
    expect(yield* sql`SELECT token FROM changes WHERE import IS NOT NULL`.values).toEqual([[first]])
    expect(yield* Effect.flip(takeBack(undo))).toMatchObject({ _tag: "UndoNotFound" })
  })

  it("shows in the history of its links, where it cannot be taken back", function* () {
    const { known } = yield* library
    yield* takeText("bookmarks.html", mixed)
    const changes = yield* ChangeStore
    const sql = yield* SqlClient.SqlClient
    const [added] = yield* sql<{ id: number }>`SELECT max(id) AS id FROM links`
    const seen = Effect.fnUntraced(function* (id: number) {
      return (yield* changes.history(LinkId.make(id), 10)).map(({ author, fields, kind, undoable }) => [
        author,
        kind,
        fields.length > 0,
        undoable
      ])
    })
    expect(yield* seen(known)).toEqual([["import", "edit", true, false]])
    expect(yield* seen(added?.id ?? 0)).toEqual([["import", "save", false, false]])
    expect(yield* changes.list({ author: "import", limit: 10 })).toMatchObject([
      { kind: "import", author: "import" }
    ])
    expect((yield* changes.list({ author: "owner", limit: 10 })).map(({ author }) => author)).not.toContain(
      "import"
    )
  })
})

describe("an archive that is taken back", () => {
  const archive = (seed: number, count: number) =>
    Effect.provide(Effect.zipRight(fill(seed, count), exported("json")), withFiles())

  it("leaves an empty library, in which no number is used a second time", function* () {
    const json = yield* archive(11, 30)
    const store = yield* ImportStore
    const before = yield* contents
    const undo = crypto.randomUUID()
    yield* takeText("export.json", json, { undo, keepShared: true })
    const last = Math.max(...(yield* allLinks).map(({ id }) => id))
    yield* takeBack(undo)
    expect(yield* contents).toEqual(before)
    yield* checkIndexes
    // Chat cards, feeds and bookmarks may still name the numbers of the links that are gone.
    const keepNumbers = yield* store.isUntouched
    expect(keepNumbers).toBe(false)
    yield* takeText("export.json", json, { keepNumbers, keepShared: true })
    const again = yield* allLinks
    expect(again).toHaveLength(30)
    for (const { id } of again) expect(id).toBeGreaterThan(last)
  })

  for (const seed of sampleOf([21, 22, 23], 1))
    it(`leaves another library as it was: collections, other names, searches, what is shared (seed ${seed})`, function* () {
      const json = yield* archive(seed, 40)
      yield* fill(seed + 100, 25)
      const sql = yield* SqlClient.SqlClient
      // Some of the same pages, and collections that lack what the file knows of them.
      yield* sql`UPDATE links SET normalized_url = replace(normalized_url, ${`/${seed + 100}/`}, ${`/${seed}/`})
        WHERE id % 2 = 1`
      yield* sql`UPDATE collections SET color = NULL, description = '', shareable = 0, shared = 0`
      yield* sql`UPDATE links SET in_shared = 0`
      yield* sql`DELETE FROM aliases WHERE kind = 'tag'`
      yield* sql`DELETE FROM searches WHERE name = 'Reading'`
      const before = yield* contents
      const undo = crypto.randomUUID()
      const result = yield* takeText("export.json", json, { undo, keepShared: true })
      expect(result.created).toBeGreaterThan(10)
      expect(result.changed).toBeGreaterThan(2)
      yield* takeBack(undo)
      expect(yield* contents).toEqual(before)
      yield* checkIndexes
    })
})

describe("what the owner has changed since an import", () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, n) => `https://example.org/${n}`)
  const begin = Effect.fnUntraced(function* (count: number) {
    const undo = crypto.randomUUID()
    const known = yield* add(one(cookies), { url: "https://example.org/0", tags: ["old"] })
    yield* takeText(
      "bookmarks.html",
      bookmarks(
        addresses(count)
          .map((url, n) => `<DT><H3>F${n % 3}</H3><DL><p>${entry(url, `T${n}`, 'TAGS="x"', "note")}</DL><p>`)
          .join("\n")
      ),
      { undo }
    )
    return { undo, known }
  })
  const pathsLeft = Effect.map(allLinks, (links) =>
    links.map(({ url }) => new URL(url).pathname.slice(1)).sort()
  )

  it("is asked about, and kept if the rest is taken back", function* () {
    const { known, undo } = yield* begin(40)
    const edits = yield* EditLinks
    const collections = yield* EditCollections
    const [tagged, noted, trashed, restored] = yield* Effect.forEach(["1", "2", "3", "4"], (path) =>
      idOf(`https://example.org/${path}`)
    )
    if (!tagged || !noted || !trashed || !restored) return expect.unreachable()
    yield* edits.change([tagged], { tagging: { add: ["mine"] } })
    yield* edits.change([noted], { note: "" })
    yield* edits.trash([trashed])
    // Changed and changed back is not changed.
    const { undo: back } = yield* edits.change([restored], { title: "Other" })
    yield* edits.undo(back)
    const before = yield* contents
    const asked = yield* Effect.flip(takeBack(undo))
    expect(asked).toMatchObject({
      _tag: "ChangedSince",
      links: 2,
      of: 40,
      fields: ["note", "tags"],
      ofImport: true
    })
    expect(asked.message).toBe(
      "The note and tags of 2 of 40 links have been changed since the import. Taking it back keeps what you have changed."
    )
    expect(yield* contents).toEqual(before)
    const { deleted } = yield* takeBack(undo, true)
    expect(deleted).toHaveLength(36)
    expect(yield* pathsLeft).toEqual(["0", "1", "2"])
    const links = yield* LinkStore
    expect(yield* links.get(known)).toMatchObject({ note: "", tags: ["old"], collection: null })
    expect(yield* links.get(tagged)).toMatchObject({ tags: ["x", "mine"] })
    expect((yield* collections.list).collections.map(({ name }) => name)).toEqual(["F1", "F2"])
    yield* edits.restore([trashed])
    expect(yield* pathsLeft).toEqual(["0", "1", "2", "3"])
  })

  const byHand: ReadonlyArray<
    readonly [field: Field, change: (id: LinkId) => Effect.Effect<unknown, unknown, EditLinks>]
  > = [
    ["favorite", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { favorite: true }))],
    ["shareable", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { shareable: true }))],
    ["state", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { state: "archived" }))],
    ["title", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { title: "Mine" }))],
    ["summary", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { summary: "Mine." }))],
    ["category", (id) => Effect.flatMap(EditLinks, (edits) => edits.change([id], { category: "mine" }))],
    ["collection", (id) => file([id], "Elsewhere")],
    ["collection", (id) => file([id], null)],
    ["refused", (id) => Effect.flatMap(EditLinks, (edits) => edits.refuse([id]))],
    [
      "url",
      (id) =>
        Effect.flatMap(EditLinks, (edits) => {
          const given = "https://example.org/elsewhere"
          return edits.changeAddress(id, { given, url: new URL(given) })
        })
    ]
  ]
  for (const [field, change] of byHand)
    it(`counts if it is the ${field}`, function* () {
      const { known, undo } = yield* begin(8)
      const one = yield* idOf("https://example.org/7")
      yield* change(one)
      const asked = yield* Effect.flip(takeBack(undo))
      expect(asked).toMatchObject({ _tag: "ChangedSince", links: 1 })
      if (asked._tag === "ChangedSince") expect(asked.fields).toContain(field)
      const links = yield* LinkStore
      yield* takeBack(undo, true)
      expect((yield* links.getAll([one, known])).map(({ id }) => id)).toEqual([one, known])
    })

  it("includes collections and searches that the file has completed", function* () {
    const json = yield* Effect.provide(Effect.zipRight(fill(31, 5), exported("json")), withFiles())
    const sql = yield* SqlClient.SqlClient
    yield* fill(32, 3)
    yield* sql`UPDATE collections SET description = '', color = NULL`
    yield* sql`DELETE FROM searches`
    const undo = crypto.randomUUID()
    yield* takeText("export.json", json, { undo })
    yield* sql`UPDATE collections SET color = 'pink' WHERE name = 'b' AND color IS NOT NULL`
    yield* sql`UPDATE searches SET query = 'mine' WHERE name = 'Reading'`
    const asked = yield* Effect.flip(takeBack(undo))
    expect(asked).toMatchObject({ _tag: "ChangedSince", links: 0 })
    if (asked._tag === "ChangedSince") expect(asked.things).toContain("the saved search “Reading”")
    yield* takeBack(undo, true)
    expect(yield* sql`SELECT name, query FROM searches`.values).toEqual([["Reading", "mine"]])
  })
})

describe("a take-back of many links", () => {
  // More than are made in one transaction.
  const COUNT = byTier(150, 600)

  it("keeps a link that is saved again meanwhile, and one that was there before", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const known = yield* add(one(cookies), { url: `https://example.org/${COUNT - 1}` })
    const undo = crypto.randomUUID()
    yield* takeText(
      "bookmarks.html",
      bookmarks(
        Array.from({ length: COUNT }, (_, n) =>
          entry(`https://example.org/${n}`, "", "", "from the file")
        ).join("")
      ),
      { undo }
    )
    // Recorded, and not yet made.
    yield* changes.undo(undo, { force: false })
    const claim = (n: number) => {
      const url = `https://example.org/${n}`
      return links.upsert({ url, normalizedUrl: url, host: "example.org", note: "again", tags: [] })
    }
    const again = yield* claim(100)
    expect(again.created).toBe(true)
    expect((yield* claim(COUNT - 1)).created).toBe(false)
    yield* (yield* LargeChanges).awaitPending
    expect(yield* sql`SELECT id, url, note FROM links ORDER BY id`.values).toEqual([
      [known, `https://example.org/${COUNT - 1}`, ""],
      [again.link.id, "https://example.org/100", "again"]
    ])
  })

  effectTest(Layer.empty)("is finished after a restart half-way, with its collections", function* () {
    const folder = yield* temporary
    const library = withFilesAt(folder, join(folder, "library.db"))
    const before = yield* Effect.gen(function* () {
      yield* fill(41, 10)
      return yield* contents
    }).pipe(Effect.provide(library), Effect.scoped)
    yield* Effect.gen(function* () {
      const changes = yield* ChangeStore
      const sql = yield* SqlClient.SqlClient
      const undo = crypto.randomUUID()
      const json = yield* Effect.provide(Effect.zipRight(fill(42, COUNT), exported("json")), withFiles())
      yield* takeText("export.json", json, { undo })
      yield* changes.undo(undo, { force: false })
      const [change] = yield* changes.unfinished
      if (change === undefined) return expect.unreachable()
      const links = yield* LinkStore
      const some = yield* changes.next(change, { most: COUNT / 3 })
      yield* changes.edit(change, some)
      yield* links.removeSome((yield* changes.moves(change, some)).delete)
      yield* changes.applied(change, some)
      const [[left] = []] = yield* sql`SELECT count(*) FROM links`.values
      expect(left).toBeGreaterThan(COUNT / 2)
    }).pipe(Effect.provide(library), Effect.scoped)
    yield* Effect.gen(function* () {
      expect(yield* contents).toEqual(before)
      yield* checkIndexes
    }).pipe(Effect.provide(library), Effect.scoped)
  })
})

describe("the job of an import", () => {
  const bytes = (text: string) => Stream.make(new TextEncoder().encode(text))
  const about = { name: "list.txt", later: true, keepShared: false }
  const imported = Effect.fnUntraced(function* (text: string) {
    const { id } = yield* (yield* ImportLinks).start(bytes(text), about)
    return yield* (yield* Jobs).awaitEnd(id)
  })

  it("has the token until the import is taken back, and none if it changed nothing", function* () {
    const jobs = yield* Jobs
    const first = yield* imported("https://example.org/a\nhttps://example.org/b\n")
    expect(first.undo).not.toBeNull()
    expect(first.result).toMatchObject({ created: 2, changed: 0 })
    expect((yield* imported("https://example.org/a\n")).undo).toBeNull()
    yield* takeBack(first.undo ?? "")
    expect((yield* jobs.get(first.id)).undo).toBeNull()
    expect(yield* allLinks).toEqual([])
  })

  it("that failed half-way has the token for what it has changed", function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TRIGGER broken BEFORE INSERT ON links WHEN new.url LIKE '%/290' BEGIN SELECT RAISE(ABORT, 'broken'); END`
    const job = yield* imported(Array.from({ length: 300 }, (_, n) => `https://example.org/${n}\n`).join(""))
    expect(job.state).toBe("failed")
    expect((yield* allLinks).length).toBeGreaterThan(100)
    yield* takeBack(job.undo ?? "")
    expect(yield* allLinks).toEqual([])
  })

  effectTest(Layer.empty)("that was interrupted and resumed is taken back as a whole", function* () {
    const folder = yield* temporary
    const library = withFilesAt(folder, join(folder, "library.db"))
    const count = 600
    const id = yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const text = Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join("")
      const { id } = yield* (yield* ImportLinks).start(bytes(text), about)
      const saved = (yield* LinkStore).count
      // Asks in each turn of the event loop: the import makes few steps until it is stopped.
      while ((yield* saved) === 0) yield* yieldToEventLoop
      yield* jobs.stop(id)
      const job = yield* jobs.get(id)
      expect(job).toMatchObject({ state: "interrupted", undo: null })
      expect(yield* saved).toBeLessThan(count)
      return id
    }).pipe(Effect.provide(library), Effect.scoped)
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      yield* (yield* ImportLinks).resume
      const job = yield* jobs.awaitEnd(id)
      expect(job).toMatchObject({ state: "done", done: count })
      expect((yield* takeBack(job.undo ?? "")).deleted).toHaveLength(count)
      expect(yield* allLinks).toEqual([])
    }).pipe(Effect.provide(library), Effect.scoped)
  })
})
