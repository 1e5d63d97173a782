import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Stream } from "effect"
import type { LinkQuery } from "../../src/domain/LinkQuery.ts"
import { parseQuery } from "../../src/search/Query.ts"
import { LinkList } from "../../src/store/LinkList.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { type RawLink, randomLinks, writeLinks } from "../support/randomLibrary.ts"

const it = effectTest(stores())

const ask = (text = "", more: Partial<LinkQuery> = {}): LinkQuery => ({
  ...parseQuery(text),
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

const compared = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** SQLite's NOCASE: bytes, but for the case of ASCII letters. */
const folded = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The order as it is defined, over everything at once. */
const inOrder = (links: ReadonlyArray<RawLink>) =>
  links
    .map((link, id) => ({ ...link, id }))
    .sort((a, b) => {
      if (a.collection === null || b.collection === null)
        if (a.collection !== b.collection) return a.collection === null ? 1 : -1
      return (
        compared(folded(a.collection ?? ""), folded(b.collection ?? "")) ||
        compared(b.createdAt, a.createdAt) ||
        b.id - a.id
      )
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
  it(
    "lists collections by name, each the newest first, and links in none last",
    Effect.gen(function* () {
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
  )

  for (const [seed, count] of [0, 1, 2, 3, 17, 40, 90].entries())
    it(
      `shows each of ${count} links once and in order, whatever the page and the filter`,
      Effect.gen(function* () {
        const links = randomLinks(seed, count)
        yield* writeLinks(links)
        for (const [query, fits] of cases) {
          const expected = inOrder(links)
            .filter(fits)
            .map(({ title }) => title)
          for (const limit of [1, 2, 3, 7, 50, undefined]) {
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
      }),
      20_000
    )

  it(
    "keeps to the order where so many links match that it is walked, and streams them in it",
    Effect.gen(function* () {
      const links = randomLinks(4, 4_000)
      yield* writeLinks(links)
      const list = yield* LinkList
      for (const [query, fits] of cases) {
        const expected = inOrder(links)
          .filter(fits)
          .map(({ title }) => title)
        expect((yield* paged({ ...query, limit: 173 })).titles).toEqual(expected)
        const all = Chunk.toReadonlyArray(yield* Stream.runCollect(list.all(query)))
        expect(all.map(titleOf)).toEqual(expected)
      }
    }),
    20_000
  )

  it(
    "goes on from where it was when the cursor's collection or link is gone, and skips nothing that stays",
    Effect.gen(function* () {
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
  )
})
