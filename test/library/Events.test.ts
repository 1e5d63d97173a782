import { describe, expect } from "bun:test"
import { Chunk, Effect, Option, Queue, Stream } from "effect"
import type { Job } from "../../src/domain/Job.ts"
import { type Link, LinkId } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events, type LibraryEvent } from "../../src/library/Events.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { add, addAll, cookies, databases, ended, offline, one, save } from "../support/libraryOf.ts"

const it = libraryTest(offline())

/** Three links whose events were sent before. */
const threeLinks = Effect.gen(function* () {
  const links = yield* LinkStore
  const ids = [yield* add(one(cookies, 0)), yield* add(one(cookies, 1)), yield* add(one(databases))]
  const [a, b, c] = yield* links.getAll(ids)
  if (a === undefined || b === undefined || c === undefined) return yield* Effect.die("no three links")
  return [a, b, c] as const
})

/** A queue of the events that a new listener receives. */
const listen = Effect.gen(function* () {
  const heard = yield* Queue.unbounded<LibraryEvent>()
  const events = yield* (yield* Events).listen
  yield* Effect.forkScoped(Stream.runForEach(events, (event) => Queue.offer(heard, event)))
  return heard
})

/** Takes the next events of a listener. */
const next = (heard: Queue.Queue<LibraryEvent>, count: number) =>
  Effect.map(Queue.takeN(heard, count), Chunk.toReadonlyArray)

/** Runs the steps in turn, and returns the one event of each step that every listener received. */
const heardEach = Effect.fnUntraced(function* <E, R>(
  listeners: ReadonlyArray<Queue.Queue<LibraryEvent>>,
  steps: ReadonlyArray<Effect.Effect<unknown, E, R>>
) {
  const heard: Array<ReadonlyArray<LibraryEvent>> = []
  for (const step of steps) {
    yield* step
    heard.push((yield* Effect.forEach(listeners, (listener) => next(listener, 1))).flat())
  }
  return listeners.map((_, at) => heard.flatMap((events) => events.slice(at, at + 1)))
})

/** The kinds of the events. */
const kinds = (heard: ReadonlyArray<LibraryEvent>) =>
  heard.map((event) => (event.type === "link" ? event.change : `${event.job.action} ${event.job.state}`))

