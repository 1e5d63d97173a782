import { describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { MAX_EARLIER_VERSIONS } from "../../../src/domain/KeptPage.ts"
import { LinkId } from "../../../src/domain/Link.ts"
import { MAX_ARTICLE_HTML } from "../../../src/shared/Limits.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../../src/store/links/TrashStore.ts"
import { Erasure } from "../../../src/store/maintenance/Erasure.ts"
import { PageStore } from "../../../src/store/pages/PageStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores, storesAt } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"
import { pageToKeep } from "../../support/pages.ts"
import { randomOf } from "../../support/randomLibrary.ts"

const it = libraryTest(stores())

const aLink = Effect.fnUntraced(function* (path = "a") {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(path))
  return link.id
})

/** The number of rows that the tables of pages have. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counts = yield* sql<{ n: number }>`SELECT count(*) AS n FROM pages
    UNION ALL SELECT count(*) FROM page_contents UNION ALL SELECT count(*) FROM page_versions`
  return counts.map(({ n }) => n)
})

describe("PageStore", () => {
  it("reads the page that was kept, and says so in the link", function* () {
    const [pages, links] = [yield* PageStore, yield* LinkStore]
    const id = yield* aLink()
    expect((yield* links.get(id)).kept).toBe(false)
    expect(yield* pages.keep(id, pageToKeep("one two three"))).toBe("new")
    expect(yield* pages.read(id)).toEqual({
      ...pageToKeep("one two three"),
      linkId: id,
      version: 1,
      words: 3,
      readingTime: 1,
      savedAt: expect.stringMatching(/^\d{4}-.*Z$/)
    })
    expect((yield* links.get(id)).kept).toBe(true)
    expect(yield* Effect.flip(pages.read(id, 2))).toMatchObject({ _tag: "PageNotKept" })
    expect(yield* Effect.flip(pages.read(yield* aLink("b")))).toMatchObject({ _tag: "PageNotKept" })
  })

  it("changes nothing for the same text", function* () {
    const pages = yield* PageStore
    const id = yield* aLink()
    yield* pages.keep(id, pageToKeep("one"))
    const before = yield* pages.read(id)
    expect(yield* pages.keep(id, pageToKeep("one", { title: "Another title" }))).toBe("same")
    expect(yield* pages.read(id)).toEqual(before)
  })

  it("replaces the HTML of the current version by another one with the same text", function* () {
    const pages = yield* PageStore
    const id = yield* aLink()
    for (const text of ["first", "second", "third one"]) yield* pages.keep(id, pageToKeep(text))
    const html = "<h2>third</h2><p> one</p>"
    const before = yield* pages.read(id)
    expect(yield* pages.keep(id, pageToKeep("", { html }))).toBe("restructured")
    expect(yield* pages.read(id)).toEqual({ ...before, html })
    // Earlier versions are what differs from the later ones.
    expect((yield* pages.read(id, 2)).html).toBe("<p>second</p>")
    expect((yield* pages.read(id, 1)).html).toBe("<p>first</p>")
    expect((yield* pages.versions(id)).map(({ version }) => version)).toEqual([3, 2, 1])
  })

  it("replaces a damaged page by the same text, without the versions that were made of it", function* () {
    const [pages, sql] = [yield* PageStore, yield* SqlClient.SqlClient]
    const id = yield* aLink()
    for (const text of ["one", "two"]) yield* pages.keep(id, pageToKeep(text))
    yield* sql`UPDATE page_contents SET html = zeroblob(20)`
    expect(yield* pages.keep(id, pageToKeep("two"))).toBe("restructured")
    expect((yield* pages.read(id)).html).toBe("<p>two</p>")
    expect(yield* rows).toEqual([1, 1, 0])
  })

  it("makes every version again exactly, after random edits, and keeps twenty of them", function* () {
    const pages = yield* PageStore
    const random = randomOf(20)
    const words = ["alpha", "beta", "<b>gamma</b>", "δέλτα", "🦜", "漢字", "\n", "&amp;"]
    const some = (count: number) =>
      Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(" ")
    const id = yield* aLink()
    const kept: Array<string> = []
    let html = some(3_000)
    for (let n = 0; n < MAX_EARLIER_VERSIONS + 5; n++) {
      yield* pages.keep(id, pageToKeep(html, { html, title: `Version ${n + 1}` }))
      kept.push(html)
      const [from, to] = [random(), random()].map((part) => Math.floor(part * html.length))
      const [start = 0, end = 0] = [from, to].sort((a = 0, b = 0) => a - b)
      const cut = random() < 0.5 ? html.slice(start, end) : ""
      html =
        `${html.slice(0, start)}${some(Math.floor(random() * 50) + 1)}${cut}${html.slice(end)}`.toWellFormed()
    }
    const versions = yield* pages.versions(id)
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: MAX_EARLIER_VERSIONS + 1 }, (_, n) => kept.length - n)
    )
    for (const { version } of versions)
      expect(yield* pages.read(id, version)).toMatchObject({
        version,
        title: `Version ${version}`,
        html: kept[version - 1]
      })
    expect(yield* Effect.flip(pages.read(id, 4))).toMatchObject({ _tag: "PageNotKept" })
  })

  it("keeps little of an earlier version of the longest page", function* () {
    const pages = yield* PageStore
    const random = randomOf(3)
    const letters = Array.from({ length: MAX_ARTICLE_HTML - 100 }, () =>
      String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))
    ).join("")
    const id = yield* aLink()
    yield* pages.keep(id, pageToKeep(letters))
    yield* pages.keep(id, pageToKeep(`First of all: ${letters}`))
    const [now, before] = yield* pages.versions(id)
    expect(now?.bytes).toBeGreaterThan(500_000)
    expect(before?.bytes).toBeLessThan(1_000)
    expect((yield* pages.read(id, 1)).html).toBe(`<p>${letters}</p>`)
  })

  it("says that a damaged page is damaged, and replaces it", function* () {
    const [pages, sql] = [yield* PageStore, yield* SqlClient.SqlClient]
    const id = yield* aLink()
    for (const text of ["one", "two two", "three three three"]) yield* pages.keep(id, pageToKeep(text))
    yield* sql`UPDATE page_versions SET difference = zeroblob(20) WHERE version = 1`
    expect(yield* Effect.flip(pages.read(id, 1))).toMatchObject({ _tag: "PageDamaged", version: 1 })
    expect((yield* pages.read(id, 2)).html).toBe("<p>two two</p>")
    yield* sql`UPDATE page_contents SET html = CAST(substr(html, 1, 8) || x'00ff' || substr(html, 11) AS BLOB)`
    expect(yield* Effect.flip(pages.read(id))).toMatchObject({ _tag: "PageDamaged", version: 3 })
    expect(yield* pages.keep(id, pageToKeep("four"))).toBe("changed")
    expect((yield* pages.read(id)).html).toBe("<p>four</p>")
    expect((yield* pages.versions(id)).map(({ version }) => version)).toEqual([4])
  })

  test("leaves nothing of a forgotten page in the file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-pages-"))
    const file = join(folder, "library.db")
    const inFiles = (marker: string) =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(marker))
    const [first, second] = ["zXq7vK2m", "Lp9wR4tB"]
    const body = Effect.gen(function* () {
      const [erasure, pages] = [yield* Erasure, yield* PageStore]
      const id = yield* aLink()
      for (const marker of [first, second]) yield* pages.keep(id, pageToKeep(marker))
      expect([inFiles(first), inFiles(second)]).toEqual([true, true])
      yield* pages.forget([id])
      expect(yield* erasure.emptyLog).toBe(true)
      expect([inFiles(first), inFiles(second)]).toEqual([false, false])
    })
    await Effect.runPromise(Effect.provide(body, storesAt(file))).finally(() =>
      rmSync(folder, { recursive: true, force: true })
    )
  })

  it("stays while the link is in the trash, and goes with it", function* () {
    const [links, pages, trash] = [yield* LinkStore, yield* PageStore, yield* TrashStore]
    const [a, b] = [yield* aLink("a"), yield* aLink("b")]
    for (const id of [a, b])
      for (const text of ["one", "two"]) yield* pages.keep(id, pageToKeep(`${text} ${id}`))
    yield* trash.moveSome([a, b])
    expect(yield* trash.getAll([a])).toMatchObject([{ kept: true }])
    yield* trash.restoreSome([a])
    expect((yield* pages.read(a)).html).toBe(`<p>two ${a}</p>`)
    expect((yield* pages.read(b, 1)).html).toBe(`<p>one ${b}</p>`)
    yield* links.remove([b])
    expect(yield* rows).toEqual([1, 1, 1])
    yield* links.remove([a])
    expect(yield* rows).toEqual([0, 0, 0])
  })

  it("gives a link without a page a copy of the newest one of others", function* () {
    const pages = yield* PageStore
    const [a, b, c] = [yield* aLink("a"), yield* aLink("b"), yield* aLink("c")]
    yield* pages.share(a, [b, c])
    expect(yield* pages.isKept(a)).toBe(false)
    yield* pages.fill(b, { ...pageToKeep("older"), savedAt: "2026-01-01T00:00:00.000Z", version: 1 })
    yield* pages.fill(c, { ...pageToKeep("newer"), savedAt: "2026-01-02T00:00:00.000Z", version: 1 })
    expect(
      yield* pages.fill(c, { ...pageToKeep("other"), savedAt: "2026-01-03T00:00:00.000Z", version: 1 })
    ).toBe(false)
    yield* pages.keep(c, pageToKeep("newest"))
    yield* pages.share(a, [b, c])
    expect(yield* pages.read(a)).toMatchObject({ linkId: a, version: 1, html: "<p>newest</p>" })
    yield* pages.share(b, [c])
    expect((yield* pages.read(b)).html).toBe("<p>older</p>")
    expect((yield* pages.versions(c)).map(({ version }) => version)).toEqual([2, 1])
  })

  it("forgets pages, and not those of other links", function* () {
    const pages = yield* PageStore
    const [a, b] = [yield* aLink("a"), yield* aLink("b")]
    for (const id of [a, b]) yield* pages.keep(id, pageToKeep("one"))
    yield* pages.keep(a, pageToKeep("two"))
    yield* pages.forget([a, LinkId.make(99)])
    expect(yield* pages.isKept(a)).toBe(false)
    expect(yield* pages.versions(a)).toEqual([])
    expect(yield* rows).toEqual([1, 1, 0])
    expect(yield* pages.keep(a, pageToKeep("three"))).toBe("new")
    expect(yield* pages.forgetSome(1)).toEqual([a])
    expect(yield* pages.forgetSome(2)).toEqual([b])
    expect(yield* pages.forgetSome(1)).toEqual([])
  })
})
