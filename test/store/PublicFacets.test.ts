import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { PublicFacets } from "../../src/store/PublicFacets.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { type RawLink, randomLinks, writeLinks } from "../support/randomLibrary.ts"

const it = effectTest(stores())

const facets = Effect.flatMap(PublicFacets, (store) => store.facets)

const counted = (names: ReadonlyArray<string>) =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => ({ name, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))

describe("PublicFacets", () => {
  it(
    "counts nothing where nothing is shared",
    Effect.gen(function* () {
      yield* writeLinks(randomLinks(1, 30).map((link) => ({ ...link, shareable: false })))
      expect(yield* facets).toEqual({ total: 0, collections: [], categories: [], tags: [] })
    })
  )

  it(
    "counts what the shared links carry, and names neither private tags nor what only others carry",
    Effect.gen(function* () {
      const links: ReadonlyArray<RawLink> = [
        ...randomLinks(2, 6_500),
        {
          title: "hidden",
          collection: "Nobody's",
          createdAt: "2026-02-02",
          shareable: false,
          category: "hidden",
          tags: ["hidden-tag"]
        }
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
      expect(names).toEqual(
        names.toSorted((a, b) => Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase())))
      )
    })
  )

  it(
    "names the hundred busiest tags",
    Effect.gen(function* () {
      yield* writeLinks(
        Array.from({ length: 150 }, (_, n) => ({
          title: `${n}`,
          collection: null,
          createdAt: "2026-01-01",
          shareable: true,
          category: "reading",
          tags: [`tag-${n}`, ...(n < 120 ? ["busy"] : [])]
        }))
      )
      const { tags } = yield* facets
      expect([tags.length, tags[0]]).toEqual([100, { name: "busy", count: 120 }])
    })
  )

  it(
    "knows of a change at once",
    Effect.gen(function* () {
      yield* writeLinks(randomLinks(3, 20).map((link) => ({ ...link, shareable: true })))
      expect((yield* facets).total).toBe(20)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE links SET shareable = 0 WHERE id > 5`
      expect((yield* facets).total).toBe(5)
    })
  )
})
