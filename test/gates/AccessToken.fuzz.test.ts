import { describe, expect } from "bun:test"
import { KeyObject } from "node:crypto"
import { Effect, Either, FastCheck as fc, Layer, Option, Redacted } from "effect"
import { type CryptoKey, generateKeyPair, SignJWT } from "jose"
import { AccessKeys, parseTeam } from "../../src/gates/AccessKeys.ts"
import { makeVerify } from "../../src/gates/GatewayTokens.ts"
import { isLoopback } from "../../src/runtime/AddressRanges.ts"
import { withSettings } from "../support/loopback.ts"
import { always, alwaysAsync, strangeJson, strangeText } from "../support/strange.ts"

const { privateKey, publicKey } = await generateKeyPair("RS256")
const gatewayKey = KeyObject.from(publicKey)
const stranger = await generateKeyPair("RS256")
const ISSUER = "https://team.example"
const AUDIENCE = "a".repeat(64)

const keys = Layer.succeed(AccessKeys, {
  find: (_team, kid) => Effect.succeed(kid === "k1" ? Option.some(gatewayKey) : Option.none())
})
const verify = await Effect.runPromise(Effect.provide(makeVerify, keys))
const admits = (token: string) =>
  Effect.runPromise(
    verify(Redacted.make(token)).pipe(
      withSettings({ ACCESS_AUD: AUDIENCE, ACCESS_TEAM_DOMAIN: ISSUER }),
      Effect.either,
      Effect.map(Either.isRight)
    )
  )

const sign = (payload: Record<string, unknown>, key: CryptoKey) =>
  new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(key)
const now = Math.floor(Date.now() / 1000)
const right = { iss: ISSUER, aud: [AUDIENCE], iat: now, exp: now + 600 }
const good = await sign(right, privateKey)

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value) ?? "").toString("base64url")
const [head = "", body = "", signature = ""] = good.split(".")

describe("any token", () => {
  alwaysAsync(
    "is rejected without the gateway's signature",
    fc.oneof(
      strangeText(10),
      fc
        .tuple(strangeJson(["alg", "kid", "crit", "b64", "jwk"]), strangeJson())
        .map(([header, payload]) => `${base64(header)}.${base64(payload)}.${signature}`),
      strangeJson().map((kid) => `${base64({ alg: "RS256", kid })}.${body}.${signature}`),
      strangeJson().map((alg) => `${base64({ alg, kid: "k1" })}.${body}.${signature}`),
      strangeJson().map(
        (more) => `${base64({ alg: "RS256", kid: "k1", crit: ["b64"], b64: more })}.${body}.${signature}`
      ),
      strangeJson(["iss", "aud", "exp"]).map((payload) => `${head}.${base64(payload)}.${signature}`),
      fc.constantFrom(
        `${head}.${body}.`,
        `${head}.${body}`,
        `${head}..${signature}`,
        `${good}.${good}`,
        ` ${good}x`
      ),
      fc.nat(100_000).map((length) => "a.".repeat(length))
    ),
    async (token) => expect(await admits(token)).toBe(false),
    300
  )

  alwaysAsync(
    "is rejected if one character differs from a valid one",
    fc.tuple(fc.nat(good.length - 1), fc.constantFrom(..."aA0-_.= \0é")),
    async ([at, character]) => {
      const token = `${good.slice(0, at)}${character}${good.slice(at + 1)}`
      // The lowest bits of the last character do not belong to the signature.
      const same = token
        .split(".")
        .every((part, i) =>
          Buffer.from(part, "base64url").equals(Buffer.from(good.split(".")[i] ?? "", "base64url"))
        )
      if (!same) expect(await admits(token)).toBe(false)
    },
    200
  )

  alwaysAsync(
    "with the gateway's signature is admitted by its claims only",
    fc.record({
      iss: fc.oneof({ weight: 3, arbitrary: fc.constant(ISSUER) }, { weight: 1, arbitrary: strangeJson() }),
      aud: fc.oneof(
        { weight: 3, arbitrary: fc.constant([AUDIENCE]) },
        { weight: 1, arbitrary: strangeJson() }
      ),
      exp: fc.oneof(
        { weight: 3, arbitrary: fc.constant(now + 600) },
        { weight: 1, arbitrary: strangeJson() }
      ),
      iat: fc.oneof({ weight: 3, arbitrary: fc.constant(now) }, { weight: 1, arbitrary: strangeJson() }),
      nbf: fc.oneof({ weight: 3, arbitrary: fc.constant(now) }, { weight: 1, arbitrary: strangeJson() })
    }),
    async (claims) => {
      const { aud, exp, iat, iss, nbf } = claims
      const times =
        typeof exp === "number" &&
        exp > now - 50 &&
        iat === now &&
        (typeof nbf === "number" ? nbf <= now : false)
      const expected = iss === ISSUER && Array.isArray(aud) && aud.includes(AUDIENCE) && times
      const token = await sign(claims, privateKey).catch(() => "")
      if (expected) expect(await admits(token)).toBe(true)
      else if (nbf === now) expect(await admits(token)).toBe(false)
      expect(await admits(await sign(claims, stranger.privateKey).catch(() => ""))).toBe(false)
    },
    100
  )
})

describe("any team domain", () => {
  always(
    "is an HTTPS origin, or an HTTP origin on this machine, or rejected",
    fc.oneof(strangeText(4), fc.webUrl(), fc.domain()),
    (text) => {
      for (const { certs, issuer } of Option.toArray(parseTeam(text))) {
        expect(new URL(issuer).origin).toBe(issuer)
        expect(certs.href).toBe(`${issuer}/cdn-cgi/access/certs`)
        expect(certs.protocol === "https:" || isLoopback(certs.hostname)).toBe(true)
      }
    }
  )

  always(
    "is a loopback address only by a loopback name",
    fc.oneof(strangeText(3), fc.domain(), fc.ipV4(), fc.ipV6()),
    (host) => {
      if (isLoopback(host))
        expect(host.toLowerCase()).toMatch(
          /^\[?(?:localhost|127\.[\d.]+|[0:]+:0*1|.*:(?:127\.[\d.]+|7f[\da-f]{2}:[\da-f]{1,4}))\]?$/
        )
    }
  )
})
