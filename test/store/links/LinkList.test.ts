import { describe, expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { Link, LinkId } from "../../../src/domain/Link.ts"
import { type LinkQuery, parseQuery } from "../../../src/domain/LinkQuery.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { DATA, describeData, json } from "../../support/data.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { found, newLink } from "../../support/links.ts"
import { inOrder, type RawLink, randomLinks, writeLinks } from "../../support/randomLibrary.ts"
import { byTier, sampleOf } from "../../support/tier.ts"

const it = libraryTest(stores())

const ask = (text = "", more: Partial<LinkQuery> = {}): LinkQuery => ({
  ...parseQuery(text, 0),
  sort: "collection",
  ...more
})

const titleOf = (json: string): string => JSON.parse(json).title

/** The titles of all pages, one after the other, and how many pages there were. */
const paged = Effect.fnUntraced(function* (query: LinkQuery) {
  const list = yield* LinkList
  const titles: Array<string> = []
  let next = query
  for (let pages = 1; pages <= 2_000; pages++) {
    const page = yield* list.page(next)
    titles.push(...page.links.map(titleOf))
    if (page.next === null) return { titles, pages, total: page.total }
    next = { ...query, cursor: page.next }
  }
  return yield* Effect.dieMessage("the pages have no end")
})

const cases: ReadonlyArray<readonly [query: LinkQuery, fits: (link: RawLink) => boolean]> = [
  [ask(), () => true],
  [ask("category:reading"), ({ category }) => category === "reading"],
  [ask("-category:reading"), ({ category }) => category !== "reading"],
  [ask("tag:one"), ({ tags }) => tags.includes("one")],
  [ask("tag:one category:cooking"), ({ category, tags }) => tags.includes("one") && category === "cooking"],
  [ask("collection:zED"), ({ collection }) => collection === "Zed"],
  [ask("-collection:b"), ({ collection }) => collection !== "b"],
  [ask("after:2026-01-02"), ({ createdAt }) => createdAt >= "2026-01-02"],
  [ask("", { collection: null }), ({ collection }) => collection === null],
  [ask("link"), () => true],
  [ask("link tag:two"), ({ tags }) => tags.includes("two")],
  [ask("-nothing"), () => true],
  [ask("is:shareable"), ({ shareable }) => shareable]
]

describe("LinkList by collection", () => {
  it("lists links by collection, newest first, and unfiled links last", function* () {
    const link = (title: string, collection: string | null, day: number, shareable = true): RawLink => ({
      title,
      collection,
      createdAt: `2026-01-0${day}T00:00:00.000Z`,
      shareable,
      category: "reading",
      tags: []
    })
    yield* writeLinks([
      link("z1", "zoo", 1),
      link("none 1", null, 1),
      link("a2", "Apples", 2),
      link("b1", "bees", 1, false),
      link("a3", "Apples", 3),
      link("none 3", null, 3),
      link("a3 too", "Apples", 3)
    ])
    const { titles } = yield* paged(ask())
    expect(titles).toEqual(["a3 too", "a3", "a2", "b1", "z1", "none 3", "none 1"])
  })

  for (const [seed, count] of byTier([0, 1, 17], [0, 1, 2, 17, 60]).entries())
    it(`pages through ${count} links in order, with every filter`, function* () {
      const links = randomLinks(seed, count)
      yield* writeLinks(links)
      for (const [query, fits] of cases) {
        const expected = inOrder(links, "collection")
          .filter(fits)
          .map(({ title }) => title)
        for (const limit of [1, 3, 7, 50, undefined]) {
          const { pages, titles, total } = yield* paged({ ...query, limit })
          expect({ filters: query.filters, limit, titles, total }).toEqual({
            filters: query.filters,
            limit,
            titles: expected,
            total: expected.length
          })
          expect(pages).toBe(Math.max(1, Math.ceil(expected.length / (limit ?? Infinity)) || 1))
        }
      }
    })

  it("keeps the order of more matches than it sorts, and streams them in order", function* () {
    const links = randomLinks(4, 2_500)
    yield* writeLinks(links)
    const list = yield* LinkList
    for (const [query, fits] of sampleOf(cases, 4)) {
      const expected = inOrder(links, "collection")
        .filter(fits)
        .map(({ title }) => title)
      expect((yield* paged({ ...query, limit: 173 })).titles).toEqual(expected)
      const all = Chunk.toReadonlyArray(yield* Stream.runCollect(list.all(query)))
      expect(all.map(titleOf)).toEqual(expected)
    }
  })

  it("continues after the cursor's collection was deleted, and skips nothing", function* () {
    yield* writeLinks(randomLinks(9, 60))
    const list = yield* LinkList
    const sql = yield* SqlClient.SqlClient
    const whole = (yield* paged(ask())).titles
    const first = yield* list.page(ask("", { limit: 20 }))
    const name = JSON.parse(first.links.at(-1) ?? "{}").collection.name
    yield* sql`DELETE FROM links WHERE collection_id = (SELECT id FROM collections WHERE name = ${name})`
    yield* sql`DELETE FROM collections WHERE name = ${name}`
    const left = new Set((yield* paged(ask())).titles)
    const rest = yield* list.page(ask("", { cursor: first.next ?? undefined }))
    expect(rest.links.map(titleOf)).toEqual(whole.slice(20).filter((title) => left.has(title)))
  })
})

describe("LinkList by site, change and chance", () => {
  const sites = ["www.b.example", "a.example", "b.example", "www.a.example", "c.example"]

  /** 40 links, each with its own site and time of the last change; the titles in the order of their numbers. */
  const fill = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const links = randomLinks(3, 40)
    yield* writeLinks(links)
    for (const [at] of links.entries())
      yield* sql`UPDATE links SET host = ${sites[(at * 7) % 5] ?? ""},
        updated_at = ${`2026-02-${String(((at * 11) % 28) + 1).padStart(2, "0")}`} WHERE title = ${`link ${at}`}`
    return yield* sql<{ readonly title: string }>`SELECT title FROM links ORDER BY id`.pipe(
      Effect.map((rows) => rows.map(({ title }) => title))
    )
  })

  const orders = {
    site: `SELECT title FROM links ORDER BY CASE host WHEN 'www.b.example' THEN 'b.example'
      WHEN 'www.a.example' THEN 'a.example' ELSE host END, created_at DESC, id DESC`,
    changed: "SELECT title FROM links ORDER BY updated_at DESC, id DESC"
  }

  for (const sort of ["site", "changed"] as const)
    it(`pages through every link by ${sort}`, function* () {
      yield* fill
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql.unsafe<{ readonly title: string }>(orders[sort])
      const expected = rows.map(({ title }) => title)
      for (const limit of [1, 7, 40, undefined]) {
        expect((yield* paged(ask("", { sort, limit }))).titles).toEqual(expected)
        expect((yield* paged(ask("link", { sort, limit }))).titles).toEqual(expected)
      }
      const list = yield* LinkList
      const all = yield* Stream.runCollect(list.all(ask("", { sort })))
      expect(Chunk.toReadonlyArray(all).map(titleOf)).toEqual(expected)
    })

  it("shuffles by a seed, in the same way on every page", function* () {
    const inOrder = yield* fill
    const orderOf = (seed: number, limit?: number, text = "") =>
      Effect.map(paged(ask(text, { sort: "random", seed, limit })), ({ titles }) => titles)
    const shuffled = yield* orderOf(0)
    expect(shuffled.toSorted()).toEqual(inOrder.toSorted())
    expect(shuffled).not.toEqual(inOrder)
    expect(yield* orderOf(1)).not.toEqual(shuffled)
    for (const limit of [1, 7, 40]) {
      expect(yield* orderOf(0, limit)).toEqual(shuffled)
      expect(yield* orderOf(0, limit, "link")).toEqual(shuffled)
    }
  })
})

