import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, TestClock } from "effect"
import { makeRecentFailures } from "../../src/library/RecentFailures.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

describe("makeRecentFailures", () => {
  it(
    "knows what failed for as long as it is told to, counted from the last time",
    Effect.gen(function* () {
      const failures = makeRecentFailures(Duration.hours(1), 10)
      expect(yield* failures.has("a")).toBe(false)
      yield* failures.add("a")
      yield* TestClock.adjust("50 minutes")
      yield* failures.add("a")
      yield* TestClock.adjust("50 minutes")
      expect([yield* failures.has("a"), yield* failures.has("b")]).toEqual([true, false])
      yield* TestClock.adjust("10 minutes")
      expect(yield* failures.has("a")).toBe(false)
    })
  )

  it(
    "forgets what it is told to, and the oldest where there are too many",
    Effect.gen(function* () {
      const failures = makeRecentFailures(Duration.hours(1), 3)
      yield* Effect.forEach(["a", "b", "c", "a", "d"], failures.add)
      const known = Effect.filter(["a", "b", "c", "d"], failures.has)
      expect(yield* known).toEqual(["a", "c", "d"])
      yield* failures.forget("c")
      expect(yield* known).toEqual(["a", "d"])
    })
  )
})
