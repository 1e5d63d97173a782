import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Chunk, Effect, Layer, Queue, Stream } from "effect"
import { library } from "../../src/Application.ts"
import type { Job } from "../../src/domain/Job.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { type Group, GroupNamer } from "../../src/enrich/model/GroupNamer.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events, type LibraryEvent } from "../../src/library/Events.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { Organize } from "../../src/library/Organize.ts"
import { Reader } from "../../src/search/Reader.ts"
import { FacetStore } from "../../src/store/links/CollectionStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { leaveRoom, stores } from "../support/library.ts"
import {
  add,
  addAll,
  collections,
  cookies,
  databases,
  ended,
  file,
  offline,
  one,
  readingEnricher,
  strangers
} from "../support/libraryOf.ts"
import { long } from "../support/tier.ts"

const it = libraryTest(offline())

const resultOf = Effect.fnUntraced(function* (job: Job) {
  const shown = yield* (yield* Jobs).shown(job)
  if (shown.action !== "organize" || shown.result === null) throw new Error("nothing was organized")
  return { ...shown.result, moves: shown.result.moves ?? [] }
})

/** The job once it has ended. */
const organized = Effect.fnUntraced(function* (dryRun = false) {
  const organize = yield* Organize
  const job = yield* ended(yield* organize.start({ dryRun }))
  expect(job.state).toBe("done")
  return job
})

/** Undoes the job. */
const undo = Effect.fnUntraced(function* (job: Job) {
  const edits = yield* EditLinks
  return yield* edits.undo(job.undo ?? "")
})

const collectionNames = Effect.gen(function* () {
  const facets = yield* FacetStore
  return (yield* facets.facets).collections.map(({ name }) => name)
})

/** Three links in `Baking`, and unfiled: two similar ones, three on databases and two unrelated ones. */
const unsettled = Effect.gen(function* () {
  const baking = yield* addAll(cookies.slice(0, 3))
  yield* file(baking, "Baking")
  return {
    baking,
    bakes: yield* addAll(cookies.slice(3)),
    storing: yield* addAll(databases.slice(0, 3)),
    alone: yield* addAll(strangers)
  }
})

