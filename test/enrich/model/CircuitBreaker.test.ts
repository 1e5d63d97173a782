import { describe, expect } from "bun:test"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import * as CircuitBreaker from "../../../src/enrich/model/CircuitBreaker.ts"
import { clockTest } from "../../support/effect.ts"

const it = clockTest(Layer.empty)

/** A breaker of five failures and a minute around a call that counts its runs and can be made to fail. */
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
  it(
    "lets calls through and passes on what becomes of them",
    Effect.gen(function* () {
      const { world, outcome } = yield* setUp
      expect(yield* outcome).toBe("fine")
      world.works = false
      expect(yield* outcome).toBe("broken")
    })
  )

  it(
    "opens after five failures in a row and then runs nothing for a minute",
    Effect.gen(function* () {
      const { world, times } = yield* setUp
      world.works = false
      expect(yield* times(7)).toEqual(["broken", "broken", "broken", "broken", "broken", "open", "open"])
      yield* TestClock.adjust("59 seconds")
      expect(yield* times(100)).not.toContain("broken")
      expect(world.runs).toBe(5)
    })
  )

  it(
    "counts only failures in a row",
    Effect.gen(function* () {
      const { world, times } = yield* setUp
      for (let round = 0; round < 3; round++) {
        world.works = false
        yield* times(4)
        world.works = true
        yield* times(1)
      }
      expect(world.runs).toBe(15)
    })
  )

  it(
    "closes when the probe after the pause succeeds",
    Effect.gen(function* () {
      const { world, times } = yield* setUp
      world.works = false
      yield* times(5)
      yield* TestClock.adjust("1 minute")
      world.works = true
      expect(yield* times(3)).toEqual(["fine", "fine", "fine"])
    })
  )

  it(
    "pauses for another minute when the probe fails",
    Effect.gen(function* () {
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
  )

  it(
    "lets one probe through, however many calls wait",
    Effect.gen(function* () {
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
  )

  it(
    "counts a crash as a failure and an interruption as nothing",
    Effect.gen(function* () {
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
  )

  it(
    "takes no notice of calls that fail after it has opened",
    Effect.gen(function* () {
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
  )

  it(
    "is not held open by a clock that was set back",
    Effect.gen(function* () {
      const { world, times } = yield* setUp
      yield* TestClock.setTime(86_400_000)
      world.works = false
      yield* times(5)
      yield* TestClock.setTime(0)
      expect(yield* times(2)).toEqual(["broken", "open"])
    })
  )

  it(
    "forgets its record when it is reset",
    Effect.gen(function* () {
      const { breaker, world, times } = yield* setUp
      world.works = false
      yield* times(5)
      yield* breaker.reset
      expect(yield* times(2)).toEqual(["broken", "broken"])
    })
  )

  it(
    "asks once a minute through an hour's outage, however often it is called, and answers again within a minute of its end",
    Effect.gen(function* () {
      const { outcome, world, times } = yield* setUp
      world.works = false
      for (let turn = 0; turn < 360; turn++) {
        yield* times(3)
        yield* TestClock.adjust("10 seconds")
      }
      expect(world.runs).toBeGreaterThan(50)
      expect(world.runs).toBeLessThanOrEqual(5 + 60)
      world.works = true
      yield* TestClock.adjust("1 minute")
      expect(yield* outcome).toBe("fine")
      expect(yield* times(20)).toEqual(Array(20).fill("fine"))
    })
  )
})
