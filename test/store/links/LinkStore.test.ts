import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { LinkId, LinkNotFound } from "../../../src/domain/Link.ts"
import { MAX_NOTE } from "../../../src/shared/Limits.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { setNote } from "../../support/libraryOf.ts"
import { found, newLink } from "../../support/links.ts"

const it = libraryTest(stores())

const searched = (text: string) =>
  Effect.gen(function* () {
    const list = yield* LinkList
    const terms = [{ text, kind: "word", negated: false } as const]
    return (yield* list.page({ terms, filters: [], sort: "relevance" })).total
  })

describe("LinkStore", () => {
  it("claims a link as pending, titled by its host", function* () {
    const links = yield* LinkStore
    const { created, link } = yield* links.upsert(newLink("a", { note: "read it" }))
    expect(created).toBe(true)
    expect(link).toMatchObject({
      id: 1,
      url: "https://example.org/a",
      title: "example.org",
      note: "read it",
      category: "unsorted",
      enrichment: "pending",
      collection: null,
      repository: null,
      favorite: false,
      tags: []
    })
    expect(yield* links.get(link.id)).toEqual(link)
  })

  it("says what became of each source, and what the link leads to until something better is known", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    const waiting = { state: "waiting", reason: null } as const
    expect([link.type, link.stages]).toEqual([
      "page",
      [
        { stage: "page", ...waiting },
        { stage: "model", ...waiting }
      ]
    ])
    const finish = (...result: Parameters<typeof found>) =>
      Effect.map(links.finish(link.id, found(...result)), Option.getOrThrow)
    expect(yield* finish({ type: "video" })).toMatchObject({
      type: "video",
      stages: [
        { stage: "page", state: "done", reason: null },
        { stage: "model", state: "done", reason: null }
      ]
    })
    const failed = yield* finish(
      {},
      { fellBack: ["page"], failures: [{ source: "page", kind: "lasting", reason: "404 Not Found" }] }
    )
    expect(failed).toMatchObject({
      type: "video",
      enrichment: "partial",
      stages: [
        { stage: "page", state: "failed", reason: "404 Not Found" },
        { stage: "model", state: "done" }
      ]
    })
    expect((yield* finish({})).type).toBe("page")
  })

  it("writes nothing about an address that the link no longer has", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    const finished = links.finish(link.id, found({ title: "Another page" }), "https://example.org/b")
    expect(yield* finished).toEqual(Option.none())
    expect(yield* links.get(link.id)).toEqual(link)
  })

  it("appends a new note to a known link once", function* () {
    const links = yield* LinkStore
    const first = yield* links.upsert(newLink("a", { note: "first" }))
    const second = yield* links.upsert(newLink("a", { note: "second" }))
    const { created, link, noteAdded } = yield* links.upsert(newLink("a", { note: "second", tags: ["new"] }))
    expect({ created, note: link.note }).toEqual({ created: false, note: "first\nsecond" })
    expect([first.noteAdded, second.noteAdded, noteAdded]).toEqual([false, true, false])
    const full = yield* links.upsert(newLink("a", { note: "n".repeat(MAX_NOTE) }))
    expect([full.noteAdded, full.isNoteFull, full.link.note]).toEqual([false, true, "first\nsecond"])
  })

  it("keeps the owner's tags before the model's", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a", { tags: ["mine"] }))
    const summary = { summary: "S", tags: ["found", "mine"], category: "reading" }
    const done = yield* links.finish(link.id, found({}, { summary }))
    expect(Option.getOrThrow(done)).toMatchObject({
      tags: ["mine", "found"],
      category: "reading",
      enrichment: "complete"
    })
    const again = yield* links.upsert(newLink("a", { tags: ["more"] }))
    expect(again.link.tags).toEqual(["mine", "more", "found"])
  })

  it("never overwrites fields set by hand", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* changes.apply({
      fields: ["title", "summary", "category"],
      links: [
        {
          id: link.id,
          title: "Mine",
          titleByHand: true,
          summary: "My own",
          summaryByHand: true,
          category: "c",
          categoryByHand: true
        }
      ]
    })
    const summary = { summary: "Theirs", tags: [], category: "other" }
    const done = yield* links.finish(link.id, found({ title: "Theirs" }, { summary }))
    expect(Option.getOrThrow(done)).toMatchObject({ title: "Mine", summary: "My own", category: "c" })
  })

  it("stores the facts of a page and the model of a summary, and keeps both until better ones are known", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const { link } = yield* links.upsert(newLink("a"))
    const finish = (...result: Parameters<typeof found>) =>
      Effect.map(links.finish(link.id, found(...result)), Option.getOrThrow)
    const summary = { summary: "S", tags: [], category: null, model: "one" }
    expect([link.facts, link.model]).toEqual([{}, null])
    expect(yield* finish({ facts: { paywall: true, pages: 3 } }, { summary })).toMatchObject({
      facts: { paywall: true, pages: 3 },
      model: "one"
    })
    const nothing = { summary: "", tags: [], category: null }
    expect(yield* finish({}, { summary: nothing, fellBack: ["page", "model"] })).toMatchObject({
      facts: { paywall: true, pages: 3 },
      model: "one"
    })
    const { facts, model } = yield* finish({}, { summary: { ...summary, model: "two" } })
    expect([facts, model]).toEqual([{}, "two"])
    const mine = { id: link.id, summary: "Mine", summaryByHand: true }
    yield* changes.apply({ fields: ["summary"], links: [mine] })
    expect((yield* finish({}, { summary: { ...summary, model: "three" } })).model).toBeNull()
  })

  it("keeps nothing that was read from a page that is now known to be a wall", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    const wall = { title: "Just a moment...", description: "Wait.", text: "Checking" }
    const theirs = { summary: "A check.", tags: ["captcha"], category: "security", model: "one" }
    yield* links.finish(link.id, found(wall, { summary: theirs }))
    const nothing = { summary: "", tags: [], category: null }
    const blocked = (titles: ReadonlyArray<string>) =>
      links.finish(
        link.id,
        found(
          { title: "example.org", description: "", text: "" },
          { summary: nothing, fellBack: ["page", "model"], wallTitles: titles }
        )
      )
    expect(Option.getOrThrow(yield* blocked(["Access denied"]))).toMatchObject({
      title: "Just a moment...",
      tags: ["captcha"]
    })
    expect(Option.getOrThrow(yield* blocked(["Just a moment...", "Just a moment"]))).toMatchObject({
      title: "example.org",
      description: "",
      summary: "",
      model: null,
      tags: [],
      category: "unsorted"
    })
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT text FROM links WHERE id = ${link.id}`).toEqual([{ text: "" }])
  })

  it("keeps a title that a page that is read again no longer has", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* links.finish(link.id, found({ title: "A page" }))
    const again = yield* links.finish(link.id, found({ title: "example.org" }))
    expect(Option.getOrThrow(again).title).toBe("A page")
  })

  it("keeps a description and a text when a page that is read again has none", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* links.finish(link.id, found({ description: "About it.", text: "zephyr" }))
    const again = yield* links.finish(link.id, found({ description: "", text: "" }))
    expect(Option.getOrThrow(again).description).toBe("About it.")
    const other = yield* links.finish(link.id, found({ description: "Of today.", text: "" }))
    expect(Option.getOrThrow(other).description).toBe("Of today.")
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT text FROM links WHERE id = ${link.id}`).toEqual([{ text: "zephyr" }])
  })

  it("keeps earlier data when a later refresh fails", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    const summary = { summary: "S", tags: ["t"], category: "reading" }
    yield* links.finish(link.id, found({ title: "A page", image: "https://example.org/i.png" }, { summary }))
    const nothing = { summary: "", tags: [], category: null }
    const later = yield* links.finish(
      link.id,
      found({ title: "example.org" }, { summary: nothing, fellBack: ["page", "model"] })
    )
    expect(Option.getOrThrow(later)).toMatchObject({
      title: "A page",
      image: "https://example.org/i.png",
      summary: "S",
      tags: ["t"],
      category: "reading",
      enrichment: "partial"
    })
  })

  it("replaces a title made of the address's words by any better one, and no better one by it", function* () {
    const links = yield* LinkStore
    const path = "how-we-cut-build-times"
    const { link } = yield* links.upsert(newLink(path))
    const unread = (title: string) =>
      found({ url: `https://example.org/${path}`, title }, { fellBack: ["page", "model"] })
    const titleAfter = (result: ReturnType<typeof found>) =>
      Effect.zipRight(
        links.finish(link.id, result),
        Effect.map(links.get(link.id), ({ title }) => title)
      )
    expect(yield* titleAfter(unread("How we cut build times"))).toBe("How we cut build times")
    expect(yield* titleAfter(unread("What the browser saw"))).toBe("What the browser saw")
    expect(yield* titleAfter(unread("How we cut build times"))).toBe("What the browser saw")
    expect(yield* titleAfter(found({ title: "How we cut our build times in half" }))).toBe(
      "How we cut our build times in half"
    )
    expect(yield* titleAfter(unread("How we cut build times"))).toBe("How we cut our build times in half")
  })

  it("updates only the fields that a later refresh found", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* links.finish(link.id, found({}, { summary: { summary: "S", tags: ["t"], category: "reading" } }))
    const looks = [
      [{ summary: "", tags: ["u"], category: null }, ["model"], { summary: "S", tags: ["u"] }],
      [{ summary: "", tags: [], category: "travel" }, ["model"], { category: "travel", tags: ["u"] }],
      [{ summary: "V", tags: [], category: null }, [], { summary: "V", tags: ["u"], category: "travel" }]
    ] as const
    for (const [summary, fellBack, wanted] of looks) {
      const later = yield* links.finish(link.id, found({}, { summary, fellBack }))
      expect(Option.getOrThrow(later)).toMatchObject({
        ...wanted,
        enrichment: fellBack.length === 0 ? "complete" : "partial"
      })
    }
  })

  it("updates the search index with the title", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* links.finish(link.id, found({ title: "Naïve Bayes" }))
    expect(yield* searched("naive")).toBe(1)
    yield* links.finish(link.id, found({ title: "Zanzibar" }))
    expect(yield* searched("naive")).toBe(0)
    expect(yield* searched("zanzibar")).toBe(1)
  })

  it("leaves no trace of a removed link, and never reuses its id", function* () {
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const { link } = yield* links.upsert(newLink("a", { note: "secretword", tags: ["t"] }))
    const changes = yield* ChangeStore
    yield* changes.apply({ fields: ["title"], links: [{ id: link.id, title: "secretword" }] })
    yield* links.remove([link.id])
    expect(yield* searched("secretword")).toBe(0)
    expect(yield* Effect.flip(links.get(link.id))).toBeInstanceOf(LinkNotFound)
    expect(yield* sql`SELECT * FROM link_tags`).toEqual([])
    expect(yield* sql`SELECT * FROM change_rows`).toEqual([])
    expect(JSON.stringify(yield* sql`SELECT * FROM changes`)).not.toContain("secretword")
    yield* sql`INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)`
    expect((yield* links.upsert(newLink("b"))).link.id).toBeGreaterThan(link.id)
  })

  it("does not restore a link deleted before it is finished", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* links.remove([link.id])
    expect(yield* links.finish(link.id, found())).toEqual(Option.none())
  })

  it("keeps both full-text indexes consistent through every change", function* () {
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const inStep = Effect.gen(function* () {
      // Fails where an index differs from its content (https://www.sqlite.org/fts5.html#the_integrity_check_command).
      yield* sql`INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)`
      yield* sql`INSERT INTO links_trigram (links_trigram, rank) VALUES ('integrity-check', 1)`
    })
    const { link } = yield* links.upsert(newLink("a", { note: "first" }))
    yield* inStep
    yield* setNote(link.id, "noted while pending")
    yield* inStep
    yield* links.finish(link.id, found({ title: "日本語", text: "文章".repeat(10) }))
    yield* inStep
    yield* setNote(link.id, "noted")
    yield* links.finish(link.id, found({ title: "Another title" }))
    yield* inStep
    yield* links.upsert(newLink("b"))
    yield* links.remove([link.id])
    yield* inStep
  })

  it("keeps the counts of tags and categories through every change", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const sql = yield* SqlClient.SqlClient
    const inStep = Effect.gen(function* () {
      expect(yield* sql`SELECT tag, links FROM tags_in_use ORDER BY tag`).toEqual(
        yield* sql`SELECT tag, count(*) AS links FROM link_tags GROUP BY tag ORDER BY tag`
      )
      expect(yield* sql`SELECT category, links FROM categories_in_use ORDER BY category`).toEqual(
        yield* sql`SELECT category, count(*) AS links FROM links GROUP BY category ORDER BY category`
      )
    })
    const ids: Array<LinkId> = []
    for (const name of ["a", "b", "c"])
      ids.push((yield* links.upsert(newLink(name, { tags: ["web-dev", name, ".private"] }))).link.id)
    yield* inStep
    for (const id of ids)
      yield* links.finish(id, found({}, { summary: { summary: "", tags: ["db", "web-dev"], category: "x" } }))
    yield* inStep
    expect(yield* links.busiestTags(2)).toEqual([
      { name: "db", count: 3 },
      { name: "web-dev", count: 3 }
    ])
    expect(yield* links.tagsSpelled(["webdev", "private", "nothing"])).toEqual([
      { name: "web-dev", count: 3 }
    ])
    yield* changes.apply({ fields: ["category"], links: [{ id: ids[0] ?? LinkId.make(0), category: "y" }] })
    yield* inStep
    yield* links.remove(ids.slice(0, 2))
    yield* inStep
    yield* links.remove(ids.slice(2))
    yield* inStep
    expect(yield* sql`SELECT * FROM tags_in_use`).toEqual([])
  })
})
