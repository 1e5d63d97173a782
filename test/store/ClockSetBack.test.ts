import { describe, expect } from "bun:test"
import { Duration, Effect, TestClock } from "effect"
import type { Cursor } from "../../src/domain/LinkQuery.ts"
import { OutboxStore } from "../../src/store/chat/OutboxStore.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { LinkList, type LinkPage } from "../../src/store/links/LinkList.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { ImportStore } from "../../src/store/transfer/ImportStore.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const it = clockTest(stores())

const NOON = Date.UTC(2026, 5, 1, 12)
const jumps = ["1 second", "10 minutes", "59 minutes", "1 hour", "25 hours"] as const

/** The queued replies if the first one is due. */
const dueReplies = Effect.gen(function* () {
  const { line } = yield* OutboxStore
  const replies = yield* line
  return replies[0]?.isDue === true ? replies : []
})

/** Runs `kept` at noon, then sets the clock back. */
const setBack = <A, E, R>(by: Duration.DurationInput, kept: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const result = yield* kept
    yield* TestClock.setTime(NOON - Duration.toMillis(by))
    return result
  })

describe("when the clock is set back", () => {
  for (const by of jumps) {
    it(`by ${by}, keeps arrivals due, in order`, function* () {
      const inbox = yield* InboxStore
      const keep = (key: string) => inbox.keep({ source: "chat", key, payload: "{}" })
      yield* setBack(by, keep("before"))
      yield* keep("after")
      expect((yield* inbox.due("chat", 10, [])).map(({ key }) => key)).toEqual(["before", "after"])
    })

    // A clock that goes back further was wrong before: new links get their own dates.
    if (by !== "25 hours")
      it(`by ${by}, lists the last saved link first, and each link once`, function* () {
        const links = yield* LinkStore
        const list = yield* LinkList
        yield* setBack(
          by,
          Effect.forEach(["a", "b"], (path) =>
            Effect.zipRight(links.upsert(newLink(path)), TestClock.adjust("1 second"))
          )
        )
        for (const path of ["c", "d"]) {
          yield* links.upsert(newLink(path))
          yield* TestClock.adjust("1 second")
        }
        const all = { terms: [], filters: [] }
        const idsOf = (page: LinkPage) => page.links.map((json) => Number(JSON.parse(json).id))
        expect(idsOf(yield* list.page({ ...all, sort: "newest" }))).toEqual([4, 3, 2, 1])
        expect(idsOf(yield* list.page({ ...all, sort: "oldest" }))).toEqual([1, 2, 3, 4])
        for (const sort of ["newest", "oldest"] as const) {
          const shown: Array<number> = []
          let cursor: Cursor | undefined
          for (;;) {
            const page = yield* list.page({ ...all, sort, limit: 1, cursor })
            shown.push(...idsOf(page))
            if (page.next === null) break
            cursor = page.next
          }
          expect(shown).toEqual(sort === "newest" ? [4, 3, 2, 1] : [1, 2, 3, 4])
        }
      })

    it(`by ${by}, keeps replies due, in order`, function* () {
      const outbox = yield* OutboxStore
      yield* setBack(by, outbox.add('{"chatId":1}', []))
      yield* outbox.add('{"chatId":2}', [])
      expect((yield* dueReplies).map(({ message }) => message)).toEqual(['{"chatId":1}', '{"chatId":2}'])
    })

    it(`by ${by}, retries within an hour`, function* () {
      const [inbox, outbox] = [yield* InboxStore, yield* OutboxStore]
      const putOff = Effect.gen(function* () {
        const { id } = yield* inbox.keep({ source: "chat", key: "1", payload: "{}" })
        yield* inbox.retry(id, Duration.minutes(15))
        yield* outbox.add('{"chatId":1}', [])
        for (const one of yield* outbox.line) yield* outbox.retry(one.id, Duration.hours(1))
      })
      yield* setBack(by, putOff)
      let waiting = yield* inbox.due("chat", 10, [])
      let unsaid = yield* dueReplies
      for (let minutes = 0; minutes < 60 && (waiting.length === 0 || unsaid.length === 0); minutes += 5) {
        yield* TestClock.adjust("5 minutes")
        if (waiting.length === 0) waiting = yield* inbox.due("chat", 10, [])
        if (unsaid.length === 0) unsaid = yield* dueReplies
      }
      expect([waiting.length, unsaid.length]).toEqual([1, 1])
    })
  }

  it("by two days, gives new links their own dates", function* () {
    const links = yield* LinkStore
    const first = yield* setBack("2 days", links.upsert(newLink("a")))
    const again = yield* links.upsert(newLink("b"))
    expect(first.link.createdAt).toBe("2026-06-01T12:00:00.000Z")
    expect(again.link.createdAt).toBe("2026-05-30T12:00:00.000Z")
  })

  it("sorts imported links by their own dates, and undated ones as saved now", function* () {
    const links = yield* LinkStore
    const list = yield* LinkList
    const store = yield* ImportStore
    yield* setBack("1 hour", links.upsert(newLink("a")))
    const from = (path: string, createdAt: string | null) => {
      const { host, normalizedUrl, url } = newLink(path)
      const texts = { title: "", note: "", description: "", text: "", collection: null }
      return {
        place: 1,
        url,
        normalizedUrl,
        host,
        tags: [],
        favorite: false,
        state: "read" as const,
        createdAt,
        highlights: [],
        whole: null,
        ...texts
      }
    }
    const kept = { keepNumbers: false, keepShared: false }
    yield* store.insert([from("old", "2015-01-01T00:00:00.000Z"), from("undated", null)], kept, new Map())
    const { links: shown } = yield* list.page({ terms: [], filters: [], sort: "newest" })
    expect(shown.map((json) => new URL(JSON.parse(json).url).pathname)).toEqual(["/undated", "/a", "/old"])
  })
})
