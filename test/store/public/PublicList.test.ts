import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { PublicLink } from "../../../src/domain/Link.ts"
import type { PublicCursor, PublicQuery } from "../../../src/domain/LinkQuery.ts"
import type { PublicSort } from "../../../src/shared/ListParameters.ts"
import { PublicList } from "../../../src/store/public/PublicList.ts"
import { effectTest, libraryTest } from "../../support/effect.ts"
import { queryPlans } from "../../support/queryPlans.ts"
import {
  compareNames,
  inOrder,
  type RawLink,
  randomLinks,
  randomOf,
  writeLinks
} from "../../support/randomLibrary.ts"
import { byTier, long } from "../../support/tier.ts"
import { ask as asked, hide, linkOf, paged, projection, save, set, titlesOf } from "./shared.ts"

const it = libraryTest(projection)
/** A test on a library of its own: a connection that has explained a statement keeps its lock. */
const explaining = effectTest(projection)

type Listed = Exclude<PublicSort, "relevance">

const ask = (sort: Listed, text = "", more: Partial<PublicQuery> = {}) => asked(text, { sort, ...more })

const count = (query: PublicQuery) => Effect.flatMap(PublicList, (list) => list.count(query))

const sorts = ["newest", "oldest", "title", "collection"] as const

/** The shared links in this order. */
const sharedInOrder = (links: ReadonlyArray<RawLink>, sort: Listed) =>
  inOrder(links, sort).filter(({ shareable }) => shareable)

const cases: ReadonlyArray<
  readonly [query: (sort: Listed) => PublicQuery, fits: (link: RawLink) => boolean]
> = [
  [(sort) => ask(sort), () => true],
  [(sort) => ask(sort, "category:reading"), ({ category }) => category === "reading"],
  [(sort) => ask(sort, "-category:reading"), ({ category }) => category !== "reading"],
  [(sort) => ask(sort, "tag:one"), ({ tags }) => tags.includes("one")],
  [
    (sort) => ask(sort, "tag:one category:cooking"),
    ({ category, tags }) => tags.includes("one") && category === "cooking"
  ],
  [(sort) => ask(sort, "tag:.private"), () => false],
  [(sort) => ask(sort, "-tag:.private"), () => true],
  [(sort) => ask(sort, "collection:zED"), ({ collection }) => collection === "Zed"],
  [(sort) => ask(sort, "-collection:b"), ({ collection }) => collection !== "b"],
  [(sort) => ask(sort, "", { collection: "a" }), ({ collection }) => collection === "A"],
  [(sort) => ask(sort, "", { collection: null }), ({ collection }) => collection === null],
  [(sort) => ask(sort, "after:2026-01-02"), ({ createdAt }) => createdAt >= "2026-01-02"],
  [(sort) => ask(sort, "link"), () => true],
  [(sort) => ask(sort, "link tag:two"), ({ tags }) => tags.includes("two")],
  [(sort) => ask(sort, "-nothing"), () => true],
  [(sort) => ask(sort, "-private"), () => true],
  [(sort) => ask(sort, "is:shareable"), () => true],
  [(sort) => ask(sort, "-is:shareable -is:favorite"), () => true]
]

const raw = (title: string, more: Partial<RawLink> = {}): RawLink => ({
  title,
  collection: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  shareable: true,
  category: "reading",
  tags: [],
  ...more
})

/** Titles, some of them equal except for case. */
const TITLES = ["same", "SAME", "Same", "s", "äpfel", "Äpfel", "", "🦊", "日本", "zz"]
/** Collections that NOCASE distinguishes, though a person may not. */
const SHELVES = ["b", "A", "a b", "ä", "Ä", "é", "e\u0301", "E", "_", "Zed", "10", "9", ""]

/** Links of which many have the same title, time and collection. */
const alike = (seed: number, size: number): ReadonlyArray<RawLink> => {
  const random = randomOf(seed)
  const pick = (all: ReadonlyArray<string>) => all[Math.floor(random() * all.length)] ?? ""
  const times = 1 + Math.floor(random() * 3)
  return Array.from({ length: size }, (_, n) =>
    raw(pick(TITLES), {
      description: `n${n}`,
      collection: random() < 0.3 ? null : pick(SHELVES.slice(0, 1 + Math.floor(random() * SHELVES.length))),
      createdAt: `2026-01-0${1 + Math.floor(random() * times)}T00:00:00.000Z`,
      shareable: random() < 0.7
    })
  )
}

/** The descriptions, which are unique. */
const namesOf = ({ links }: { readonly links: ReadonlyArray<string> }) =>
  links.map((json): string => JSON.parse(json).description)

