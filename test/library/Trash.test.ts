import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option, TestClock } from "effect"
import { UndoNotFound, UrlTaken } from "../../src/domain/Change.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { LargeChanges } from "../../src/library/LargeChanges.ts"
import { LinkQueries } from "../../src/library/LinkQueries.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { MessageStore } from "../../src/store/chat/MessageStore.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { FacetStore } from "../../src/store/links/CollectionStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TRASHED_COLUMNS } from "../../src/store/links/TrashRows.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { clockTest, effectTest, libraryTest } from "../support/effect.ts"
import { add, cookies, file, offline, offlineAt, one } from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"
import { libraryPath } from "../support/places.ts"
import { byTier } from "../support/tier.ts"

const it = libraryTest(offline())

const claim = (path: string, more = {}) =>
  Effect.flatMap(LinkStore, (links) => Effect.map(links.upsert(newLink(path, more)), ({ link }) => link.id))

/** Adds pending links in one transaction. */
const fill = Effect.fnUntraced(function* (size: number) {
  const transaction = yield* Transaction
  return yield* transaction(
    Effect.forEach(
      Array.from({ length: size }, (_, i) => i),
      (i) => claim(`${i}`, { note: `note ${i}`, tags: [`tag-${i % 7}`] })
    )
  )
})

