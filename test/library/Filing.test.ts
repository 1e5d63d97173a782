import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import type { Saved } from "../../src/library/SaveLink.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import {
  add,
  addAll,
  categories,
  categorize,
  collections,
  cookies,
  databases,
  file,
  offline,
  one,
  players,
  save,
  strangers
} from "../support/libraryOf.ts"
import { byTier } from "../support/tier.ts"

const it = libraryTest(offline())

/** Three links in the collection `Baking`, and three in `Databases`. */
const shelves = Effect.gen(function* () {
  const baking = yield* addAll(cookies.slice(0, 3))
  yield* file(baking, "Baking")
  const storing = yield* addAll(databases.slice(0, 3))
  yield* file(storing, "Databases")
  return { baking, storing }
})

const filedOf = (saved: Saved | undefined) =>
  Option.getOrUndefined(Option.flatMap(Option.fromNullable(saved), ({ filed }) => filed))

describe("filing a link that is saved", () => {
  it("chooses the collection of similar links, and names them, most similar first", function* () {
    const { baking } = yield* shelves
    const [saved] = yield* save([one(cookies, 3)])
    expect(saved?.link.collection?.name).toBe("Baking")
    const filed = filedOf(saved)
    expect(filed?.collection.name).toBe("Baking")
    expect(filed?.because.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(baking)
    const similarities = filed?.because.map(({ similarity }) => similarity) ?? []
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
  })

  it("distinguishes two collections", function* () {
    yield* shelves
    const saved = yield* save([one(databases, 3), one(cookies, 4), one(databases, 4)])
    expect(saved.map((each) => filedOf(each)?.collection.name)).toEqual(["Databases", "Baking", "Databases"])
  })

  it("leaves a link unfiled that resembles no collection", function* () {
    yield* shelves
    const saved = yield* save(strangers)
    expect(saved.map(({ link }) => link.collection)).toEqual([null, null])
    expect(saved.map(filedOf)).toEqual([undefined, undefined])
  })

  it("keeps a link in its collection", function* () {
    yield* shelves
    const refresh = yield* Refresh
    const id = yield* add(one(cookies, 3))
    yield* file([id], "Christmas")
    yield* refresh.refresh(id)
    const [again] = yield* save([one(cookies, 3)])
    expect([again?.created, again?.link.collection?.name, filedOf(again)]).toEqual([
      false,
      "Christmas",
      undefined
    ])
  })

  it("keeps a link unfiled that the owner took out of its collection", function* () {
    yield* shelves
    const refresh = yield* Refresh
    const [saved] = yield* save([one(cookies, 3)])
    const id = saved?.link.id ?? LinkId.make(1)
    yield* file([id], null)
    yield* refresh.refresh(id)
    expect(yield* collections([id])).toEqual([null])
  })

  it("files an unfiled link when it is refreshed", function* () {
    const refresh = yield* Refresh
    const [saved] = yield* save([one(cookies, 3)])
    const id = saved?.link.id ?? LinkId.make(1)
    expect(yield* collections([id])).toEqual([null])
    yield* shelves
    yield* refresh.refresh(id)
    expect(yield* collections([id])).toEqual(["Baking"])
  })

  it("gives a link without a category the most common one of its neighbours, even if unfiled", function* () {
    yield* addAll(cookies.slice(0, 2), { category: "recipes" })
    yield* add(one(cookies, 2), { category: "sweets" })
    yield* addAll(players, { category: "music" })
    const saved = yield* save([one(cookies, 3), one(strangers)])
    expect(saved.map(({ link }) => [link.category, link.collection])).toEqual([
      ["recipes", null],
      ["unsorted", null]
    ])
  })

  it("keeps a category that the model or the owner chose", function* () {
    const refresh = yield* Refresh
    yield* addAll(cookies.slice(0, 3), { category: "recipes" })
    const given = yield* add(one(cookies, 3), { category: "sweets" })
    const chosen = yield* add(one(cookies, 4))
    yield* categorize([chosen], "unsorted")
    yield* Effect.forEach([given, chosen], refresh.refresh)
    expect(yield* categories([given, chosen])).toEqual(["sweets", "unsorted"])
  })

  it("ignores deleted links", function* () {
    const links = yield* LinkStore
    const { baking } = yield* shelves
    yield* links.remove(baking)
    const [saved] = yield* save([one(cookies, 3)])
    expect([saved?.link.collection, filedOf(saved)]).toEqual([null, undefined])
  })
})

describe("a link that was filed", () => {
  const reasons = (ids: ReadonlyArray<LinkId>) =>
    Effect.flatMap(LinkStore, (links) =>
      Effect.map(links.getAll(ids), (all) => all.map(({ filedBecause }) => filedBecause))
    )
  const refuse = (ids: ReadonlyArray<LinkId>) => Effect.flatMap(EditLinks, (edits) => edits.refuse(ids))
  const undo = (token: string) => Effect.flatMap(EditLinks, (edits) => edits.undo(token))
  const refresh = (id: LinkId) => Effect.flatMap(Refresh, (refreshes) => refreshes.refresh(id))

  /** Saves a link that is filed under Baking. */
  const filed = Effect.gen(function* () {
    const { baking } = yield* shelves
    const [saved] = yield* save([one(cookies, 3)])
    return { baking, id: saved?.link.id ?? LinkId.make(0) }
  })

  it("says why, until the owner moves it", function* () {
    const { baking, id } = yield* filed
    const [because] = yield* reasons([id])
    expect(because?.map((each) => each.id).toSorted((a, b) => a - b)).toEqual(baking)
    for (const { similarity } of because ?? [])
      expect(similarity).toBe(Math.round(similarity * 10_000) / 10_000)
    const { undo: token } = yield* file([id], "Christmas")
    expect(yield* reasons([id])).toEqual([null])
    yield* undo(token)
    expect(yield* reasons([id])).toEqual([because ?? null])
  })

  it("leaves the collection that the owner refuses, and is never filed there again", function* () {
    const { id } = yield* filed
    const before = yield* reasons([id])
    const { undo: token } = yield* refuse([id])
    expect([yield* collections([id]), yield* reasons([id])]).toEqual([[null], [null]])
    yield* refresh(id)
    yield* save([one(cookies, 3)])
    expect(yield* collections([id])).toEqual([null])
    const { undo: redo } = yield* undo(token)
    expect([yield* collections([id]), yield* reasons([id])]).toEqual([["Baking"], before])
    yield* undo(redo)
    yield* refresh(id)
    expect(yield* collections([id])).toEqual([null])
  })

  it("is filed in the next best collection", function* () {
    const { baking, id } = yield* filed
    const [moved = LinkId.make(0)] = baking
    yield* file([moved], "Desserts")
    yield* add(
      { title: "Desserts", description: "Peanut butter cookies: peanut butter, sugar and an egg" },
      {
        url: "https://example.org/desserts"
      }
    ).pipe(Effect.flatMap((other) => file([other], "Desserts")))
    yield* refuse([id])
    yield* refresh(id)
    expect(yield* collections([id])).toEqual(["Desserts"])
  })

  for (const size of byTier([1, 101], [1, 100, 101]))
    it(`is refused and comes back, ${size} at once, some of them in no collection`, function* () {
      const ids = yield* addAll(
        Array.from({ length: size + 1 }, (_, n) => ({ title: `Page ${n}`, description: "" }))
      )
      const [loose = LinkId.make(0), ...others] = ids
      yield* file(others, "All")
      const { undo: token } = yield* refuse(ids)
      expect(new Set(yield* collections(ids))).toEqual(new Set([null]))
      const { undo: redo } = yield* undo(token)
      expect(yield* collections(ids)).toEqual([null, ...others.map(() => "All")])
      yield* undo(redo)
      expect(new Set(yield* collections(ids))).toEqual(new Set([null]))
      const sql = yield* SqlClient.SqlClient
      const refused = yield* sql<{ id: number }>`SELECT id FROM links WHERE json_array_length(refused) = 1`
      expect(refused.map(({ id }) => id)).toEqual(others)
      expect(others).not.toContain(loose)
    })

  it("is never published by its filing: shared collections are not chosen", function* () {
    const { baking } = yield* shelves
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE collections SET shareable = 1, shared = 1 WHERE name = 'Baking'`
    yield* sql`UPDATE links SET in_shared = 1 WHERE id IN ${sql.in(baking)}`
    const [saved] = yield* save([one(cookies, 3)])
    expect(saved?.link.collection).toBeNull()
  })
})
