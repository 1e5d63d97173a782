import { describe, expect, test } from "bun:test"
import { Deferred, Effect, Fiber, FiberId } from "effect"
import {
  awaitQuietTurn,
  isUrgent,
  makePermits,
  makeTurnScheduler,
  pausingBackgroundWork,
  withBackgroundPriority,
  withUrgentPriority
} from "../../src/runtime/Scheduling.ts"

const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
const inTurns = <A>(effect: Effect.Effect<A>) => run(Effect.withScheduler(effect, makeTurnScheduler()))

const busy = (milliseconds: number) =>
  Effect.sync(() => {
    const end = performance.now() + milliseconds
    while (performance.now() < end);
  })

describe("urgent priority", () => {
  test("is inherited by child fibers and can be dropped", async () => {
    const seen = await run(
      withUrgentPriority(
        Effect.all([
          isUrgent,
          Effect.flatMap(Effect.fork(isUrgent), Fiber.join),
          withBackgroundPriority(isUrgent)
        ])
      )
    )
    expect(seen).toEqual([true, true, false])
    expect(await run(isUrgent)).toBe(false)
  })
})

describe("makePermits", () => {
  const order = async (urgent: number, others: number) => {
    const permits = makePermits(1)
    const taken: Array<string> = []
    const one = (name: string) =>
      Effect.zipRight(
        permits.take,
        Effect.suspend(() => {
          taken.push(name)
          return Effect.zipRight(Effect.sleep(0), permits.release)
        })
      )
    await run(
      Effect.gen(function* () {
        yield* permits.take
        const waiting = yield* Effect.forEach(
          [
            ...Array.from({ length: others }, (_, n) => one(`other ${n}`)),
            ...Array.from({ length: urgent }, (_, n) => withUrgentPriority(one(`urgent ${n}`)))
          ],
          (work) => Effect.fork(work)
        )
        yield* Effect.sleep(1)
        yield* permits.release
        yield* Fiber.joinAll(waiting)
      })
    )
    return taken
  }

  test("serves urgent fibers first, but every fifth permit goes to another", async () => {
    expect(await order(6, 2)).toEqual([
      "urgent 0",
      "urgent 1",
      "urgent 2",
      "urgent 3",
      "other 0",
      "urgent 4",
      "urgent 5",
      "other 1"
    ])
  })

  test("keeps the order of long queues", async () => {
    const taken = await order(60, 60)
    expect(taken.filter((name) => name.startsWith("other"))).toEqual(
      Array.from({ length: 60 }, (_, n) => `other ${n}`)
    )
    expect(taken.filter((name) => name.startsWith("urgent"))).toHaveLength(60)
  })

  test("limits concurrency and skips interrupted fibers", async () => {
    const permits = makePermits(2)
    let inside = 0
    let most = 0
    const one = Effect.acquireUseRelease(
      permits.take,
      () =>
        Effect.suspend(() => {
          inside++
          most = Math.max(most, inside)
          return Effect.ensuring(
            Effect.sleep(2),
            Effect.sync(() => inside--)
          )
        }),
      () => permits.release
    )
    await run(
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.fork(one))
        yield* Effect.sleep(1)
        yield* Fiber.interruptAll(fibers.filter((_, n) => n % 3 === 0))
        yield* Effect.forEach(fibers, Fiber.await)
        yield* Effect.all([permits.take, permits.take])
      })
    )
    expect(most).toBe(2)
    expect(inside).toBe(0)
  })
})

describe("makeTurnScheduler", () => {
  test("lets timers run between turns", async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await inTurns(
      Effect.forEach(Array.from({ length: 40 }), () => Effect.zipRight(Effect.yieldNow(), busy(3)), {
        concurrency: "unbounded",
        discard: true
      })
    )
    clearInterval(timer)
    // 120 ms of work in turns of 10.
    expect(ticks).toBeGreaterThanOrEqual(6)
  })

  test("runs urgent fibers first", async () => {
    const seen: Array<string> = []
    const say = (name: string) =>
      Effect.zipRight(
        Effect.yieldNow(),
        Effect.sync(() => void seen.push(name))
      )
    await inTurns(
      Effect.all([...Array.from({ length: 3 }, () => say("other")), withUrgentPriority(say("urgent"))], {
        concurrency: "unbounded",
        discard: true
      })
    )
    expect(seen[0]).toBe("urgent")
    expect(seen).toHaveLength(4)
  })

  test("can interrupt a fiber that never yields", async () => {
    const exit = await inTurns(
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.forever(Effect.sync(() => {})))
        yield* Effect.sleep(5)
        return yield* Fiber.interrupt(fiber)
      })
    )
    expect(exit._tag).toBe("Failure")
  })
})

describe("awaitQuietTurn", () => {
  /** Fills ten turns of the event loop; returns how many of them had passed when background work resumed. */
  const turnsUntilQuiet = async (fill: () => void) => {
    let turns = 0
    const filled = Promise.withResolvers<void>()
    const next = () => {
      fill()
      if (++turns < 10) setImmediate(next)
      else filled.resolve()
    }
    setImmediate(next)
    const until = await run(Effect.map(awaitQuietTurn, () => turns))
    await filled.promise
    return until
  }

  /** Uses eight milliseconds of processor time. */
  const work = () => {
    const begun = process.threadCpuUsage()
    for (let used = 0; used < 8_000; ) {
      const now = process.threadCpuUsage()
      used = now.user + now.system - begun.user - begun.system
    }
  }

  test("waits until this thread has little to do", async () => {
    // After 200 ms it waits no longer, which a busy machine may need for fewer turns.
    expect(await turnsUntilQuiet(work)).toBeGreaterThanOrEqual(2)
  })

  test("does not wait while this thread waits for others", async () => {
    expect(await turnsUntilQuiet(() => Bun.sleepSync(8))).toBeLessThan(3)
  })

  test("waits until the other threads have answered all requests", async () => {
    const seen: Array<string> = []
    const [first, second] = [Deferred.unsafeMake<void>(FiberId.none), Deferred.unsafeMake<void>(FiberId.none)]
    const asked = [first, second].map((answer) => run(pausingBackgroundWork(Deferred.await(answer))))
    const resumed = run(Effect.map(awaitQuietTurn, () => seen.push("resumed")))
    await Bun.sleep(5)
    seen.push("first")
    await run(Deferred.succeed(first, undefined))
    await Bun.sleep(5)
    seen.push("second")
    await run(Deferred.succeed(second, undefined))
    await Promise.all([...asked, resumed])
    expect(seen).toEqual(["first", "second", "resumed"])
  })

  test("does not wait for a thread that does not answer", async () => {
    const never = Effect.runFork(pausingBackgroundWork(Effect.never))
    await run(awaitQuietTurn)
    await run(Fiber.interrupt(never))
    const seen: Array<string> = []
    const resumed = run(Effect.map(awaitQuietTurn, () => seen.push("resumed")))
    await Bun.sleep(100)
    seen.push("later")
    await resumed
    expect(seen).toEqual(["resumed", "later"])
  })
})
