import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, Option, TestClock } from "effect"
import { InboxStore } from "../../../src/store/inbox/InboxStore.ts"
import { clockTest, effectTest, libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"

const it = libraryTest(stores())

const arrival = (key: string) => ({ source: "chat", key, payload: `{"update_id":${key}}` }) as const

describe("InboxStore", () => {
  it("keeps an arrival until it is done", function* () {
    const inbox = yield* InboxStore
    const { id, repeated } = yield* inbox.keep(arrival("7"))
    expect(repeated).toBe(false)
    expect(yield* inbox.due("chat", 10, [])).toEqual([
      { id, ...arrival("7"), attempts: 0, starts: 0, isBegun: false }
    ])
    expect(yield* inbox.due("chat", 10, [id])).toEqual([])
    yield* inbox.done(id)
    expect(yield* inbox.due("chat", 10, [])).toEqual([])
  })

  it("keeps the page that an arrival brings until the arrival is done or deleted", function* () {
    const inbox = yield* InboxStore
    const page = new Uint8Array([1, 0, 255])
    const keep = (key: string) => inbox.keep({ source: "capture", key, payload: "{}", page })
    const [one, two, again, three] = yield* Effect.forEach(["1", "2", "1", "3"], keep, {
      concurrency: "unbounded"
    })
    expect([again?.id, again?.repeated]).toEqual([one?.id, true])
    const ids = [one, two, three].map((kept) => kept?.id ?? 0)
    const pages = Effect.forEach(ids, (id) => inbox.pageOf(id))
    expect(yield* pages).toEqual([Option.some(page), Option.some(page), Option.some(page)])
    yield* inbox.done(ids[0] ?? 0)
    yield* inbox.retry(ids[1] ?? 0, Duration.zero)
    yield* inbox.giveUp(ids[2] ?? 0)
    expect(yield* pages).toEqual([Option.none(), Option.some(page), Option.some(page)])
    yield* inbox.forget(ids[2] ?? 0)
    expect((yield* pages)[2]).toEqual(Option.none())
    // A repeated delivery does not bring it back.
    yield* keep("1")
    yield* inbox.revive(null)
    expect(yield* pages).toEqual([Option.none(), Option.some(page), Option.none()])
  })

  effectTest(InboxStore.batched(256, 100).pipe(Layer.provideMerge(stores())))(
    "refuses pages while those that wait are too large together",
    function* () {
      const inbox = yield* InboxStore
      const keep = (key: string, size: number) =>
        inbox.keep({ source: "capture", key, payload: "{}", page: new Uint8Array(size) })
      const first = yield* keep("1", 60)
      expect(yield* Effect.flip(keep("2", 60))).toMatchObject({ _tag: "StoreUnavailable" })
      // Captures without a page have room, as have smaller pages.
      yield* inbox.keep({ source: "capture", key: "3", payload: "{}" })
      yield* keep("4", 40)
      yield* inbox.done(first.id)
      yield* keep("2", 60)
      expect(yield* Effect.flip(keep("5", 1))).toMatchObject({ _tag: "StoreUnavailable" })
    }
  )

  it("recognizes a repeated delivery in the same batch, later, and after it was done", function* () {
    const inbox = yield* InboxStore
    const twenty = yield* Effect.forEach(Array(20).fill("7"), (key) => inbox.keep(arrival(key)), {
      concurrency: 20
    })
    expect(twenty.filter(({ repeated }) => !repeated).length).toBe(1)
    expect(new Set(twenty.map(({ id }) => id)).size).toBe(1)
    yield* inbox.done(twenty[0]?.id ?? 0)
    expect((yield* inbox.keep({ ...arrival("7"), payload: "another text" })).repeated).toBe(true)
    expect(yield* inbox.due("chat", 10, [])).toEqual([])
  })

  it("keeps a thousand concurrent arrivals, each with its own id", function* () {
    const inbox = yield* InboxStore
    const keys = Array.from({ length: 1000 }, (_, index) => String(index))
    const kept = yield* Effect.forEach(keys, (key) => inbox.keep(arrival(key)), {
      concurrency: "unbounded"
    })
    expect(new Set(kept.map(({ id }) => id)).size).toBe(1000)
    expect((yield* inbox.due("chat", 2000, [])).map(({ key }) => key).sort()).toEqual([...keys].sort())
  })

  it("distinguishes equal keys of different sources", function* () {
    const inbox = yield* InboxStore
    yield* inbox.keep(arrival("7"))
    expect((yield* inbox.keep({ source: "capture", key: "7", payload: "{}" })).repeated).toBe(false)
  })

  it("postpones a failed arrival, counts the attempt, and hides a dead one", function* () {
    const inbox = yield* InboxStore
    const { id } = yield* inbox.keep(arrival("7"))
    yield* inbox.retry(id, Duration.minutes(1))
    expect(yield* inbox.due("chat", 10, [])).toEqual([])
    yield* inbox.retry(id, Duration.zero)
    expect(yield* inbox.due("chat", 10, [])).toMatchObject([{ id, attempts: 2 }])
    yield* inbox.giveUp(id)
    expect(yield* inbox.due("chat", 10, [])).toEqual([])
  })

  it("keeps any text unchanged", function* () {
    const inbox = yield* InboxStore
    const payload = '{"text":"\\u0000 \\ud800 \\"quoted\\" 🦜 \n"}'
    yield* inbox.keep({ source: "chat", key: "7", payload })
    expect((yield* inbox.due("chat", 1, []))[0]?.payload).toBe(payload)
  })

  clockTest(stores())("prunes arrivals done long ago, and nothing else", function* () {
    const inbox = yield* InboxStore
    const old = yield* inbox.keep(arrival("1"))
    yield* inbox.keep(arrival("2"))
    yield* inbox.done(old.id)
    yield* inbox.prune(Duration.days(1), Duration.days(90))
    expect((yield* inbox.keep(arrival("1"))).repeated).toBe(true)
    yield* TestClock.adjust("2 days")
    yield* inbox.prune(Duration.days(1), Duration.days(90))
    expect((yield* inbox.keep(arrival("1"))).repeated).toBe(false)
    expect((yield* inbox.keep(arrival("2"))).repeated).toBe(true)
  })
})
