import { describe, expect, setDefaultTimeout } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { NewHighlight } from "../../src/domain/Highlight.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Highlights } from "../../src/library/Highlights.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { rebuildInTransaction } from "../../src/store/maintenance/Indexes.ts"
import { LATEST_VERSION } from "../../src/store/Schema.ts"
import { effectTest } from "../support/effect.ts"
import { offline } from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"

setDefaultTimeout(60_000)

const it = effectTest(offline())

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
  const { link } = yield* links.claim(newLink(path))
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
    const edits = yield* EditLinks
    const id = yield* save("one")
    const { highlight, undo } = yield* highlights.add(id, passage("a quotation", { note: "remember" }))
    expect(highlight).toMatchObject({ linkId: id, quote: "a quotation", note: "remember", isLost: false })
    const changed = yield* highlights.change(id, highlight.id, { colour: "pink", note: "forget" })
    expect(changed.highlight).toMatchObject({ colour: "pink", note: "forget" })
    yield* edits.undo(changed.undo)
    expect((yield* highlights.ofLink(id))[0]).toMatchObject({ colour: "yellow", note: "remember" })
    const removed = yield* highlights.remove(id, highlight.id)
    expect(yield* highlights.ofLink(id)).toEqual([])
    yield* edits.undo(removed)
    expect((yield* highlights.ofLink(id))[0]).toMatchObject({ id: highlight.id, note: "remember" })
    yield* edits.undo(undo)
    expect(yield* highlights.ofLink(id)).toEqual([])
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
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const id = yield* save("one")
    yield* highlights.add(id, passage("a quotation", { note: "schooner" }))
    yield* edits.trash([id])
    expect(yield* highlights.list({ limit: 10 })).toEqual([])
    expect(yield* numbersFound("schooner")).toEqual([])
    yield* edits.restore([id])
    expect(yield* highlights.list({ limit: 10 })).toHaveLength(1)
    expect(yield* numbersFound("schooner")).toEqual([id])
    yield* links.remove([id])
    expect(yield* sql`SELECT 1 FROM highlights`).toEqual([])
    expect(yield* sql`SELECT 1 FROM change_things`).toEqual([])
    expect(yield* numbersFound("schooner")).toEqual([])
  })
})