describe("Organize", () => {
  it("files links into existing collections, and leaves dissimilar ones unfiled", function* () {
    const { alone, baking, bakes, storing } = yield* unsettled
    yield* file(storing, "Databases")
    const job = yield* organized()
    expect(yield* collections([...baking, ...bakes])).toEqual(Array.from({ length: 5 }, () => "Baking"))
    expect(yield* collections(alone)).toEqual([null, null])
    const result = yield* resultOf(job)
    expect(result).toMatchObject({ filed: 2, collections: 0 })
    const byId = result.moves.toSorted((a, b) => a.id - b.id)
    expect(byId.map(({ id, to }) => [id, to])).toEqual(bakes.map((id) => [id, "Baking"]))
    expect(job).toMatchObject({ done: 4, total: 4 })
  })

  it("makes a new collection of three similar links that fit nowhere else", function* () {
    const { bakes, storing } = yield* unsettled
    const result = yield* resultOf(yield* organized())
    expect(result).toMatchObject({ filed: 5, collections: 1 })
    expect(yield* collections(bakes)).toEqual(["Baking", "Baking"])
    const [name, ...others] = yield* collections(storing)
    expect(others).toEqual([name ?? "", name ?? ""])
    expect(name).toMatch(/^\S.*\S$/)
    expect((yield* collectionNames).toSorted()).toEqual(["Baking", name ?? ""].toSorted())
  })

  it("makes no collection of two links", function* () {
    const ids = [...(yield* addAll(cookies.slice(0, 2))), ...(yield* addAll(databases.slice(0, 2)))]
    const job = yield* organized()
    expect(yield* resultOf(job)).toEqual({ filed: 0, collections: 0, moves: [] })
    expect(job.undo).toBeNull()
    expect(yield* collections(ids)).toEqual([null, null, null, null])
  })

  it("reports its plan and reasons in a dry run, and changes nothing", function* () {
    const { baking, bakes, storing, alone } = yield* unsettled
    const all = [...baking, ...bakes, ...storing, ...alone]
    const links = yield* LinkStore
    const before = yield* links.getAll(all)
    const job = yield* organized(true)
    const result = yield* resultOf(job)
    expect(job.undo).toBeNull()
    expect(result).toMatchObject({ filed: 5, collections: 1, dryRun: true })
    const titles = [...cookies.slice(3), ...databases.slice(0, 3)].map(({ title }) => title)
    expect(result.moves.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
    for (const { because, id, similarity, to } of result.moves) {
      const near = bakes.some((one) => one === id) ? baking : storing
      expect([to === "Baking", because.every((other) => near.some((one) => one === other))]).toEqual([
        near === baking,
        true
      ])
      expect(because.length).toBe(near === baking ? 3 : 2)
      expect(because).not.toContain(id)
      expect(similarity).toBeGreaterThan(0)
      expect(similarity).toBeLessThanOrEqual(1)
    }
    const similarities = result.moves.map(({ similarity }) => similarity)
    expect(new Set(similarities).size).toBeGreaterThan(1)
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
    expect(yield* links.getAll(all)).toEqual(before)
    expect(yield* collectionNames).toEqual(["Baking"])
  })

  it("does what the dry run reported", function* () {
    const { bakes, storing } = yield* unsettled
    const planned = yield* resultOf(yield* organized(true))
    const made = yield* resultOf(yield* organized())
    expect(made.moves).toEqual(planned.moves)
    const links = yield* LinkStore
    const now = yield* links.getAll([...bakes, ...storing])
    expect(new Map(now.map(({ collection, id }) => [Number(id), collection?.name ?? ""]))).toEqual(
      new Map(planned.moves.map(({ id, to }) => [id, to]))
    )
  })

  it("is undone completely: its links are unfiled and its collections are gone", function* () {
    const { baking, bakes, storing } = yield* unsettled
    const job = yield* organized()
    expect((yield* collectionNames).length).toBe(2)
    const undone = yield* undo(job)
    expect(undone.ids.toSorted((a, b) => a - b)).toEqual([...bakes, ...storing])
    expect(yield* collections([...bakes, ...storing])).toEqual([null, null, null, null, null])
    expect(yield* collections(baking)).toEqual(["Baking", "Baking", "Baking"])
    expect(yield* collectionNames).toEqual(["Baking"])
    // Links unfiled by an undo can be filed again, because the owner did not unfile them.
    expect((yield* resultOf(yield* organized())).filed).toBe(5)
  })

  it("keeps the owner's later moves when it is undone", function* () {
    const { bakes, storing } = yield* unsettled
    const job = yield* organized()
    const [moved, taken] = [bakes.slice(0, 1), storing.slice(0, 1)]
    yield* file(moved, "Christmas")
    yield* file(taken, null)
    yield* undo(job)
    expect(yield* collections([...bakes, ...storing])).toEqual(["Christmas", null, null, null, null])
    yield* organized()
    expect(yield* collections([...moved, ...taken])).toEqual(["Christmas", null])
  })

  it("files no link whose undo cannot be recorded", function* () {
    const { baking, bakes } = yield* unsettled
    const all = [...baking, ...bakes]
    const before = yield* collections(all)
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TRIGGER broken BEFORE UPDATE OF undo ON jobs BEGIN SELECT raise(ABORT, 'broken'); END`
    const organize = yield* Organize
    const jobs = yield* Jobs
    const job = yield* jobs.awaitEnd((yield* organize.start({ dryRun: false })).id)
    expect(job.state).not.toBe("done")
    expect(yield* collections(all)).toEqual(before)
  })

  it("files nothing the second time", function* () {
    const { baking, bakes, storing, alone } = yield* unsettled
    const all = [...baking, ...bakes, ...storing, ...alone]
    yield* organized()
    const before = yield* collections(all)
    const second = yield* organized()
    expect(yield* resultOf(second)).toEqual({ filed: 0, collections: 0, moves: [] })
    expect(second.undo).toBeNull()
    expect(yield* collections(all)).toEqual(before)
  })

  it("leaves links alone that the owner filed or unfiled", function* () {
    const { baking, bakes } = yield* unsettled
    const [elsewhere, nowhere] = [bakes.slice(0, 1), bakes.slice(1)]
    yield* file(elsewhere, "Christmas")
    yield* file(nowhere, null)
    const { moves } = yield* resultOf(yield* organized())
    expect(moves.filter(({ id }) => [...baking, ...bakes].some((one) => one === id))).toEqual([])
    expect(yield* collections([...elsewhere, ...nowhere])).toEqual(["Christmas", null])
  })

  it("does nothing in an empty library", function* () {
    const job = yield* organized()
    expect(job).toMatchObject({ done: 0, total: 0, undo: null })
    expect(yield* resultOf(job)).toEqual({ filed: 0, collections: 0, moves: [] })
  })

  /** Links on databases, more than are filed in one transaction. */
  const addHundreds = Effect.forEach(
    Array.from({ length: 250 }, (_, i) => i),
    (i) => {
      const { description, title } = one(databases, i % 5)
      return add({ title: `${title}, part ${i}`, description }, { url: `https://example.org/part/${i}` })
    }
  )

  long(it)("keeps what it has filed when the disk becomes full, says so, and undoes it", function* () {
    const many = yield* addHundreds
    yield* leaveRoom(8)
    const organize = yield* Organize
    const job = yield* (yield* Jobs).awaitEnd((yield* organize.start({ dryRun: false })).id)
    expect(job).toMatchObject({
      state: "failed",
      error: "The disk is full. Everything done so far is kept; start it again later."
    })
    yield* leaveRoom(1_000_000)
    const filed = (yield* collections(many)).filter((name) => name !== null).length
    expect(filed).toBeGreaterThan(0)
    expect(filed).toBeLessThan(many.length)
    expect((yield* undo(job)).ids.length).toBe(filed)
    expect(new Set(yield* collections(many))).toEqual(new Set([null]))
  })

  long(it)("files hundreds of links, and undoes all of it", function* () {
    const many = yield* addHundreds
    const events = yield* Queue.unbounded<LibraryEvent>()
    const listener = yield* (yield* Events).listen
    yield* Effect.forkScoped(Stream.runForEach(listener, (event) => Queue.offer(events, event)))
    const job = yield* organized()
    // Pages read their lists again after so many changes.
    yield* Effect.sleep("250 millis")
    const changed = Chunk.toReadonlyArray(yield* Queue.takeAll(events)).flatMap((event) =>
      event.type === "link" && event.change === "changed" ? [event.links] : []
    )
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.flat()).toEqual([])
    const { filed, moves } = yield* resultOf(job)
    // More than one batch.
    expect(filed).toBeGreaterThan(200)
    expect(moves.length).toBe(filed)
    expect((yield* collections(many)).filter((name) => name !== null).length).toBe(filed)
    expect((yield* undo(job)).ids.length).toBe(filed)
    expect(new Set(yield* collections(many))).toEqual(new Set([null]))
    expect(yield* collectionNames).toEqual([])
  })
})

