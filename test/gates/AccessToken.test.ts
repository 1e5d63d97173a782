import { describe, expect } from "bun:test"
import { KeyObject } from "node:crypto"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Either, Layer, Redacted, TestClock } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { AccessKeys } from "../../src/gates/AccessKeys.ts"
import { makeVerify } from "../../src/gates/GatewayTokens.ts"
import { describeData, json } from "../support/data.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"

const layer = AccessKeys.layer.pipe(Layer.provide(FetchHttpClient.layer))
const it = effectTest(layer)
const timed = clockTest(layer)

const pair = await generateKeyPair("RS256", { extractable: true })
const other = await generateKeyPair("RS256", { extractable: true })
const longer = await generateKeyPair("RS512")
const elliptic = await generateKeyPair("ES256")
const AUDIENCE = "a".repeat(64)

const jwk = async (key: CryptoKey, kid: string) => ({
  ...(await exportJWK(key)),
  kid,
  alg: "RS256",
  use: "sig"
})

interface Signing {
  readonly header?: Record<string, unknown>
  readonly key?: CryptoKey | Uint8Array
  /** Time of issue, in seconds. */
  readonly now?: number
}

const sign = (
  issuer: string,
  claims: Record<string, unknown> = {},
  { header, key = pair.privateKey, now = Math.floor(Date.now() / 1000) }: Signing = {}
) =>
  new SignJWT({
    iss: issuer,
    aud: [AUDIENCE],
    iat: now,
    nbf: now,
    exp: now + 300,
    email: "owner@example.com",
    ...claims
  })
    .setProtectedHeader({ alg: "RS256", kid: "k1", typ: "JWT", ...header })
    .sign(key)

/** A key server whose answer a test can change, with the number of its requests. */
const keyServer = Effect.gen(function* () {
  const keys = [yield* Effect.promise(() => jwk(pair.publicKey, "k1"))]
  const server = { hits: 0, answer: (): Response | Promise<Response> => Response.json({ keys }), keys }
  const url = yield* loopback(() => {
    server.hits++
    return server.answer()
  })
  return Object.assign(server, { url })
})

/** Verifies tokens against the key server, with one cache. */
const gate = Effect.fnUntraced(function* (url: string, settings: Record<string, string> = {}) {
  const verify = yield* makeVerify
  return (token: string) =>
    verify(Redacted.make(token)).pipe(
      withSettings({ ACCESS_AUD: AUDIENCE, ACCESS_TEAM_DOMAIN: url, ...settings }),
      Effect.either,
      Effect.map(Either.isRight)
    )
})

const now = () => Math.floor(Date.now() / 1000)

