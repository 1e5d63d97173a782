import { describe, expect } from "bun:test"
import { Effect, Queue, Stream } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events } from "../../src/library/Events.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { libraryTest } from "../support/effect.ts"
import { addAll, categories, categorize, cookies, offline } from "../support/libraryOf.ts"
import { long } from "../support/tier.ts"

const it = libraryTest(offline())

const titles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ title: `Page ${i}`, description: "" }))

/** A job's change of one link's category. */
const byJob = Effect.fnUntraced(function* (id: LinkId, category: string) {
  const changes = yield* ChangeStore
  const links = [{ id, category, categoryByHand: false }]
  return yield* changes.apply({ fields: ["category"], automatic: true, links })
})

/** Collects events from now on. */
const heard = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<string>()
  const listener = yield* (yield* Events).listen
  yield* Effect.forkScoped(
    Stream.runForEach(listener, (event) =>
      Queue.offer(queue, event.type === "link" ? event.change : event.job.state)
    )
  )
  return Effect.zipRight(Effect.sleep("250 millis"), Queue.takeAll(queue)).pipe(Effect.map((all) => [...all]))
})

describe("an undo", () => {
  it("of many links, 3 of them changed since, is rejected unless forced", function* () {
    const edits = yield* EditLinks
    const ids = yield* addAll(titles(110))
    const bulk = yield* categorize(ids, "bulk")
    yield* categorize(ids.slice(10, 13), "mine")
    yield* edits.remove(ids.slice(0, 1))
    const error = yield* Effect.flip(edits.undo(bulk.undo))
    expect(error).toMatchObject({
      _tag: "ChangedSince",
      fields: ["category"],
      message: "The category of 3 of 109 links has been changed since then. Undoing would overwrite that."
    })
    expect(yield* categories(ids.slice(9, 14))).toEqual(["bulk", "mine", "mine", "mine", "bulk"])
    yield* edits.undo(bulk.undo, { force: true })
    expect(new Set(yield* categories(ids))).toEqual(new Set(["unsorted"]))
  })

  it("names the fields that have changed since", function* () {
    const edits = yield* EditLinks
    const [id = LinkId.make(0)] = yield* addAll(cookies.slice(0, 1))
    const texts = { title: "Mine", titleByHand: true, summary: "Mine", summaryByHand: true }
    const both = yield* edits.change([id], texts)
    yield* edits.change([id], { summary: "Newer" })
    yield* edits.change([id], { favorite: true })
    expect(yield* Effect.flip(edits.undo(both.undo))).toMatchObject({ fields: ["summary"] })
    yield* edits.change([id], { title: "Newer" })
    expect(yield* Effect.flip(edits.undo(both.undo))).toMatchObject({
      fields: ["title", "summary"],
      message: "The title and summary have been changed since then. Undoing would overwrite that."
    })
  })

  it("of a job is rejected after a later job, and keeps the owner's later choices", function* () {
    const edits = yield* EditLinks
    const [a = LinkId.make(0), b = LinkId.make(0)] = yield* addAll(cookies.slice(0, 2))
    const first = yield* byJob(a, "first")
    yield* byJob(a, "second")
    expect(yield* Effect.flip(edits.undo(first))).toMatchObject({
      _tag: "ChangedSince",
      fields: ["category"]
    })
    const other = yield* byJob(b, "other")
    yield* categorize([b], "mine")
    expect((yield* edits.undo(other)).ids).toEqual([])
    expect(yield* categories([a, b])).toEqual(["second", "mine"])
  })
})

describe("within a transaction", () => {
  long(it)("events are published after the commit, and never after a rollback", function* () {
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const merges = yield* Duplicates
    const transaction = yield* Transaction
    const [a = LinkId.make(0), b = LinkId.make(0), c = LinkId.make(0)] = yield* addAll(cookies.slice(0, 3))
    const events = yield* heard
    const all = Effect.gen(function* () {
      const { undo } = yield* edits.change([a], { favorite: true })
      yield* edits.undo(undo)
      yield* merges.merge(a, [b])
      yield* edits.remove([c])
      expect(yield* events).toEqual([])
    })
    yield* Effect.exit(transaction(Effect.zipRight(all, Effect.fail("no"))))
    expect(yield* events).toEqual([])
    expect(yield* links.count).toBe(3)
    yield* transaction(all)
    // Events within a tenth of a second arrive as one of each kind.
    expect(yield* events).toEqual(["deleted", "changed"])
    expect(yield* links.count).toBe(1)
  })
})
