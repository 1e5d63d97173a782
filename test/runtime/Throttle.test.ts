import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, TestClock } from "effect"
import { makeThrottle } from "../../src/runtime/Throttle.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

/** Calls a throttle every second; returns the seconds in which its effect ran. */
const runsOf = Effect.fnUntraced(function* (throttle: ReturnType<typeof makeThrottle>, seconds: number) {
  const runs: Array<number> = []
  for (let second = 0; second < seconds; second++) {
    yield* throttle(Effect.sync(() => void runs.push(second)))
    yield* TestClock.adjust("1 second")
  }
  return runs
})

describe("makeThrottle", () => {
  it("runs the first effect at once and then one per interval", function* () {
    expect(yield* runsOf(makeThrottle("3 seconds"), 10)).toEqual([0, 3, 6, 9])
  })

  it("delays the first effect by the interval if told to", function* () {
    expect(yield* runsOf(makeThrottle("3 seconds", { first: "later" }), 10)).toEqual([3, 6, 9])
  })

  it("passes on a failure and counts it as a run", function* () {
    const throttle = makeThrottle("3 seconds")
    expect(yield* Effect.exit(throttle(Effect.fail("no")))).toEqual(Exit.fail("no"))
    expect(yield* Effect.exit(throttle(Effect.fail("no")))).toEqual(Exit.void)
  })
})
