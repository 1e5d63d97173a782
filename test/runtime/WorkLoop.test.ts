import { describe, expect } from "bun:test"
import {
  Cause,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  Layer,
  Logger,
  Option,
  Queue,
  Ref,
  TestClock
} from "effect"
import { every, makeWorkLoop } from "../../src/runtime/WorkLoop.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

/** Lets every awake fiber run. */
const settle = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow(), { discard: true })
const wait = (duration: Duration.DurationInput) => Effect.zipRight(TestClock.adjust(duration), settle)

/** A loop that counts its passes and rests until woken. */
const counting = Effect.gen(function* () {
  const loop = yield* makeWorkLoop
  const passes = yield* Ref.make(0)
  const pass = Effect.as(
    Ref.update(passes, (count) => count + 1),
    Duration.infinity
  )
  return { ...loop, pass, passes: Effect.zipRight(settle, Ref.get(passes)) }
})

describe("a loop", () => {
  it("starts with a pass and rests until it is woken", function* () {
    const { pass, passes, run, wake } = yield* counting
    yield* Effect.fork(run(pass, { name: "counting" }))
    expect(yield* passes).toBe(1)
    yield* wait("30 days")
    expect(yield* passes).toBe(1)
    yield* wake
    expect(yield* passes).toBe(2)
  })

  it("combines all wakes before a pass", function* () {
    const { pass, passes, run, wake } = yield* counting
    yield* Effect.replicateEffect(wake, 10)
    yield* Effect.fork(run(pass, { name: "counting" }))
    expect(yield* passes).toBe(1)
    yield* Effect.replicateEffect(wake, 10)
    expect(yield* passes).toBe(2)
  })

  it("runs another pass if it was woken during one", function* () {
    const { run, wake } = yield* makeWorkLoop
    const begun = yield* Queue.unbounded<void>()
    const more = yield* Queue.unbounded<Duration.DurationInput>()
    const pass = Effect.zipRight(Queue.offer(begun, undefined), Queue.take(more))
    yield* Effect.fork(run(pass, { name: "working" }))
    yield* Queue.take(begun)
    yield* Effect.repeatN(wake, 2)
    yield* Queue.offer(more, Duration.infinity)
    // The second pass served all three wakes.
    yield* Queue.take(begun)
    yield* Queue.offer(more, Duration.infinity)
    yield* settle
    expect(yield* Queue.size(begun)).toBe(0)
  })

  it("processes every item added before a wake", function* () {
    const { run, wake } = yield* makeWorkLoop
    const waiting: Array<number> = []
    const taken: Array<number> = []
    const pass = Effect.gen(function* () {
      for (const one of waiting.splice(0, 2)) {
        taken.push(one)
        yield* Effect.yieldNow()
      }
      return waiting.length > 0 ? Duration.zero : Duration.infinity
    })
    yield* Effect.fork(run(pass, { name: "taking" }))
    const all = Array.from({ length: 200 }, (_, index) => index)
    yield* Effect.forEach(
      all,
      (one) =>
        Effect.gen(function* () {
          for (let turn = 0; turn < (one * 7) % 5; turn++) yield* Effect.yieldNow()
          waiting.push(one)
          yield* wake
        }),
      { concurrency: 3, discard: true }
    )
    yield* Effect.repeat(settle, { until: () => waiting.length === 0 })
    yield* settle
    expect(taken.toSorted((one, other) => one - other)).toEqual(all)
  })

  it("rests as long as a pass returns and ends a rest at a wake", function* () {
    const { run, wake } = yield* makeWorkLoop
    const rests: Array<Duration.DurationInput> = ["1 minute", Duration.zero, Duration.zero, "1 minute"]
    let passes = 0
    const pass = Effect.sync(() => rests[passes++] ?? Duration.infinity)
    yield* Effect.fork(run(pass, { name: "resting" }))
    yield* wait("59 seconds")
    expect(passes).toBe(1)
    yield* wait("1 second")
    expect(passes).toBe(4)
    yield* wake
    yield* settle
    expect(passes).toBe(5)
    yield* wait("1 hour")
    expect(passes).toBe(5)
  })

  it("delays a pass after a wake by its gather time, but not after a rest", function* () {
    const { passes, run, wake, ...loop } = yield* counting
    const pass = Effect.as(loop.pass, Duration.minutes(1))
    yield* Effect.fork(run(pass, { name: "gathering", gather: "2 seconds" }))
    expect(yield* passes).toBe(1)
    yield* wake
    yield* wait("1 second")
    yield* wake
    expect(yield* passes).toBe(1)
    yield* wait("1 second")
    expect(yield* passes).toBe(2)
    yield* wait("59 seconds")
    expect(yield* passes).toBe(2)
    yield* wait("1 second")
    expect(yield* passes).toBe(3)
  })

  it("ends each rest when its other signal arrives", function* () {
    const { pass, passes, run } = yield* counting
    const signal = yield* Queue.unbounded<void>()
    yield* Effect.fork(run(pass, { name: "counting", until: Queue.take(signal) }))
    expect(yield* passes).toBe(1)
    yield* Queue.offer(signal, undefined)
    expect(yield* passes).toBe(2)
    yield* Queue.offer(signal, undefined)
    expect(yield* passes).toBe(3)
  })
})

