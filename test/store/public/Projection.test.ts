import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { Field, FieldValues } from "../../../src/domain/Change.ts"
import { mergeDuplicates } from "../../../src/domain/Incoming.ts"
import { LinkId } from "../../../src/domain/Link.ts"
import { parseWebUrl } from "../../../src/domain/WebUrl.ts"
import { ownName, pathWithin } from "../../../src/shared/CollectionPath.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { MergeStore } from "../../../src/store/links/MergeStore.ts"
import { TrashStore } from "../../../src/store/links/TrashStore.ts"
import { PublicList } from "../../../src/store/public/PublicList.ts"
import { decodeRows } from "../../../src/store/Rows.ts"
import { libraryTest } from "../../support/effect.ts"
import { found, newLink } from "../../support/links.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { byTier } from "../../support/tier.ts"
import { ask, hide, linkOf, projection, save, set, settleShared, shareWhole, shelf } from "./shared.ts"

const it = libraryTest(projection)

/** The public columns of a link. */
const FIELDS = `url, normalized_url, host, title, summary, description, tags, category, collection, image, favicon,
  published_at, created_at`

const tagsOf = (json: unknown): ReadonlyArray<string> => JSON.parse(String(json))

const hasUser = (address: string) => {
  const url = URL.parse(address)
  return url === null || url.username !== "" || url.password !== ""
}

const Shelf = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  parentId: Schema.NullOr(Schema.Int),
  description: Schema.String,
  shared: Schema.Int
})
type Shelf = typeof Shelf.Type
const decodeShelves = decodeRows(Shelf)

/** The shared collections under their public names, computed from the tree. */
const sharedShelves = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shelves = yield* decodeShelves(
    sql`SELECT id, name, parent_id AS "parentId", description, shared FROM collections`
  )
  const byId = new Map(shelves.map((shelf) => [shelf.id, shelf]))
  const nameOf = ({ name, parentId }: Shelf): string => {
    const around = byId.get(parentId ?? 0)
    return around?.shared === 1 ? pathWithin(nameOf(around), ownName(name)) : ownName(name)
  }
  return shelves
    .filter(({ shared }) => shared === 1)
    .map((shelf) => ({ id: shelf.id, name: nameOf(shelf), description: shelf.description }))
})

/** The projection, computed from the links. */
const expected = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const names = new Map((yield* sharedShelves).map(({ id, name }) => [id, name]))
  const links = yield* sql<Record<string, unknown>>`SELECT l.*, c.name AS collection
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id
    WHERE l.shareable = 1 OR c.shared = 1 ORDER BY l.id`
  return links.map((link) => {
    const picture = (address: unknown) => (address === null || hasUser(String(address)) ? null : address)
    return {
      id: link["id"],
      url: hasUser(String(link["url"])) ? link["normalized_url"] : link["url"],
      normalized_url: link["normalized_url"],
      host: link["host"],
      title: link["title"],
      summary: link["summary"],
      description: link["description"],
      tags: tagsOf(link["tags"]).filter((tag) => !tag.startsWith(".")),
      category: link["category"],
      collection: names.get(Number(link["collection_id"])) ?? link["collection"],
      image: picture(link["image"]),
      favicon: picture(link["favicon"]),
      published_at: link["published_at"],
      created_at: link["created_at"]
    }
  })
})

/** Expects the projection and its indexes to agree with the links. */
const checked = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const links = yield* expected
  const rows = yield* sql<
    Record<string, unknown>
  >`SELECT id, ${sql.literal(FIELDS)} FROM public_links ORDER BY id`
  expect(rows.map((row) => ({ ...row, tags: tagsOf(row["tags"]) }))).toEqual(links)
  expect(yield* sql`SELECT id, name, description FROM public_collections ORDER BY id`).toEqual(
    (yield* sharedShelves).toSorted((a, b) => a.id - b.id)
  )
  const tags = yield* sql`SELECT link_id, tag FROM public_tags ORDER BY link_id, tag`.values
  const pairs = links.flatMap(({ id, tags }) => [...new Set(tags)].map((tag) => [id, tag] as const))
  expect(new Set(tags.map((pair) => JSON.stringify(pair)))).toEqual(
    new Set(pairs.map((pair) => JSON.stringify(pair)))
  )
  // With rank 1 the check compares an index to its content (https://www.sqlite.org/fts5.html, 6.4).
  for (const index of ["public_fts", "public_trigram"])
    yield* sql.unsafe(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)
  const stray = yield* sql`SELECT link_id FROM public_vectors UNION SELECT link_id FROM public_embedding_queue
    EXCEPT SELECT id FROM public_links`.values
  expect(stray).toEqual([])
})