const save = (path: string, title: string, more: { note?: string; text?: string } = {}) =>
  Effect.gen(function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink(path, { note: more.note ?? "" }))
    yield* links.finish(link.id, found({ title, text: more.text ?? "" }))
    return link.id
  })

const search = (text: string, more: Partial<LinkQuery> = {}) =>
  Effect.gen(function* () {
    const list = yield* LinkList
    return yield* list.page({ ...parseQuery(text, 0), sort: "relevance", ...more })
  })

const titles = (page: { links: ReadonlyArray<string> }) => page.links.map((link) => JSON.parse(link).title)

describe("LinkList", () => {
  it("writes a link's JSON in the schema's shape", function* () {
    const links = yield* LinkStore
    const changes = yield* ChangeStore
    const list = yield* LinkList
    const { link } = yield* links.upsert(newLink("a", { note: 'a "note"', tags: ["t"] }))
    const repository = {
      host: "github.com",
      fullName: "a/b",
      description: null,
      language: null,
      stars: 3,
      topics: ["x"],
      license: null,
      archived: false
    }
    yield* links.finish(link.id, found({ title: "Tïtle\u2028" }, { repository }))
    yield* changes.apply({
      fields: ["collection", "shareable"],
      links: [{ id: link.id, collection: "Mine", collectionByHand: true, shareable: true }]
    })
    const query: LinkQuery = { terms: [], filters: [], sort: "newest" }
    const [own] = (yield* list.page(query)).links
    const decoded = yield* Schema.decodeUnknown(Schema.parseJson(Link), { onExcessProperty: "error" })(own)
    expect(decoded).toEqual(yield* links.get(link.id))
    expect(decoded).toMatchObject({
      repository,
      collection: { name: "Mine" },
      shareable: true,
      title: "Tïtle\u2028"
    })
  })

  it("pages through every link once in every order while links arrive", function* () {
    for (let n = 0; n < 25; n++) yield* save(`p${n}`, `Title ${String.fromCharCode(97 + ((n * 7) % 25))}`)
    const list = yield* LinkList
    for (const sort of ["newest", "oldest", "title", "relevance"] as const) {
      const seen: Array<string> = []
      let query: LinkQuery = { ...parseQuery(sort === "relevance" ? "title" : "", 0), sort, limit: 10 }
      for (let turn = 0; turn < 4; turn++) {
        const page = yield* list.page(query)
        seen.push(...titles(page))
        if (turn === 0) yield* save(`${sort}-late`, "Zz arrived meanwhile")
        if (page.next === null) break
        query = { ...query, cursor: page.next }
      }
      const old = seen.filter((title) => !title.startsWith("Zz"))
      expect({ sort, count: old.length, distinct: new Set(old).size }).toEqual({
        sort,
        count: 25,
        distinct: 25
      })
      if (sort === "title") expect(old).toEqual([...old].sort())
    }
  })

  it("streams the whole library in the order of its pages", function* () {
    for (let n = 0; n < 5; n++) yield* save(`p${n}`, `Title ${n}`)
    const list = yield* LinkList
    const all = yield* Stream.runCollect(list.all({ terms: [], filters: [], sort: "newest" }))
    expect(Chunk.toReadonlyArray(all).map((link) => JSON.parse(link).title)).toEqual(
      [4, 3, 2, 1, 0].map((n) => `Title ${n}`)
    )
  })

  it("applies every operator and its negation", function* () {
    const a = yield* save("a", "Alpha paper")
    const b = yield* save("b", "Beta paper")
    const changes = yield* ChangeStore
    yield* changes.apply({
      fields: ["favorite", "category", "collection"],
      links: [
        {
          id: a,
          favorite: true,
          category: "reading",
          categoryByHand: true,
          collection: "Later on",
          collectionByHand: true
        }
      ]
    })
    const hits = (text: string) => Effect.map(search(text), (page) => titles(page).sort())
    for (const only of [
      "is:favorite",
      "category:reading",
      'collection:"later on"',
      "paper -beta",
      '"alpha paper"',
      "alp"
    ])
      expect({ only, titles: yield* hits(only) }).toEqual({ only, titles: ["Alpha paper"] })
    for (const other of ["-is:favorite", "-category:reading", "-alpha", 'paper -"alpha paper"'])
      expect({ other, titles: yield* hits(other) }).toEqual({ other, titles: ["Beta paper"] })
    expect((yield* hits("site:example.org")).length).toBe(2)
    expect((yield* hits("site:org")).length).toBe(2)
    expect(yield* hits("site:example.com")).toEqual([])
    expect((yield* hits("after:2020-01-01 before:2999-01-01")).length).toBe(2)
    expect(titles(yield* search("", { collection: null }))).toEqual(["Beta paper"])
    expect(LinkId.make(b)).toBeGreaterThan(a)
  })

  it("tells the ports of a host apart", function* () {
    const links = yield* LinkStore
    for (const url of [
      "http://nas.example:5000/a",
      "http://www.nas.example:5000/b:6000/",
      "https://nas.example/c:5000/",
      "http://nas.example:15000/d"
    ])
      yield* links.upsert(newLink(url, { url, normalizedUrl: url, host: new URL(url).hostname }))
    const paths = (text: string) =>
      Effect.map(search(text), (page) =>
        page.links.map((link) => new URL(JSON.parse(link).url).pathname.charAt(1)).sort()
      )
    expect(yield* paths("site:nas.example")).toEqual(["a", "b", "c", "d"])
    expect(yield* paths("site:nas.example:5000")).toEqual(["a", "b"])
    expect(yield* paths("site:nas.example:5000/b")).toEqual(["b"])
    expect(yield* paths("site:nas.example:443")).toEqual(["c"])
    expect(yield* paths("site:nas.example:6000")).toEqual([])
    expect(yield* paths("-site:nas.example:5000 site:example")).toEqual(["c", "d"])
  })
})