/** The descriptions of all pages in turn. */
const pagesOf = Effect.fnUntraced(function* (query: PublicQuery, limit: number) {
  const list = yield* PublicList
  const pages: Array<ReadonlyArray<string>> = []
  const cursors: Array<PublicCursor> = []
  let cursor: PublicCursor | undefined
  while (pages.length < 2_000) {
    const page = yield* list.page({ ...query, cursor }, limit)
    pages.push(namesOf(page))
    if (page.next === null) return { pages, cursors }
    cursors.push(page.next)
    cursor = page.next
  }
  return yield* Effect.dieMessage("the pages have no end")
})

describe("PublicList", () => {
  it("writes links in the schema's shape, without private data", function* () {
    const list = yield* PublicList
    const id = yield* save("Tïtle\u2028", {
      note: "secretnote",
      text: "secrettext",
      tags: [".secrettag", "open", ".秘密"],
      collection: "Mine",
      favorite: true,
      image: "https://example.org/i.png",
      url: "https://example.org/a"
    })
    const [json = ""] = (yield* list.page(ask("newest"), 10)).links
    const link = yield* Schema.decodeUnknown(Schema.parseJson(PublicLink), { onExcessProperty: "error" })(
      json
    )
    expect(link).toMatchObject({
      title: "Tïtle\u2028",
      collection: "Mine",
      tags: ["open"],
      url: "https://example.org/a",
      host: "example.org",
      category: "other",
      image: "https://example.org/i.png",
      favicon: null
    })
    expect(json).not.toMatch(/secret|秘密|favorite|shareable/)
    const [found] = yield* list.found([id])
    expect(found?.json).toBe(json)
    expect(found?.fields).toMatchObject({ id, tags: '["open"]', note: "", text: "" })
  })

  it("lists shared links by collection, newest first, and unfiled links last", function* () {
    const link = (title: string, collection: string | null, day: number, shareable = true) =>
      raw(title, { collection, createdAt: `2026-01-0${day}T00:00:00.000Z`, shareable })
    yield* writeLinks([
      link("z1", "zoo", 1),
      link("none 1", null, 1),
      link("a2", "Apples", 2),
      link("b1", "bees", 1, false),
      link("a3", "Apples", 3),
      link("none 3", null, 3),
      link("a3 too", "Apples", 3)
    ])
    for (const limit of [1, 2, 3, 7])
      expect((yield* paged(ask("collection"), limit)).titles).toEqual([
        "a3 too",
        "a3",
        "a2",
        "z1",
        "none 3",
        "none 1"
      ])
  })

  for (const [seed, size] of byTier([0, 1, 12], [0, 1, 2, 17, 60]).entries())
    it(`pages through ${size} links in every order, with every filter`, function* () {
      const links = randomLinks(seed, size)
      yield* writeLinks(links)
      for (const sort of sorts)
        for (const [queryOf, fits] of cases) {
          const query = queryOf(sort)
          const expected = sharedInOrder(links, sort)
            .filter(fits)
            .map(({ title }) => title)
          const { collection, filters, terms } = query
          const about = { sort, filters, terms, collection }
          for (const limit of byTier([3, 50], [1, 3, 7, 50])) {
            const { sizes, titles } = yield* paged(query, limit)
            expect({ ...about, limit, titles }).toEqual({ ...about, limit, titles: expected })
            expect(sizes.length).toBe(Math.max(1, Math.ceil(expected.length / limit)))
          }
          expect({ ...about, total: yield* count(query) }).toEqual({ ...about, total: expected.length })
        }
    })

  long(it)("keeps the order in a large library", function* () {
    const links = randomLinks(4, 1_500)
    yield* writeLinks(links)
    for (const sort of sorts)
      for (const [queryOf, fits] of cases) {
        const expected = sharedInOrder(links, sort)
          .filter(fits)
          .map(({ title }) => title)
        expect((yield* paged(queryOf(sort), 373)).titles).toEqual(expected)
      }
  })

  for (const sort of sorts)
    it(`pages by ${sort} through links with equal values, each once`, function* () {
      const sql = yield* SqlClient.SqlClient
      for (let seed = 0; seed < byTier(2, 6); seed++) {
        yield* sql`DELETE FROM links`
        yield* sql`DELETE FROM collections`
        const links = alike(seed, 3 + seed * 9)
        yield* writeLinks(links)
        const expected = sharedInOrder(links, sort).map(({ description }) => description ?? "")
        for (const limit of [1, 3, expected.length - 1, expected.length, expected.length + 1]) {
          if (limit < 1) continue
          const { pages } = yield* pagesOf(ask(sort), limit)
          expect({ seed, limit, links: pages.flat() }).toEqual({ seed, limit, links: expected })
          const full = Math.max(1, Math.ceil(expected.length / limit))
          expect({ seed, limit, pages: pages.length }).toEqual({ seed, limit, pages: full })
        }
      }
    })

  for (const sort of sorts)
    it(`pages by ${sort} through identical links around the page size`, function* () {
      for (const collection of [null, "One"])
        for (const size of [0, 1, 4, 5, 9]) {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DELETE FROM links`
          yield* sql`DELETE FROM collections`
          yield* writeLinks(
            Array.from({ length: size }, (_, n) => raw("same", { collection, description: `${n}` }))
          )
          const { cursors, pages } = yield* pagesOf(ask(sort), 4)
          const all = Array.from({ length: size }, (_, n) => `${n}`)
          const expected = sort === "newest" || sort === "collection" ? all.toReversed() : all
          expect(pages.flat()).toEqual(expected)
          expect(pages.length).toBe(Math.max(1, Math.ceil(size / 4)))
          // The cursor counts the links of this value over all pages so far.
          expect(cursors.map(({ seen }) => seen)).toEqual(cursors.map((_, page) => 4 * (page + 1)))
        }
    })

  it("returns a cursor of a value and the number of links seen with it", function* () {
    const list = yield* PublicList
    for (let n = 0; n < 3; n++) {
      yield* hide("Same")
      yield* save("Same", { collection: "Mine", createdAt: "2026-01-02" })
    }
    yield* save("Other", { createdAt: "2026-01-01" })
    const next = (sort: Listed, limit: number) => Effect.map(list.page(ask(sort), limit), (page) => page.next)
    expect(yield* next("newest", 2)).toEqual({ sort: "newest", value: "2026-01-02", seen: 2 })
    expect(yield* next("oldest", 2)).toEqual({ sort: "oldest", value: "2026-01-02", seen: 1 })
    expect(yield* next("title", 3)).toEqual({ sort: "title", value: "Same", seen: 2 })
    expect(yield* next("collection", 2)).toEqual({
      sort: "collection",
      value: ["Mine", "2026-01-02"],
      seen: 2
    })
    expect(yield* next("newest", 4)).toBeNull()
  })

  it("sorts by newest if relevance is requested without a search", function* () {
    const links = randomLinks(12, 50)
    yield* writeLinks(links)
    const { titles } = yield* paged(asked(), 7)
    expect(titles).toEqual(sharedInOrder(links, "newest").map(({ title }) => title))
  })

  for (const sort of sorts)
    it(`omits only the link unshared between two pages by ${sort}`, function* () {
      const sql = yield* SqlClient.SqlClient
      for (let seed = 0; seed < byTier(1, 4); seed++) {
        yield* sql`DELETE FROM links`
        yield* sql`DELETE FROM collections`
        const links = alike(seed + 100, byTier(20, 40))
        yield* writeLinks(links)
        const list = yield* PublicList
        const expected = sharedInOrder(links, sort).map(({ description }) => description ?? "")
        const first = yield* list.page(ask(sort), 6)
        const gone = expected[7 + ((seed * 5) % (expected.length - 7))] ?? ""
        yield* sql`UPDATE links SET shareable = 0 WHERE description = ${gone}`
        const all = [...namesOf(first)]
        let cursor = first.next
        while (cursor !== null) {
          const page: Effect.Effect.Success<ReturnType<PublicList["Type"]["page"]>> = yield* list.page(
            { ...ask(sort), cursor },
            6
          )
          all.push(...namesOf(page))
          cursor = page.next
        }
        expect({ seed, links: all }).toEqual({ seed, links: expected.filter((name) => name !== gone) })
      }
    })

  for (const sort of sorts)
    it(`returns the same pages and cursors by ${sort} with and without private links`, function* () {
      const sql = yield* SqlClient.SqlClient
      const links = alike(7, byTier(20, 60))
      const shared = links.filter(({ shareable }) => shareable)
      yield* writeLinks(shared)
      const without = yield* pagesOf(ask(sort), 5)
      yield* sql`DELETE FROM links`
      yield* sql`DELETE FROM collections`
      yield* writeLinks(links)
      expect(yield* pagesOf(ask(sort), 5)).toEqual(without)
    })

  it("continues after the cursor's collection was deleted, and skips nothing", function* () {
    yield* writeLinks(randomLinks(9, 60).map((link) => ({ ...link, shareable: true })))
    const list = yield* PublicList
    const sql = yield* SqlClient.SqlClient
    const whole = (yield* paged(ask("collection"), 100)).titles
    const first = yield* list.page(ask("collection"), 20)
    const { collection } = linkOf(first.links.at(-1) ?? "")
    yield* sql`DELETE FROM links WHERE collection_id = (SELECT id FROM collections WHERE name = ${collection})`
    yield* sql`DELETE FROM collections WHERE name = ${collection}`
    const left = new Set((yield* paged(ask("collection"), 100)).titles)
    const rest = yield* list.page({ ...ask("collection"), cursor: first.next ?? undefined }, 100)
    expect(titlesOf(rest)).toEqual(whole.slice(20).filter((title) => left.has(title)))
  })

  it("ignores the cursor of another order", function* () {
    const list = yield* PublicList
    yield* writeLinks(randomLinks(3, 30))
    const whole = yield* list.page(ask("title"), 5)
    const cursor = (yield* list.page(ask("newest"), 5)).next ?? undefined
    expect(yield* list.page({ ...ask("title"), cursor }, 5)).toEqual(whole)
    const search: PublicCursor = { sort: "relevance", value: 5, seen: 0 }
    expect(yield* list.page({ ...ask("title"), cursor: search }, 5)).toEqual(whole)
  })

  explaining("reads every page from an index, without sorting", function* () {
    const list = yield* PublicList
    for (const collection of ["a", "b", "c", null])
      for (let n = 0; n < 3; n++) yield* save(`${n}`, { collection })
    const walk = Effect.gen(function* () {
      for (const sort of sorts) {
        let cursor: PublicCursor | undefined
        for (let page = 0; page < 6; page++) {
          const rows: Effect.Effect.Success<ReturnType<PublicList["Type"]["page"]>> = yield* list.page(
            { ...ask(sort), cursor },
            2
          )
          cursor = rows.next ?? undefined
        }
      }
    })
    const plans = yield* queryPlans(walk)
    expect(plans.length).toBeGreaterThan(8)
    for (const { details, statement } of plans)
      expect({ statement, details }).toEqual({
        statement,
        details: [expect.stringMatching(/^(SEARCH|SCAN) p USING INDEX /)]
      })
  })

  it("applies every operator and its negation, and ignores favorites", function* () {
    const list = yield* PublicList
    yield* save("Alpha paper", {
      favorite: true,
      category: "reading",
      collection: "Later on",
      tags: ["red", "cpp", ".quiet"],
      host: "www.blog.example",
      url: "https://www.blog.example/1",
      createdAt: "2025-06-01T00:00:00.000Z"
    })
    yield* save("Beta paper", { tags: [".red"] })
    yield* hide("Hidden paper", { category: "reading", collection: "Later on", tags: ["red"] })
    const titles = (text: string) =>
      Effect.map(list.page(ask("title", text), 10), (page) => titlesOf(page).join())
    const both = "Alpha paper,Beta paper"
    for (const [text, expected] of [
      ["category:Reading", "Alpha paper"],
      ["-category:reading", "Beta paper"],
      ['collection:"later ON"', "Alpha paper"],
      ['-collection:"later on"', "Beta paper"],
      ["tag:#Red", "Alpha paper"],
      ["tag:C++", "Alpha paper"],
      ["-tag:red", "Beta paper"],
      ["tag:.quiet", ""],
      ["tag:.red", ""],
      ["-tag:.red", both],
      ["site:example.org", "Beta paper"],
      ["site:blog.example", "Alpha paper"],
      ["site:www.blog.example", "Alpha paper"],
      ["site:log.example", ""],
      ["site:%", ""],
      ["-site:example", "Beta paper"],
      ["before:2026-01-01", "Alpha paper"],
      ["after:2026-01-01", "Beta paper"],
      ["paper -beta", "Alpha paper"],
      ['"alpha paper"', "Alpha paper"],
      ["-alpha", "Beta paper"],
      ['paper -"alpha paper"', "Beta paper"],
      ["alp", "Alpha paper"],
      ["hidden", ""],
      ["is:favorite", both],
      ["-is:favorite", both],
      ["is:shareable", both],
      ["-is:shareable", both],
      ["paper -is:favorite -is:shareable", both]
    ] as const)
      expect([text, yield* titles(text)]).toEqual([text, expected])
  })

  it("counts a collection, unfiled links and all links separately", function* () {
    yield* save("a", { collection: "Mine" })
    yield* save("b", { collection: "Mine" })
    yield* save("c")
    yield* hide("d", { collection: "Mine" })
    for (const [collection, total] of [
      [undefined, 3],
      [null, 1],
      ["mine", 2],
      ["null", 0],
      [undefined, 3]
    ] as const)
      expect([collection, yield* count(ask("newest", "", { collection }))]).toEqual([collection, total])
  })

  it("counts again after a change", function* () {
    const id = yield* save("a")
    yield* save("b")
    expect(yield* count(ask("newest"))).toBe(2)
    yield* set(id, "shareable", 0)
    expect(yield* count(ask("newest"))).toBe(1)
  })

  it("returns shared links by id in the requested order", function* () {
    const list = yield* PublicList
    const [a, b, c] = [yield* save("a"), yield* hide("b"), yield* save("c")]
    const found = yield* list.found([c, 999, b, a])
    expect(found.map(({ fields }) => fields.id)).toEqual([c, a])
    expect(found.map(({ json }) => linkOf(json).title)).toEqual(["c", "a"])
  })

  explaining("finds the pages of a shared picture by its exact address", function* () {
    const list = yield* PublicList
    const [image, favicon] = ["https://example.org/i.png", "https://example.org/f.ico"]
    const id = yield* hide("a", { image, favicon })
    const pages = list.pagesWith("image", image)
    expect(yield* pages).toEqual([])
    yield* set(id, "shareable", 1)
    const [page = ""] = yield* pages
    expect(page).toStartWith("https://")
    expect(yield* list.pagesWith("favicon", favicon)).toEqual([page])
    for (const other of [favicon, `${image}?`, image.toUpperCase(), "", "%"])
      expect([other, yield* list.pagesWith("image", other)]).toEqual([other, []])
    yield* set(id, "shareable", 0)
    expect(yield* pages).toEqual([])
    const sql = yield* SqlClient.SqlClient
    for (const column of ["image", "favicon"]) {
      const plan = yield* sql<{ detail: string }>`EXPLAIN QUERY PLAN
          SELECT 1 FROM public_links WHERE ${sql(column)} = ${image} LIMIT 1`
      expect(plan.map(({ detail }) => detail).join()).toContain(
        `USING COVERING INDEX public_links_${column} (`
      )
    }
  })
})

const facets = Effect.flatMap(PublicList, (list) => list.facets)

const counted = (names: ReadonlyArray<string>) =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => ({ name, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))

describe("PublicList.facets", () => {
  it("counts nothing if nothing is shared", function* () {
    yield* writeLinks(randomLinks(1, 30).map((link) => ({ ...link, shareable: false })))
    expect(yield* facets).toEqual({ total: 0, collections: [], categories: [], tags: [] })
  })

  it("counts collections, categories and public tags of shared links alone", function* () {
    const links: ReadonlyArray<RawLink> = [
      ...randomLinks(2, byTier(200, 2_000)),
      raw("hidden", {
        collection: "Nobody's",
        shareable: false,
        category: "hidden",
        tags: ["hidden-tag"]
      })
    ]
    yield* writeLinks(links)
    const shared = links.filter(({ shareable }) => shareable)
    const found = yield* facets
    expect(found.total).toBe(shared.length)
    expect(found.categories).toEqual(counted(shared.map(({ category }) => category)))
    expect(found.tags).toEqual(
      counted(shared.flatMap(({ tags }) => tags.filter((tag) => !tag.startsWith("."))))
    )
    expect(found.collections.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))).toEqual(
      counted(shared.flatMap(({ collection }) => collection ?? []))
    )
    const names = found.collections.map(({ name }) => name)
    expect(names).toEqual(names.toSorted(compareNames))
  })

  it("lists the hundred most used tags", function* () {
    yield* writeLinks(
      Array.from({ length: 150 }, (_, n) =>
        raw(`${n}`, { tags: [`tag-${n}`, ...(n < 120 ? ["busy"] : []), ".busier"] })
      )
    )
    const { tags } = yield* facets
    expect([tags.length, tags[0]]).toEqual([100, { name: "busy", count: 120 }])
  })

  it("reflects every change at once", function* () {
    yield* writeLinks(randomLinks(3, 20).map((link) => ({ ...link, shareable: true })))
    expect((yield* facets).total).toBe(20)
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE links SET shareable = 0 WHERE id > 5`
    expect((yield* facets).total).toBe(5)
    yield* set(1, "tags", '["new-tag",".new-private"]')
    yield* set(1, "category", "new-category")
    const { categories, tags } = yield* facets
    expect(tags.filter(({ name }) => name.includes("new"))).toEqual([{ name: "new-tag", count: 1 }])
    expect(categories).toContainEqual({ name: "new-category", count: 1 })
  })
})
