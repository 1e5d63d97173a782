import { describe, expect } from "bun:test"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import * as CircuitBreaker from "../../../src/enrich/model/CircuitBreaker.ts"
import { clockTest } from "../../support/effect.ts"

const it = clockTest(Layer.empty)

/** A breaker that opens for a minute after five failures, around a call that counts its runs and fails on demand. */
const setUp = Effect.map(
  CircuitBreaker.make({ name: "test", failures: 5, openFor: "1 minute" }),
  (breaker) => {
    const world = { runs: 0, works: true }
    const call = Effect.suspend(() => {
      world.runs++
      return world.works ? Effect.succeed("fine") : Effect.fail("broken")
    })
    const outcome = breaker
      .protect(call)
      .pipe(Effect.match({ onSuccess: (a) => a, onFailure: (e) => (e === "broken" ? e : "open") }))
    return { breaker, world, outcome, times: (n: number) => Effect.replicateEffect(outcome, n) }
  }
)

describe("CircuitBreaker", () => {
  it("passes calls and their results through while closed", function* () {
    const { world, outcome } = yield* setUp
    expect(yield* outcome).toBe("fine")
    world.works = false
    expect(yield* outcome).toBe("broken")
  })

  it("opens for a minute after five consecutive failures", function* () {
    const { world, times } = yield* setUp
    world.works = false
    expect(yield* times(7)).toEqual(["broken", "broken", "broken", "broken", "broken", "open", "open"])
    yield* TestClock.adjust("59 seconds")
    expect(yield* times(100)).not.toContain("broken")
    expect(world.runs).toBe(5)
  })

  it("counts only consecutive failures", function* () {
    const { world, times } = yield* setUp
    for (let round = 0; round < 3; round++) {
      world.works = false
      yield* times(4)
      world.works = true
      yield* times(1)
    }
    expect(world.runs).toBe(15)
  })

  it("closes after a successful probe", function* () {
    const { world, times } = yield* setUp
    world.works = false
    yield* times(5)
    yield* TestClock.adjust("1 minute")
    world.works = true
    expect(yield* times(3)).toEqual(["fine", "fine", "fine"])
  })

  it("opens for another minute after a failed probe", function* () {
    const { world, times } = yield* setUp
    world.works = false
    yield* times(5)
    yield* TestClock.adjust("1 minute")
    expect(yield* times(3)).toEqual(["broken", "open", "open"])
    yield* TestClock.adjust("59 seconds")
    expect(yield* times(1)).toEqual(["open"])
    yield* TestClock.adjust("1 second")
    expect(yield* times(2)).toEqual(["broken", "open"])
  })

  it("lets a single probe through", function* () {
    const { breaker, world, times, outcome } = yield* setUp
    world.works = false
    yield* times(5)
    yield* TestClock.adjust("1 minute")
    const probe = yield* Effect.fork(breaker.protect(Effect.never))
    yield* Effect.yieldNow()
    expect(yield* times(10)).toEqual(Array.from({ length: 10 }, () => "open"))
    yield* Fiber.interrupt(probe)
    world.works = true
    expect(yield* outcome).toBe("fine")
  })

  it("counts a defect as a failure and ignores an interruption", function* () {
    const { breaker, outcome } = yield* setUp
    for (let i = 0; i < 10; i++) {
      const running = yield* Effect.fork(breaker.protect(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(running)
    }
    expect(yield* outcome).toBe("fine")
    yield* Effect.replicateEffect(Effect.sandbox(breaker.protect(Effect.die("bug"))).pipe(Effect.either), 5)
    expect(yield* outcome).toBe("open")
  })

  it("ignores calls that fail after it has opened", function* () {
    const { breaker, times, world } = yield* setUp
    const slow = yield* Effect.fork(
      Effect.either(breaker.protect(Effect.delay(Effect.fail("late"), "30 seconds")))
    )
    yield* Effect.yieldNow()
    world.works = false
    yield* times(5)
    yield* TestClock.adjust("30 seconds")
    expect(yield* Fiber.join(slow)).toEqual(Either.left("late"))
    yield* TestClock.adjust("30 seconds")
    expect(yield* times(1)).toEqual(["broken"])
  })

  it("closes even if the clock is set back", function* () {
    const { world, times } = yield* setUp
    yield* TestClock.setTime(86_400_000)
    world.works = false
    yield* times(5)
    yield* TestClock.setTime(0)
    expect(yield* times(2)).toEqual(["broken", "open"])
  })

  it("closes and clears its count on reset", function* () {
    const { breaker, world, times } = yield* setUp
    world.works = false
    yield* times(5)
    yield* breaker.reset
    expect(yield* times(2)).toEqual(["broken", "broken"])
  })

  it("probes once a minute during an outage and closes within a minute of its end", function* () {
    const { outcome, world, times } = yield* setUp
    world.works = false
    for (let turn = 0; turn < 30; turn++) {
      yield* times(3)
      yield* TestClock.adjust("20 seconds")
    }
    expect(world.runs).toBeGreaterThan(5 + 7)
    expect(world.runs).toBeLessThanOrEqual(5 + 10)
    world.works = true
    yield* TestClock.adjust("1 minute")
    expect(yield* outcome).toBe("fine")
    expect(yield* times(20)).toEqual(Array(20).fill("fine"))
  })
})
