import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { UndoNotFound } from "../../../src/domain/Change.ts"
import { LinkId, LinkNotFound } from "../../../src/domain/Link.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { FacetStore } from "../../../src/store/links/CollectionStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"

const it = libraryTest(stores())

const two = Effect.gen(function* () {
  const links = yield* LinkStore
  const a = yield* links.upsert(newLink("a"))
  const b = yield* links.upsert(newLink("b"))
  return [a.link.id, b.link.id] as const
})

/** Undoes the change completely and returns the token that redoes it. */
const undone = Effect.fnUntraced(function* (token: string, force = false) {
  const changes = yield* ChangeStore
  const back = yield* changes.undo(token, { force })
  for (const change of yield* changes.unfinished) {
    yield* changes.edit(change, yield* changes.next(change, { most: 100 }))
    yield* changes.finish(change)
  }
  return back
})

describe("ChangeStore", () => {
  it("changes all links, and undoes only the changed fields", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const [a, b] = yield* two
    const token = yield* changes.apply({
      fields: ["favorite"],
      links: [
        { id: a, favorite: true },
        { id: b, favorite: true }
      ]
    })
    yield* changes.apply({ fields: ["title"], links: [{ id: a, title: "Mine", titleByHand: true }] })
    yield* undone(token)
    expect(yield* links.getAll([a, b])).toMatchObject([
      { favorite: false, title: "Mine" },
      { favorite: false, title: "example.org" }
    ])
  })

  it("changes nothing if one of the links does not exist", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const [a] = yield* two
    const change = changes.apply({
      fields: ["favorite"],
      links: [
        { id: a, favorite: true },
        { id: LinkId.make(99), favorite: true }
      ]
    })
    expect(yield* Effect.flip(change)).toBeInstanceOf(LinkNotFound)
    expect((yield* links.get(a)).favorite).toBe(false)
  })

  it("creates a collection by name, ignoring case, and keeps it when it is empty", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const facets = yield* FacetStore
    const [a, b] = yield* two
    const file = (id: LinkId, collection: string | null) =>
      changes.apply({ fields: ["collection"], links: [{ id, collection, collectionByHand: true }] })
    yield* file(a, "Reading list")
    const token = yield* file(b, "reading LIST")
    expect((yield* links.get(b)).collection).toEqual((yield* links.get(a)).collection)
    expect((yield* facets.facets).collections).toMatchObject([{ name: "Reading list", count: 2 }])
    yield* undone(token)
    expect((yield* links.get(b)).collection).toBeNull()
    yield* file(a, null)
    expect(yield* facets.facets).toMatchObject({
      collections: [{ name: "Reading list", count: 0 }],
      uncollected: 2,
      total: 2
    })
  })

  it("removes the collection created by the undone change, unless it is in use", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const { facets } = yield* FacetStore
    const [a, b] = yield* two
    const file = (id: LinkId, collection: string | null) =>
      changes.apply({ fields: ["collection"], links: [{ id, collection, collectionByHand: true }] })
    const names = Effect.map(facets, ({ collections }) => collections.map(({ id, name }) => `${id} ${name}`))

    const made = yield* file(a, "New")
    const back = yield* undone(made)
    expect(yield* names).toEqual([])
    // A redo creates the same collection again.
    const redone = yield* undone(back)
    expect(yield* names).toEqual(["1 New"])
    expect((yield* links.get(a)).collection).toEqual({ id: 1, name: "New" })
    yield* file(b, "New")
    yield* undone(redone)
    expect(yield* names).toEqual(["1 New"])
    // The collection existed before this change.
    const moved = yield* file(a, "New")
    yield* file(b, null)
    yield* undone(moved)
    expect(yield* names).toEqual(["1 New"])
  })

  it("removes the collections created by any part of an undone change", function* () {
    const changes = yield* ChangeStore
    const { facets } = yield* FacetStore
    const [a, b] = yield* two
    const file = (id: LinkId, collection: string, token?: string) =>
      changes.apply(
        { fields: ["collection"], automatic: true, links: [{ id, collection, collectionByHand: false }] },
        token
      )
    const token = yield* file(a, "First")
    yield* file(b, "Second", token)
    yield* undone(token)
    expect((yield* facets).collections).toEqual([])
  })

  it("keeps collections when links are deleted", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const { facets } = yield* FacetStore
    const [a, b] = yield* two
    const both = [a, b].map((id) => ({ id, collection: "Kept", collectionByHand: true }))
    const token = yield* changes.apply({ fields: ["collection"], links: both })
    yield* links.remove([a, b])
    expect((yield* facets).collections).toMatchObject([{ name: "Kept", count: 0 }])
    yield* undone(token)
    expect((yield* facets).collections).toEqual([])
  })

  it("skips links deleted since the change when it undoes it", function* () {
    const changes = yield* ChangeStore
    const links = yield* LinkStore
    const [a, b] = yield* two
    const both = [
      { id: a, favorite: true },
      { id: b, favorite: true }
    ]
    const token = yield* changes.apply({ fields: ["favorite"], links: both })
    yield* links.remove([a])
    expect(yield* changes.linksOf(yield* undone(token))).toEqual([b])
  })

  it("rejects an unknown token", function* () {
    const changes = yield* ChangeStore
    expect(yield* Effect.flip(changes.undo(crypto.randomUUID(), { force: false }))).toBeInstanceOf(
      UndoNotFound
    )
  })
})