describe("a failing loop", () => {
  /** Runs passes that fail or die while `isDown`, and counts them. */
  const failing = Effect.fnUntraced(function* (failure: Effect.Effect<never, string>) {
    const { run, wake } = yield* makeWorkLoop
    const state = { isDown: true, passes: 0 }
    const reported: Array<string> = []
    const pass = Effect.suspend((): Effect.Effect<Duration.Duration, string> => {
      state.passes++
      return state.isDown ? failure : Effect.succeed(Duration.infinity)
    })
    const fiber = yield* Effect.fork(
      run(pass, {
        name: "working",
        backoff: { first: "1 second", most: "5 seconds" },
        onFailure: (cause) => Effect.sync(() => void reported.push(String(cause)))
      })
    )
    yield* settle
    return { fiber, reported, state, wake }
  })

  for (const [what, failure] of [
    ["fails", Effect.fail("no")],
    ["dies", Effect.die("no")],
    ["is interrupted from inside", Effect.interrupt]
  ] as const)
    it(`retries a pass that ${what} with growing backoff, which a success resets`, function* () {
      const { reported, state, wake } = yield* failing(failure)
      expect([state.passes, reported.length]).toEqual([1, 1])
      for (const pause of [1_000, 2_000, 4_000, 5_000, 5_000]) {
        const before = state.passes
        yield* wait(pause - 1)
        expect(state.passes).toBe(before)
        yield* wait(1)
        expect(state.passes).toBe(before + 1)
      }
      expect(reported.length).toBe(6)

      state.isDown = false
      yield* wait("5 seconds")
      expect([state.passes, reported.length]).toEqual([7, 6])
      state.isDown = true
      yield* wake
      yield* settle
      expect(state.passes).toBe(8)
      yield* wait("1 second")
      expect(state.passes).toBe(9)
    })

  it("serves a wake during a backoff after the backoff", function* () {
    const { state, wake } = yield* failing(Effect.fail("no"))
    yield* wake
    yield* settle
    expect(state.passes).toBe(1)
    state.isDown = false
    yield* wait("1 second")
    expect(state.passes).toBe(2)
    yield* wait("1 hour")
    expect(state.passes).toBe(2)
  })

  it("stops during a backoff when it is interrupted", function* () {
    const { fiber, state } = yield* failing(Effect.fail("no"))
    yield* Fiber.interrupt(fiber)
    yield* wait("1 hour")
    expect(state.passes).toBe(1)
  })
})

describe("an interrupted loop", () => {
  it("interrupts its pass without reporting a failure", function* () {
    const { run } = yield* makeWorkLoop
    const interrupted = yield* Deferred.make<void>()
    let failures = 0
    const fiber = yield* Effect.fork(
      run(
        Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
        {
          name: "working",
          onFailure: () => Effect.sync(() => void failures++)
        }
      )
    )
    yield* settle
    yield* Fiber.interrupt(fiber)
    expect([yield* Deferred.isDone(interrupted), failures]).toEqual([true, 0])
  })

  it("stops during a rest, and the next run starts with a pass", function* () {
    const { pass, passes, run, wake } = yield* counting
    const first = yield* Effect.fork(run(pass, { name: "counting" }))
    expect(yield* passes).toBe(1)
    yield* Fiber.interrupt(first)
    yield* wake
    expect(yield* passes).toBe(1)
    yield* Effect.fork(run(pass, { name: "counting" }))
    expect(yield* passes).toBe(2)
  })

  it("tells an expected failure in a line, after pauses that grow", function* () {
    const { run } = yield* makeWorkLoop
    const lines: Array<{ readonly at: number; readonly text: string; readonly hasCause: boolean }> = []
    const logger = Logger.make(({ cause, date, message }) => {
      lines.push({ at: date.getTime(), text: String(message), hasCause: !Cause.isEmpty(cause) })
    })
    yield* run(Effect.fail(new Error("The disk is full.")), { name: "reading the inbox" }).pipe(
      Effect.provide(Logger.add(logger)),
      Effect.fork
    )
    yield* wait("10 seconds")
    expect(lines).toEqual(
      [0, 1_000, 3_000, 7_000].map((at) => ({
        at,
        text: "reading the inbox failed: The disk is full.",
        hasCause: false
      }))
    )
  })

  it("works at an interval, and sooner after a failure", function* () {
    const times: Array<number> = []
    const work = Effect.sync(() => times.push(times.length))
    const failing = Effect.suspend(() =>
      times.length === 1 ? Effect.zipRight(work, Effect.fail("full")) : work
    )
    yield* Effect.fork(
      Effect.provide(every("1 hour", "pruning", failing), Logger.remove(Logger.defaultLogger))
    )
    yield* settle
    expect(times).toHaveLength(1)
    yield* wait("1 hour")
    expect(times).toHaveLength(2)
    yield* wait("1 second")
    expect(times).toHaveLength(3)
    yield* wait("59 minutes")
    expect(times).toHaveLength(3)
  })

  it("ends with its caller at once, even if it begins to rest just before it is interrupted", function* () {
    const { run } = yield* makeWorkLoop
    const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const pass = Effect.zipRight(
      Deferred.succeed(begun, undefined),
      Effect.as(Deferred.await(over), Duration.hours(1))
    )
    const both = yield* Effect.fork(
      Effect.all([run(pass, { name: "working" }), Effect.never], { concurrency: "unbounded", discard: true })
    )
    yield* Deferred.await(begun)
    Deferred.unsafeDone(over, Exit.void)
    both.unsafeInterruptAsFork(FiberId.none)
    yield* settle
    expect(Option.isSome(yield* Fiber.poll(both))).toBe(true)
  })
})
