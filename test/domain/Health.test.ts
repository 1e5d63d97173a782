import { expect, test } from "bun:test"
import { Deferred, Effect, Fiber, Logger } from "effect"
import { Health } from "../../src/domain/Health.ts"

test("Health is degraded by a problem and failing if saving is impossible, until the problem ends", async () => {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
  const seen = await Effect.gen(function* () {
    const health = yield* Health
    const all = [yield* health.current]
    for (const [problem, exists] of [
      ["search", true],
      ["storage-gone", true],
      ["storage-gone", true],
      ["search", false],
      ["storage-gone", false]
    ] as const) {
      yield* health.set(problem, exists)
      all.push(yield* health.current)
    }
    return all
  }).pipe(Effect.provide([Health.layer, Logger.replace(Logger.defaultLogger, logger)]), Effect.runPromise)
  expect(logged.map((line) => line.split(".")[0])).toEqual([
    "health: problem search occurred",
    "health: problem storage-gone occurred",
    "health: problem search resolved",
    "health: problem storage-gone resolved"
  ])
  expect(seen).toEqual([
    { status: "ok" },
    { status: "degraded", problems: ["search"] },
    { status: "failing", problems: ["search", "storage-gone"] },
    { status: "failing", problems: ["search", "storage-gone"] },
    { status: "failing", problems: ["storage-gone"] },
    { status: "ok" }
  ])
})

test("Health is starting until the last part of the start ends, unless saving is impossible", async () => {
  const seen = await Effect.gen(function* () {
    const health = yield* Health
    const loaded = yield* Deferred.make<void>()
    const part = yield* Effect.fork(health.starting(Deferred.await(loaded)))
    yield* Effect.yieldNow()
    const all = [yield* health.current]
    yield* health.set("search", true)
    all.push(yield* health.current)
    yield* health.set("storage-full", true)
    all.push(yield* health.current)
    yield* Deferred.succeed(loaded, undefined)
    yield* Fiber.join(part)
    yield* health.set("storage-full", false)
    all.push(yield* health.current)
    return all
  }).pipe(Effect.provide(Health.layer), Effect.runPromise)
  expect(seen).toEqual([
    { status: "starting" },
    { status: "starting", problems: ["search"] },
    { status: "failing", problems: ["search", "storage-full"] },
    { status: "degraded", problems: ["search"] }
  ])
})
