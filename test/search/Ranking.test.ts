import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { makeSnapshots, type Snapshot } from "../../src/search/Ranking.ts"

const snapshot = (id: number): Snapshot => ({
  ids: [id],
  total: 1,
  terms: [],
  excerpts: new Map(),
  match: { by: "words" },
  also: [],
  olderThan: null
})

/** Snapshots whose searches return 1, 2, 3, … in turn, which identifies the search behind an answer. */
const counting = () => {
  const snapshots = makeSnapshots()
  let searches = 0
  return (key: string, stamp: string | null) =>
    Effect.runSync(
      snapshots.get(
        key,
        stamp,
        Effect.sync(() => snapshot(++searches))
      )
    ).ids[0]
}

describe("makeSnapshots", () => {
  test("caches a first page until a change", () => {
    const get = counting()
    expect([get("q", "s"), get("q", "s"), get("q", "s")]).toEqual([1, 1, 1])
  })

  test("repeats the search for a first page after a change", () => {
    const get = counting()
    expect([get("q", "s"), get("q", "t"), get("q", "t"), get("q", "s")]).toEqual([1, 2, 2, 3])
  })

  test("caches later pages across changes", () => {
    const get = counting()
    expect([get("q", "s"), get("q", null), get("r", "t"), get("q", null)]).toEqual([1, 1, 2, 1])
  })

  test("serves later pages from the newest first page", () => {
    const get = counting()
    expect([get("q", "s"), get("q", "t"), get("q", null)]).toEqual([1, 2, 2])
  })

  test("searches for an uncached later page and again for the first page", () => {
    const get = counting()
    expect([get("q", null), get("q", null), get("q", "s")]).toEqual([1, 1, 2])
  })

  test("caches each query separately", () => {
    const get = counting()
    expect([get("q", "s"), get("r", "s"), get("q", null), get("r", null)]).toEqual([1, 2, 1, 2])
  })

  test("evicts the least recently used of 65 searches", () => {
    const get = counting()
    for (let n = 1; n <= 64; n++) expect(get(`${n}`, "s")).toBe(n)
    expect(get("1", null)).toBe(1)
    expect(get("65", "s")).toBe(65)
    expect(get("1", null)).toBe(1)
    expect(get("3", null)).toBe(3)
    expect(get("2", null)).toBe(66)
  })

  test("caches no failed search", () => {
    const snapshots = makeSnapshots()
    const failed = Effect.runSync(Effect.either(snapshots.get("q", "s", Effect.fail("no"))))
    expect(failed).toEqual(Either.left("no"))
    expect(Effect.runSync(snapshots.get("q", "s", Effect.succeed(snapshot(7))))).toEqual(snapshot(7))
  })
})
