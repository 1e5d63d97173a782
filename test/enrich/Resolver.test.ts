import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { Resolver } from "../../src/enrich/Resolver.ts"
import type { LookUp, Names } from "../../src/runtime/Names.ts"
import { clockTest } from "../support/effect.ts"

/** Sources of names that answer as told, and the names that each of them was asked for. */
const sources = (answer: (name: string) => LookUp | Promise<LookUp>, system: Record<string, string> = {}) => {
  const asked = { dns: [] as string[], system: [] as string[], cancelled: 0 }
  const names: Names = {
    lookUp: async (name, signal) => {
      asked.dns.push(name)
      signal?.addEventListener("abort", () => {
        asked.cancelled++
      })
      return answer(name)
    },
    fetch
  }
  const held = Promise.withResolvers<ReadonlyArray<string>>()
  const layer = Resolver.over(names, (name) => {
    asked.system.push(name)
    const address = system[name]
    return address === undefined ? held.promise : Promise.resolve([address])
  })
  return { asked, layer, release: () => held.resolve([]) }
}

const it = clockTest(Layer.empty)
const lookup = (name: string, trusted = false) => Effect.flatMap(Resolver, (one) => one.lookup(name, trusted))
const none: LookUp = { state: "unknown" }
const never = new Promise<LookUp>(() => {})

describe("Resolver", () => {
  it(
    "asks the system for the names of hosts that the owner has listed, where the DNS knows none, and for no other",
    Effect.gen(function* () {
      const { asked, layer } = sources(
        (name) => (name === "known.test" ? { state: "found", addresses: ["192.0.2.1"] } : none),
        { "nas.test": "10.0.0.7", "nas.local": "10.0.0.8" }
      )
      yield* Effect.gen(function* () {
        expect(yield* lookup("nas.test", true)).toEqual(["10.0.0.7"])
        expect(yield* lookup("nas.local", true)).toEqual(["10.0.0.8"])
        expect(yield* lookup("known.test", true)).toEqual(["192.0.2.1"])
        expect(yield* lookup("nas.test")).toEqual([])
        expect(yield* lookup("nas.local")).toEqual([])
      }).pipe(Effect.provide(layer))
      expect(asked.dns).toEqual(["nas.test", "known.test", "nas.test", "nas.local"])
      expect(asked.system).toEqual(["nas.test", "nas.local"])
    })
  )

  it(
    "asks the system for any name while no name server can be reached",
    Effect.gen(function* () {
      const { asked, layer } = sources(() => ({ state: "unreachable" }), { "site.test": "192.0.2.1" })
      expect(yield* Effect.provide(lookup("site.test"), layer)).toEqual(["192.0.2.1"])
      expect(asked.system).toEqual(["site.test"])
    })
  )

  it(
    "cancels a look-up that takes five seconds, or whose caller has gone",
    Effect.gen(function* () {
      const { asked, layer } = sources(() => never)
      yield* Effect.gen(function* () {
        const slow = yield* Effect.fork(lookup("slow.test"))
        const left = yield* Effect.fork(lookup("left.test"))
        yield* TestClock.adjust("4 seconds")
        yield* Fiber.interrupt(left)
        expect([asked.dns.length, asked.cancelled]).toEqual([2, 1])
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(slow)).toEqual([])
        expect(asked.cancelled).toBe(2)
      }).pipe(Effect.provide(layer))
    })
  )

  it(
    "has the system look up one name at a time, and lets callers stop waiting",
    Effect.gen(function* () {
      const { asked, layer, release } = sources(() => none)
      yield* Effect.gen(function* () {
        const all = yield* Effect.forEach([1, 2, 3], (n) => Effect.fork(lookup(`nas${n}.test`, true)))
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(Fiber.all(all))).toEqual([[], [], []])
        expect(asked.system).toEqual(["nas1.test"])
        release()
        yield* Effect.promise(() => Bun.sleep(0))
        yield* lookup("nas4.test", true)
        expect(asked.system).toEqual(["nas1.test", "nas4.test"])
      }).pipe(Effect.provide(layer))
    })
  )

  it(
    "looks up some names at once, and the others in turn",
    Effect.gen(function* () {
      const { promise, resolve } = Promise.withResolvers<LookUp>()
      const { asked, layer } = sources(() => promise)
      yield* Effect.gen(function* () {
        const all = yield* Effect.forEach(Array.from({ length: 600 }), (_, n) =>
          Effect.fork(lookup(`n${n}.test`))
        )
        yield* TestClock.adjust("1 second")
        expect(asked.dns.length).toBe(512)
        resolve(none)
        yield* Fiber.join(Fiber.all(all))
        expect(asked.dns.length).toBe(600)
      }).pipe(Effect.provide(layer))
    })
  )
})
