import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { articleText } from "../../src/domain/Article.ts"
import { ExportedLink } from "../../src/domain/ExportedLink.ts"
import type { NewHighlight } from "../../src/domain/Highlight.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Highlights } from "../../src/library/Highlights.ts"
import { KeepPages } from "../../src/library/KeepPages.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { rebuildInTransaction } from "../../src/store/maintenance/Indexes.ts"
import type { HighlightQuery } from "../../src/store/pages/HighlightStore.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { LATEST_VERSION } from "../../src/store/Schema.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { ExportStore } from "../../src/store/transfer/ExportStore.ts"
import { libraryTest } from "../support/effect.ts"
import { offline } from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"

const it = libraryTest(offline())

const passage = (quote: string, more: Partial<NewHighlight> = {}): NewHighlight => ({
  quote,
  prefix: "",
  suffix: "",
  colour: "yellow",
  note: "",
  source: "reader",
  ...more
})

const save = Effect.fnUntraced(function* (path: string, text = "") {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(path))
  yield* links.finish(link.id, found({ title: `About ${path}`, text }))
  return link.id
})

const numbersFound = (q: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{
      id: number
    }>`SELECT rowid AS id FROM links_fts WHERE links_fts MATCH ${q} ORDER BY rowid`
    return rows.map(({ id }) => id)
  })

describe("a highlight", () => {
  it("is added, changed and deleted, and each of these is undone", function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const edits = yield* EditLinks
    const id = yield* save("one")
    const { highlight, undo } = yield* highlights.add(id, passage("a quotation", { note: "remember" }))
    expect(highlight).toMatchObject({ linkId: id, quote: "a quotation", note: "remember", isLost: false })
    const changed = yield* highlights.change(id, highlight.id, { colour: "pink", note: "forget" })
    expect(changed.highlight).toMatchObject({ colour: "pink", note: "forget" })
    yield* edits.undo(changed.undo)
    expect((yield* store.ofLink(id))[0]).toMatchObject({ colour: "yellow", note: "remember" })
    const removed = yield* highlights.remove(id, highlight.id)
    expect(yield* store.ofLink(id)).toEqual([])
    yield* edits.undo(removed)
    expect((yield* store.ofLink(id))[0]).toMatchObject({ id: highlight.id, note: "remember" })
    yield* edits.undo(undo)
    expect(yield* store.ofLink(id)).toEqual([])
  })

  it("is found by its words until it is deleted, after a rebuild of the indexes too", function* () {
    const highlights = yield* Highlights
    const id = yield* save("one", "a page about ships")
    yield* save("two", "a page about ships")
    const { highlight } = yield* highlights.add(id, passage("about ships", { note: "schooner" }))
    expect(yield* numbersFound("schooner")).toEqual([id])
    yield* rebuildInTransaction(LATEST_VERSION)
    expect(yield* numbersFound("schooner")).toEqual([id])
    yield* highlights.change(id, highlight.id, { note: "brigantine" })
    expect(yield* numbersFound("schooner")).toEqual([])
    expect(yield* numbersFound("brigantine")).toEqual([id])
    yield* highlights.remove(id, highlight.id)
    expect(yield* numbersFound("brigantine")).toEqual([])
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)`
  })

  it("goes to the trash and comes back with its link, and is gone with it for good", function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const id = yield* save("one")
    yield* highlights.add(id, passage("a quotation", { note: "schooner" }))
    yield* edits.trash([id])
    expect(yield* store.list({ limit: 10 })).toEqual([])
    expect(yield* numbersFound("schooner")).toEqual([])
    yield* edits.restore([id])
    expect(yield* store.list({ limit: 10 })).toHaveLength(1)
    expect(yield* numbersFound("schooner")).toEqual([id])
    yield* links.remove([id])
    expect(yield* sql`SELECT 1 FROM highlights`).toEqual([])
    expect(yield* sql`SELECT 1 FROM change_rows`).toEqual([])
    expect(yield* numbersFound("schooner")).toEqual([])
  })
})

const opening = "<p>Harbours were built where rivers met the sea.</p>"
const schooner = "<p>The schooner left before dawn with a cargo of salt.</p>"

/** Keeps an article as the page of a link, as a refresh does. */
const keep = Effect.fnUntraced(function* (id: LinkId, article: string) {
  const links = yield* LinkStore
  const pages = yield* KeepPages
  const transaction = yield* Transaction
  const enrichment = found({ title: "Ships", article, text: articleText(article) })
  yield* transaction(
    Effect.flatMap(links.finish(id, enrichment), (link) =>
      Option.isSome(link) ? pages.write(link.value, enrichment) : Effect.void
    )
  )
})

const placeOf = (id: LinkId) =>
  Effect.flatMap(HighlightStore, (store) =>
    Effect.map(store.ofLink(id), ([one]) => one && { start: one.start, isLost: one.isLost })
  )

describe("a highlight in a kept page", () => {
  it("follows its passage through refreshes, is lost without it, and found again", function* () {
    const highlights = yield* Highlights
    const id = yield* save("one")
    yield* highlights.add(id, passage("left before dawn"))
    expect(yield* placeOf(id)).toEqual({ start: null, isLost: false })
    yield* keep(id, schooner)
    expect(yield* placeOf(id)).toEqual({ start: 13, isLost: false })
    yield* keep(id, `${opening}${schooner}`)
    expect(yield* placeOf(id)).toEqual({ start: articleText(opening).length + 13, isLost: false })
    yield* keep(id, opening)
    expect(yield* placeOf(id)).toEqual({ start: null, isLost: true })
    yield* keep(id, `${schooner}${opening}`)
    expect(yield* placeOf(id)).toEqual({ start: 13, isLost: false })
  })

  it("moves with a merge of links, and back when that is undone", function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const merges = yield* Duplicates
    const edits = yield* EditLinks
    const [into, other] = [yield* save("one"), yield* save("two")]
    yield* keep(into, `${opening}${schooner}`)
    yield* keep(other, schooner)
    const { highlight } = yield* highlights.add(other, passage("left before dawn", { note: "brig" }))
    const { undo } = yield* merges.merge(into, [other])
    expect(yield* placeOf(into)).toEqual({ start: articleText(opening).length + 13, isLost: false })
    expect(yield* numbersFound("brig")).toEqual([into])
    yield* edits.undo(undo)
    expect(yield* store.ofLink(into)).toEqual([])
    expect((yield* store.ofLink(other))[0]).toMatchObject({ id: highlight.id, start: 13 })
    expect(yield* numbersFound("brig")).toEqual([other])
  })
})

describe("files of highlights", () => {
  const text = (stream: Stream.Stream<string>) => Effect.map(Stream.runCollect(stream), Chunk.join(""))

  it("are Markdown, in which no passage is anything but a quotation", function* () {
    const highlights = yield* Highlights
    const id = yield* save("one")
    yield* highlights.add(id, passage("# not a heading\n\n<b>plain</b>", { note: "*mine*" }))
    const written = yield* text(highlights.markdown({}))
    expect(written).toContain("## About one\n\n<https://example.org/one>")
    expect(written).toContain("> \\# not a heading\n>\n> \\<b\\>plain\\</b\\>\n\n\\*mine\\*\n")
  })

  it("are Web Annotations", function* () {
    const highlights = yield* Highlights
    const id = yield* save("one")
    const { highlight } = yield* highlights.add(
      id,
      passage("a quotation", { note: "mine", prefix: "before " })
    )
    const page = JSON.parse(yield* text(highlights.annotations({ link: id }, "https://links.example")))
    expect(page).toMatchObject({
      "@context": "http://www.w3.org/ns/anno.jsonld",
      type: "AnnotationPage",
      items: [
        {
          id: `https://links.example/dashboard/read/${id}#highlight-${highlight.id}`,
          type: "Annotation",
          motivation: "commenting",
          body: { type: "TextualBody", value: "mine" },
          target: {
            source: "https://example.org/one",
            selector: { type: "TextQuoteSelector", exact: "a quotation", prefix: "before " }
          }
        }
      ]
    })
  })
})

