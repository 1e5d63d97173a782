import { describe, expect } from "bun:test"
import { Array, Duration, Effect, Fiber, Ref, TestClock } from "effect"
import { ChatError } from "../../src/telegram/BotApi.ts"
import { Pace, type Turn } from "../../src/telegram/Pace.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Pace.layer)

const PERSON = 4242
const GROUP = -1_004_242
const bestEffort: Turn = { patience: Duration.zero }

/** Calls that record when they arrive (ms), after half of `takes` (ms). */
const makeCalls = Effect.fnUntraced(function* (takes = 0) {
  const { paced } = yield* Pace
  const arrived = yield* Ref.make<ReadonlyArray<number>>([])
  const half = Duration.millis(takes / 2)
  const arrive = Effect.flatMap(TestClock.currentTimeMillis, (now) => Ref.update(arrived, Array.append(now)))
  return {
    arrived: Ref.get(arrived),
    call: (turn: Turn) => paced(turn)(arrive.pipe(Effect.delay(half), Effect.zipRight(Effect.sleep(half)))),
    /** A call that fails with this error. */
    failing: (turn: Turn, error: ChatError) => paced(turn)(Effect.zipRight(arrive, Effect.fail(error)))
  }
})

/** Starts this many calls at once. */
const atOnce = <A, E>(count: number, call: Effect.Effect<A, E>) =>
  Effect.fork(Effect.forEach(Array.range(1, count), () => Effect.exit(call), { concurrency: "unbounded" }))

const pass = (seconds: number) => TestClock.adjust(Duration.seconds(seconds))

const leastGap = (times: ReadonlyArray<number>) =>
  Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))

/** The most calls within any one second. */
const most = (times: ReadonlyArray<number>) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length))

const tooMany = (retryAfterSeconds: number) => new ChatError({ reason: "rate-limited", retryAfterSeconds })

describe("Pace", () => {
  it(
    "sends one message a second to a person, the first at once",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls()
      const calls = yield* atOnce(5, call({ chatId: PERSON }))
      yield* pass(1)
      expect((yield* arrived)[0]).toBe(0)
      yield* pass(4)
      yield* Fiber.join(calls)
      const times = yield* arrived
      expect([times.length, leastGap(times)]).toEqual([5, 1000])
    })
  )

  it(
    "keeps slow messages a second apart on arrival",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls(800)
      yield* atOnce(4, call({ chatId: PERSON }))
      yield* pass(9)
      const times = yield* arrived
      expect(times.length).toBe(4)
      expect(leastGap(times)).toBeGreaterThanOrEqual(1000)
    })
  )

  it(
    "sends at most 20 messages a minute to a group",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls()
      yield* atOnce(40, call({ chatId: GROUP }))
      yield* pass(60)
      const times = yield* arrived
      expect(leastGap(times)).toBe(3000)
      expect(times.filter((time) => time < 60_000).length).toBe(20)
    })
  )

  it(
    "does not delay other chats",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls()
      yield* atOnce(3, call({ chatId: PERSON }))
      yield* atOnce(3, call({ chatId: GROUP }))
      yield* TestClock.adjust("0 millis")
      expect((yield* arrived).length).toBe(2)
    })
  )

  it(
    "makes at most 25 calls in any second, and all of them",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls(100)
      yield* atOnce(100, call({}))
      yield* pass(6)
      const times = yield* arrived
      expect([times.length, most(times)]).toEqual([100, 25])
    })
  )

  it(
    "skips best-effort calls beyond the limit, and reserves room for others",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls()
      const marks = yield* Fiber.join(yield* atOnce(50, call(bestEffort)))
      expect(marks.filter(({ _tag }) => _tag === "Success").length).toBe(20)
      yield* call({ chatId: PERSON })
      expect(yield* arrived).toEqual(Array.replicate(0, 21))
      yield* pass(2)
      yield* call(bestEffort)
    })
  )

  it(
    "fails a call whose patience ends",
    Effect.gen(function* () {
      const { arrived, call, failing } = yield* makeCalls()
      yield* Effect.ignore(failing({}, tooMany(5)))
      const calls = yield* atOnce(1, call({ patience: Duration.seconds(1) }))
      const patient = yield* atOnce(1, call({ patience: Duration.seconds(10) }))
      yield* pass(2)
      expect((yield* Fiber.join(calls))[0]?._tag).toBe("Failure")
      yield* pass(5)
      expect((yield* Fiber.join(patient))[0]?._tag).toBe("Success")
      expect((yield* arrived).length).toBe(2)
    })
  )

  it(
    "makes no call for as long as the platform asks",
    Effect.gen(function* () {
      const { arrived, call, failing } = yield* makeCalls()
      const error = yield* Effect.flip(failing({ chatId: PERSON }, tooMany(30)))
      expect(error.retryAfterSeconds).toBe(30)
      yield* atOnce(1, call({ chatId: PERSON }))
      yield* atOnce(1, call({ chatId: GROUP }))
      yield* atOnce(1, call(bestEffort))
      yield* pass(29)
      expect((yield* arrived).length).toBe(1)
      yield* pass(3)
      const times = yield* arrived
      expect(times.length).toBe(3)
      expect(Math.min(...times.slice(1))).toBeGreaterThanOrEqual(30_000)
    })
  )

  it(
    "does not pause after other failures",
    Effect.gen(function* () {
      const { arrived, call, failing } = yield* makeCalls()
      yield* Effect.ignore(failing({}, new ChatError({ reason: "unavailable" })))
      yield* call({})
      expect((yield* arrived).length).toBe(2)
    })
  )

  it(
    "reuses the turn of an interrupted call",
    Effect.gen(function* () {
      const { arrived, call } = yield* makeCalls(60_000)
      const under = yield* Effect.fork(call({ chatId: PERSON }))
      const waiting = yield* Effect.fork(call({ chatId: PERSON }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(under)
      yield* Effect.fork(call({ chatId: PERSON }))
      yield* TestClock.adjust("31 seconds")
      expect((yield* arrived).length).toBe(1)
    })
  )
})
