import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { LinkId } from "../../../src/domain/Link.ts"
import { EditLinks } from "../../../src/library/EditLinks.ts"
import { SaveLink, type Upsert } from "../../../src/library/SaveLink.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { PageKeyStore } from "../../../src/store/links/PageKeyStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { offline } from "../../support/libraryOf.ts"
import { newLink } from "../../support/links.ts"
import { requestOf, saveAll } from "../../support/saving.ts"

const it = libraryTest(Layer.provideMerge(PageKeyStore.layer, offline()))

const [long, short] = ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?t=42"]

const save = (address: string, note = "") =>
  Effect.map(saveAll([requestOf(address, { note })]), ([saved]) => saved)

const count = Effect.flatMap(LinkStore, (links) => links.count)

const claimIds = (claims: ReadonlyArray<Upsert | undefined>) => new Set(claims.map((claim) => claim?.link.id))

describe("saving another form of an address", () => {
  it("finds the link, adds the note to it and reads nothing again", function* () {
    const first = yield* save(long, "one")
    const second = yield* save(short, "two")
    expect(second).toMatchObject({ created: false, noteAdded: true, link: { id: first?.link.id, url: long } })
    expect(second?.link.note).toBe("one\ntwo")
    expect(second?.link.enrichment).toBe("complete")
    expect(yield* count).toBe(1)
  })

  it("makes one link of two forms in one arrival, and in two at once", function* () {
    const saving = yield* SaveLink
    const [one, other] = yield* saving.upsert([requestOf(short), requestOf(long)])
    expect(claimIds([one, other]).size).toBe(1)
    const forms = [
      "https://m.example.com/a",
      "https://example.com/a",
      "http://www.example.com/a/?utm_source=x"
    ]
    const ids = yield* Effect.forEach(forms, (form) => saving.upsert([requestOf(form)]), { concurrency: 3 })
    expect(claimIds(ids.flat()).size).toBe(1)
    expect(yield* count).toBe(2)
  })

  it("describes a link that was not read yet by the form that was given", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(
      newLink("a", { url: long, normalizedUrl: long, host: "www.youtube.com" })
    )
    expect(link.enrichment).toBe("pending")
    expect((yield* save(short))?.link).toMatchObject({ id: link.id, url: long, enrichment: "complete" })
  })

  it("prefers the form itself, then the oldest link", function* () {
    const links = yield* LinkStore
    const one = (yield* links.upsert(newLink("a", { url: long, normalizedUrl: long }))).link.id
    const mobile = long.replace("www", "m")
    const two = (yield* links.upsert(newLink("b", { url: mobile, normalizedUrl: mobile }))).link.id
    expect((yield* save(short))?.link.id).toBe(one)
    expect((yield* save(mobile))?.link.id).toBe(two)
    expect(yield* count).toBe(2)
  })

  it("takes the link out of the trash, but prefers one in the library", function* () {
    const edits = yield* EditLinks
    const first = yield* save(long)
    if (first === undefined) return expect.unreachable()
    yield* edits.trash([first.link.id])
    expect(yield* save(short)).toMatchObject({
      created: false,
      returnedFrom: "trash",
      link: { id: first.link.id }
    })
    const shorts = "https://www.youtube.com/shorts/dQw4w9WgXcQ"
    const { link } = yield* (yield* LinkStore).upsert(newLink("b", { url: shorts, normalizedUrl: shorts }))
    yield* edits.trash([first.link.id])
    expect((yield* save(long))?.link.id).toBe(link.id)
  })

  it("saves a new link after the first was deleted for good, or was given another address", function* () {
    const edits = yield* EditLinks
    const first = yield* save(long)
    if (first === undefined) return expect.unreachable()
    const given = "https://example.org/elsewhere"
    yield* edits.changeAddress(first.link.id, { given, url: new URL(given) })
    const second = yield* save(short)
    expect(second).toMatchObject({ created: true, link: { url: short } })
    if (second === undefined) return expect.unreachable()
    yield* edits.remove([second.link.id])
    expect(yield* save(long)).toMatchObject({ created: true, link: { url: long } })
  })

  it("keeps an archived copy, a file, a version and a private host's pages apart", function* () {
    for (const address of [
      "https://example.org/essay",
      "https://web.archive.org/web/2020/https://example.org/essay",
      "https://arxiv.org/abs/1706.03762",
      "https://arxiv.org/pdf/1706.03762",
      "https://arxiv.org/abs/1706.03762v2",
      "https://github.com/owner/name",
      "https://github.com/owner/name/blob/main/README.md",
      "http://127.0.0.1:8080/a?b=1",
      "https://127.0.0.1:8080/a?b=1",
      "http://nas.local/a",
      "http://www.nas.local/a"
    ])
      expect((yield* save(address))?.created).toBe(true)
  })

  it("saves two states of an application as two links, beside one from before fragments counted", function* () {
    const before = "https://play.example/#z:AAA"
    const { link } = yield* (yield* LinkStore).upsert(
      newLink("a", { url: before, normalizedUrl: "https://play.example/" })
    )
    expect((yield* save(before))?.link.id).toBe(link.id)
    for (const state of ["#z:BBB", "#z:CCC"])
      expect((yield* save(`https://play.example/${state}`))?.created).toBe(true)
    expect((yield* save("https://play.example/?utm_source=x#z:BBB"))?.created).toBe(false)
  })

  it("lets the owner have two forms as two links", function* () {
    const edits = yield* EditLinks
    yield* save(long)
    const other = yield* save("https://example.org/b")
    if (other === undefined) return expect.unreachable()
    yield* edits.changeAddress(other.link.id, { given: short, url: new URL(short) })
    expect(yield* count).toBe(2)
    expect((yield* save(short))?.link.id).toBe(other.link.id)
  })
})