const shown = Effect.flatMap(PublicList, (list) =>
  Effect.map(list.page(ask("", { sort: "oldest" }), 100), ({ links }) => links.map((json) => linkOf(json)))
)

const PAST = "2020-01-01T00:00:00.000Z"

/** Whether the effect updates the time of the last public change. */
const moves = Effect.fnUntraced(function* (change: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) {
  const sql = yield* SqlClient.SqlClient
  const list = yield* PublicList
  yield* sql`UPDATE public_state SET changed_at = ${PAST}`
  const before = Date.now()
  yield* Effect.orDie(change)
  const changedAt = yield* list.changedAt
  if (changedAt === Date.parse(PAST)) return false
  expect(changedAt).toBeGreaterThanOrEqual(before)
  expect(changedAt).toBeLessThanOrEqual(Date.now())
  return true
})

/** Expects that all changes are public, or none is. */
const expectMoved = Effect.fnUntraced(function* (
  isPublic: boolean,
  changes: Record<string, Effect.Effect<unknown, unknown, SqlClient.SqlClient>>
) {
  for (const [what, change] of Object.entries(changes)) {
    expect({ what, moved: yield* moves(change) }).toEqual({ what, moved: isPublic })
    yield* checked
  }
})

const run = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))

describe("the projection", () => {
  it("follows a link that is shared, edited, unshared and shared again", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const { link } = yield* links.upsert(newLink("a", { note: "secret", tags: ["open", ".quiet"] }))
    expect(yield* shown).toEqual([])
    const share = (shareable: boolean) =>
      changes.apply({ fields: ["shareable"], links: [{ id: link.id, shareable }] })
    yield* share(true)
    expect(yield* shown).toMatchObject([{ title: "example.org", tags: ["open"] }])
    yield* links.finish(link.id, found({ title: "Found", description: "D", text: "secret" }))
    expect(yield* shown).toMatchObject([{ title: "Found", description: "D" }])
    yield* changes.apply({
      fields: ["title", "summary", "category", "collection"],
      links: [{ id: link.id, title: "Mine", summary: "S", category: "reading", collection: "Shelf" }]
    })
    expect(yield* shown).toMatchObject([
      { title: "Mine", summary: "S", category: "reading", collection: "Shelf" }
    ])
    yield* checked
    yield* share(false)
    expect(yield* shown).toEqual([])
    yield* checked
    yield* changes.apply({ fields: ["title"], links: [{ id: link.id, title: "Changed in private" }] })
    expect(yield* shown).toEqual([])
    yield* share(true)
    expect(yield* shown).toMatchObject([{ title: "Changed in private", collection: "Shelf" }])
    yield* checked
    yield* links.remove([link.id])
    expect(yield* shown).toEqual([])
    yield* checked
  })

  it("follows an edit of each field", function* () {
    const id = yield* save("Title")
    yield* expectMoved(true, {
      url: set(id, "url", "https://example.org/other"),
      normalized_url: set(id, "normalized_url", "https://example.org/other"),
      host: set(id, "host", "example.com"),
      title: set(id, "title", "Other"),
      "case of the title": set(id, "title", "OTHER"),
      summary: set(id, "summary", "Other"),
      description: set(id, "description", "Other"),
      tags: set(id, "tags", '["a","b"]'),
      "order of the tags": set(id, "tags", '["b","a"]'),
      category: set(id, "category", "other-category"),
      image: set(id, "image", "https://example.org/i.png"),
      "no image": set(id, "image", null),
      favicon: set(id, "favicon", "https://example.org/f.ico"),
      published_at: set(id, "published_at", "2026-01-01"),
      created_at: set(id, "created_at", "2026-02-02T00:00:00.000Z"),
      unshare: set(id, "shareable", 0),
      "share with an edit": run(`UPDATE links SET shareable = 1, title = 'Both' WHERE id = ${id}`),
      "unshare with an edit": run(`UPDATE links SET shareable = 0, title = 'Neither' WHERE id = ${id}`),
      share: set(id, "shareable", 1),
      delete: run(`DELETE FROM links WHERE id = ${id}`),
      insert: save("New")
    })
  })

  it("follows moves between collections, and renamed and deleted collections", function* () {
    const id = yield* save("Title", { collection: "One" })
    yield* save("Beside", { collection: "Two" })
    yield* hide("Private", { collection: "Hidden" })
    const named = (name: string) => `(SELECT id FROM collections WHERE name = '${name}')`
    const file = (name: string) => run(`UPDATE links SET collection_id = ${named(name)} WHERE id = ${id}`)
    yield* expectMoved(true, {
      "moved to another": file("Two"),
      "moved to none": run(`UPDATE links SET collection_id = NULL WHERE id = ${id}`),
      "moved from none": file("One"),
      renamed: run("UPDATE collections SET name = 'Uno' WHERE name = 'One'"),
      "renamed by case alone": run("UPDATE collections SET name = 'UNO' WHERE name = 'Uno'"),
      deleted: run("DELETE FROM collections WHERE name = 'UNO'")
    })
    expect((yield* shown).map(({ collection }) => collection)).toEqual([null, "Two"])
    yield* expectMoved(false, {
      "another one renamed": run("UPDATE collections SET name = 'Quiet' WHERE name = 'Hidden'"),
      "renamed to the same": run("UPDATE collections SET name = name"),
      "another one deleted": run("DELETE FROM collections WHERE name = 'Quiet'"),
      "a new one": run("INSERT INTO collections (name, created_at) VALUES ('New', '')")
    })
  })

  it("ignores private changes, also in the time of its last change", function* () {
    const id = yield* save("Title", {
      url: "https://u:p@example.org/a",
      normalizedUrl: "https://example.org/a"
    })
    const other = yield* hide("Private", { collection: "Hidden", tags: ["a"] })
    yield* expectMoved(false, {
      note: set(id, "note", "secret"),
      favorite: set(id, "favorite", 1),
      text: set(id, "text", "secret"),
      "time of the last update": set(id, "updated_at", "2027"),
      enrichment: set(id, "enrichment", "partial"),
      "other columns": run(
        `UPDATE links SET site_name = 's', author = 'a', language = 'l', repository = '{}', canonical_url = 'c',
            final_url = 'f', hand_tags = '["x"]', retries = 2, retry_at = 'r', title_by_hand = 1 WHERE id = ${id}`
      ),
      "a private tag": set(id, "tags", '[".quiet"]'),
      "another private tag": set(id, "tags", '[".quiet",".秘密"]'),
      "the password in the address": set(id, "url", "https://u:other@example.org/a"),
      "an image with a user": set(id, "image", "https://u:p@example.org/i.png"),
      "the same values": run(`UPDATE links SET title = title, tags = tags, shareable = 1 WHERE id = ${id}`),
      "every field of a private link": run(
        `UPDATE links SET url = 'u', normalized_url = 'n', host = 'h', title = 't', summary = 's', description = 'd',
            tags = '["t"]', category = 'c', image = 'i', favicon = 'f', created_at = 'x' WHERE id = ${other}`
      ),
      "a private link moved": set(other, "collection_id", null),
      "a new private link": hide("New", { collection: "Hidden" }),
      "a private link deleted": run(`DELETE FROM links WHERE id = ${other}`)
    })
  })

  it("omits a user and password in every form of an address", function* () {
    const secret = [
      "https://user:secret@example.org/",
      "https://secret@example.org",
      "http://user:secret@example.org?x",
      "http://user:secret@example.org#x",
      "https://user:secret@example.org\\path",
      "https://user:secret@example.org:8080/a?b#c",
      "https://:secret@example.org/",
      "https://secret:@example.org/",
      "https://user:secret@@example.org/",
      "https://user:s@secret@example.org/x@y",
      "https://us%40er:secret@example.org/",
      "HTTPS://user:secret@EXAMPLE.org/",
      "https://user:secret@[::1]/",
      "https://user:sec;ret=secret&x@example.org/@"
    ]
    const open = [
      "https://example.org/@user",
      "https://example.org/a@b/c",
      "https://example.org?mail=a@b.example",
      "https://example.org#a@b",
      "https://example.org\\@user",
      "https://example.org:8080/@",
      "https://example.org/?u=https://user:pass@example.org/",
      "http://example.org",
      "https://[::1]/@"
    ]
    for (const [given, isSecret] of [
      ...secret.map((url) => [url, true] as const),
      ...open.map((url) => [url, false] as const)
    ]) {
      expect([given, hasUser(given)]).toEqual([given, isSecret])
      const normal = Option.getOrThrow(Option.map(parseWebUrl(given), normalizeUrl))
      const id = yield* save("Title", { url: given, normalizedUrl: normal, image: given, favicon: given })
      const [link] = yield* shown
      expect({ given, url: link?.url }).toEqual({ given, url: isSecret ? normal : given })
      expect({ given, image: link?.image }).toEqual({ given, image: isSecret ? null : given })
      expect({ given, favicon: link?.favicon }).toEqual({ given, favicon: isSecret ? null : given })
      if (isSecret) expect(JSON.stringify(link)).not.toContain("secret")
      yield* run(`DELETE FROM links WHERE id = ${id}`)
    }
  })

  it("omits a user in addresses that browsers repair and the library rejects", function* () {
    const list = yield* PublicList
    for (const given of [
      "https:///user:secret@example.org/",
      "https://\\user:secret@example.org/",
      "https:\\\\user:secret@example.org/",
      "https:/user:secret@example.org/",
      "https:user:secret@example.org/",
      "https:user:secret@example.org/?x=://",
      "https:\\\\user:secret@example.org/://",
      "https://\tuser:secret@example.org/",
      " https://user:secret@example.org/"
    ]) {
      const id = yield* save("Title", { url: given, normalizedUrl: "https://example.org/", image: given })
      const [link] = yield* shown
      expect({ given, url: link?.url, image: link?.image }).toEqual({
        given,
        url: "https://example.org/",
        image: null
      })
      expect(yield* list.pagesWith("image", given)).toEqual([])
      yield* run(`DELETE FROM links WHERE id = ${id}`)
    }
  })

  it("agrees with the URL parser on random addresses", function* () {
    const random = randomOf(1)
    const parts = ["u", ":", "@", "p", "/", "\\", "?", "#", "h.example", "://", "%40", "[::1]", ".", "é"]
    let tried = 0
    while (tried < byTier(40, 150)) {
      const tail = Array.from({ length: 7 }, () => parts[Math.floor(random() * parts.length)]).join("")
      const given = `https://${tail}`
      const url = Option.getOrUndefined(parseWebUrl(given))
      // An empty user is not secret.
      if (url === undefined || (/^[^/\\?#]*@/.test(tail) && !hasUser(given))) continue
      tried++
      const id = yield* save("Title", { url: given, normalizedUrl: normalizeUrl(url) })
      expect((yield* shown)[0]?.url).toBe(hasUser(given) ? normalizeUrl(url) : given)
      yield* run(`DELETE FROM links WHERE id = ${id}`)
    }
  })

  it("omits private tags, and keeps the order of the others", function* () {
    const id = yield* save("Title", { tags: ["b", ".x", "a", ".秘密", "秘密"] })
    const tags = Effect.map(shown, (links) => links[0]?.tags)
    expect(yield* tags).toEqual(["b", "a", "秘密"])
    for (const [written, seen] of [
      [[".only"], []],
      [[], []],
      [
        ["a.b", "c"],
        ["a.b", "c"]
      ],
      [['say ".x"', ".y"], ['say ".x"']],
      [["..", "."], []]
    ] as const) {
      yield* set(id, "tags", JSON.stringify(written))
      expect(yield* tags).toEqual([...seen])
    }
  })

  it("shows the links of a shared collection, and no others, under the path from the outermost shared one", function* () {
    const sql = yield* SqlClient.SqlClient
    const inner = yield* shelf("Private / Open / Inner")
    const open = yield* shelf("Private / Open")
    const outer = yield* shelf("Private")
    yield* hide("beside", { collection: "Private" })
    yield* hide("in open", { collection: "Private / Open" })
    const deep = yield* hide("in inner", { collection: "Private / Open / Inner" })
    yield* save("shared itself", { collection: "Private / Open" })
    const seen = Effect.map(shown, (links) => links.map(({ collection, title }) => [title, collection]))
    expect(yield* seen).toEqual([["shared itself", "Private / Open"]])
    yield* shareWhole(open, true)
    expect(yield* seen).toEqual([
      ["in open", "Open"],
      ["in inner", "Open / Inner"],
      ["shared itself", "Open"]
    ])
    yield* checked
    yield* sql`UPDATE collections SET name = 'Private / Open / Renamed' WHERE id = ${inner}`
    yield* sql`UPDATE collections SET description = 'Worth reading' WHERE id = ${open}`
    expect((yield* seen)[1]).toEqual(["in inner", "Open / Renamed"])
    yield* checked
    yield* shareWhole(outer, true)
    expect(yield* seen).toContainEqual(["in inner", "Private / Open / Renamed"])
    yield* checked
    yield* shareWhole(outer, false)
    yield* shareWhole(open, false)
    expect(yield* seen).toEqual([["shared itself", "Private / Open"]])
    yield* checked
    yield* shareWhole(inner, true)
    expect(yield* seen).toEqual([
      ["in inner", "Renamed"],
      ["shared itself", "Private / Open"]
    ])
    yield* set(deep, "collection_id", null)
    expect(yield* seen).toEqual([["shared itself", "Private / Open"]])
    yield* checked
  })

  it("follows a link through a shared collection: filed, archived, trashed, restored, moved, undone, merged", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const trash = yield* TrashStore
    const merges = yield* MergeStore
    const open = yield* shelf("Open")
    yield* shelf("Closed")
    yield* shareWhole(open, true)
    const { link } = yield* links.upsert(newLink("a"))
    const other = (yield* links.upsert(newLink("b"))).link
    const { id } = link
    const titles = Effect.map(shown, (all) => all.length)
    const edit = (values: Omit<FieldValues, "id">, ...fields: ReadonlyArray<Field>) =>
      changes.apply({ fields, links: [{ ...values, id }] })
    const undo = Effect.fnUntraced(function* (token: string) {
      const reverse = yield* changes.undo(token, { force: false })
      for (const change of yield* changes.unfinished) {
        yield* changes.edit(change, yield* changes.linksOf(reverse))
        yield* changes.finish(change)
      }
      return reverse
    })
    const now = Effect.fnUntraced(function* (count: number) {
      expect(yield* titles).toBe(count)
    })
    yield* now(0)
    const filed = yield* edit({ collection: "Open" }, "collection")
    yield* now(1)
    const unfiled = yield* undo(filed)
    yield* now(0)
    yield* undo(unfiled)
    yield* now(1)
    yield* edit({ state: "archived" }, "state")
    yield* now(1)
    yield* trash.moveSome([id])
    yield* now(0)
    yield* trash.restoreSome([id])
    yield* now(1)
    // A link that comes back to a collection which is no longer shared stays private.
    yield* trash.moveSome([id])
    yield* shareWhole(open, false)
    yield* trash.restoreSome([id])
    yield* now(0)
    yield* shareWhole(open, true)
    yield* now(1)
    yield* edit({ collection: "Closed" }, "collection")
    yield* now(0)
    yield* edit({ collection: "Open" }, "collection")
    yield* edit({ collection: "Closed", collectionByHand: true }, "collection")
    yield* now(0)
    yield* changes.apply({ fields: ["collection"], links: [{ id: other.id, collection: "Open" }] })
    yield* now(1)
    // What is merged into a private link is private with it.
    const [target, merged] = [yield* merges.read(id), yield* merges.read(other.id)]
    yield* merges.write(mergeDuplicates(target, [merged]))
    yield* links.remove([other.id])
    yield* now(0)
  })

  it("never shows a link again because an older sharing of its collection is undone", function* () {
    const changes = yield* ChangeStore
    const open = yield* shelf("Open")
    const id = LinkId.make(yield* hide("mine", { collection: "Open" }))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE collections SET shared = 1, shareable = 1 WHERE id = ${open}`
    yield* changes.apply({ fields: ["inShared"], links: [{ id, inShared: true }] })
    expect(yield* shown).toHaveLength(1)
    yield* sql`UPDATE collections SET shared = 0, shareable = 0 WHERE id = ${open}`
    const unshared = yield* changes.apply({ fields: ["inShared"], links: [{ id, inShared: false }] })
    yield* changes.apply({ fields: ["collection"], links: [{ id, collection: "Private" }] })
    yield* sql`UPDATE collections SET shared = 1, shareable = 1 WHERE id = ${open}`
    yield* changes.undo(unshared, { force: true })
    for (const change of yield* changes.unfinished) {
      yield* changes.edit(change, [id])
      yield* changes.finish(change)
    }
    expect(yield* shown).toEqual([])
    expect(yield* sql`SELECT in_shared FROM links`.values).toEqual([[0]])
    yield* checked
  })

  it("moves with what a collection shows, and not with its private attributes", function* () {
    const open = yield* shelf("Around / Open")
    const closed = yield* shelf("Closed")
    const around = yield* shelf("Around")
    const linkId = yield* hide("in open", { collection: "Around / Open" })
    yield* expectMoved(true, {
      share: shareWhole(open, true),
      describe: run(`UPDATE collections SET description = 'New' WHERE id = ${open}`),
      rename: run(`UPDATE collections SET name = 'Around / Open now' WHERE id = ${open}`),
      "rename the case": run(`UPDATE collections SET name = 'Around / OPEN now' WHERE id = ${open}`),
      "file a link away": set(linkId, "collection_id", closed),
      "file it again": set(linkId, "collection_id", open),
      unshare: shareWhole(open, false),
      "share again": shareWhole(open, true)
    })
    yield* expectMoved(false, {
      "rename the one around": run(`UPDATE collections SET name = 'Hidden' WHERE id = ${around}`),
      "rename its path": run(`UPDATE collections SET name = 'Hidden / OPEN now' WHERE id = ${open}`),
      "colour it": run(`UPDATE collections SET color = 'red', icon = 'x', position = 3 WHERE id = ${open}`),
      "describe another": run(`UPDATE collections SET description = 'x', name = 'y' WHERE id = ${closed}`),
      "move it about": run(
        `UPDATE collections SET parent_id = ${closed}, name = 'y / OPEN now' WHERE id = ${open}`
      ),
      "delete the one around": run(`DELETE FROM collections WHERE id = ${around}`),
      "archive a link": set(linkId, "state", "archived")
    })
  })

  it("is rolled back with its transaction", function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* save("Title")
    const change = Effect.gen(function* () {
      yield* set(id, "shareable", 0)
      yield* save("Other")
      return yield* Effect.fail("no")
    })
    expect(yield* moves(Effect.ignore(sql.withTransaction(change)))).toBe(false)
    expect((yield* shown).map(({ title }) => title)).toEqual(["Title"])
    yield* checked
  })

  for (const statement of [
    "UPDATE OR REPLACE links SET title = 'zebra', tags = '[\"c\",\"c\"]'",
    "UPDATE OR IGNORE links SET title = 'zebra', tags = '[\"c\",\"c\"]'",
    "UPDATE OR REPLACE links SET shareable = 1 - shareable",
    "UPDATE OR IGNORE links SET shareable = 1 - shareable",
    "UPDATE OR REPLACE collections SET name = name || ' renamed'",
    "INSERT INTO links (id, url, normalized_url, host, title, category, created_at, updated_at) SELECT * FROM " +
      "(SELECT id, url, normalized_url, host, 'zebra', 'c', created_at, '' FROM links) WHERE true " +
      "ON CONFLICT (id) DO UPDATE SET title = excluded.title",
    "INSERT OR IGNORE INTO links (id, url, normalized_url, host, title, category, shareable, created_at, updated_at) " +
      "SELECT id, url, normalized_url, host, 'zebra', 'c', 1, created_at, '' FROM links",
    "DELETE FROM collections",
    "DELETE FROM links"
  ])
    it(`stays consistent after ${statement.slice(0, 60)}`, function* () {
      const list = yield* PublicList
      for (const title of ["apple", "banana"]) {
        yield* save(title, { collection: "One", tags: ["a", ".b"] })
        yield* hide(`${title} hidden`, { collection: "Two", tags: ["a"] })
      }
      yield* run(statement)
      const links = yield* shown
      for (const word of ["apple", "banana", "hidden", "zebra"])
        expect([word, yield* list.count(ask(`"${word}"`))]).toEqual([
          word,
          links.filter(({ title }) => title.includes(word)).length
        ])
    })

  for (const seed of byTier([1], [1, 2]))
    it(`stays consistent after random changes (${seed})`, function* () {
      const sql = yield* SqlClient.SqlClient
      const random = randomOf(seed)
      const pick = <A>(...all: ReadonlyArray<A>): A => {
        const one = all[Math.floor(random() * all.length)]
        if (one === undefined) throw new Error("there is nothing to pick from")
        return one
      }
      const text = () => pick("", "apple", "apples pears", "日本語", "🦊", "a", 'quo"ted')
      const some = () => Math.floor(random() * 12) + 1
      let made = 0
      const change = (): Effect.Effect<unknown, unknown, SqlClient.SqlClient> => {
        const id = some()
        const column = pick("title", "summary", "description", "note", "text", "category")
        return pick<() => Effect.Effect<unknown, unknown, SqlClient.SqlClient>>(
          () =>
            sql`INSERT OR IGNORE INTO links (id, url, normalized_url, host, title, category, shareable, tags,
                created_at, updated_at) VALUES (${id}, ${`https://${pick("", "u@", "u:p@")}h/${id}`},
                ${`https://h/${id}`}, 'h', ${text()}, 'c', ${pick(0, 1, 1)}, ${JSON.stringify([pick("a", ".b")])}, '', '')`,
          () => sql`DELETE FROM links WHERE id = ${id}`,
          () => sql`UPDATE links SET ${sql(column)} = ${text()} WHERE id = ${id}`,
          () => sql`UPDATE links SET shareable = 1 - shareable WHERE id = ${id}`,
          () =>
            sql`UPDATE links SET tags = ${JSON.stringify([pick("a", "b", ".c"), pick(".a", "d")])} WHERE id >= ${id}`,
          () =>
            sql`INSERT OR IGNORE INTO collections (name, created_at) VALUES (${pick("x", "y", "z", "ä")}, '')`,
          () =>
            sql`UPDATE links SET collection_id = (SELECT id FROM collections ORDER BY random() LIMIT 1)
                WHERE id >= ${id}`,
          () =>
            sql`UPDATE OR IGNORE collections SET name = ${pick("X", "y", "Z", `n${++made}`)} WHERE id % 3 = ${id % 3}`,
          () =>
            sql`DELETE FROM collections WHERE id % 5 = ${id % 5} AND id NOT IN (SELECT parent_id FROM collections
              WHERE parent_id IS NOT NULL)`,
          // A collection moves into one with a lower number, or to the top.
          () =>
            Effect.zipRight(
              sql`UPDATE OR IGNORE collections SET (parent_id, name) = (SELECT up.id, up.name || ' / m' || ${++made}
                FROM collections up WHERE up.id < ${id} ORDER BY random() LIMIT 1) WHERE id = ${id}
                AND EXISTS (SELECT 1 FROM collections up WHERE up.id < ${id})`,
              settleShared
            ),
          () => sql`UPDATE collections SET description = ${text()} WHERE id >= ${id}`,
          () => shareWhole(id, pick(true, false)),
          () => sql`UPDATE links SET image = ${pick("https://h/i", "https://u@h/i", null)} WHERE id = ${id}`
        )()
      }
      for (let turn = 0; turn < byTier(60, 150); turn++) {
        yield* change()
        if (turn % 5 === 0) yield* checked
      }
    })

  it("queues shared links alone", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    const [a, b] = [yield* save("a"), yield* save("b")]
    yield* hide("c")
    const queue = Effect.map(
      sql<{ linkId: number }>`SELECT link_id FROM public_embedding_queue ORDER BY place`,
      (rows) => rows.map(({ linkId }) => linkId)
    )
    expect(yield* queue).toEqual([a, b])
    yield* set(a, "title", "changed")
    expect(yield* queue).toEqual([b, a])
    yield* set(b, "note", "private")
    yield* set(b, "category", "reading")
    yield* set(b, "tags", '[".quiet"]')
    expect(yield* queue).toEqual([b, a])
    yield* set(b, "shareable", 0)
    expect(yield* queue).toEqual([a])
    yield* links.remove([LinkId.make(a)])
    expect(yield* queue).toEqual([])
  })
})