describe("AccessToken", () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const cases: ReadonlyArray<
    readonly [why: string, admitted: boolean, token: (issuer: string) => Promise<string> | string]
  > = [
    ["a good token", true, (issuer) => sign(issuer)],
    ["a token with the audience as text", true, (issuer) => sign(issuer, { aud: AUDIENCE })],
    ["a token with several audiences", true, (issuer) => sign(issuer, { aud: ["x", AUDIENCE] })],
    [
      "a service token without an email",
      true,
      (issuer) => sign(issuer, { sub: "", email: undefined, common_name: "id" })
    ],
    ["a token issued by a clock ten seconds ahead", true, (issuer) => sign(issuer, {}, { now: now() + 10 })],
    ["a token expired ten seconds ago", true, (issuer) => sign(issuer, { exp: now() - 10 })],
    ["another audience", false, (issuer) => sign(issuer, { aud: ["b".repeat(64)] })],
    ["no audience", false, (issuer) => sign(issuer, { aud: undefined })],
    ["an empty audience", false, (issuer) => sign(issuer, { aud: [] })],
    ["the audience in capitals", false, (issuer) => sign(issuer, { aud: AUDIENCE.toUpperCase() })],
    ["another issuer", false, (issuer) => sign(issuer, { iss: "https://evil.cloudflareaccess.com" })],
    ["no issuer", false, (issuer) => sign(issuer, { iss: undefined })],
    ["an expired token", false, (issuer) => sign(issuer, { exp: now() - 120 })],
    ["no expiry", false, (issuer) => sign(issuer, { exp: undefined })],
    ["no time of issue", false, (issuer) => sign(issuer, { iat: undefined })],
    ["a token not valid yet", false, (issuer) => sign(issuer, { nbf: now() + 120 })],
    ["a token issued in an hour", false, (issuer) => sign(issuer, {}, { now: now() + 3600 })],
    ["another key with the same id", false, (issuer) => sign(issuer, {}, { key: other.privateKey })],
    ["an unknown key", false, (issuer) => sign(issuer, {}, { key: other.privateKey, header: { kid: "k9" } })],
    ["no key id", false, (issuer) => sign(issuer, {}, { header: { kid: undefined } })],
    [
      "another algorithm",
      false,
      (issuer) => sign(issuer, {}, { key: elliptic.privateKey, header: { alg: "ES256" } })
    ],
    [
      "a longer hash",
      false,
      (issuer) => sign(issuer, {}, { key: longer.privateKey, header: { alg: "RS512" } })
    ],
    [
      "a shared secret",
      false,
      (issuer) => sign(issuer, {}, { key: new Uint8Array(32), header: { alg: "HS256" } })
    ],
    [
      "no signature",
      false,
      (issuer) =>
        `${base64({ alg: "none", kid: "k1" })}.${base64({ iss: issuer, aud: AUDIENCE, iat: now(), exp: now() + 60 })}.`
    ],
    ["an empty header", false, () => ""],
    ["noise", false, () => "a.b.c"],
    ["two parts", false, () => "a.b"],
    ["a token with trailing text", false, async (issuer) => `${await sign(issuer)} junk`],
    [
      "a signature with invalid characters",
      false,
      async (issuer) => `${(await sign(issuer)).replace(/\.([^.]*)$/, ".$1!")}`
    ],
    ["a fourth part", false, async (issuer) => `${await sign(issuer)}.AAAA`],
    ["a critical extension", false, (issuer) => sign(issuer, {}, { header: { crit: ["b64"], b64: true } })],
    ["60 kB", false, async (issuer) => `${await sign(issuer)}${"x".repeat(60_000)}`]
  ]
  for (const [why, admitted, token] of cases)
    it(
      `${admitted ? "admits" : "rejects"} ${why}`,
      Effect.gen(function* () {
        const server = yield* keyServer
        const admits = yield* gate(server.url)
        const signed = yield* Effect.promise(async () => token(server.url))
        expect(yield* admits(signed)).toBe(admitted)
        // The second result may come from the cache.
        expect(yield* admits(signed)).toBe(admitted)
      })
    )

  it(
    "uses keys of the team's key server only",
    Effect.gen(function* () {
      const server = yield* keyServer
      let hits = 0
      const trap = yield* loopback(() => {
        hits++
        return Response.json({ keys: [] })
      })
      const admits = yield* gate(server.url)
      const evil = yield* Effect.promise(() => jwk(other.publicKey, "k1"))
      for (const header of [{ jwk: evil }, { jku: trap }, { x5u: trap }])
        expect(
          yield* admits(yield* Effect.promise(() => sign(server.url, {}, { key: other.privateKey, header })))
        ).toBe(false)
      expect(hits).toBe(0)
    })
  )

  it(
    "sends no request while it is not set up",
    Effect.gen(function* () {
      const server = yield* keyServer
      const token = yield* Effect.promise(() => sign(server.url))
      for (const unset of [
        { ACCESS_AUD: "" },
        { ACCESS_TEAM_DOMAIN: "" },
        { ACCESS_TEAM_DOMAIN: "http://example.org" }
      ])
        expect(yield* (yield* gate(server.url, unset))(token)).toBe(false)
      expect(server.hits).toBe(0)
    })
  )

  it(
    "accepts a trailing slash in the team domain",
    Effect.gen(function* () {
      const server = yield* keyServer
      const admits = yield* gate(`${server.url}/`)
      expect(yield* admits(yield* Effect.promise(() => sign(server.url)))).toBe(true)
    })
  )

  for (const [why, admitted, claims] of [
    ["59 seconds after its expiry", true, { exp: 1_799_999_941 }],
    ["60 seconds after its expiry", false, { exp: 1_799_999_940 }],
    ["60 seconds before its start", true, { nbf: 1_800_000_060 }],
    ["61 seconds before its start", false, { nbf: 1_800_000_061 }],
    ["issued 60 seconds from now", true, { iat: 1_800_000_060 }],
    ["issued 61 seconds from now", false, { iat: 1_800_000_061 }],
    ["issued 31 days ago", true, { iat: 1_800_000_000 - 31 * 86_400 }],
    ["issued 32 days ago", false, { iat: 1_800_000_000 - 32 * 86_400 }],
    ["with an expiry as text", false, { exp: "1800000300" }]
  ] as const)
    timed(
      `${admitted ? "admits" : "rejects"} a token ${why}`,
      Effect.gen(function* () {
        const server = yield* keyServer
        yield* TestClock.setTime(1_800_000_000_000)
        const admits = yield* gate(server.url)
        const token = yield* Effect.promise(() => sign(server.url, claims, { now: 1_800_000_000 }))
        expect(yield* admits(token)).toBe(admitted)
      })
    )

  it(
    "caches a token per audience and team",
    Effect.gen(function* () {
      const server = yield* keyServer
      const stranger = yield* keyServer
      const verify = yield* makeVerify
      const token = yield* Effect.promise(() => sign(server.url))
      const admits = (audience: string, url: string) =>
        verify(Redacted.make(token)).pipe(
          withSettings({ ACCESS_AUD: audience, ACCESS_TEAM_DOMAIN: url }),
          Effect.either,
          Effect.map(Either.isRight)
        )
      for (const [audience, url, admitted] of [
        [AUDIENCE, server.url, true],
        ["b".repeat(64), server.url, false],
        [AUDIENCE, server.url, true],
        [AUDIENCE, stranger.url, false],
        [AUDIENCE, "", false],
        [AUDIENCE, server.url, true]
      ] as const)
        expect([audience, url, yield* admits(audience, url)]).toEqual([audience, url, admitted])
    })
  )

  it(
    "caches a token for its own team only, even if another has the same key",
    Effect.gen(function* () {
      const verify = yield* makeVerify
      const token = yield* Effect.promise(() => sign("https://one.example"))
      const admits = (url: string) =>
        verify(Redacted.make(token)).pipe(
          withSettings({ ACCESS_AUD: AUDIENCE, ACCESS_TEAM_DOMAIN: url }),
          Effect.either,
          Effect.map(Either.isRight)
        )
      expect([yield* admits("https://one.example"), yield* admits("https://two.example")]).toEqual([
        true,
        false
      ])
    }).pipe(
      Effect.provideService(AccessKeys, { find: () => Effect.succeedSome(KeyObject.from(pair.publicKey)) })
    )
  )

  timed(
    "drops a cached token when its key is replaced",
    Effect.gen(function* () {
      const server = yield* keyServer
      yield* TestClock.setTime(1_800_000_000_000)
      const admits = yield* gate(server.url)
      const token = yield* Effect.promise(() =>
        sign(server.url, { exp: 1_800_090_000 }, { now: 1_800_000_000 })
      )
      expect(yield* admits(token)).toBe(true)
      server.keys.splice(0, 1, yield* Effect.promise(() => jwk(other.publicKey, "k1")))
      yield* TestClock.adjust("11 minutes")
      expect(yield* admits(token)).toBe(false)
    })
  )

  timed(
    "drops a cached token when it expires",
    Effect.gen(function* () {
      const server = yield* keyServer
      yield* TestClock.setTime(1_800_000_000_000)
      const admits = yield* gate(server.url)
      const token = yield* Effect.promise(() => sign(server.url, {}, { now: 1_800_000_000 }))
      expect(yield* admits(token)).toBe(true)
      yield* TestClock.adjust("355 seconds")
      expect(yield* admits(token)).toBe(true)
      yield* TestClock.adjust("6 seconds")
      expect(yield* admits(token)).toBe(false)
    })
  )
})

