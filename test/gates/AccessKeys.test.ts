import { describe, expect, test } from "bun:test"
import { generateKeyPairSync, KeyObject } from "node:crypto"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Deferred, Effect, Fiber, Layer, Logger, Option, TestClock } from "effect"
import { exportJWK, generateKeyPair } from "jose"
import { AccessKeys, type Keys, makeKeyCache, parseTeam } from "../../src/gates/AccessKeys.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { loopback } from "../support/loopback.ts"

const { publicKey } = await generateKeyPair("RS256", { extractable: true })
const jwk = await exportJWK(publicKey)

const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" })

const it = effectTest(AccessKeys.layer.pipe(Layer.provide(FetchHttpClient.layer)))
const silent = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.never)
)
const timed = clockTest(AccessKeys.layer.pipe(Layer.provide(silent)))

const has = Effect.fnUntraced(function* (url: string, kid: string) {
  const keys = yield* AccessKeys
  return Option.isSome(yield* keys.find(yield* parseTeam(url), kid))
})

describe("AccessKeys", () => {
  it(
    "uses the valid keys of a set and skips the others",
    Effect.gen(function* () {
      const url = yield* loopback(() =>
        Response.json({
          keys: [
            { ...jwk, kid: "good" },
            { ...jwk, kid: "described", alg: "RS256", use: "sig" },
            { ...jwk, kid: "other-hash", alg: "RS512" },
            { ...jwk, kid: "encryption", use: "enc" },
            { ...jwk, kid: "broken", n: "not base64!" },
            { ...jwk, kid: "junk", n: `${jwk.n}!` },
            { ...jwk, kid: "weak", e: "AQ" },
            { ...short, kid: "short" },
            { ...jwk, kid: "" },
            { ...jwk },
            { kty: "EC", kid: "curve", crv: "P-256", x: "AA", y: "AA" },
            null
          ],
          public_certs: []
        })
      )
      const found = yield* Effect.filter(
        ["good", "described", "other-hash", "encryption", "broken", "junk", "weak", "short", "", "curve"],
        (kid) => has(url, kid)
      )
      expect(found).toEqual(["good", "described"])
    })
  )

  it(
    "fetches the documented path, and drops the keys of an earlier team",
    Effect.gen(function* () {
      const requests: Array<string> = []
      const server = (kid: string) =>
        loopback((request) => {
          requests.push(`${kid} ${new URL(request.url).pathname}`)
          return Response.json({ keys: [{ ...jwk, kid }] })
        })
      const one = yield* server("one")
      const two = yield* server("two")
      expect(yield* has(one, "one")).toBe(true)
      expect([yield* has(two, "one"), yield* has(two, "two")]).toEqual([false, true])
      expect([yield* has(one, "two"), yield* has(one, "one")]).toEqual([false, true])
      expect(requests).toEqual(["one", "two", "one"].map((kid) => `${kid} /cdn-cgi/access/certs`))
    })
  )

  it(
    "rejects a key set that is too long",
    Effect.gen(function* () {
      const url = yield* loopback(() =>
        Response.json({ keys: [{ ...jwk, kid: "k1" }], padding: "x".repeat(300_000) })
      )
      expect(yield* has(url, "k1")).toBe(false)
    })
  )

  it(
    "does not follow redirects",
    Effect.gen(function* () {
      let hits = 0
      const trap = yield* loopback(() => {
        hits++
        return Response.json({ keys: [{ ...jwk, kid: "k1" }] })
      })
      const url = yield* loopback(() => Response.redirect(`${trap}/cdn-cgi/access/certs`, 302))
      expect([yield* has(url, "k1"), hits]).toEqual([false, 0])
    })
  )

  for (const [what, answer] of [
    ["an error", () => new Response("down", { status: 500 })],
    ["text", () => new Response("<html>")],
    ["no keys", () => Response.json({ keys: [] })],
    ["keys of another kind", () => Response.json({ keys: [{ kty: "oct", k: "AAAA", kid: "k1" }] })],
    ["a redirect", () => Response.redirect("http://127.0.0.1:9/", 302)],
    ["a long response", () => new Response("x".repeat(400_000))]
  ] as const)
    clockTest(AccessKeys.layer.pipe(Layer.provide(FetchHttpClient.layer)))(
      `keeps known keys for a day while the key server responds with ${what}`,
      Effect.gen(function* () {
        const good = () => Response.json({ keys: [{ ...jwk, kid: "k1" }] })
        const server: { answer: () => Response } = { answer }
        const url = yield* loopback(() => server.answer())
        expect(yield* has(url, "k1")).toBe(false)
        server.answer = good
        yield* TestClock.adjust("31 seconds")
        expect(yield* has(url, "k1")).toBe(true)
        server.answer = answer
        yield* TestClock.adjust("23 hours")
        expect(yield* has(url, "k1")).toBe(true)
        yield* TestClock.adjust("2 hours")
        yield* has(url, "k1")
        expect(yield* has(url, "k1")).toBe(false)
      })
    )

  timed(
    "times out after five seconds",
    Effect.gen(function* () {
      const waiting = yield* Effect.fork(has("https://team.example", "k1"))
      yield* TestClock.adjust("4 seconds")
      expect(Option.isNone(yield* Fiber.poll(waiting))).toBe(true)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(waiting)).toBe(false)
    })
  )
})