describeData("fts", "LinkList on strings that break full-text engines", () => {
  const strings = [...json<Array<string>>("fts/operators.json"), ...json<Array<string>>("fts/unicode.json")]

  it("answers each of them, and its negation", function* () {
    yield* save("a", "Something a title may say")
    for (const text of strings) for (const q of [text, `-${text}`, `"${text}`, `x ${text}`]) yield* search(q)
  })

  it("finds a link by its whole title", function* () {
    const missed: Array<string> = []
    for (const [index, text] of json<Array<string>>("fts/unicode.json").entries()) {
      const id = yield* save(`u${index}`, text)
      const { links } = yield* search(text)
      if (!links.some((link) => JSON.parse(link).id === id)) missed.push(text)
    }
    expect(missed).toEqual([])
  })

  for (const [file, words] of [
    ["latin", ["lorem"]],
    ["cyrillic", []],
    ["japanese", []]
  ] as const)
    it(`finds words of ${file} prose`, function* () {
      const prose = readFileSync(join(DATA, `fts/text/${file}.txt`), "utf8")
      yield* save(file, "Prose", { text: prose })
      const cut =
        prose
          .match(
            file === "japanese"
              ? /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,4}/gu
              : /(?<!\p{L})\p{L}{4,}/gu
          )
          ?.slice(0, 40) ?? []
      for (const word of [...words, ...cut])
        expect({ word, total: (yield* search(word)).total }).toEqual({ word, total: 1 })
    })
})

const withStores = libraryTest(stores())

describe("LinkList.random", () => {
  withStores("picks nothing from an empty library", function* () {
    expect(yield* (yield* LinkList).random).toEqual(Option.none())
  })
  withStores("picks every link eventually", function* () {
    const links = yield* LinkStore
    const { random } = yield* LinkList
    const saved = yield* Effect.forEach(["a", "b", "c"], (path) => links.upsert(newLink(path)))
    const picked = new Set<unknown>()
    for (let tries = 0; tries < 200; tries++) picked.add(Option.getOrNull(yield* random))
    expect(picked).toEqual(new Set(saved.map(({ link }) => link.id)))
  })
})
