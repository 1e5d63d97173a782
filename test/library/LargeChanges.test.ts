import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Fiber, Layer, Ref, Stream } from "effect"
import { LinkId, LinkNotFound } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events } from "../../src/library/Events.ts"
import { LargeChanges } from "../../src/library/LargeChanges.ts"
import { yieldToEventLoop } from "../../src/runtime/Scheduling.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest } from "../support/effect.ts"
import { leaveRoom } from "../support/library.ts"
import { offline, offlineAt } from "../support/libraryOf.ts"
import { newLink } from "../support/links.ts"
import { libraryPath } from "../support/places.ts"
import { byTier, long } from "../support/tier.ts"

const it = effectTest(offline())

const SIZE = 700
/** Enough for more than one transaction. */
const FEW = byTier(150, 700)

/** Adds pending links. */
const fill = Effect.fnUntraced(function* (size = SIZE) {
  const links = yield* LinkStore
  const transaction = yield* Transaction
  return yield* transaction(
    Effect.forEach(
      Array.from({ length: size }, (_, i) => i),
      (i) => Effect.map(links.upsert(newLink(`${i}`, { note: `note ${i}` })), ({ link }) => link.id)
    )
  )
})

const count = (condition: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM links WHERE ${sql.literal(condition)}`
    return row?.n ?? 0
  })

/** Starts the work and returns once some of the links, but not all, meet the condition. */
const halfWay = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>, condition: string) {
  const fiber = yield* Effect.fork(work)
  for (;;) {
    const n = yield* count(condition)
    if (n > 0) {
      expect(n).toBeLessThan(SIZE)
      return fiber
    }
    if ((yield* Fiber.poll(fiber))._tag === "Some")
      return expect.unreachable("the work ended before its half")
    yield* yieldToEventLoop
  }
})

const categorize = (ids: ReadonlyArray<LinkId>, category: string) =>
  Effect.flatMap(EditLinks, (edits) => edits.change(ids, { category }))

describe("a change of many links", () => {
  long(it)("is made in pieces between other writes, has one undo, and is published once", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const ids = yield* fill()
    const heard = yield* Ref.make(0)
    const listener = yield* (yield* Events).listen
    yield* Effect.forkScoped(
      Stream.runForEach(listener, (event) =>
        event.type === "link" && event.ids.length === SIZE ? Ref.update(heard, (n) => n + 1) : Effect.void
      )
    )
    const fiber = yield* halfWay(edits.change(ids, { favorite: true }), "favorite = 1")
    yield* links.upsert(newLink("meanwhile"))
    expect(yield* count("favorite = 1")).toBeLessThan(SIZE)
    const changed = yield* Fiber.join(fiber)
    expect(changed.ids).toEqual(ids)
    expect(yield* count("favorite = 1")).toBe(SIZE)
    const undone = yield* edits.undo(changed.undo)
    expect(undone.ids).toEqual(ids)
    expect(yield* count("favorite = 1")).toBe(0)
    yield* Effect.sleep("250 millis")
    expect(yield* Ref.get(heard)).toBe(2)
  })

  it("changes nothing if one of the links does not exist", function* () {
    const ids = yield* fill(FEW)
    const edits = yield* EditLinks
    const wrong = edits.change([...ids, LinkId.make(99_999)], { favorite: true })
    expect(yield* Effect.flip(wrong)).toBeInstanceOf(LinkNotFound)
    expect(yield* Effect.flip(edits.remove([...ids, LinkId.make(99_999)]))).toBeInstanceOf(LinkNotFound)
    yield* (yield* LargeChanges).awaitPending
    expect(yield* count("favorite = 1")).toBe(0)
    expect(yield* count("true")).toBe(FEW)
  })

  it("continues after its caller is interrupted", function* () {
    const ids = yield* fill()
    const fiber = yield* halfWay(categorize(ids, "bulk"), "category = 'bulk'")
    yield* Fiber.interrupt(fiber)
    yield* (yield* LargeChanges).awaitPending
    expect(yield* count("category = 'bulk'")).toBe(SIZE)
  })

  it("never overwrites a later edit made before its last piece", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const ids = yield* fill()
    const last = ids.at(-1) ?? LinkId.make(0)
    const fiber = yield* halfWay(categorize(ids, "bulk"), "category = 'bulk'")
    const mine = yield* categorize([last], "mine")
    expect((yield* links.get(last)).category).toBe("mine")
    const bulk = yield* Fiber.join(fiber)
    expect((yield* links.get(last)).category).toBe("mine")
    // Undoing the edit restores the result of the large change.
    const error = yield* Effect.flip(edits.undo(bulk.undo))
    expect(error).toMatchObject({ _tag: "ChangedSince", fields: ["category"], links: 1, of: SIZE })
    yield* edits.undo(mine.undo)
    expect((yield* links.get(last)).category).toBe("bulk")
    yield* edits.undo(bulk.undo)
    expect(yield* count("category = 'bulk'")).toBe(0)
  })

  it("is finished before a second change and before its own undo", function* () {
    const edits = yield* EditLinks
    const ids = yield* fill()
    const first = yield* halfWay(categorize(ids, "first"), "category = 'first'")
    const { undo } = yield* categorize(ids, "second")
    expect(yield* count("category = 'second'")).toBe(SIZE)
    yield* Fiber.join(first)
    expect(yield* count("category = 'second'")).toBe(SIZE)
    yield* edits.undo(undo)
    expect(yield* count("category = 'first'")).toBe(SIZE)
  })

  it("in a transaction starts after the commit, and never after a rollback", function* () {
    const large = yield* LargeChanges
    const transaction = yield* Transaction
    const ids = yield* fill(FEW)
    yield* Effect.exit(transaction(Effect.zipRight(categorize(ids, "lost"), Effect.fail("no"))))
    yield* large.awaitPending
    expect(yield* count("category = 'lost'")).toBe(0)
    yield* transaction(
      Effect.gen(function* () {
        yield* categorize(ids, "kept")
        expect(yield* count("category = 'kept'")).toBe(0)
      })
    )
    yield* large.awaitPending
    expect(yield* count("category = 'kept'")).toBe(FEW)
  })
})

describe("a deletion of many links", () => {
  it("removes them completely, and keeps a link saved again meanwhile", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const ids = yield* fill()
    yield* categorize(ids, "bulk")
    const erasing = sql`SELECT kind FROM tasks WHERE kind = 'merge'`
    expect(yield* erasing).toEqual([])
    const fiber = yield* halfWay(edits.remove(ids), `(SELECT count(*) FROM links) < ${SIZE}`)
    const again = yield* links.upsert(newLink(`${SIZE - 1}`))
    expect(again.created).toBe(true)
    yield* Fiber.join(fiber)
    expect(yield* sql`SELECT id FROM links`).toEqual([{ id: again.link.id }])
    for (const table of ["change_rows", "change_work", "link_tags"])
      expect(yield* sql`SELECT * FROM ${sql(table)}`).toEqual([])
    expect(yield* sql`SELECT * FROM changes WHERE kind = 'delete'`).toEqual([])
    expect(yield* erasing).toHaveLength(1)
  })
})

describe("a merge of many links", () => {
  it("keeps every note despite a concurrent edit", function* () {
    const merges = yield* Duplicates
    const links = yield* LinkStore
    const ids = yield* fill(FEW)
    const [into = LinkId.make(0), ...others] = ids
    const fiber = yield* Effect.fork(merges.merge(into, others))
    while ((yield* links.count) === FEW) yield* Effect.sleep("1 millis")
    // The edit comes after the merge, so it changes what the merge has written.
    yield* categorize([into], "mine")
    const merged = yield* Fiber.join(fiber)
    expect(yield* links.count).toBe(1)
    expect(merged.link.category).toBe("mine")
    expect(merged.link.note.split("\n").toSorted()).toEqual(ids.map((_, i) => `note ${i}`).toSorted())
  })
})

describe("a change left by an earlier run", () => {
  effectTest(Layer.empty)("is finished before the library is used", function* () {
    const library = offlineAt(yield* libraryPath)
    const undo = yield* Effect.gen(function* () {
      const changes = yield* ChangeStore
      const ids = yield* fill(FEW)
      const undo = yield* changes.accept({
        fields: ["category"],
        links: ids.map((id) => ({ id, category: "bulk", categoryByHand: true }))
      })
      const [change] = yield* changes.unfinished
      if (change !== undefined) yield* changes.edit(change, yield* changes.next(change, { most: 60 }))
      expect(yield* count("category = 'bulk'")).toBe(60)
      return undo
    }).pipe(Effect.provide(library), Effect.scoped)
    yield* Effect.gen(function* () {
      expect(yield* count("category = 'bulk' AND category_by_hand = 1")).toBe(FEW)
      yield* (yield* EditLinks).undo(undo)
      expect(yield* count("category = 'bulk'")).toBe(0)
    }).pipe(Effect.provide(library), Effect.scoped)
  })
})

describe("a full disk", () => {
  it("fails the call, and the change is made once there is room", function* () {
    const edits = yield* EditLinks
    const large = yield* LargeChanges
    const ids = yield* fill()
    const fiber = yield* halfWay(
      Effect.exit(edits.change(ids, { category: "x".repeat(2_000) })),
      "length(category) = 2000"
    )
    yield* leaveRoom(0)
    const exit = yield* Fiber.join(fiber)
    expect(exit).toMatchObject(Exit.fail({ _tag: "StoreUnavailable", reason: "full" }))
    expect(yield* count("length(category) = 2000")).toBeLessThan(SIZE)
    yield* leaveRoom(1_000_000)
    yield* large.awaitPending
    expect(yield* count("length(category) = 2000")).toBe(SIZE)
  })
})
