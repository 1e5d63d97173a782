import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Array as Arr, Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import type { Field, FieldValues, Tagging } from "../../src/domain/Change.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { type Link, LinkId } from "../../src/domain/Link.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { FacetStore } from "../../src/store/links/CollectionStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { requestOf, saveAll } from "../support/saving.ts"
import { byTier } from "../support/tier.ts"
import { filesOver, takeText } from "../support/transfer.ts"

/** What the sources say at the moment, by address. */
const sources: { answer: (url: URL) => Effect.Effect<Enrichment> } = {
  answer: (url) => Effect.succeed(found({ url: url.href }))
}
const says = (
  page: Partial<Enrichment["page"]>,
  tags: ReadonlyArray<string>,
  more: Partial<Enrichment> = {}
) => {
  sources.answer = (url) =>
    Effect.succeed(
      found(
        { url: url.href, ...page },
        { summary: { summary: "By the model", tags, category: "model" }, ...more }
      )
    )
}

const layer = Layer.provideMerge(
  library,
  Layer.merge(
    stores(),
    fakeEnricher(({ url }) => Effect.suspend(() => sources.answer(url)))
  )
)
const it = libraryTest(layer)

/** Adds links with these tags, some of them the owner's. */
const fill = Effect.fnUntraced(function* (
  size: number,
  tags: ReadonlyArray<string> = [],
  hand: ReadonlyArray<string> = []
) {
  const links = yield* LinkStore
  const transaction = yield* Transaction
  return yield* transaction(
    Effect.forEach(Arr.range(1, size), (n) =>
      Effect.gen(function* () {
        const { link } = yield* links.upsert(newLink(`${n}`, { note: `note ${n}`, tags: hand }))
        yield* links.finish(link.id, found({}, { summary: { summary: "", tags, category: null } }))
        return link.id
      })
    )
  )
})

const tag = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>, tagging: Tagging) {
  return yield* (yield* EditLinks).change(ids, { tagging })
})
const change = Effect.fnUntraced(function* (id: LinkId, field: Field, values: Omit<FieldValues, "id">) {
  return yield* (yield* EditLinks).changeEach([{ id, ...values }], [field])
})
const undo = Effect.fnUntraced(function* (token: string, force = false) {
  return yield* (yield* EditLinks).undo(token, { force })
})
const get = Effect.fnUntraced(function* (id: LinkId) {
  return yield* (yield* LinkStore).get(id)
})
const refresh = Effect.fnUntraced(function* (id: LinkId) {
  yield* (yield* Refresh).refresh(id)
  return yield* get(id)
})

interface Tags {
  readonly tags: string
  readonly handTags: string
  readonly tagsByHand: number
}
/** The tags of the links, the owner's among them, and whether only the owner changes them. */
const tagsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Tags>`SELECT tags, hand_tags, tags_by_hand FROM links
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) ORDER BY id`
  return rows.map((row) => [JSON.parse(row.tags), JSON.parse(row.handTags), row.tagsByHand === 1] as const)
})

const numbered = (count: number, name = "tag") => Arr.range(1, count).map((n) => `${name}-${n}`)

