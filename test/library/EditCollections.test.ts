import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { libraryTest } from "../support/effect.ts"
import { add, addAll, collections, file, offline } from "../support/libraryOf.ts"

const it = libraryTest(offline())

const page = (title: string) => ({ title, description: "" })
const pages = (count: number) => Array.from({ length: count }, (_, i) => page(`Page ${i}`))

/** The collections as `number path count`, in the order of the tree. */
const tree = Effect.gen(function* () {
  const { collections: all } = yield* (yield* EditCollections).list
  return all.map(({ count, id, name }) => `${id} ${name} ${count}`)
})

const aliases = Effect.gen(function* () {
  const { aliases: all } = yield* (yield* EditCollections).list
  return Object.fromEntries(all.map(({ name, target }) => [name, target]))
})

/** All rows of collections and aliases. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return [yield* sql`SELECT * FROM collections ORDER BY id`, yield* sql`SELECT * FROM aliases ORDER BY name`]
})

const undo = Effect.fnUntraced(function* (token: string, force = false) {
  return yield* (yield* EditLinks).undo(token, { force })
})

/** Makes a change, undoes it, undoes the undo and undoes that: every undo restores all of the library's collections. */
const backAndForth = Effect.fnUntraced(function* <A extends { readonly undo: string }, E>(
  ids: ReadonlyArray<LinkId>,
  change: Effect.Effect<A, E, EditCollections>
) {
  const state = Effect.all([rows, collections(ids)])
  const before = yield* state
  const made = yield* change
  const after = yield* state
  const back = yield* undo(made.undo)
  expect(yield* state).toEqual(before)
  const redone = yield* undo(back.undo)
  expect(yield* state).toEqual(after)
  yield* undo(redone.undo)
  expect(yield* state).toEqual(before)
  const last = yield* change
  expect(after).not.toEqual(before)
  return last
})

const create = Effect.fnUntraced(function* (name: string, parent?: number) {
  const made = yield* (yield* EditCollections).create({ name, parent })
  return made.collection.id
})

const shown = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ title: string }>`SELECT title FROM public_links ORDER BY title`).map(
    ({ title }) => title
  )
})

