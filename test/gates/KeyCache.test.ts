import { describe, expect } from "bun:test"
import { KeyObject } from "node:crypto"
import { Deferred, Effect, Fiber, Layer, Logger, Option, TestClock } from "effect"
import { generateKeyPair } from "jose"
import * as KeyCache from "../../src/gates/KeyCache.ts"
import { clockTest } from "../support/effect.ts"

const { publicKey } = await generateKeyPair("RS256")
const it = clockTest(Layer.empty)

const keys = (...kids: ReadonlyArray<string>) => new Map(kids.map((kid) => [kid, KeyObject.from(publicKey)]))
const down = Effect.fail({ reason: "status" })

/** A cache over a source whose answer a test may change, and which counts how often it is asked. */
const setUp = (answer: Effect.Effect<KeyCache.Keys, { readonly reason: string }>) =>
  Effect.gen(function* () {
    const source = { asked: 0, answer }
    const asking = Effect.suspend(() => {
      source.asked++
      return source.answer
    })
    const cache = yield* KeyCache.make(asking, yield* Effect.scope)
    const has = (kid: string) => Effect.map(cache.find(kid), Option.isSome)
    return { source, has }
  })

/** What is logged while `effect` runs. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  return Effect.as(Effect.provide(effect, Logger.add(logger)), lines)
}

describe("KeyCache", () => {
  it(
    "asks once for many that want a key at the same time",
    Effect.gen(function* () {
      const answered = yield* Deferred.make<KeyCache.Keys>()
      const { has, source } = yield* setUp(Deferred.await(answered))
      const waiting = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 200 }), () => has("k1"), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(answered, keys("k1"))
      expect(new Set(yield* Fiber.join(waiting))).toEqual(new Set([true]))
      expect(source.asked).toBe(1)
    })
  )

  it(
    "asks again for an unknown key only after the pause",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.succeed(keys("k1", "k2"))
      for (let second = 0; second < 29; second++) {
        expect(yield* has(`random-${second}`)).toBe(false)
        yield* TestClock.adjust("1 second")
      }
      expect([source.asked, yield* has("k2")]).toEqual([1, false])
      yield* TestClock.adjust("2 seconds")
      expect([yield* has("k2"), source.asked]).toEqual([true, 2])
    })
  )

  it(
    "forgets a withdrawn key within its age limit",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(Effect.succeed(keys("k1", "k2")))
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.succeed(keys("k2"))
      yield* TestClock.adjust("9 minutes")
      expect([yield* has("k1"), source.asked]).toEqual([true, 1])
      yield* TestClock.adjust("1 minute")
      expect([yield* has("k1"), yield* has("k2"), source.asked]).toEqual([false, true, 2])
    })
  )

  it(
    "opens within ten seconds once a key server that was down from the start is back",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(down)
      const early = yield* Effect.forEach(Array.from({ length: 200 }), () => has("k1"))
      expect([early.includes(true), source.asked]).toEqual([false, 1])
      source.answer = Effect.succeed(keys("k1"))
      expect(yield* has("k1")).toBe(false)
      yield* TestClock.adjust("10 seconds")
      expect([yield* has("k1"), source.asked]).toEqual([true, 2])
    })
  )

  it(
    "keeps the last good keys for a day and no longer, and says once that it cannot renew them",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = down
      const lines = yield* logged(
        Effect.gen(function* () {
          for (let hour = 1; hour < 24; hour++) {
            yield* TestClock.adjust("1 hour")
            expect([hour, yield* has("k1")]).toEqual([hour, true])
          }
          yield* TestClock.adjust("1 hour")
          expect(yield* has("k1")).toBe(false)
        })
      )
      expect(lines).toEqual([expect.stringContaining("cannot be fetched (status)")])
    })
  )

  it(
    "lets nobody with a known key wait while the key server is known to be down",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = down
      yield* TestClock.adjust("11 minutes")
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.never
      yield* TestClock.adjust("11 seconds")
      // On this clock anything that waits would wait for ever.
      expect(yield* has("k1")).toBe(true)
      yield* TestClock.adjust("1 second")
      expect([yield* has("k1"), source.asked]).toEqual([true, 3])
    })
  )

  it(
    "finishes asking although the request that wanted the key was given up",
    Effect.gen(function* () {
      const answered = yield* Deferred.make<KeyCache.Keys>()
      const { has, source } = yield* setUp(Deferred.await(answered))
      const given = yield* Effect.fork(has("k1"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(given)
      yield* Deferred.succeed(answered, keys("k1"))
      expect([yield* has("k1"), source.asked]).toEqual([true, 1])
    })
  )

  it(
    "stays closed, and works on, when asking crashes",
    Effect.gen(function* () {
      const { has, source } = yield* setUp(Effect.die("a bug"))
      expect(yield* has("k1")).toBe(false)
      source.answer = Effect.succeed(keys("k1"))
      yield* TestClock.adjust("10 seconds")
      expect(yield* has("k1")).toBe(true)
    })
  )
})
