import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, TestClock } from "effect"
import { makeThrottle } from "../../src/runtime/Throttle.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

/** Runs a throttle every second, and returns the seconds in which its effect ran. */
const runsOf = Effect.fnUntraced(function* (throttle: ReturnType<typeof makeThrottle>, seconds: number) {
  const runs: Array<number> = []
  for (let second = 0; second < seconds; second++) {
    yield* throttle(Effect.sync(() => void runs.push(second)))
    yield* TestClock.adjust("1 second")
  }
  return runs
})

describe("makeThrottle", () => {
  it(
    "runs the first effect at once, and others only when the interval has passed since the last that ran",
    Effect.gen(function* () {
      expect(yield* runsOf(makeThrottle("3 seconds"), 10)).toEqual([0, 3, 6, 9])
    })
  )

  it(
    "runs none before the interval has passed, if the first is to be later",
    Effect.gen(function* () {
      expect(yield* runsOf(makeThrottle("3 seconds", { first: "later" }), 10)).toEqual([3, 6, 9])
    })
  )

  it(
    "passes on the failure of an effect that it runs, and counts it as run",
    Effect.gen(function* () {
      const throttle = makeThrottle("3 seconds")
      expect(yield* Effect.exit(throttle(Effect.fail("no")))).toEqual(Exit.fail("no"))
      expect(yield* Effect.exit(throttle(Effect.fail("no")))).toEqual(Exit.void)
    })
  )
})
