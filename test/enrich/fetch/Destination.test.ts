import { describe, expect, test } from "bun:test"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { isAllowed, isFetchable, isPublic, Resolver } from "../../../src/enrich/fetch/Destination.ts"
import type { DnsResult, Names } from "../../../src/runtime/Names.ts"
import { describeData, json } from "../../support/data.ts"
import { clockTest } from "../../support/effect.ts"
import { rowsOf } from "../../support/rows.ts"

describe("isPublic", () => {
  for (const address of ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2001:470:8:66::1"])
    test(`accepts ${address}`, () => expect(isPublic(address)).toBe(true))
  for (const address of [
    ..."0.0.0.0 10.0.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254".split(" "),
    ..."172.16.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1".split(" "),
    ..."203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::1.1.1.1 ::ffff:1.1.1.1".split(" "),
    ..."::ffff:127.0.0.1 64:ff9b::7f00:1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2620:4f:8000::1".split(" "),
    ..."3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1".split(" "),
    ..."nope 1.2.3 2001:470:8:66::1%z".split(" "),
    ""
  ])
    test(`rejects ${JSON.stringify(address)}`, () => expect(isPublic(address)).toBe(false))
})

describeData("ssrf", "isPublic on a table of ranges", () => {
  // An address with a zone belongs to an interface of this machine.
  for (const { ip, range } of json<ReadonlyArray<{ readonly ip: string; readonly range: string }>>(
    "ssrf/ip-ranges.json"
  ))
    test(`${ip} is ${range}`, () => expect(isPublic(ip)).toBe(range === "unicast" && !ip.includes("%")))
})

describe("isAllowed", () => {
  for (const [address, allow, allowed] of rowsOf<readonly [string, string, boolean]>(
    import.meta,
    "Destination"
  ))
    test(`returns ${allowed} for ${address} with ${JSON.stringify(allow)}`, () =>
      expect(isAllowed(new URL(address), allow)).toBe(allowed))
})

describe("isFetchable", () => {
  for (const address of [
    "ftp://example.org/",
    "file:///etc/passwd",
    "http://u@example.org/",
    "http://:p@example.org/",
    "http://example.org:22/",
    "http://example.org:6379/"
  ])
    test(`rejects ${address}`, () => expect(isFetchable(new URL(address), false)).toBe(false))
  test("accepts any port of an allowed host, but no credentials", () => {
    expect(isFetchable(new URL("http://example.org:8080/"), true)).toBe(true)
    expect(isFetchable(new URL("http://u:p@example.org:8080/"), true)).toBe(false)
  })
})

/** A resolver over a fake name server and fake system look-ups, and the names each was asked for. */
const fakeResolver = (
  answer: (name: string) => DnsResult | Promise<DnsResult>,
  system: Record<string, string> = {}
) => {
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
const unknown: DnsResult = { state: "unknown" }
const never = new Promise<DnsResult>(() => {})

describe("Resolver", () => {
  it("asks the system only for listed hosts that the name server does not know", function* () {
    const { asked, layer } = fakeResolver(
      (name) => (name === "known.test" ? { state: "found", addresses: ["192.0.2.1"] } : unknown),
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

  it("asks the system for any name while every name server is unreachable", function* () {
    const { asked, layer } = fakeResolver(() => ({ state: "unreachable" }), { "site.test": "192.0.2.1" })
    expect(yield* Effect.provide(lookup("site.test"), layer)).toEqual(["192.0.2.1"])
    expect(asked.system).toEqual(["site.test"])
  })

  it("cancels a look-up after five seconds or when its caller is interrupted", function* () {
    const { asked, layer } = fakeResolver(() => never)
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

  it("runs one system look-up at a time and lets waiting callers time out", function* () {
    const { asked, layer, release } = fakeResolver(() => unknown)
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

  it("runs at most 512 look-ups at once", function* () {
    const { promise, resolve } = Promise.withResolvers<DnsResult>()
    const { asked, layer } = fakeResolver(() => promise)
    yield* Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: 600 }), (_, n) =>
        Effect.fork(lookup(`n${n}.test`))
      )
      yield* TestClock.adjust("1 second")
      expect(asked.dns.length).toBe(512)
      resolve(unknown)
      yield* Fiber.join(Fiber.all(all))
      expect(asked.dns.length).toBe(600)
    }).pipe(Effect.provide(layer))
  })
})