describeData("access-jwt", "AccessToken with the tokens that Cloudflare documents", () => {
  interface Documented {
    readonly header: { readonly alg: string; readonly kid: string; readonly typ: string }
    readonly payload: { readonly aud: ReadonlyArray<string>; readonly iss: string; readonly iat: number }
  }
  const documented = json<Documented>("access-jwt/app-token.json")
  const [audience = ""] = documented.payload.aud

  /** Whether the documented token with these claims is admitted, this many seconds after its issue. */
  const admitting = Effect.fnUntraced(function* (claims: JWTPayload, after = 5) {
    const { header } = documented
    const key = yield* Effect.promise(() => jwk(pair.publicKey, header.kid))
    const previous = yield* Effect.promise(() => jwk(other.publicKey, "previous"))
    const url = yield* loopback(() =>
      Response.json({ keys: [previous, key], public_cert: {}, public_certs: [] })
    )
    yield* TestClock.setTime((documented.payload.iat + after) * 1000)
    const admits = yield* gate(url, { ACCESS_AUD: audience })
    const payload: JWTPayload = {
      ...documented.payload,
      aud: [...documented.payload.aud],
      iss: url,
      ...claims
    }
    return yield* admits(
      yield* Effect.promise(() => new SignJWT(payload).setProtectedHeader(header).sign(pair.privateKey))
    )
  })

  timed(
    "admits the application token",
    Effect.gen(function* () {
      expect(yield* admitting({})).toBe(true)
    })
  )
  timed(
    "admits a service token",
    Effect.gen(function* () {
      const service = { sub: "", common_name: "client.access", email: undefined, identity_nonce: undefined }
      expect(yield* admitting(service)).toBe(true)
      expect(yield* admitting({ ...service, aud: ["another"] })).toBe(false)
    })
  )
  timed(
    "rejects a token for another audience",
    Effect.gen(function* () {
      expect(yield* admitting({ type: "org", aud: ["team"] })).toBe(false)
    })
  )
  timed(
    "rejects the application token an hour later",
    Effect.gen(function* () {
      expect(yield* admitting({}, 3600)).toBe(false)
    })
  )
})