describe("Organize's choice of a collection", () => {
  it("says why, leaves out shared ones, and those that the owner refused for a link", function* () {
    const sql = yield* SqlClient.SqlClient
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const { baking, bakes } = yield* unsettled
    const job = yield* organized()
    const moves = new Map((yield* resultOf(job)).moves.map(({ because, id }) => [id, because]))
    for (const { filedBecause, id } of yield* links.getAll(bakes)) {
      expect(filedBecause?.map((each) => each.id)).toEqual([...(moves.get(id) ?? [])])
      for (const { similarity } of filedBecause ?? []) expect(similarity).toBeGreaterThan(0.2)
    }
    yield* edits.refuse(bakes.slice(0, 1))
    yield* undo(job)
    expect(yield* collections(bakes)).toEqual(bakes.map(() => null))
    yield* organized()
    expect((yield* collections(bakes))[0]).not.toBe("Baking")
    expect((yield* collections(bakes)).slice(1)).toEqual(bakes.slice(1).map(() => "Baking"))
    yield* edits.refuse(bakes.slice(1))
    yield* sql`UPDATE collections SET shared = 1`
    const [name, ...others] = yield* collections(baking)
    expect([name, ...others]).toEqual(["Baking", "Baking", "Baking"])
    yield* sql`UPDATE links SET refused = '[]' WHERE id IN ${sql.in(bakes)}`
    yield* organized()
    expect(yield* collections(bakes)).toEqual(bakes.map(() => null))
  })
})