/** All rows of the tables that hold links and what is derived from them, apart from times. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = (table: string, columns = "*") => sql.unsafe(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`)
  return {
    links: yield* rows("links"),
    tags: yield* rows("link_tags"),
    messages: yield* rows("message_links"),
    words: yield* rows("links_fts_docsize", "id, sz"),
    shared: yield* rows("public_links", "id, title"),
    used: yield* rows("tags_in_use"),
    categories: yield* rows("categories_in_use")
  }
})

const idsIn = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)
    return rows.map(({ id }) => id)
  })

describe("the trash", () => {
  it("has every column of a link, except what follows from its collection", function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = (table: string) =>
      Effect.map(sql<{ name: string }>`SELECT name FROM pragma_table_info(${table}) ORDER BY name`, (rows) =>
        rows.map(({ name }) => name)
      )
    const own = yield* columns("links")
    const trashed = (yield* columns("trash")).filter((name) => name !== "deleted_at" && name !== "messages")
    expect(trashed).toEqual(own)
    const kept = own.filter((name) => name !== "in_shared")
    const moved = [...TRASHED_COLUMNS.split(", "), "id", "collection_id", "retry_at"]
    expect(moved.toSorted()).toEqual(kept)
  })

  it("keeps everything of a link: an undo brings it back, and undoing the undo removes it again", function* () {
    const edits = yield* EditLinks
    const messages = yield* MessageStore
    const id = yield* add(one(cookies), { tags: ["baking"] })
    yield* file([id], "Recipes / Sweet")
    yield* edits.change([id], {
      favorite: true,
      shareable: true,
      note: "mine",
      state: "archived"
    })
    yield* edits.change([id], { tagging: { add: ["by-hand"] } })
    yield* messages.record(
      { chatId: 1, messageId: 2 },
      { linkId: id, note: "mine", tags: ["own"], created: true }
    )
    const before = yield* everything
    const { undo } = yield* edits.trash([id])
    expect(yield* everything).toEqual({
      links: [],
      tags: [],
      messages: [],
      words: [],
      shared: [],
      used: [],
      categories: []
    })
    const back = yield* edits.undo(undo)
    expect(back).toMatchObject({ ids: [id], deleted: [] })
    expect(yield* everything).toEqual(before)
    const again = yield* edits.undo(back.undo)
    expect(again).toMatchObject({ ids: [], deleted: [id] })
    expect(yield* idsIn("links")).toEqual([])
    yield* edits.restore([id])
    expect(yield* everything).toEqual(before)
  })

  for (const size of byTier([1, 101], [1, 100, 101, 700]))
    it(`takes ${size} links and gives them back in their order`, function* () {
      const edits = yield* EditLinks
      const ids = yield* fill(size)
      const before = yield* everything
      const { undo } = yield* edits.trash(ids)
      expect(yield* idsIn("links")).toEqual([])
      expect(yield* idsIn("trash")).toEqual([...ids])
      const back = yield* edits.undo(undo)
      expect(back.ids).toEqual(ids)
      // Pages that were still to be read are read now.
      const after = yield* everything
      expect({ ...after, links: [] }).toEqual({ ...before, links: [] })
      expect(yield* idsIn("links")).toEqual([...ids])
      expect(yield* idsIn("trash")).toEqual([])
      const { deleted } = yield* edits.undo(back.undo)
      expect(deleted).toEqual(ids)
      expect((yield* edits.restore(ids)).ids).toEqual(ids)
      expect(yield* idsIn("trash")).toEqual([])
    })

  it("takes no link if one of them does not exist or is there already", function* () {
    const edits = yield* EditLinks
    const [a = LinkId.make(0), b = a] = yield* fill(2)
    const missing = LinkId.make(99)
    expect(yield* Effect.flip(edits.trash([a, missing]))).toMatchObject({ _tag: "LinkNotFound", id: missing })
    yield* edits.trash([a])
    expect(yield* Effect.flip(edits.trash([b, a]))).toMatchObject({ _tag: "LinkNotFound", id: a })
    expect(yield* Effect.flip(edits.restore([a, b]))).toMatchObject({ _tag: "LinkNotFound", id: b })
    expect(yield* idsIn("links")).toEqual([b])
    expect(yield* idsIn("trash")).toEqual([a])
  })

  it("is left out of the undo of an older edit, which can be undone once the link is back", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const [a = LinkId.make(0), b = a] = yield* fill(2)
    const { undo } = yield* edits.change([a, b], { category: "bulk" })
    yield* edits.trash([a])
    const undone = yield* edits.undo(undo)
    expect(undone.ids).toEqual([b])
    yield* edits.restore([a])
    expect((yield* links.get(a)).category).toBe("bulk")
    expect((yield* edits.undo(undo, { force: true })).ids).toEqual([a, b])
    expect((yield* links.get(a)).category).toBe("unsorted")
  })

  it("gives back what an undo can give back, once, and says when nothing is left", function* () {
    const edits = yield* EditLinks
    const [a = LinkId.make(0), b = a] = yield* fill(2)
    const { undo } = yield* edits.trash([a, b])
    yield* edits.remove([a])
    // Two windows undo the same deletion.
    expect((yield* edits.undo(undo)).ids).toEqual([b])
    expect(yield* Effect.flip(edits.undo(undo))).toBeInstanceOf(UndoNotFound)
    yield* edits.remove([b])
    expect(yield* Effect.flip(edits.undo(undo))).toBeInstanceOf(UndoNotFound)
  })

  it("keeps a link whose address another one has by now", function* () {
    const edits = yield* EditLinks
    const [a = LinkId.make(0), b = a, c = a] = yield* fill(3)
    const { undo } = yield* edits.trash([a, b])
    const url = new URL("https://example.org/0")
    // The trash holds the address too.
    const moved = edits.changeAddress(c, { given: url.href, url })
    expect(yield* Effect.flip(moved)).toMatchObject({ _tag: "UrlTaken", id: a })
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE links SET normalized_url = 'https://example.org/0' WHERE id = ${c}`
    expect(yield* Effect.flip(edits.restore([b, a]))).toMatchObject({ _tag: "UrlTaken", id: c })
    expect(yield* Effect.flip(edits.undo(undo, { force: true }))).toMatchObject({ _tag: "UrlTaken", id: c })
    expect(yield* idsIn("trash")).toEqual([a, b])
    expect((yield* edits.restore([b])).ids).toEqual([b])
    // Two links in the trash with one address cannot both come back.
    yield* edits.trash([c])
    expect(yield* Effect.flip(edits.restore([a, c]))).toBeInstanceOf(UrlTaken)
    expect((yield* edits.restore([c])).ids).toEqual([c])
  })

  it("makes a link whose page was still being read be read after its return", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const id = yield* claim("slow")
    yield* edits.trash([id])
    // What its page says arrives too late.
    expect(yield* links.finish(id, found({ title: "Too late" }))).toEqual(Option.none())
    expect(yield* idsIn("links")).toEqual([])
    yield* edits.restore([id])
    expect((yield* links.get(id)).title).toBe("example.org")
    expect(yield* links.hasDue).toBe(true)
    expect(yield* links.leaseDue(10)).toEqual([id])
    yield* links.finish(id, found({ title: "In time" }))
    expect((yield* links.get(id)).title).toBe("In time")
  })

  for (const kind of ["trash", "restore"] as const)
    effectTest(Layer.empty)(
      `loses nothing when the program ends in the middle of a large ${kind}`,
      function* () {
        const library = offlineAt(yield* libraryPath)
        const ids = yield* Effect.gen(function* () {
          const changes = yield* ChangeStore
          const trash = yield* TrashStore
          const ids = yield* fill(160)
          if (kind === "restore") yield* (yield* EditLinks).trash(ids)
          yield* kind === "trash" ? changes.acceptMove("trash", ids) : changes.acceptRestore(ids)
          const [change] = yield* changes.unfinished
          if (change === undefined) return ids
          const part = yield* changes.next(change, { most: 60 })
          yield* kind === "trash" ? trash.moveSome(part) : trash.restoreSome(part)
          yield* changes.applied(change, part)
          expect((yield* idsIn("trash")).length).toBe(kind === "trash" ? 60 : 100)
          return ids
        }).pipe(Effect.provide(library), Effect.scoped)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          expect(yield* idsIn("trash")).toEqual(kind === "trash" ? [...ids] : [])
          expect(yield* idsIn("links")).toEqual(kind === "trash" ? [] : [...ids])
          expect(yield* sql`SELECT 1 FROM changes WHERE finished = 0`).toEqual([])
        }).pipe(Effect.provide(library), Effect.scoped)
      }
    )
})

describe("an address that is saved again", () => {
  it("brings its link back with its number, note and tags, and adds the new ones", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const id = yield* claim("again", { note: "first", tags: ["one"] })
    yield* links.finish(id, found({ title: "A page" }))
    yield* edits.change([id], { state: "archived" })
    const { undo } = yield* edits.trash([id])
    const claimed = yield* links.upsert(newLink("again", { note: "second", tags: ["two"] }))
    expect(claimed).toMatchObject({ created: false, noteAdded: true, returnedFrom: "trash" })
    expect(claimed.link).toMatchObject({
      id,
      note: "first\nsecond",
      tags: ["one", "two"],
      title: "A page",
      state: "unread"
    })
    expect(yield* idsIn("trash")).toEqual([])
    // The deletion has been taken back already.
    expect(yield* Effect.flip(edits.undo(undo))).toBeInstanceOf(UndoNotFound)
  })

  it("brings a public link back private, whatever brought it there, and only a restore shares it again", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const large = yield* LargeChanges
    const [own = LinkId.make(0), inner = own, other = own] = yield* fill(3)
    yield* edits.change([own], { shareable: true })
    yield* file([inner], "Open")
    yield* file([other], "Closed")
    const [open = 0] = yield* idsIn("collections")
    yield* (yield* EditCollections).edit(open, { shareable: true })
    const shared = (yield* everything).shared
    expect(shared).toHaveLength(2)
    const claims = Effect.forEach(["0", "1", "2"], (path) => links.upsert(newLink(path)))
    const { undo } = yield* edits.trash([own, inner, other])
    yield* edits.undo(undo)
    expect((yield* everything).shared).toEqual(shared)
    yield* edits.trash([own, inner, other])
    expect((yield* claims).map(({ returnedFrom }) => returnedFrom)).toEqual(["unshared", "unshared", "trash"])
    expect((yield* everything).shared).toEqual([])
    expect((yield* links.getAll([own, inner, other])).map(({ collection }) => collection?.name)).toEqual([
      undefined,
      undefined,
      "Closed"
    ])
    // On its way to the trash, where the deletion has not reached it yet.
    yield* edits.change([own], { shareable: true })
    yield* (yield* ChangeStore).acceptMove("trash", [own])
    yield* large.applyPendingAt("https://example.org/0")
    expect(yield* links.upsert(newLink("0"))).toMatchObject({ returnedFrom: "unshared", link: { id: own } })
  })

  it("wakes an archived link, unless the save repeats an earlier one", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const id = yield* claim("again")
    yield* edits.change([id], { state: "archived" })
    const repeated = yield* links.upsert({ ...newLink("again"), staysArchived: true })
    expect(repeated).toMatchObject({ returnedFrom: null, link: { state: "archived" } })
    expect(yield* links.upsert(newLink("again"))).toMatchObject({
      returnedFrom: "archive",
      noteAdded: false,
      link: { id, state: "unread" }
    })
    yield* edits.change([id], { state: "read" })
    expect(yield* links.upsert(newLink("again"))).toMatchObject({
      returnedFrom: null,
      link: { state: "read" }
    })
  })

  it("is a new link while the old one is being deleted for good", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const ids = yield* fill(300)
    yield* edits.trash(ids)
    const fiber = yield* Effect.fork(edits.remove(ids))
    while ((yield* idsIn("trash")).length === 300) yield* Effect.sleep("1 millis")
    const claimed = yield* links.upsert(newLink("299"))
    expect(claimed).toMatchObject({ created: true, returnedFrom: null, link: { note: "" } })
    yield* fiber
    expect(yield* idsIn("trash")).toEqual([])
    expect(yield* idsIn("links")).toEqual([claimed.link.id])
  })
})

describe("a merge", () => {
  it("moves the others to the trash; its undo brings them back and takes back what was added", function* () {
    const edits = yield* EditLinks
    const merges = yield* Duplicates
    const [a = LinkId.make(0), b = a, c = a] = yield* fill(3)
    yield* edits.change([c], { favorite: true, title: "By hand" })
    const before = yield* everything
    const { link, undo } = yield* merges.merge(a, [b, c])
    expect(link).toMatchObject({
      id: a,
      note: "note 0\nnote 1\nnote 2",
      tags: ["tag-0", "tag-1", "tag-2"],
      favorite: true,
      title: "By hand"
    })
    expect(yield* idsIn("links")).toEqual([a])
    expect(yield* idsIn("trash")).toEqual([b, c])
    const merged = yield* everything
    const undone = yield* edits.undo(undo)
    expect(undone).toMatchObject({ ids: [a, b, c], deleted: [] })
    const without = (rows: typeof before) =>
      rows.links.map((row) => ({ ...row, retryAt: null, updatedAt: null }))
    expect(without(yield* everything)).toEqual(without(before))
    const again = yield* edits.undo(undone.undo)
    expect(again).toMatchObject({ ids: [a], deleted: [b, c] })
    expect(without(yield* everything)).toEqual(without(merged))
  })

  it("is not undone over a later change of its target, unless forced", function* () {
    const edits = yield* EditLinks
    const merges = yield* Duplicates
    const [a = LinkId.make(0), b = a] = yield* fill(2)
    const { undo } = yield* merges.merge(a, [b])
    yield* edits.change([a], { note: "newer" })
    expect(yield* Effect.flip(edits.undo(undo))).toMatchObject({ _tag: "ChangedSince", fields: ["note"] })
    expect(yield* idsIn("trash")).toEqual([b])
    yield* edits.undo(undo, { force: true })
    expect(yield* idsIn("links")).toEqual([a, b])
    expect((yield* (yield* LinkStore).get(a)).note).toBe("note 0")
  })
})

describe("the end of the trash", () => {
  clockTest(offline())("comes after 30 days, for each link from its own deletion on", function* () {
    const edits = yield* EditLinks
    const [a = LinkId.make(0), b = a, c = a] = yield* fill(3)
    yield* edits.trash([a])
    yield* TestClock.adjust(Duration.days(20))
    yield* edits.trash([b])
    yield* TestClock.adjust(Duration.days(10))
    expect(yield* edits.removeExpired(10)).toBe(0)
    yield* TestClock.adjust(Duration.minutes(1))
    expect(yield* edits.removeExpired(10)).toBe(1)
    expect(yield* idsIn("trash")).toEqual([b])
    yield* edits.restore([b])
    yield* TestClock.adjust(Duration.days(40))
    expect(yield* edits.removeExpired(10)).toBe(0)
    expect(yield* idsIn("links")).toEqual([b, c])
  })
})

describe("a list of the trash", () => {
  it("is found by nothing but is:trashed", function* () {
    const edits = yield* EditLinks
    const search = yield* SearchLinks
    const id = yield* add(one(cookies), { tags: ["baking"] })
    const other = yield* add(one(cookies, 1), { tags: ["baking"] })
    yield* edits.change([id], { shareable: true })
    yield* edits.trash([id])
    const ask = (more: object) =>
      Effect.map(
        search.page({ terms: [], filters: [], sort: "newest", limit: 10, ...more }),
        ({ links, total }) => ({ ids: links.map((json) => JSON.parse(json).id), total })
      )
    const term = { text: "cookies", kind: "word", negated: false }
    expect(yield* ask({})).toEqual({ ids: [other], total: 1 })
    expect(yield* ask({ terms: [term], sort: "relevance" })).toEqual({ ids: [other], total: 1 })
    expect(yield* ask({ like: other, sort: "relevance" })).toEqual({ ids: [], total: 0 })
    const trashed = { field: "trashed", negated: false }
    expect(yield* ask({ filters: [{ ...trashed, negated: true }] })).toEqual({ ids: [other], total: 1 })
    expect(yield* ask({ filters: [trashed] })).toEqual({ ids: [id], total: 1 })
    expect(yield* ask({ filters: [trashed], terms: [term], sort: "relevance" })).toEqual({
      ids: [id],
      total: 1
    })
    expect(yield* (yield* FacetStore).facets).toMatchObject({
      total: 1,
      shareable: 0,
      trash: 1,
      tags: [{ name: "baking", count: 1 }]
    })
    expect(yield* (yield* LinkStore).getAll([id, other])).toMatchObject([{ id: other }])
    expect((yield* (yield* LinkQueries).getAnywhere(id)).deletedAt).toBeString()
    expect(yield* (yield* TrashStore).count).toBe(1)
  })
})