describe("an edit of tags", () => {
  for (const [what, tagging, after] of [
    [
      "adds at the end, and leaves the model free",
      { add: ["b", "x", "y"] },
      [["a", "b", "c", "x", "y"], ["b", "c", "x", "y"], false]
    ],
    ["removes, in order, for good", { remove: ["b", "c", "never"] }, [["a"], [], true]],
    ["removes nothing that is not there", { remove: ["never"] }, [["a", "b", "c"], ["c"], false]],
    ["replaces all", { set: ["y", "b", "x"] }, [["y", "b", "x"], ["b", "x", "y"], true]],
    ["removes all", { set: [] }, [[], [], true]],
    [
      "replaces, then removes, then adds",
      { set: ["x", "y"], remove: ["x", "z"], add: ["z", "y"] },
      [["y", "z"], ["y", "z"], true]
    ],
    [
      "keeps private tags private",
      { add: [".private"], remove: ["a"] },
      [["b", "c", ".private"], [".private", "c"], true]
    ]
  ] as const satisfies ReadonlyArray<readonly [string, Tagging, unknown]>)
    it(what, function* () {
      const [id = LinkId.make(0)] = yield* fill(1, ["a", "b"], ["c"])
      // The owner's tag is first once the model has answered.
      expect(yield* tagsOf([id])).toEqual([[["c", "a", "b"], ["c"], false]])
      yield* (yield* SqlClient.SqlClient)`UPDATE links SET tags = '["a","b","c"]'`
      const { undo: token } = yield* tag([id], tagging)
      const sorted = (all: ReadonlyArray<readonly [unknown, ReadonlyArray<string>, boolean]>) =>
        all.map(([tags, hand, byHand]) => [tags, hand.toSorted(), byHand])
      expect<unknown>(sorted(yield* tagsOf([id]))).toEqual([after])
      const redo = yield* undo(token)
      expect(yield* tagsOf([id])).toEqual([[["a", "b", "c"], ["c"], false]])
      yield* undo(redo.undo)
      expect<unknown>(sorted(yield* tagsOf([id]))).toEqual([after])
    })

  it("drops no tag of a link that has many, and adds up to 100", function* () {
    const [few = LinkId.make(0), many = LinkId.make(0)] = yield* fill(2)
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE links SET tags = ${JSON.stringify(numbered(130))} WHERE id = ${many}`
    yield* tag([few, many], { add: numbered(100, "new") })
    yield* tag([few, many], { add: ["one-more"], remove: ["new-3"] })
    const [[a] = [], [b] = []] = yield* tagsOf([few, many])
    expect(a).toEqual([...numbered(100, "new").filter((name) => name !== "new-3"), "one-more"])
    expect(b).toEqual(numbered(130))
    yield* tag([many], { remove: numbered(60) })
    expect((yield* tagsOf([many]))[0]?.[0]).toEqual(numbered(130).slice(60))
  })

  for (const size of byTier([1, 101], [1, 100, 101, 700]))
    it(`of ${size} links is undone and redone`, function* () {
      const ids = yield* fill(size, ["a", "b"])
      const before = yield* tagsOf(ids)
      const first = yield* tag(ids, { add: ["x"] })
      const second = yield* tag(ids, { remove: ["a"] })
      const third = yield* tag(ids.slice(0, 1), { set: ["mine"] })
      const after = yield* tagsOf(ids)
      expect(after).toEqual([
        [["mine"], ["mine"], true],
        ...ids.slice(1).map(() => [["b", "x"], ["x"], true] as const)
      ])
      // Undoing an earlier change would lose the later one.
      expect(yield* Effect.flip(undo(second.undo))).toMatchObject({ fields: ["tags"], links: 1, of: size })
      yield* undo(third.undo)
      const back = yield* undo(second.undo)
      yield* undo(first.undo)
      expect(yield* tagsOf(ids)).toEqual(before)
      expect(yield* Effect.flip(undo(back.undo))).toMatchObject({ fields: ["tags"], links: size })
      yield* undo(back.undo, true)
      expect(yield* tagsOf(ids)).toEqual(ids.map(() => [["b", "x"], ["x"], true]))
    })

  it("keeps words, trigrams, tag counts, the public list and vectors in step", function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = yield* fill(150, ["old", "kept"])
    yield* (yield* EditLinks).change(ids, { shareable: true })
    yield* sql`DELETE FROM embedding_queue`
    const facts = Effect.gen(function* () {
      // Fails where an index differs from its content (https://www.sqlite.org/fts5.html#the_integrity_check_command).
      yield* sql`INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)`
      yield* sql`INSERT INTO links_trigram (links_trigram, rank) VALUES ('integrity-check', 1)`
      const { tags } = yield* (yield* FacetStore).facets
      const words = yield* sql`SELECT rowid FROM links_fts WHERE links_fts MATCH '{tags} : "renamed"'`
      const shown = yield* sql`SELECT DISTINCT tags FROM public_links`
      const shownTags = yield* sql`SELECT DISTINCT tag FROM public_tags ORDER BY tag`
      const waiting = yield* sql`SELECT link_id FROM embedding_queue`
      return {
        tags: tags.map(({ count, name }) => `${name} ${count}`),
        words: words.length,
        shown: shown.map(({ tags }) => tags),
        shownTags: shownTags.map(({ tag }) => tag),
        waiting: waiting.length
      }
    })
    const { undo: token } = yield* tag(ids, { remove: ["old"], add: ["renamed", ".secret"] })
    expect(yield* facts).toEqual({
      tags: [".secret 150", "kept 150", "renamed 150"],
      words: 150,
      shown: ['["kept","renamed"]'],
      shownTags: ["kept", "renamed"],
      waiting: 150
    })
    yield* sql`DELETE FROM embedding_queue`
    yield* undo(token)
    expect(yield* facts).toEqual({
      tags: ["kept 150", "old 150"],
      words: 0,
      shown: ['["old","kept"]'],
      shownTags: ["kept", "old"],
      waiting: 150
    })
  })

  it("says that a refresh has changed the tags since", function* () {
    says({}, ["first"])
    const [saved] = yield* saveAll([requestOf("https://example.org/a")])
    const id = saved?.link.id ?? LinkId.make(0)
    const { undo: token } = yield* tag([id], { add: ["mine"] })
    says({}, ["second"])
    expect((yield* refresh(id)).tags).toEqual(["mine", "second"])
    expect(yield* Effect.flip(undo(token))).toMatchObject({ fields: ["tags"] })
    yield* undo(token, true)
    expect((yield* get(id)).tags).toEqual(["first"])
  })
})

/** Every field that the owner can set: how, and what must stay. */
const ownersFields: ReadonlyArray<
  readonly [Field, Omit<FieldValues, "id">, (link: Link) => unknown, unknown]
> = [
  ["title", { title: "Mine", titleByHand: true }, (link) => link.title, "Mine"],
  ["summary", { summary: "", summaryByHand: true }, (link) => link.summary, ""],
  ["note", { note: "" }, (link) => link.note, ""],
  ["tags", { tagging: { set: ["mine"] } }, (link) => link.tags, ["mine"]],
  ["tags", { tagging: { remove: ["first"] } }, (link) => link.tags, ["second"]],
  ["category", { category: "mine", categoryByHand: true }, (link) => link.category, "mine"],
  ["collection", { collection: null, collectionByHand: true }, (link) => link.collection, null],
  ["favorite", { favorite: true }, (link) => link.favorite, true],
  ["shareable", { shareable: true }, (link) => link.shareable, true],
  ["state", { state: "archived" }, (link) => link.state, "archived"]
]

const withFiles = libraryTest(filesOver(layer))

describe("what the owner has set", () => {
  for (const [field, values, read, wanted] of ownersFields)
    withFiles(`stays after refreshes and an import: ${field} ${JSON.stringify(values)}`, function* () {
      says({ title: "By the page" }, ["first", "second"])
      const [saved] = yield* saveAll([requestOf("https://example.org/a")])
      const id = saved?.link.id ?? LinkId.make(0)
      yield* change(id, field, values)
      says({ title: "By the page again", text: "More" }, ["first", "third"])
      expect(read(yield* refresh(id))).toEqual(wanted)
      says({ title: "example.org" }, [], { fellBack: ["page", "model"] })
      expect(read(yield* refresh(id))).toEqual(wanted)
      if (field !== "note" && field !== "collection") {
        const tags = field === "tags" ? "first,imported" : ""
        yield* takeText(
          "a.html",
          `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://example.org/a" TAGS="${tags}">Theirs</A></DL>`
        )
        expect(read(yield* get(id))).toEqual(wanted)
      }
    })

  it("is added to by `add` alone: the model may still change its own tags", function* () {
    says({}, ["first"])
    const [saved] = yield* saveAll([requestOf("https://example.org/a")])
    const id = saved?.link.id ?? LinkId.make(0)
    yield* tag([id], { add: ["mine"] })
    says({}, ["second"])
    expect((yield* refresh(id)).tags).toEqual(["mine", "second"])
  })

  it("is added to by saving the address again with tags", function* () {
    const [id = LinkId.make(0)] = yield* fill(1)
    yield* tag([id], { set: numbered(12) })
    yield* (yield* LinkStore).upsert(newLink("1", { tags: ["again"] }))
    expect((yield* get(id)).tags).toEqual([...numbered(12), "again"])
  })
})