describe("a collection", () => {
  it("is made empty, with those around it, and with what the owner sees of it", function* () {
    const edits = yield* EditCollections
    const given = { name: "Programming / Effect", description: "About it.", color: "teal", icon: "🌳" }
    const { collection } = yield* backAndForth([], edits.create(given))
    // The matcher below replaces what it compares.
    const { id, parent } = collection
    expect(collection).toMatchObject({
      name: "Programming / Effect",
      parent: expect.any(Number),
      description: "About it.",
      color: "teal",
      icon: "🌳",
      shareable: false,
      count: 0,
      lastUsed: null
    })
    const inner = yield* edits.create({ name: "Schema", parent: id })
    expect(inner.collection.name).toBe("Programming / Effect / Schema")
    expect((yield* edits.get(parent ?? 0)).name).toBe("Programming")
    expect(yield* Effect.flip(edits.create({ name: "programming / effect" }))).toMatchObject({
      _tag: "PathTaken",
      name: "programming / effect"
    })
  })

  it("is renamed with the paths below it, and found by its old name", function* () {
    const edits = yield* EditCollections
    const id = yield* create("Dev")
    yield* create("Tools", id)
    const [link] = yield* addAll(pages(1))
    if (link === undefined) return
    yield* file([link], "Dev / Tools")
    yield* backAndForth([link], edits.edit(id, { name: "Code" }))
    expect([yield* tree, yield* aliases]).toEqual([["1 Code 0", "2 Code / Tools 1"], { Dev: "Code" }])
    const [other] = yield* addAll([page("Other")])
    if (other === undefined) return
    yield* file([other], "dev / Tools / New")
    expect(yield* tree).toEqual(["1 Code 0", "2 Code / Tools 1", "3 Code / Tools / New 1"])
    // Its old name is free again for a collection that the owner makes.
    yield* create("Dev")
    expect(yield* aliases).toEqual({})
    yield* edits.edit(id, { name: "code" })
    expect([(yield* tree)[0], yield* aliases]).toEqual(["1 code 0", {}])
  })

  it("is moved into others by its parent or its path, but never into itself", function* () {
    const edits = yield* EditCollections
    const a = yield* create("A")
    const b = yield* create("B", a)
    const c = yield* create("C")
    yield* backAndForth([], edits.edit(a, { parent: c }))
    expect(yield* tree).toEqual(["3 C 0", "1 C / A 0", "2 C / A / B 0"])
    yield* edits.edit(b, { name: "X / Y" })
    expect(yield* tree).toEqual([
      expect.stringContaining("C 0"),
      "1 C / A 0",
      expect.stringContaining("X 0"),
      "2 X / Y 0"
    ])
    yield* edits.edit(b, { parent: null })
    expect((yield* edits.get(b)).name).toBe("Y")
    for (const parent of [c, a])
      expect(yield* Effect.flip(edits.edit(c, { parent }))).toMatchObject({
        _tag: "LabelRefused",
        message: "A collection cannot be put into itself or into one inside it. Choose another place."
      })
    yield* edits.edit(b, { name: "A" })
    expect(yield* Effect.flip(edits.edit(b, { parent: c }))).toMatchObject({ _tag: "PathTaken" })
    expect(yield* Effect.flip(edits.edit(b, { parent: 99 }))).toMatchObject({ _tag: "LabelNotFound" })
  })

  it("is refused a place where a path would be too deep or too long", function* () {
    const edits = yield* EditCollections
    const deep = yield* create("1 / 2 / 3 / 4 / 5 / 6 / 7 / 8")
    const top = yield* create("top / inner")
    expect(yield* Effect.flip(edits.create({ name: "9", parent: deep }))).toMatchObject({
      _tag: "LabelRefused"
    })
    const parent = (yield* edits.get(top)).parent ?? 0
    expect(yield* Effect.flip(edits.edit(parent, { parent: deep - 1 }))).toMatchObject({
      _tag: "LabelRefused"
    })
    expect((yield* edits.get(top)).name).toBe("top / inner")
  })

  it("takes in another one with its links and inner collections", function* () {
    const edits = yield* EditCollections
    const ids = yield* addAll(pages(6))
    const paths = ["From", "From / Same", "From / Own", "Into", "Into / Same", "Into / Other"]
    for (const [index, path] of paths.entries()) yield* file(ids.slice(index, index + 1), path)
    yield* backAndForth(ids, edits.merge(1, 4))
    expect(yield* tree).toEqual(["4 Into 2", "6 Into / Other 1", "3 Into / Own 1", "5 Into / Same 2"])
    expect(yield* collections(ids)).toEqual([
      "Into",
      "Into / Same",
      "Into / Own",
      "Into",
      "Into / Same",
      "Into / Other"
    ])
    yield* file(ids.slice(0, 1), "from / own")
    expect(yield* collections(ids.slice(0, 1))).toEqual(["Into / Own"])
    expect(yield* Effect.flip(edits.merge(4, 3))).toMatchObject({ _tag: "LabelRefused" })
    // A rename to the path of another collection merges too.
    const { collection } = yield* edits.edit(6, { name: "Own" })
    expect([collection.id, yield* tree]).toEqual([3, ["4 Into 1", "3 Into / Own 3", "5 Into / Same 2"]])
  })

  it("leaves its links without one when it is deleted, and those inside move up", function* () {
    const edits = yield* EditCollections
    const ids = yield* addAll(pages(4))
    const paths = ["Top / A", "Top / A / A", "Top / A / B", "Top / B"]
    for (const [index, path] of paths.entries()) yield* file(ids.slice(index, index + 1), path)
    yield* backAndForth(ids, edits.remove(2))
    expect(yield* tree).toEqual(["1 Top 0", "3 Top / A 1", "5 Top / B 2"])
    expect(yield* collections(ids)).toEqual([null, "Top / A", "Top / B", "Top / B"])
  })

  it("of many links is merged and deleted in pieces, with what is filed in it meanwhile", function* () {
    const edits = yield* EditCollections
    const ids = yield* addAll(pages(120))
    yield* file(ids, "From")
    const into = yield* create("Into")
    const [late] = yield* addAll([page("Late")])
    if (late === undefined) return
    const merging = yield* Effect.fork(edits.merge(1, into))
    yield* Effect.yieldNow()
    yield* file([late], "From")
    yield* merging
    expect(new Set(yield* collections([...ids, late])).has(null)).toBe(false)
    const { changed } = yield* edits.remove(into)
    expect(changed).toBeGreaterThanOrEqual(120)
    expect(new Set(yield* collections(ids))).toEqual(new Set([null]))
  })

  it("is ordered by hand among its siblings, and new ones come last", function* () {
    const edits = yield* EditCollections
    for (const name of ["A", "B", "C"]) yield* create(name)
    yield* backAndForth([], edits.edit(3, { order: 0 }))
    expect((yield* tree).map((line) => line.split(" ")[1])).toEqual(["C", "A", "B"])
    yield* create("AA")
    expect((yield* tree).map((line) => line.split(" ")[1])).toEqual(["C", "A", "B", "AA"])
    yield* edits.edit(3, { order: 99 })
    expect((yield* tree).map((line) => line.split(" ")[1])).toEqual(["A", "B", "AA", "C"])
  })

  it("is listed and searched with those inside it", function* () {
    const list = yield* LinkList
    const ids = yield* addAll(pages(3))
    yield* file(ids.slice(0, 1), "A")
    yield* file(ids.slice(1, 2), "A / B")
    yield* file(ids.slice(2), "AB")
    const count = (query: Partial<Parameters<typeof list.count>[0]>) =>
      list.count({ terms: [], filters: [], sort: "newest", ...query })
    const search = (text: string) => count(parseQuery(text, 0))
    expect([yield* count({ collection: 1 }), yield* count({ collection: 2 })]).toEqual([2, 1])
    const found = yield* Effect.forEach(
      ["collection:a", 'collection:"A / B"', "collection:b", "-collection:a", "collection:ab"],
      search
    )
    expect(found).toEqual([2, 1, 1, 1, 1])
    const { links } = yield* list.page({ terms: [], filters: [], collection: 1, sort: "collection" })
    expect(links.map((json) => JSON.parse(json).collection.name)).toEqual(["A", "A / B"])
  })
})