describe("Organize, in a library of few or strange links", () => {
  long(it)(
    "groups all links of one text, however many there are, and files nothing the second time",
    function* () {
      const same = one(databases)
      const numbers = Array.from({ length: 120 }, (_, i) => i)
      yield* Effect.forEach(numbers, (i) => add(same, { url: `https://example.org/same/${i}` }))
      expect(yield* resultOf(yield* organized())).toMatchObject({ filed: 120, collections: 1 })
      expect((yield* resultOf(yield* organized())).filed).toBe(0)
    }
  )

  it("leaves links alone whose titles have no words, and groups those of scripts without spaces", function* () {
    const emoji = yield* Effect.forEach(["🎉🎊", "🎉", "🎊🎊"], (title, i) =>
      add({ title, description: "" }, { url: `https://example.org/emoji/${i}` })
    )
    const cjk = yield* Effect.forEach(
      ["東京の料理教室", "料理教室の選び方", "初めての料理教室"],
      (title, i) => add({ title, description: "料理教室" }, { url: `https://example.org/cjk/${i}` })
    )
    yield* organized()
    expect(yield* collections(emoji)).toEqual([null, null, null])
    const [name, ...others] = yield* collections(cjk)
    expect(name).toContain("料理")
    expect(others).toEqual([name ?? "", name ?? ""])
  })

  it("ticks clear moves only, and files into a collection in another one", function* () {
    const { bakes } = yield* unsettled
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const baking = (yield* links.getAll(bakes)).map(({ id }) => id)
    const job = yield* organized(true)
    const { moves } = yield* resultOf(job)
    const clear = moves.filter(({ id }) => baking.some((bake) => bake === id))
    expect(clear.map(({ sure }) => sure)).toEqual([true, true])
    const ids = yield* addAll([{ title: "Sourdough", description: "Rye bread" }])
    yield* edits.change(ids, { collection: "Kitchen / Bread" })
    const [loaf] = yield* addAll([{ title: "Rye sourdough bread", description: "Rye bread, a sourdough" }])
    yield* organized()
    expect(yield* collections(loaf === undefined ? [] : [loaf])).toEqual(["Kitchen / Bread"])
  })
})

const model: { names: (groups: ReadonlyArray<Group>) => ReadonlyArray<readonly [number, string]> } = {
  names: () => []
}
const namer = Layer.succeed(GroupNamer, {
  name: (groups) => Effect.sync(() => new Map(groups.length === 0 ? [] : model.names(groups)))
})
const named = libraryTest(Layer.provideMerge(library, Layer.mergeAll(stores(), readingEnricher, namer)))

describe("Organize, with a model", () => {
  named("gives new collections the model's names, in a preview too", function* () {
    const { storing } = yield* unsettled
    let shown: ReadonlyArray<Group> = []
    model.names = (groups) => {
      shown = groups
      return groups.map((_, index) => [index, `Query Planning ${index}`])
    }
    const planned = yield* resultOf(yield* organized(true))
    expect(shown.map(({ members, size }) => [size, members.length])).toEqual([[3, 3]])
    expect(shown[0]?.members.map(({ title }) => title).toSorted()).toEqual(
      databases
        .slice(0, 3)
        .map(({ title }) => title)
        .toSorted()
    )
    expect(planned.collections).toBe(1)
    yield* organized()
    expect(yield* collections(storing)).toEqual(storing.map(() => "Query Planning 0"))
    expect((yield* collectionNames).toSorted()).toEqual(["Baking", "Query Planning 0"])
  })

  named("takes no name that is in use, and no path", function* () {
    const { storing } = yield* unsettled
    for (const name of ["baking", "Work / Databases"]) {
      model.names = () => [[0, name]]
      const { moves } = yield* resultOf(yield* organized(true))
      const targets = new Set(moves.filter(({ id }) => storing.some((one) => one === id)).map(({ to }) => to))
      expect(targets.size).toBe(1)
      for (const to of targets) expect(["baking", "Baking", "Work / Databases"]).not.toContain(to)
    }
  })

  named("keeps the names made of words for the groups that the model leaves out", function* () {
    const { storing } = yield* unsettled
    model.names = () => []
    yield* organized()
    expect((yield* collections(storing))[0]).toContain("PostgreSQL")
  })
})

