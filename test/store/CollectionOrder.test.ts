import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Stream } from "effect"
import type { LinkQuery } from "../../src/domain/LinkQuery.ts"
import { parseQuery } from "../../src/search/Query.ts"
import { LinkList } from "../../src/store/LinkList.ts"
import type { Audience } from "../../src/store/Matching.ts"
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
const paged = Effect.fnUntraced(function* (query: LinkQuery, audience: Audience) {
  const list = yield* LinkList
  const titles: Array<string> = []
  let next = query
  for (let pages = 1; pages <= 2_000; pages++) {
    const page = yield* list.page(next, audience)
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

const cases: ReadonlyArray<
  readonly [query: LinkQuery, fits: (link: RawLink) => boolean, ownersOnly?: "owner"]
> = [
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
  [ask("is:shareable"), ({ shareable }) => shareable, "owner"]
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
      const titles = (audience: Audience) => Effect.map(paged(ask(), audience), (all) => all.titles)
      expect(yield* titles("owner")).toEqual(["a3 too", "a3", "a2", "b1", "z1", "none 3", "none 1"])
      expect(yield* titles("public")).toEqual(["a3 too", "a3", "a2", "z1", "none 3", "none 1"])
    })
  )

  for (const [seed, count] of [0, 1, 2, 3, 17, 40, 90].entries())
    it(
      `shows each of ${count} links once and in order, whatever the page and the filter`,
      Effect.gen(function* () {
        const links = randomLinks(seed, count)
        yield* writeLinks(links)
        for (const audience of ["owner", "public"] as const)
          for (const [query, fits, only] of cases) {
            if (only !== undefined && only !== audience) continue
            const expected = inOrder(links)
              .filter((link) => fits(link) && (audience === "owner" || link.shareable))
              .map(({ title }) => title)
            for (const limit of [1, 2, 3, 7, 50, undefined]) {
              const { pages, titles, total } = yield* paged({ ...query, limit }, audience)
              expect({ audience, filters: query.filters, limit, titles, total }).toEqual({
                audience,
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
      for (const audience of ["owner", "public"] as const)
        for (const [query, fits, only] of cases) {
          if (only !== undefined && only !== audience) continue
          const expected = inOrder(links)
            .filter((link) => fits(link) && (audience === "owner" || link.shareable))
            .map(({ title }) => title)
          expect((yield* paged({ ...query, limit: 173 }, audience)).titles).toEqual(expected)
          const all = Chunk.toReadonlyArray(yield* Stream.runCollect(list.all(query, audience)))
          expect(all.map(titleOf)).toEqual(expected)
        }
    }),
    20_000
  )

  it(
    "goes on from where it was when the cursor's collection or link is gone, and skips nothing that stays",
    Effect.gen(function* () {
      yield* writeLinks(randomLinks(9, 60).map((link) => ({ ...link, shareable: true })))
      const list = yield* LinkList
      const sql = yield* SqlClient.SqlClient
      const whole = (yield* paged(ask(), "public")).titles
      const first = yield* list.page(ask("", { limit: 20 }), "public")
      const last = JSON.parse(first.links.at(-1) ?? "{}")
      yield* sql`DELETE FROM links WHERE collection_id = (SELECT id FROM collections WHERE name = ${last.collection})`
      yield* sql`DELETE FROM collections WHERE name = ${last.collection}`
      const left = new Set((yield* paged(ask(), "public")).titles)
      const rest = yield* list.page(ask("", { cursor: first.next ?? undefined }), "public")
      expect(rest.links.map(titleOf)).toEqual(whole.slice(20).filter((title) => left.has(title)))
    })
  )

  it(
    "has an index of the shared links alone that holds each collection in this order",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const plan = yield* sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT l.title, c.name
        FROM collections c CROSS JOIN links l INDEXED BY links_shared ON l.collection_id = c.id
        WHERE l.shareable = 1 ORDER BY c.name, l.created_at DESC, l.id DESC LIMIT 51`
      expect(plan.map(({ detail }) => detail).join("; ")).not.toContain("TEMP B-TREE")
    })
  )
})
