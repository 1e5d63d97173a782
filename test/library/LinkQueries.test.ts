import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { LinkQueries } from "../../src/library/LinkQueries.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { add, addAll, cookies, databases, file, offline, one, strangers } from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"

const it = libraryTest(offline())

const statistics = Effect.flatMap(LinkQueries, (links) => links.statistics)

/** Sets when the link was saved. */
const savedAt = Effect.fnUntraced(function* (id: LinkId, time: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE links SET created_at = ${time} WHERE id = ${id}`
})

/** The statistics at this time. */
const statisticsAt = (time: string) => {
  const clock = Clock.make()
  const millis = Date.parse(time)
  return Effect.withClock(statistics, {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    currentTimeMillis: Effect.succeed(millis),
    unsafeCurrentTimeMillis: () => millis,
    currentTimeNanos: clock.currentTimeNanos,
    unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
    sleep: (duration) => clock.sleep(duration)
  })
}

describe("LinkQueries.statistics", () => {
  it("of an empty library has 52 empty weeks and no names", function* () {
    const { embeddings, top, weeks, ...counts } = yield* statisticsAt("2026-03-04T12:00:00Z")
    expect(weeks.length).toBe(52)
    expect(weeks.every(({ saved }) => saved === 0)).toBe(true)
    expect(top).toEqual({ sites: [], tags: [], categories: [], collections: [] })
    expect([embeddings.done, embeddings.waiting]).toEqual([0, 0])
    expect(counts).toMatchObject({ links: 0, incomplete: 0, size: { vectors: 0 } })
    expect(counts.size.database).toBeGreaterThan(0)
  })

  it("counts saved links by weeks that begin on Monday at 0:00 UTC", function* () {
    const [a, b, c, d, e] = yield* addAll(cookies)
    if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined) return
    yield* savedAt(a, "2026-03-02T00:00:00.000Z")
    yield* savedAt(b, "2026-03-01T23:59:59.999Z")
    yield* savedAt(c, "2026-02-23T00:00:00.000Z")
    yield* savedAt(d, "2025-03-10T00:00:00.000Z")
    yield* savedAt(e, "2025-03-09T23:59:59.999Z")
    const { savedThisMonth, savedThisWeek, weeks } = yield* statisticsAt("2026-03-04T12:00:00Z")
    // That is a Wednesday.
    expect(weeks.at(-1)).toEqual({ from: "2026-03-02T00:00:00.000Z", saved: 1 })
    expect(weeks.at(-2)).toEqual({ from: "2026-02-23T00:00:00.000Z", saved: 2 })
    expect(weeks.at(0)).toEqual({ from: "2025-03-10T00:00:00.000Z", saved: 1 })
    expect(weeks.reduce((sum, { saved }) => sum + saved, 0)).toBe(4)
    expect([savedThisWeek, savedThisMonth]).toEqual([2, 3])
  })

  it("names the largest sites, tags, categories and collections first, at most twenty of each", function* () {
    yield* addAll(cookies.slice(0, 2), { category: "recipes", tags: ["baking"] })
    yield* file(
      yield* addAll(databases.slice(0, 3), { category: "software", tags: ["sql", "baking"] }),
      "Data"
    )
    yield* file([yield* add(one(strangers), { url: "https://sky.example/night" })], "Sky")
    const { top } = yield* statistics
    expect(top.sites).toEqual([
      { name: "example.org", count: 5 },
      { name: "sky.example", count: 1 }
    ])
    expect(top.tags).toEqual([
      { name: "baking", count: 5 },
      { name: "sql", count: 3 }
    ])
    expect(top.categories.slice(0, 2)).toEqual([
      { name: "software", count: 3 },
      { name: "recipes", count: 2 }
    ])
    expect(top.collections.map(({ count, name }) => [name, count])).toEqual([
      ["Data", 3],
      ["Sky", 1]
    ])
    yield* Effect.forEach(Array.from({ length: 25 }), (_, index) =>
      add(one(strangers), { url: `https://s${index}.example/` })
    )
    expect((yield* statistics).top.sites.length).toBe(20)
  })

  it("counts incomplete links, vectors and what they take on disk", function* () {
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("x"))
    yield* links.finish(link.id, found({ title: "Half a page" }, { fellBack: ["model"] }))
    const before = yield* statistics
    expect(before.incomplete).toBe(1)
    expect(before.embeddings).toMatchObject({ done: 0, waiting: 1 })
    yield* addAll(cookies)
    const after = yield* statistics
    expect(after.embeddings).toMatchObject({ done: 5, waiting: 1 })
    const { embedder } = after.embeddings
    expect(embedder).toBe((yield* Embeddings).name)
    // Each vector has one byte a dimension for its codes and two for its values.
    const dimensions = (after.size.vectors - before.size.vectors) / 5 / 3
    expect(Number.isInteger(dimensions) && dimensions > 100).toBe(true)
  })
})