/** Runs after the plan is made and before the first link is filed. */
const between: { run: Effect.Effect<unknown> } = { run: Effect.void }
const slowReader = Layer.effect(
  Reader,
  Effect.map(Reader, (reader) => ({
    ...reader,
    planFiling: (embedder: Parameters<typeof reader.planFiling>[0]) =>
      Stream.tap(reader.planFiling(embedder), (step) => (step.type === "end" ? between.run : Effect.void))
  }))
)
const overtaken = libraryTest(
  Layer.provideMerge(library, Layer.merge(Layer.provideMerge(slowReader, stores()), readingEnricher))
)

describe("Organize, when links change between its plan and the filing", () => {
  overtaken("keeps the owner's choice of a collection or none", function* () {
    const edits = yield* EditLinks
    const { bakes, storing } = yield* unsettled
    const byHand = (ids: ReadonlyArray<LinkId>, collection: string | null) =>
      edits.change(ids, { collection })
    between.run = Effect.orDie(
      Effect.all([byHand(bakes.slice(0, 1), "Christmas"), byHand(bakes.slice(1), null)])
    )
    const job = yield* organized()
    expect(yield* collections(bakes)).toEqual(["Christmas", null])
    expect((yield* resultOf(job)).filed).toBe(3)
    yield* undo(job)
    expect(yield* collections([...bakes, ...storing])).toEqual(["Christmas", null, null, null, null])
  })

  overtaken("never files into a collection that was shared or refused meanwhile", function* () {
    const sql = yield* SqlClient.SqlClient
    const { bakes, storing } = yield* unsettled
    const [first = 0] = bakes
    between.run = Effect.orDie(
      sql`UPDATE links SET refused = json_array((SELECT id FROM collections WHERE name = 'Baking')) WHERE id = ${first}`
    )
    yield* organized()
    expect((yield* collections(bakes))[0]).toBeNull()
    expect((yield* collections(bakes)).slice(1)).toEqual(bakes.slice(1).map(() => "Baking"))
    yield* file(bakes, null)
    yield* sql`UPDATE links SET collection_by_hand = 0, refused = '[]' WHERE id IN ${sql.in([...bakes, ...storing])}`
    between.run = Effect.orDie(sql`UPDATE collections SET shared = 1 WHERE name = 'Baking'`)
    yield* organized()
    expect(yield* collections(bakes)).toEqual(bakes.map(() => null))
  })

  overtaken("skips deleted links", function* () {
    const edits = yield* EditLinks
    const { bakes, storing } = yield* unsettled
    between.run = Effect.orDie(edits.remove([...bakes.slice(0, 1), ...storing.slice(0, 1)]))
    const job = yield* organized()
    expect((yield* resultOf(job)).filed).toBe(3)
    const [name, ...others] = yield* collections([...bakes.slice(1), ...storing.slice(1)])
    expect(name).toBe("Baking")
    expect(new Set(others).size).toBe(1)
    expect(others[0]).not.toBeNull()
    yield* undo(job)
    expect(yield* collections([...bakes.slice(1), ...storing.slice(1)])).toEqual([null, null, null])
  })

  overtaken("files nothing if everything was deleted", function* () {
    const edits = yield* EditLinks
    const { alone, baking, bakes, storing } = yield* unsettled
    between.run = Effect.orDie(edits.remove([...alone, ...baking, ...bakes, ...storing]))
    const job = yield* organized()
    expect(yield* resultOf(job)).toMatchObject({ filed: 0, collections: 0, moves: [] })
    expect(job.undo).toBeNull()
    expect(yield* collectionNames).toEqual(["Baking"])
  })
})