describe("a shared collection", () => {
  it("shows its links and those inside it, also those that enter later, until it is not shared", function* () {
    const edits = yield* EditCollections
    const [a, b, c] = yield* addAll([page("A"), page("B"), page("C")])
    if (a === undefined || b === undefined || c === undefined) return
    yield* file([a], "Top")
    yield* file([b], "Top / Inner")
    const { collection, undo: shared } = yield* backAndForth([a, b], edits.edit(1, { shareable: true }))
    expect([collection.shared, (yield* edits.get(2)).shared, yield* shown]).toEqual([true, true, ["A", "B"]])
    yield* file([c], "Top / Inner")
    yield* file([a], null)
    expect(yield* shown).toEqual(["B", "C"])
    // An undo hides what has entered since, too.
    yield* undo(shared)
    expect([yield* shown, (yield* edits.get(2)).shared]).toEqual([[], false])
    yield* edits.edit(1, { shareable: true })
    yield* edits.edit(2, { parent: null })
    expect(yield* shown).toEqual([])
  })
})

describe("an undo", () => {
  it("keeps what has changed about a collection since", function* () {
    const edits = yield* EditCollections
    const id = yield* create("A")
    const described = yield* edits.edit(id, { description: "Old." })
    yield* edits.edit(id, { color: "red" })
    yield* edits.edit(id, { name: "B" })
    yield* undo(described.undo)
    expect(yield* edits.get(id)).toMatchObject({ name: "B", color: "red", description: "" })
  })

  it("that would overwrite something newer is refused unless forced", function* () {
    const edits = yield* EditCollections
    const id = yield* create("A")
    const first = yield* edits.edit(id, { description: "First." })
    yield* edits.edit(id, { description: "Second." })
    expect(yield* Effect.flip(undo(first.undo))).toMatchObject({
      message: "The collection “A” has been changed since then. Undoing would overwrite that."
    })
    yield* undo(first.undo, true)
    expect((yield* edits.get(id)).description).toBe("")
  })

  it("of a creation is refused while links are in the collection, and then leaves them without one", function* () {
    const edits = yield* EditCollections
    const link = yield* add(page("One"))
    const made = yield* edits.create({ name: "A" })
    yield* file([link], "A")
    expect(yield* Effect.flip(undo(made.undo))).toMatchObject({ _tag: "ChangedSince" })
    const back = yield* undo(made.undo, true)
    expect([yield* tree, yield* collections([link])]).toEqual([[], [null]])
    yield* undo(back.undo)
    expect([yield* tree, yield* collections([link])]).toEqual([["1 A 1"], ["A"]])
  })

  it("of a deletion gives the collection another name where its own is taken", function* () {
    const edits = yield* EditCollections
    yield* create("A / B")
    const removed = yield* edits.remove(2)
    yield* create("A / B")
    expect(yield* Effect.flip(undo(removed.undo))).toMatchObject({ _tag: "ChangedSince" })
    yield* undo(removed.undo, true)
    expect(yield* tree).toEqual(["1 A 0", "3 A / B 0", "2 A / B (2) 0"])
  })

  it("never puts a collection into itself", function* () {
    const edits = yield* EditCollections
    const a = yield* create("A")
    const b = yield* create("B")
    yield* edits.edit(a, { parent: b })
    const out = yield* edits.edit(a, { parent: null })
    yield* edits.edit(b, { parent: a })
    expect(yield* Effect.flip(undo(out.undo))).toMatchObject({ _tag: "ChangedSince" })
    yield* undo(out.undo, true)
    expect(yield* tree).toEqual(["1 A 0", "2 A / B 0"])
  })
})

it("proposes collections whose own names are alike, but not the same name in two places", function* () {
  for (const name of ["Work / Notes", "Home / Notes", "Databases", "Dev / Database"]) yield* create(name)
  const { twins } = yield* (yield* EditCollections).list
  expect(twins.map(({ names }) => [...names].sort())).toEqual([["Databases", "Dev / Database"]])
})
