import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { LinkId } from "../../../src/domain/Link.ts"
import { type LinkQuery, parseQuery } from "../../../src/domain/LinkQuery.ts"
import { FilingStore } from "../../../src/store/links/CollectionStore.ts"
import { LinkList } from "../../../src/store/links/LinkList.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { RankedText } from "../../../src/store/search/RankedText.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { queryPlans } from "../../support/queryPlans.ts"

const it = libraryTest(Layer.provideMerge(RankedText.layer, stores()))

const ids = [1, 2, 3]

const admitted = (query: Omit<LinkQuery, "sort">) =>
  Effect.flatMap(RankedText, (store) => store.admitted(ids, { ...query, sort: "newest" }))

/**
 * Statements about given links. SQLite guesses that a few links match a condition such as "in no collection": without
 * help it reads all of them, and then looks for the given ones among them, which took a second in a large library.
 */
const lookUps: ReadonlyArray<
  readonly [string, Effect.Effect<unknown, never, FilingStore | LinkStore | RankedText>]
> = [
  [
    "that can be filed",
    Effect.flatMap(FilingStore, (store) => store.fileable(ids.map((id) => ({ id, to: "Baking" }))))
  ],
  ["that can be recategorized", Effect.flatMap(FilingStore, (store) => store.categorizable(ids, false))],
  ["whole", Effect.flatMap(LinkStore, (store) => store.getAll(ids.map((id) => LinkId.make(id))))],
  ...["is:favorite", "is:unread", "is:partial", "category:reading", "site:example.com"].map(
    (text) => [text, admitted(parseQuery(text, 0))] as const
  ),
  ["in no collection", admitted({ ...parseQuery("", 0), collection: null })]
]

describe("statements about given links", () => {
  for (const [name, lookUp] of lookUps)
    it(`read the given ones alone: ${name}`, function* () {
      const plans = yield* queryPlans(lookUp)
      expect(plans.length).toBeGreaterThan(0)
      for (const { details, statement } of plans)
        for (const detail of details.filter((one) => /^(SEARCH|SCAN) (l|links)\b/.test(one)))
          expect({ statement, detail }).toEqual({
            statement,
            detail: expect.stringContaining("rowid=?)")
          })
    })
})

describe("links with exactly this title or address", () => {
  for (const filter of ["is:unread", "is:favorite", "category:reading", "site:example.com", "is:unfiled"])
    it(`are found by the indexes of both, also with ${filter}`, function* () {
      const text = yield* RankedText
      const plans = yield* queryPlans(
        text.exact({ ...parseQuery(filter, 0), sort: "newest" }, "title", "https://example.com/")
      )
      const details = plans.flatMap((one) => one.details)
      expect(details.filter((one) => /^(SEARCH|SCAN) l\b/.test(one))).toEqual([
        "SEARCH l USING INTEGER PRIMARY KEY (rowid=?)"
      ])
      expect(details.filter((one) => /^SEARCH links USING (COVERING )?INDEX/.test(one)).length).toBe(2)
    })
})

/** Searches for what few links have, and how their links are found; newest first, all links would be read otherwise. */
const few: ReadonlyArray<readonly [search: string, plan: string]> = [
  ["is:broken", "SEARCH link_checks USING COVERING INDEX link_checks_state"],
  ["is:moved", "SEARCH link_checks USING COVERING INDEX link_checks_state"],
  ["is:changed", "SEARCH link_checks USING COVERING INDEX link_checks_state"],
  ["has:highlight", "SCAN highlights USING COVERING INDEX highlights_link"]
]

describe("searches for what few links have", () => {
  for (const [search, plan] of few)
    it(`read their own index and those links alone: ${search}`, function* () {
      const list = yield* LinkList
      const plans = yield* queryPlans(list.page({ ...parseQuery(search, 0), sort: "newest", limit: 50 }))
      const details = plans.flatMap((one) => one.details)
      expect(details).toContainEqual(expect.stringContaining(plan))
      expect(details.filter((one) => /^SCAN (l|links|link_checks)\b/.test(one))).toEqual([])
    })
})

describe("a list", () => {
  it("finds what is kept of each link by the link's number", function* () {
    const list = yield* LinkList
    const plans = yield* queryPlans(list.page({ ...parseQuery("", 0), sort: "newest", limit: 50 }))
    const details = plans.flatMap((one) => one.details)
    for (const found of [/^SEARCH k USING INTEGER PRIMARY KEY/, /^SEARCH pages USING INTEGER PRIMARY KEY/])
      expect(details).toContainEqual(expect.stringMatching(found))
    expect(details).toContainEqual(
      expect.stringContaining("SEARCH highlights USING COVERING INDEX highlights_link")
    )
  })
})