it("does not find a link that a large change is about to delete, whether its key is computed or not", function* () {
  const sql = yield* SqlClient.SqlClient
  const links = yield* LinkStore
  const store = yield* PageKeyStore
  const { link } = yield* links.upsert(newLink("a", { url: long, normalizedUrl: long }))
  yield* sql`INSERT INTO changes (id, token, kind, created_at) VALUES (1, 'deleting', 'delete', '')`
  yield* sql`INSERT INTO change_work (change_id, link_id, work) VALUES (1, ${link.id}, '{"move":"delete"}')`
  const holders = Effect.map(store.holders([new URL(short)]), (found) => [...found.values()])
  expect(yield* holders).toEqual([])
  yield* sql`DELETE FROM change_work`
  expect(yield* holders).toEqual([long])
  yield* sql`UPDATE page_keys SET key = 'youtube.com/watch?v=dQw4w9WgXcQ'`
  expect(yield* holders).toEqual([long])
  yield* sql`INSERT INTO change_work (change_id, link_id, work) VALUES (1, ${link.id}, '{"move":"delete"}')`
  expect(yield* holders).toEqual([])
})

it("computes the keys of many links that have none", function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO links (url, normalized_url, host, title, category, created_at, updated_at)
    SELECT 'https://m.example.com/' || i, 'https://m.example.com/' || i, 'm.example.com', '', '', '', '' FROM n`
  const missing = sql`SELECT count(*) AS n FROM page_keys WHERE key IS NULL`
  expect(yield* missing).toEqual([{ n: 1200 }])
  const store = yield* PageKeyStore
  const holders = yield* store.holders([
    new URL("https://example.com/1100"),
    new URL("https://example.com/1201")
  ])
  expect([...holders]).toEqual([["https://example.com/1100", "https://m.example.com/1100"]])
  expect(yield* missing).toEqual([{ n: 0 }])
  yield* sql`DELETE FROM links WHERE id <= 1000`
  expect(yield* sql`SELECT count(*) AS n FROM page_keys`).toEqual([{ n: 200 }])
})

it("lists the keys of a block of links, without the trash, and says where the next one starts", function* () {
  const sql = yield* SqlClient.SqlClient
  const add = (id: number) => {
    const url = `https://www.example.com/${id}/?utm_source=x`
    return sql`INSERT INTO links (id, url, normalized_url, host, title, category, created_at, updated_at)
      VALUES (${id}, ${url}, ${url}, 'www.example.com', '', '', '', '')`
  }
  yield* Effect.forEach([1, 3, 5_000, 12_001], add)
  const store = yield* PageKeyStore
  const first = { ids: [1, 3, 5_000], keys: [1, 3, 5_000].map((id) => `example.com/${id}`), next: 10_000 }
  expect(yield* store.block(0)).toEqual(first)
  // Computed keys and those that are still to be computed are the same.
  yield* store.holders([new URL("https://example.com/")])
  expect(yield* store.block(0)).toEqual(first)
  expect(yield* store.block(5_000)).toEqual({ ids: [], keys: [], next: 10_000 })
  expect(yield* store.block(10_000)).toEqual({ ids: [12_001], keys: ["example.com/12001"], next: null })
  yield* (yield* EditLinks).trash([LinkId.make(3)])
  expect((yield* store.block(0)).ids).toEqual([1, 5_000])
})
