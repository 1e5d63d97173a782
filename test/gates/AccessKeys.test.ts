import { describe, expect } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { exportJWK, generateKeyPair } from "jose"
import { AccessKeys } from "../../src/gates/AccessKeys.ts"
import { parseTeam } from "../../src/gates/TeamDomain.ts"
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
    "takes the usable keys of a set and passes over the others",
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
    "asks at the documented path, and forgets one team's keys with the next team",
    Effect.gen(function* () {
      const asked: Array<string> = []
      const server = (kid: string) =>
        loopback((request) => {
          asked.push(`${kid} ${new URL(request.url).pathname}`)
          return Response.json({ keys: [{ ...jwk, kid }] })
        })
      const one = yield* server("one")
      const two = yield* server("two")
      expect(yield* has(one, "one")).toBe(true)
      expect([yield* has(two, "one"), yield* has(two, "two")]).toEqual([false, true])
      expect([yield* has(one, "two"), yield* has(one, "one")]).toEqual([false, true])
      expect(asked).toEqual(["one", "two", "one"].map((kid) => `${kid} /cdn-cgi/access/certs`))
    })
  )

  it(
    "reads no endless answer, even where it is a key set",
    Effect.gen(function* () {
      const url = yield* loopback(() =>
        Response.json({ keys: [{ ...jwk, kid: "k1" }], padding: "x".repeat(300_000) })
      )
      expect(yield* has(url, "k1")).toBe(false)
    })
  )

  it(
    "follows no redirect",
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

  timed(
    "gives up on a silent key server after five seconds",
    Effect.gen(function* () {
      const waiting = yield* Effect.fork(has("https://team.example", "k1"))
      yield* TestClock.adjust("4 seconds")
      expect(Option.isNone(yield* Fiber.poll(waiting))).toBe(true)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(waiting)).toBe(false)
    })
  )
})