describe("Events", () => {
  it("sends saves, changes, deletions and the progress of jobs to every listener", function* () {
    const edits = yield* EditLinks
    const duplicates = yield* Duplicates
    const listeners = [yield* listen, yield* listen]
    const ids = [LinkId.make(1)]
    const all = yield* heardEach(listeners, [
      save([one(cookies)]),
      edits.change(ids, { favorite: true }),
      edits.change(ids, { favorite: false }),
      edits.remove(ids)
    ])
    yield* ended(yield* duplicates.start)
    for (const [at, listener] of listeners.entries()) {
      expect(kinds(all[at] ?? [])).toEqual(["saved", "changed", "changed", "deleted"])
      expect(all[at]).toMatchObject([
        { ids, links: [{ id: 1, title: one(cookies).title, favorite: false }] },
        { ids, links: [{ favorite: true }] },
        { ids, links: [{ favorite: false }] },
        { ids, links: [] }
      ])
      expect(kinds(yield* next(listener, 2))).toEqual(["dupes running", "dupes done"])
    }
  })

  it("sends a merge as a change and a deletion", function* () {
    const merges = yield* Duplicates
    const [into, other] = [yield* add(one(cookies, 0)), yield* add(one(cookies, 1))]
    const listener = yield* listen
    yield* merges.merge(into, [other])
    const heard = yield* next(listener, 2)
    expect(heard.toSorted((a, b) => (kinds([a])[0] ?? "").localeCompare(kinds([b])[0] ?? ""))).toMatchObject([
      { change: "changed", ids: [into], links: [{ id: into }] },
      { change: "deleted", ids: [other], links: [] }
    ])
  })

  it("includes up to a hundred links, and only the ids of more", function* () {
    const edits = yield* EditLinks
    const ids = yield* addAll(
      Array.from({ length: 101 }, (_, i) => ({ title: `Note ${i}`, description: "" }))
    )
    const [heard = []] = yield* heardEach(
      [yield* listen],
      [edits.change(ids.slice(0, 100), { favorite: true }), edits.change(ids, { shareable: true })]
    )
    const counts = heard.map((event) => (event.type === "link" ? [event.ids.length, event.links.length] : []))
    expect(counts).toEqual([
      [100, 100],
      [101, 0]
    ])
  })

  it("sends nothing for an empty save, and nothing past to a late listener", function* () {
    const early = yield* listen
    yield* save([])
    const titles = (heard: ReadonlyArray<LibraryEvent>) =>
      heard.flatMap((event) => (event.type === "link" ? event.links.map(({ title }) => title) : []))
    const [first = []] = yield* heardEach([early], [save([one(cookies)])])
    const late = yield* listen
    const [second = [], alone = []] = yield* heardEach([early, late], [save([one(databases)])])
    expect([titles(first), titles(second), titles(alone)]).toEqual([
      [one(cookies).title],
      [one(databases).title],
      [one(databases).title]
    ])
  })

  /** The events that a listener receives for a burst. */
  const gathered = Effect.fnUntraced(function* (
    ...happening: ReadonlyArray<Effect.Effect<void, never, Events>>
  ) {
    const listener = yield* listen
    const events = yield* Events
    // The first event of a burst is sent at once; the next ones are gathered.
    yield* events.deleted([1_000_000])
    yield* next(listener, 1)
    yield* Effect.all(happening)
    yield* Effect.sleep("150 millis")
    yield* events.deleted([2_000_000])
    const heard: Array<LibraryEvent> = []
    for (;;) {
      const event = yield* Queue.take(listener)
      if (isLast(event)) return heard
      heard.push(event)
    }
  })
  const isLast = (event: LibraryEvent) => event.type === "link" && event.ids[0] === 2_000_000
  const told = (change: "saved" | "changed", ...links: ReadonlyArray<Link>) =>
    Effect.flatMap(Events, (events) => events.links(change, links))
  const gone = (...ids: ReadonlyArray<number>) => Effect.flatMap(Events, (events) => events.deleted(ids))

  it("combines a burst into one event of each kind with the final links", function* () {
    const [a, b, c] = yield* threeLinks
    const heard = yield* gathered(
      told("saved", a),
      told("changed", { ...a, favorite: true }),
      told("changed", b),
      gone(b.id, 77),
      gone(c.id),
      told("changed", c)
    )
    expect(heard).toMatchObject([
      { change: "deleted", ids: [77, b.id].toSorted((x, y) => x - y) },
      { change: "saved", ids: [a.id], links: [{ id: a.id, favorite: true }] },
      { change: "changed", ids: [c.id], links: [{ id: c.id }] }
    ])
  })

  it("asks listeners to reload after a burst of many changes, and names the deleted links", function* () {
    const [link] = yield* threeLinks
    const many = Array.from({ length: 1_000 }, (_, n) =>
      told("changed", { ...link, id: LinkId.make(n + 10) })
    )
    const heard = yield* gathered(...many, gone(12, 13))
    expect(heard).toEqual([
      { type: "link", change: "deleted", ids: [12, 13], links: [] },
      { type: "link", change: "changed", ids: [], links: [] }
    ])
  })

  it("reduces a job's burst of events to its start and its state", function* () {
    const events = yield* Events
    const job: Job = {
      ...{ id: 1, action: "dupes", subject: null, state: "running", done: 0, total: 9, result: null },
      ...{ error: null, undo: null, waiting: null, resume: null, startedAt: "", endedAt: null }
    }
    const progress = Array.from({ length: 500 }, (_, done) => events.job({ ...job, done }))
    const heard = yield* gathered(
      ...progress,
      events.job({ ...job, state: "done", result: { groups: [], found: 2 } })
    )
    expect(heard).toMatchObject([{ job: { state: "running", done: 0 } }, { job: { state: "done" } }])
  })

  it("drops the oldest events for a slow listener, and delays nobody", function* () {
    const events = yield* Events
    const slow = yield* events.listen
    const [link] = yield* threeLinks
    const kept: Job = {
      ...{ id: 0, action: "refresh", subject: link.id, state: "running", done: 0, total: 1, result: null },
      ...{ error: null, undo: null, waiting: null, resume: null, startedAt: "", endedAt: null }
    }
    yield* Effect.forEach(Array.from({ length: 1_000 }), (_, id) => events.job({ ...kept, id }))
    yield* Effect.sleep("250 millis")
    const first = Option.getOrThrow(yield* Stream.runHead(slow))
    expect(first.type === "job" ? first.job.id : 0).toBeGreaterThan(500)
  })
})
