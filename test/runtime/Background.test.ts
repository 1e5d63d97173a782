import { describe, expect } from "bun:test"
import { Deferred, type Duration, Effect, Exit, Fiber, Layer, Scope, TestClock, TestContext } from "effect"
import { Background, makeSingleFlight } from "../../src/runtime/Background.ts"
import { effectTest } from "../support/effect.ts"

const it = effectTest(Layer.empty)

describe("Background", () => {
  it("waits three seconds at a shutdown, then interrupts what is still running", function* () {
    const ended: Array<string> = []
    const work = (name: string, takes: Duration.DurationInput) =>
      Effect.onExit(Effect.sleep(takes), (exit) =>
        Effect.sync(() => ended.push(`${name} ${Exit.isSuccess(exit) ? "done" : "interrupted"}`))
      )
    yield* Effect.gen(function* () {
      const { run, settled } = yield* Background
      yield* run("short", work("short", "2 seconds"))
      yield* run("long", work("long", "4 seconds"))
      yield* run("commit", Effect.uninterruptible(work("commit", "3500 millis")))
      const stopping = yield* Effect.fork(Effect.zipRight(settled, settled))
      yield* TestClock.adjust("2900 millis")
      expect(ended).toEqual(["short done"])
      yield* TestClock.adjust("100 millis")
      expect(ended).toEqual(["short done", "long interrupted"])
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(stopping)
      expect(ended).toEqual(["short done", "long interrupted", "commit done"])
    }).pipe(Effect.provide(Background.layer), Effect.provide(TestContext.TestContext))
  })
})

/** Work that ends when `gate` opens, and the number of its runs. */
const gated = Effect.map(Deferred.make<void>(), (gate) => {
  const begun = { times: 0 }
  const work = Effect.suspend(() => {
    begun.times++
    return Effect.as(Deferred.await(gate), begun.times)
  })
  return { begun, gate, work }
})

describe("makeSingleFlight", () => {
  it("runs once for concurrent callers of a key and again for a later caller", function* () {
    const flights = yield* makeSingleFlight<number>()
    const { begun, gate, work } = yield* gated
    const all = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 10 }, () => flights.run("a", work)),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.yieldNow()
    yield* Deferred.succeed(gate, undefined)
    expect(yield* Fiber.join(all)).toEqual(Array(10).fill(1))
    expect(begun.times).toBe(1)
    expect(yield* flights.run("a", work)).toBe(2)
  })

  it("runs two keys in parallel", function* () {
    const flights = yield* makeSingleFlight<number>()
    const { work } = yield* gated
    const slow = yield* Effect.fork(flights.run("a", work))
    expect(yield* flights.run("b", Effect.succeed(5))).toBe(5)
    yield* Fiber.interrupt(slow)
  })

  it("continues when the first caller or every caller is interrupted", function* () {
    const flights = yield* makeSingleFlight<number>()
    const { begun, gate, work } = yield* gated
    const first = yield* Effect.fork(flights.run("a", work))
    yield* Effect.yieldNow()
    const second = yield* Effect.fork(flights.run("a", work))
    yield* Effect.yieldNow()
    yield* Fiber.interruptAll([first])
    yield* Deferred.succeed(gate, undefined)
    expect(yield* Fiber.join(second)).toBe(1)
    const other = yield* gated
    const alone = yield* Effect.fork(flights.run("b", other.work))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(alone)
    yield* Deferred.succeed(other.gate, undefined)
    yield* flights.landed("b")
    expect([begun.times, other.begun.times]).toEqual([1, 1])
  })

  it("waits only for work in progress", function* () {
    const flights = yield* makeSingleFlight<number>()
    const { gate, work } = yield* gated
    yield* flights.landed("a")
    yield* Effect.fork(flights.run("a", work))
    yield* Effect.yieldNow()
    const landed = yield* Effect.fork(flights.landed("a"))
    yield* Effect.yieldNow()
    expect((yield* Fiber.poll(landed))._tag).toBe("None")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(landed)
  })

  it("passes a defect on to the callers and runs again afterwards", function* () {
    const flights = yield* makeSingleFlight<number>()
    expect(Exit.isFailure(yield* Effect.exit(flights.run("a", Effect.die("bug"))))).toBe(true)
    expect(yield* flights.run("a", Effect.succeed(1))).toBe(1)
  })

  it("interrupts its work when its scope closes", function* () {
    const scope = yield* Scope.make()
    const flights = yield* Scope.extend(makeSingleFlight<number>(), scope)
    const { work } = yield* gated
    const waiting = yield* Effect.fork(flights.run("a", work))
    yield* Effect.yieldNow()
    yield* Scope.close(scope, Exit.void)
    expect(Exit.isInterrupted(yield* Fiber.await(waiting))).toBe(true)
  })
})
