import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { UndoNotFound } from "../../src/domain/Change.ts"
import { LinkId, LinkNotFound } from "../../src/domain/Link.ts"
import { ChangeStore } from "../../src/store/ChangeStore.ts"
import { FacetStore } from "../../src/store/FacetStore.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const it = effectTest(stores())

const two = Effect.gen(function* () {
  const links = yield* LinkStore
  const a = yield* links.claim(newLink("a"))
  const b = yield* links.claim(newLink("b"))
  return [a.link.id, b.link.id] as const
})

describe("ChangeStore", () => {
  it(
    "changes all of the links, and takes the change back field by field",
    Effect.gen(function* () {
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
      yield* changes.apply(yield* changes.before(token))
      expect(yield* links.getAll([a, b])).toMatchObject([
        { favorite: false, title: "Mine" },
        { favorite: false, title: "example.org" }
      ])
    })
  )

  it(
    "changes nothing where one of the links does not exist",
    Effect.gen(function* () {
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
  )

  it(
    "makes a collection by its name, shares it in any case, and drops it with its last link",
    Effect.gen(function* () {
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
      yield* changes.apply(yield* changes.before(token))
      expect((yield* links.get(b)).collection).toBeNull()
      yield* file(a, null)
      expect(yield* facets.facets).toMatchObject({ collections: [], uncollected: 2, total: 2 })
    })
  )

  it(
    "leaves links that were deleted since out of what it takes back",
    Effect.gen(function* () {
      const changes = yield* ChangeStore
      const links = yield* LinkStore
      const [a, b] = yield* two
      const both = [
        { id: a, favorite: true },
        { id: b, favorite: true }
      ]
      const token = yield* changes.apply({ fields: ["favorite"], links: both })
      yield* links.remove([a])
      expect((yield* changes.before(token)).links).toEqual([{ id: b, favorite: false }])
    })
  )

  it(
    "knows no token it did not give",
    Effect.gen(function* () {
      const changes = yield* ChangeStore
      expect(yield* Effect.flip(changes.before(crypto.randomUUID()))).toBeInstanceOf(UndoNotFound)
    })
  )
})
