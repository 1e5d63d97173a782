import { expect } from "bun:test"
import { Effect, Layer, TestClock } from "effect"
import { whenResting } from "../../src/runtime/Rest.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(Layer.empty)

it("releases memory once each time that the thread rests after it has worked", function* () {
  const thread = { worked: 2_000 }
  let released = 0
  const release = Effect.sync(() => {
    released++
    // A release is work too.
    thread.worked += 300
  })
  yield* Effect.fork(whenResting(release, () => thread.worked))
  const after = Effect.fnUntraced(function* (work: number) {
    thread.worked += work
    yield* TestClock.adjust("20 seconds")
    return released
  })
  yield* Effect.yieldNow()
  const quiet = Array.from({ length: 20 }, () => 10)
  const seen = yield* Effect.forEach([5_000, 10, ...quiet, 5_000, 10], after)
  expect(seen).toEqual([0, 1, ...quiet.map(() => 1), 1, 2])
})