describe("an edit of an address", () => {
  const move = Effect.fnUntraced(function* (id: LinkId, given: string) {
    return yield* (yield* EditLinks).changeAddress(id, { given, url: new URL(given) })
  })
  const identity = Effect.fnUntraced(function* (id: LinkId) {
    const sql = yield* SqlClient.SqlClient
    const [row] =
      yield* sql`SELECT url, normalized_url, host, title, canonical_url, final_url FROM links WHERE id = ${id}`
    return row
  })
  const started = Effect.gen(function* () {
    const links = yield* LinkStore
    const [a = LinkId.make(0), b = LinkId.make(0)] = yield* fill(2)
    yield* links.finish(
      a,
      found({ title: "A page", url: "https://example.org/end", canonicalUrl: "https://example.org/c" })
    )
    return { a, b }
  })

  it("forgets what was found out about the old one, and is undone and redone", function* () {
    const { a } = yield* started
    const before = yield* identity(a)
    const { undo: token } = yield* move(a, "https://Other.example/Page/?utm_source=x#part")
    const after = {
      url: "https://Other.example/Page/?utm_source=x#part",
      normalizedUrl: "https://other.example/Page",
      host: "other.example",
      title: "A page",
      canonicalUrl: null,
      finalUrl: null
    }
    expect(yield* identity(a)).toEqual(after)
    const { undo: redo } = yield* undo(token)
    expect(yield* identity(a)).toEqual(before)
    yield* undo(redo)
    expect(yield* identity(a)).toEqual(after)
  })

  it("takes a host name that stands for a title along, unless the owner wrote it", function* () {
    const { b } = yield* started
    const { title } = yield* get(b)
    yield* (yield* LinkStore).finish(b, found({ title: "example.org" }, { wallTitles: [title] }))
    const { undo: token } = yield* move(b, "https://other.example/")
    expect((yield* get(b)).title).toBe("other.example")
    yield* undo(token)
    expect((yield* get(b)).title).toBe("example.org")
    yield* change(b, "title", { title: "example.org", titleByHand: true })
    yield* move(b, "https://other.example/")
    expect((yield* get(b)).title).toBe("example.org")
  })

  it("drops a title made of the old address's words, unless the owner wrote it", function* () {
    const { b } = yield* started
    yield* move(b, "https://example.org/how-we-cut-build-times")
    yield* (yield* LinkStore).finish(b, found({ title: "How we cut build times" }))
    const { undo: token } = yield* move(b, "https://other.example/")
    expect((yield* get(b)).title).toBe("other.example")
    yield* undo(token)
    expect((yield* get(b)).title).toBe("example.org")
    yield* change(b, "title", { title: "How we cut build times", titleByHand: true })
    yield* move(b, "https://other.example/")
    expect((yield* get(b)).title).toBe("How we cut build times")
  })

  it("is refused if another link has it, also one in the trash, and by an undo too", function* () {
    const { a, b } = yield* started
    const edits = yield* EditLinks
    expect(yield* Effect.flip(move(a, "https://example.org/2/?utm_source=y"))).toMatchObject({
      _tag: "UrlTaken",
      id: b
    })
    const { undo: token } = yield* move(a, "https://other.example/")
    yield* move(b, "https://example.org/1")
    expect(yield* Effect.flip(undo(token))).toMatchObject({ _tag: "UrlTaken", id: b })
    yield* edits.trash([b])
    expect(yield* (yield* TrashStore).count).toBe(1)
    expect(yield* Effect.flip(undo(token))).toMatchObject({ _tag: "UrlTaken", id: b })
    expect(yield* Effect.flip(move(a, "https://example.org/1"))).toMatchObject({ _tag: "UrlTaken", id: b })
    expect((yield* get(a)).url).toBe("https://other.example/")
    yield* edits.remove([b])
    yield* undo(token)
    expect((yield* get(a)).url).toBe("https://example.org/1")
  })

  it("may write the same page's address differently", function* () {
    const { a } = yield* started
    yield* move(a, "https://example.org/1#chapter")
    expect(yield* identity(a)).toMatchObject({
      url: "https://example.org/1#chapter",
      normalizedUrl: "https://example.org/1"
    })
  })

  it("during a refresh keeps what the old page says out", function* () {
    const { a } = yield* started
    sources.answer = (url) =>
      Effect.gen(function* () {
        // The owner edits the address while the page is being read.
        yield* Effect.orDie(move(a, "https://other.example/page"))
        return found({ url: url.href, title: "The old page", text: "old" })
      }).pipe(Effect.provide(owner))
    const owner = yield* Effect.context<EditLinks>()
    expect(yield* refresh(a)).toMatchObject({ url: "https://other.example/page", title: "A page" })
  })

  it("during a save describes the link by its new address alone, and reads that page later", function* () {
    const owner = yield* Effect.context<EditLinks>()
    sources.answer = (url) =>
      Effect.gen(function* () {
        yield* Effect.orDie(move(LinkId.make(1), "https://other.example/page"))
        return found({ url: url.href, title: "The old page" })
      }).pipe(Effect.provide(owner))
    const [saved] = yield* saveAll([requestOf("https://example.org/a")])
    expect(saved?.link).toMatchObject({ title: "other.example", enrichment: "partial" })
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT 1 FROM links WHERE retry_at IS NOT NULL`).toHaveLength(1)
  })
})

describe("edits of one link", () => {
  // Two sizes that are not changed in one transaction.
  const ALL = byTier(220, 700)
  const SOME = byTier(120, 500)

  it("apply in the order in which they were made, whatever their size", function* () {
    const ids = yield* fill(ALL)
    const edits = yield* EditLinks
    const last = ids.at(-1) ?? LinkId.make(0)
    yield* Effect.all(
      [
        edits.change(ids, { note: "for all" }),
        edits.change([last], { note: "for one" }),
        edits.change(ids.slice(0, SOME), { note: "for some" }),
        edits.change(ids.slice(0, 1), { note: "for the first" })
      ],
      { concurrency: "unbounded" }
    )
    const notes = (yield* (yield* LinkStore).getAll(ids)).map(({ note }) => note)
    expect(notes[0]).toBe("for the first")
    expect(new Set(notes.slice(1, SOME))).toEqual(new Set(["for some"]))
    expect(new Set(notes.slice(SOME, -1))).toEqual(new Set(["for all"]))
    expect(notes.at(-1)).toBe("for one")
  })

  it("that are still under way come before the note of a capture", function* () {
    says({}, [])
    const ids = yield* fill(ALL)
    const [saved] = yield* saveAll([requestOf(`https://example.org/${ALL}`, { note: "captured first" })])
    const large = yield* Effect.fork((yield* EditLinks).change(ids, { note: "for all" }))
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const [begun] = yield* sql`SELECT 1 FROM links WHERE note = 'for all'`
      if (begun !== undefined) break
      yield* Effect.sleep("1 millis")
    }
    yield* saveAll([requestOf(`https://example.org/${ALL}`, { note: "captured" })])
    yield* large
    expect((yield* get(saved?.link.id ?? LinkId.make(0))).note).toBe("for all\ncaptured")
  })
})

describe("a history", () => {
  it("lists the changes of a link, newest first, and says which can be undone", function* () {
    const [id = LinkId.make(0), other = LinkId.make(0)] = yield* fill(2)
    const changes = yield* ChangeStore
    yield* change(id, "note", { note: "one" })
    yield* change(id, "note", { note: "two" })
    yield* tag([id, other], { add: ["x"] })
    yield* change(other, "favorite", { favorite: true })
    const history = yield* changes.history(id, 10)
    expect(history.map(({ fields, kind, undoable }) => [kind, fields, undoable])).toEqual([
      ["edit", ["tags"], true],
      ["edit", ["note"], true],
      ["edit", ["note"], false]
    ])
    expect(yield* changes.history(id, 2)).toEqual(history.slice(0, 2))
    yield* undo(history[1]?.token ?? "")
    expect((yield* get(id)).note).toBe("one")
  })
})
