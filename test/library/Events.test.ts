import { describe, expect } from "bun:test"
import { Chunk, Effect, Option, Stream } from "effect"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Events, type LibraryEvent } from "../../src/library/Events.ts"
import { FindDuplicates } from "../../src/library/FindDuplicates.ts"
import { MergeLinks } from "../../src/library/MergeLinks.ts"
import { effectTest } from "../support/effect.ts"
import { add, addAll, cookies, databases, ended, offline, one, save } from "../support/libraryOf.ts"

const it = effectTest(offline())

/** What a listener hears next. */
const next = (events: Stream.Stream<LibraryEvent>, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(events, count)), Chunk.toReadonlyArray)

/** The names of what was heard. */
const kinds = (heard: ReadonlyArray<LibraryEvent>) =>
  heard.map((event) => (event.type === "link" ? event.change : `${event.job.action} ${event.job.state}`))

describe("Events", () => {
  it(
    "tells both of two listeners what was saved, changed and deleted, and how a job fares",
    Effect.gen(function* () {
      const edits = yield* EditLinks
      const duplicates = yield* FindDuplicates
      const listeners = [yield* (yield* Events).listen, yield* (yield* Events).listen]
      const [saved] = yield* save([one(cookies)])
      const ids = saved === undefined ? [] : [saved.link.id]
      const changed = yield* edits.change(ids, ["favorite"], { favorite: true })
      yield* edits.undo(changed.undo)
      yield* edits.remove(ids)
      yield* ended(yield* duplicates.start)
      for (const listener of listeners) {
        const heard = yield* next(listener, 6)
        expect(kinds(heard)).toEqual([
          "saved",
          "changed",
          "changed",
          "deleted",
          "dupes running",
          "dupes done"
        ])
        expect(heard.slice(0, 4)).toMatchObject([
          { ids, links: [{ id: ids[0], title: one(cookies).title, favorite: false }] },
          { ids, links: [{ favorite: true }] },
          { ids, links: [{ favorite: false }] },
          { ids, links: [] }
        ])
      }
    })
  )

  it(
    "tells of a merge which link has changed and which are gone",
    Effect.gen(function* () {
      const merges = yield* MergeLinks
      const [into, other] = [yield* add(one(cookies, 0)), yield* add(one(cookies, 1))]
      const listener = yield* (yield* Events).listen
      yield* merges.merge(into, [other])
      const heard = yield* next(listener, 2)
      expect(heard).toMatchObject([
        { change: "changed", ids: [into], links: [{ id: into }] },
        { change: "deleted", ids: [other], links: [] }
      ])
    })
  )

  it(
    "sends up to a hundred links along, and names more by their numbers alone",
    Effect.gen(function* () {
      const edits = yield* EditLinks
      const ids = yield* addAll(
        Array.from({ length: 101 }, (_, i) => ({ title: `Note ${i}`, description: "" }))
      )
      const listener = yield* (yield* Events).listen
      yield* edits.change(ids.slice(0, 100), ["favorite"], { favorite: true })
      yield* edits.change(ids, ["shareable"], { shareable: true })
      const counts = (yield* next(listener, 2)).map((event) =>
        event.type === "link" ? [event.ids.length, event.links.length] : []
      )
      expect(counts).toEqual([
        [100, 100],
        [101, 0]
      ])
    })
  )

  it(
    "says nothing where nothing was saved, and tells a late listener nothing of what was before",
    Effect.gen(function* () {
      const events = yield* Events
      const early = yield* events.listen
      yield* save([])
      yield* save([one(cookies)])
      const late = yield* events.listen
      yield* save([one(databases)])
      const titles = (heard: ReadonlyArray<LibraryEvent>) =>
        heard.flatMap((event) => (event.type === "link" ? event.links.map(({ title }) => title) : []))
      expect(titles(yield* next(early, 2))).toEqual([one(cookies).title, one(databases).title])
      expect(titles(yield* next(late, 1))).toEqual([one(databases).title])
    })
  )

  it(
    "loses the oldest for a listener that does not keep up, and holds nobody up",
    Effect.gen(function* () {
      const events = yield* Events
      const slow = yield* events.listen
      for (let id = 1; id <= 1_000; id++) yield* events.deleted([id])
      const first = Option.getOrThrow(yield* Stream.runHead(slow))
      expect(first.type === "link" ? first.ids[0] : 0).toBeGreaterThan(500)
    })
  )
})