const { publicKey: cachedKey } = await generateKeyPair("RS256")
const atTime = clockTest(Layer.empty)

const keys = (...kids: ReadonlyArray<string>) => new Map(kids.map((kid) => [kid, KeyObject.from(cachedKey)]))
const down = Effect.fail({ reason: "status" })

/** A cache over a source whose answer a test can change, with the number of its requests. */
const makeCache = (answer: Effect.Effect<Keys, { readonly reason: string }>) =>
  Effect.gen(function* () {
    const source = { requests: 0, answer }
    const fetched = Effect.suspend(() => {
      source.requests++
      return source.answer
    })
    const cache = yield* makeKeyCache(fetched, yield* Effect.scope)
    const has = (kid: string) => Effect.map(cache.find(kid), Option.isSome)
    return { source, has }
  })

/** The lines that `effect` logs. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  return Effect.as(Effect.provide(effect, Logger.add(logger)), lines)
}

describe("KeyCache", () => {
  atTime(
    "fetches once for concurrent requests",
    Effect.gen(function* () {
      const answered = yield* Deferred.make<Keys>()
      const { has, source } = yield* makeCache(Deferred.await(answered))
      const waiting = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 200 }), () => has("k1"), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(answered, keys("k1"))
      expect(new Set(yield* Fiber.join(waiting))).toEqual(new Set([true]))
      expect(source.requests).toBe(1)
    })
  )

  atTime(
    "fetches again for an unknown key only after 30 seconds",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.succeed(keys("k1", "k2"))
      for (const seconds of [0, 10, 19]) {
        yield* TestClock.adjust(`${seconds} seconds`)
        expect(yield* has(`random-${seconds}`)).toBe(false)
      }
      expect([source.requests, yield* has("k2")]).toEqual([1, false])
      yield* TestClock.adjust("2 seconds")
      expect([yield* has("k2"), source.requests]).toEqual([true, 2])
    })
  )

  atTime(
    "drops a withdrawn key after ten minutes",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(Effect.succeed(keys("k1", "k2")))
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.succeed(keys("k2"))
      yield* TestClock.adjust("9 minutes")
      expect([yield* has("k1"), source.requests]).toEqual([true, 1])
      yield* TestClock.adjust("1 minute")
      expect([yield* has("k1"), yield* has("k2"), source.requests]).toEqual([false, true, 2])
    })
  )

  atTime(
    "retries ten seconds after a failed first fetch",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(down)
      const early = yield* Effect.forEach(Array.from({ length: 200 }), () => has("k1"))
      expect([early.includes(true), source.requests]).toEqual([false, 1])
      source.answer = Effect.succeed(keys("k1"))
      expect(yield* has("k1")).toBe(false)
      yield* TestClock.adjust("10 seconds")
      expect([yield* has("k1"), source.requests]).toEqual([true, 2])
    })
  )

  atTime(
    "keeps the last keys for a day during an outage, and logs once",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = down
      const lines = yield* logged(
        Effect.gen(function* () {
          for (const hours of [1, 11, 11]) {
            yield* TestClock.adjust(`${hours} hours`)
            expect(yield* has("k1")).toBe(true)
          }
          yield* TestClock.adjust("1 hour")
          expect(yield* has("k1")).toBe(false)
        })
      )
      expect(lines).toEqual([expect.stringContaining("cannot be fetched (status)")])
    })
  )

  atTime(
    "does not delay known keys during an outage",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(Effect.succeed(keys("k1")))
      expect(yield* has("k1")).toBe(true)
      source.answer = down
      yield* TestClock.adjust("11 minutes")
      expect(yield* has("k1")).toBe(true)
      source.answer = Effect.never
      yield* TestClock.adjust("11 seconds")
      // On this clock, a request that waits would never end.
      expect(yield* has("k1")).toBe(true)
      yield* TestClock.adjust("1 second")
      expect([yield* has("k1"), source.requests]).toEqual([true, 3])
    })
  )

  atTime(
    "completes a fetch whose request was interrupted",
    Effect.gen(function* () {
      const answered = yield* Deferred.make<Keys>()
      const { has, source } = yield* makeCache(Deferred.await(answered))
      const request = yield* Effect.fork(has("k1"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(request)
      yield* Deferred.succeed(answered, keys("k1"))
      expect([yield* has("k1"), source.requests]).toEqual([true, 1])
    })
  )

  atTime(
    "rejects every key after a defect, and retries",
    Effect.gen(function* () {
      const { has, source } = yield* makeCache(Effect.die("a bug"))
      expect(yield* has("k1")).toBe(false)
      source.answer = Effect.succeed(keys("k1"))
      yield* TestClock.adjust("10 seconds")
      expect(yield* has("k1")).toBe(true)
    })
  )
})

const read = (text: string) =>
  Option.getOrNull(Option.map(parseTeam(text), ({ certs, issuer }) => [issuer, certs.href]))

describe("parseTeam", () => {
  for (const spelling of [
    "team.cloudflareaccess.com",
    "team.cloudflareaccess.com/",
    "https://team.cloudflareaccess.com",
    "https://team.cloudflareaccess.com/",
    "HTTPS://Team.CloudflareAccess.com",
    "https://team.cloudflareaccess.com:443"
  ])
    test(`accepts ${spelling}`, () =>
      expect(read(spelling)).toEqual([
        "https://team.cloudflareaccess.com",
        "https://team.cloudflareaccess.com/cdn-cgi/access/certs"
      ]))

  for (const host of [
    "http://127.0.0.1:8080",
    "http://127.9.9.9:8080/",
    "http://localhost:1",
    "http://[::1]:1"
  ])
    test(`accepts HTTP at ${host}`, () => expect(read(host)?.[0]).toBe(host.replace(/\/$/, "")))

  for (const wrong of [
    "",
    " ",
    "http://team.cloudflareaccess.com",
    "http://10.0.0.1",
    "http://localhost.example.org",
    "http://127.0.0.1.example.org",
    "ftp://team.cloudflareaccess.com",
    "https://user@team.cloudflareaccess.com",
    "https://team.cloudflareaccess.com/path",
    "https://team.cloudflareaccess.com/?q",
    "https://",
    "javascript:alert(1)"
  ])
    test(`rejects ${JSON.stringify(wrong)}`, () => expect(read(wrong)).toBeNull())
})