describe("the list of all highlights", () => {
  it("is searched by words, by parts of words of other scripts and by colour, page by page", function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const id = yield* save("one")
    const times = ["2026-01-01", "2026-01-02", "2026-01-03"].map((day) => `${day}T00:00:00.000Z`)
    for (const [at, quote] of ["Running ships", "the ships ran", "帆船は夜明け前に"].entries())
      yield* highlights.add(
        id,
        passage(quote, { createdAt: times[at] ?? "", colour: at === 0 ? "green" : "blue" })
      )
    const quotes = (query: Partial<HighlightQuery>) =>
      Effect.map(store.list({ limit: 10, ...query }), (all) => all.map(({ quote }) => quote))
    expect(yield* quotes({ q: "run" })).toEqual(["Running ships"])
    expect(yield* quotes({ q: "ship" })).toEqual(["the ships ran", "Running ships"])
    expect(yield* quotes({ q: "夜明け" })).toEqual(["帆船は夜明け前に"])
    expect(yield* quotes({ q: '"' })).toEqual([])
    expect(yield* quotes({ colour: "green" })).toEqual(["Running ships"])
    const [first] = yield* store.list({ limit: 1 })
    if (first === undefined) throw new Error("there is no highlight")
    expect(yield* quotes({ after: first })).toEqual(["the ships ran", "Running ships"])
    expect(yield* store.count({ q: "ships" })).toBe(2)
  })
})

describe("the library's export", () => {
  it("brings highlights into another library, once", function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const id = yield* save("one")
    yield* highlights.add(id, passage("a quotation", { note: "mine", colour: "pink", prefix: "before " }))
    const sql = yield* SqlClient.SqlClient
    const exports = yield* ExportStore
    const [line = ""] = Chunk.toReadonlyArray(yield* Stream.runCollect(exports.wholeLinks))
    const { highlights: exported } = yield* Schema.decodeUnknown(Schema.parseJson(ExportedLink))(line)
    expect(exported).toMatchObject([
      { quote: "a quotation", note: "mine", colour: "pink", prefix: "before " }
    ])
    yield* sql`DELETE FROM highlights`
    expect(yield* highlights.addAll(id, exported)).toBe(1)
    expect(yield* highlights.addAll(id, exported)).toBe(0)
    const [back] = yield* store.ofLink(id)
    expect(back).toMatchObject(exported[0] ?? {})
  })
})

describe("a search", () => {
  it("finds links by their highlights and notes, says so, and knows which have any", function* () {
    const highlights = yield* Highlights
    const search = yield* SearchLinks
    const id = yield* save("one", "a page about ships")
    yield* save("two", "a page about ships")
    yield* highlights.add(id, passage("a passage that was lost", { note: "schooner" }))
    const page = (q: string) => search.page({ ...parseQuery(q, 0), limit: 10, sort: "relevance" }, true)
    const found = yield* page("schooner")
    expect(found.links.map((link) => JSON.parse(link).id)).toEqual([id])
    expect(found.highlights?.[0]?.excerpt).toMatchObject({
      text: expect.stringContaining("schooner"),
      from: "highlight"
    })
    const withHighlights = yield* page("has:highlight")
    expect(withHighlights.links.map((link) => JSON.parse(link))).toMatchObject([{ id, highlights: 1 }])
    const without = yield* page("-has:highlight ships")
    expect(without.links.map((link) => JSON.parse(link).highlights)).toEqual([0])
  })
})
