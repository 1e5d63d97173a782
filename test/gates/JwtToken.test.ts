import { describe, expect } from "bun:test"
import { FetchHttpClient, HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose"
import { AccessKeys, JwtKeys } from "../../src/gates/AccessKeys.ts"
import { isJwtSetUp, makeAccessVerifier, makeJwtVerifier } from "../../src/gates/GatewayTokens.ts"
import type { Verifier } from "../../src/gates/Verifier.ts"
import { effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"

const it = effectTest(Layer.merge(AccessKeys.layer, JwtKeys.layer).pipe(Layer.provide(FetchHttpClient.layer)))

const AUDIENCE = "https://links.example.org"
const HEADER = "x-pomerium-jwt-assertion"

const make = (algorithm: string) => generateKeyPair(algorithm, { extractable: true })
const [rsa, pss, curve, edwards, stranger, larger] = await Promise.all(
  ["RS256", "PS256", "ES256", "EdDSA", "RS256", "ES384"].map(make)
)
if (!rsa || !pss || !curve || !edwards || !stranger || !larger) throw new Error("no keys")

const jwk = async (key: CryptoKey, more: Record<string, unknown>) => ({ ...(await exportJWK(key)), ...more })
const published = await Promise.all([
  jwk(rsa.publicKey, { kid: "rsa", use: "sig" }),
  jwk(pss.publicKey, { kid: "pss", alg: "PS256" }),
  jwk(curve.publicKey, { kid: "curve", alg: "ES256", use: "sig" }),
  jwk(edwards.publicKey, { kid: "edwards" }),
  jwk(edwards.publicKey, {}),
  jwk(larger.publicKey, { kid: "larger", alg: "ES384" }),
  jwk(stranger.publicKey, { kid: "encryption", use: "enc" }),
  { kty: "oct", kid: "secret", k: "AAAA", alg: "HS256" },
  { kty: "EC", crv: "P-256", kid: "off-curve", x: "AA", y: "AA" }
])
const publicText = await exportSPKI(rsa.publicKey)

const now = () => Math.floor(Date.now() / 1000)

interface Signing {
  readonly header?: Record<string, unknown>
  readonly key?: CryptoKey | Uint8Array
}

const sign = (
  issuer: string,
  claims: Record<string, unknown> = {},
  { header, key = rsa.privateKey }: Signing = {}
) =>
  new SignJWT({
    iss: issuer,
    aud: AUDIENCE,
    iat: now(),
    exp: now() + 300,
    sub: "ann-1",
    email: "ann@example.org",
    ...claims
  })
    .setProtectedHeader({ alg: "RS256", kid: "rsa", ...header })
    .sign(key)

const unsigned = (issuer: string, alg: string) => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${base64({ alg, kid: "rsa" })}.${base64({ iss: issuer, aud: AUDIENCE, iat: now(), exp: now() + 60 })}.`
}

/** A server with the keys, and the settings that name it. */
const gateway = Effect.gen(function* () {
  const server = { hits: 0 }
  const url = yield* loopback(() => {
    server.hits++
    return Response.json({ keys: published })
  })
  const settings: Record<string, string> = {
    JWT_ISSUER: url,
    JWT_KEYS_URL: `${url}/keys`,
    JWT_AUDIENCE: AUDIENCE,
    JWT_HEADER: HEADER
  }
  return Object.assign(server, { url, settings })
})

const requestWith = (headers: Record<string, string>) =>
  HttpServerRequest.fromWeb(new Request("http://localhost/dashboard", { headers }))

const admits = ({ verify }: Verifier, settings: Record<string, string>, headers: Record<string, string>) =>
  verify(requestWith(headers)).pipe(Effect.isSuccess, withSettings(settings))

interface Case {
  readonly settings?: Record<string, string>
  readonly token: (issuer: string) => Promise<string> | string
  /** The header that carries the token. */
  readonly header?: string
  readonly admitted: boolean
}

const allow = (name: string) => ({ JWT_ALLOW: name })

const cases: Readonly<Record<string, Case>> = {
  "an RS256 token": { token: (issuer) => sign(issuer), admitted: true },
  "a PS256 token": {
    token: (issuer) => sign(issuer, {}, { key: pss.privateKey, header: { alg: "PS256", kid: "pss" } }),
    admitted: true
  },
  "an ES256 token": {
    token: (issuer) => sign(issuer, {}, { key: curve.privateKey, header: { alg: "ES256", kid: "curve" } }),
    admitted: true
  },
  "an EdDSA token": {
    token: (issuer) =>
      sign(issuer, {}, { key: edwards.privateKey, header: { alg: "EdDSA", kid: "edwards" } }),
    admitted: true
  },
  "an Ed25519 token": {
    token: (issuer) =>
      sign(issuer, {}, { key: edwards.privateKey, header: { alg: "Ed25519", kid: "edwards" } }),
    admitted: true
  },
  "a token without a key id, of the key without one": {
    token: (issuer) =>
      sign(issuer, {}, { key: edwards.privateKey, header: { alg: "EdDSA", kid: undefined } }),
    admitted: true
  },
  "a token without a key id, of another key": {
    token: (issuer) => sign(issuer, {}, { header: { kid: undefined } }),
    admitted: false
  },
  "a bearer token": {
    settings: { JWT_HEADER: "Authorization" },
    header: "authorization",
    token: async (issuer) => `Bearer ${await sign(issuer)}`,
    admitted: true
  },
  "a token in Authorization without a scheme": {
    settings: { JWT_HEADER: "Authorization" },
    header: "authorization",
    token: (issuer) => sign(issuer),
    admitted: false
  },
  "a bearer token in another header": {
    token: async (issuer) => `Bearer ${await sign(issuer)}`,
    admitted: false
  },
  "a token in another header": { header: "x-jwt", token: (issuer) => sign(issuer), admitted: false },
  "a token in the access gateway's header": {
    header: "cf-access-jwt-assertion",
    token: (issuer) => sign(issuer),
    admitted: false
  },
  "a token in a cookie": {
    header: "cookie",
    token: async (issuer) => `${HEADER}=${await sign(issuer)}; CF_Authorization=${await sign(issuer)}`,
    admitted: false
  },
  "a token sent twice": {
    token: async (issuer) => `${await sign(issuer)}, ${await sign(issuer)}`,
    admitted: false
  },
  "a session's cookie in the header": {
    token: () => "linkbower_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    admitted: false
  },
  "a token without a signature": { token: (issuer) => unsigned(issuer, "none"), admitted: false },
  "an empty signature": { token: (issuer) => unsigned(issuer, "RS256"), admitted: false },
  "the public key as a shared secret": {
    token: (issuer) =>
      sign(issuer, {}, { key: new TextEncoder().encode(publicText), header: { alg: "HS256" } }),
    admitted: false
  },
  "a published shared secret": {
    token: (issuer) => sign(issuer, {}, { key: new Uint8Array(32), header: { alg: "HS256", kid: "secret" } }),
    admitted: false
  },
  "an algorithm of another kind of key": {
    token: (issuer) => sign(issuer, {}, { key: curve.privateKey, header: { alg: "ES256", kid: "rsa" } }),
    admitted: false
  },
  "an algorithm that is not supported": {
    token: (issuer) => sign(issuer, {}, { key: larger.privateKey, header: { alg: "ES384", kid: "larger" } }),
    admitted: false
  },
  "another key with the same id": {
    token: (issuer) => sign(issuer, {}, { key: stranger.privateKey }),
    admitted: false
  },
  "a key for encryption": {
    token: (issuer) => sign(issuer, {}, { key: stranger.privateKey, header: { kid: "encryption" } }),
    admitted: false
  },
  "a critical extension": {
    token: (issuer) => sign(issuer, {}, { header: { crit: ["b64"], b64: true } }),
    admitted: false
  },
  "another issuer": { token: () => sign("https://evil.example"), admitted: false },
  "the issuer with a slash": { token: (issuer) => sign(`${issuer}/`), admitted: false },
  "another audience": {
    token: (issuer) => sign(issuer, { aud: "https://wiki.example.org" }),
    admitted: false
  },
  "several audiences": { token: (issuer) => sign(issuer, { aud: ["x", AUDIENCE] }), admitted: true },
  "the audience within another": {
    token: (issuer) => sign(issuer, { aud: `${AUDIENCE}.evil` }),
    admitted: false
  },
  "no audience": { token: (issuer) => sign(issuer, { aud: undefined }), admitted: false },
  "no end": { token: (issuer) => sign(issuer, { exp: undefined }), admitted: false },
  "a past end": { token: (issuer) => sign(issuer, { exp: now() - 120 }), admitted: false },
  "the allowed subject": { settings: allow("ann-1"), token: (issuer) => sign(issuer), admitted: true },
  "the allowed address": {
    settings: allow("ann@example.org"),
    token: (issuer) => sign(issuer),
    admitted: true
  },
  "another subject": { settings: allow("bob"), token: (issuer) => sign(issuer), admitted: false },
  "the address in other letters": {
    settings: allow("ann@example.org"),
    token: (issuer) => sign(issuer, { email: "Ann@example.org" }),
    admitted: false
  },
  "an unverified address": {
    settings: allow("ann@example.org"),
    token: (issuer) => sign(issuer, { email_verified: false }),
    admitted: false
  },
  "no issuer set up": { settings: { JWT_ISSUER: "" }, token: (issuer) => sign(issuer), admitted: false },
  "no audience set up": { settings: { JWT_AUDIENCE: "" }, token: (issuer) => sign(issuer), admitted: false },
  "no keys set up": { settings: { JWT_KEYS_URL: "" }, token: (issuer) => sign(issuer), admitted: false },
  "no header set up": { settings: { JWT_HEADER: "" }, token: (issuer) => sign(issuer), admitted: false },
  "an invalid header set up": {
    settings: { JWT_HEADER: "X Jwt" },
    header: "x-jwt",
    token: (issuer) => sign(issuer),
    admitted: false
  },
  "keys in the clear set up": {
    settings: { JWT_KEYS_URL: "http://keys.example.org/jwks" },
    token: (issuer) => sign(issuer),
    admitted: false
  }
}

describe("JwtToken", () => {
  for (const [name, { admitted, header = HEADER, settings, token }] of Object.entries(cases))
    it(
      `${admitted ? "admits" : "rejects"} ${name}`,
      Effect.gen(function* () {
        const { settings: own, url } = yield* gateway
        const verifier = yield* makeJwtVerifier
        const signed = yield* Effect.promise(async () => token(url))
        const all = { ...own, ...settings }
        // The second result may come from the cache.
        for (const _ of [1, 2]) expect(yield* admits(verifier, all, { [header]: signed })).toBe(admitted)
      })
    )

  it(
    "forgets what it verified for another allowed user, audience or issuer",
    Effect.gen(function* () {
      const { settings, url } = yield* gateway
      const verifier = yield* makeJwtVerifier
      const headers = { [HEADER]: yield* Effect.promise(() => sign(url)) }
      for (const [change, admitted] of [
        [{}, true],
        [allow("bob"), false],
        [allow("ann-1"), true],
        [{ JWT_AUDIENCE: "other" }, false],
        [{ JWT_ISSUER: "https://other.example" }, false],
        [{}, true]
      ] as const)
        expect(yield* admits(verifier, { ...settings, ...change }, headers)).toBe(admitted)
    })
  )

  it(
    "asks for no keys while it is not set up, and is set up only with all settings",
    Effect.gen(function* () {
      const server = yield* gateway
      const { settings, url } = server
      const verifier = yield* makeJwtVerifier
      const headers = { [HEADER]: yield* Effect.promise(() => sign(url)) }
      expect(yield* withSettings(settings)(isJwtSetUp)).toBe(true)
      for (const name of Object.keys(settings)) {
        const unset = { ...settings, [name]: "" }
        expect(yield* admits(verifier, unset, headers)).toBe(false)
        expect(yield* withSettings(unset)(isJwtSetUp)).toBe(false)
      }
      expect(server.hits).toBe(0)
    })
  )

  it(
    "and the access gateway do not accept each other's tokens, though both have the same keys",
    Effect.gen(function* () {
      const { settings, url } = yield* gateway
      const [jwt, access] = [yield* makeJwtVerifier, yield* makeAccessVerifier]
      const TAG = "a".repeat(64)
      const both = {
        ...settings,
        JWT_ISSUER: "https://pomerium.example",
        ACCESS_AUD: TAG,
        ACCESS_TEAM_DOMAIN: url
      }
      const ofGateway = yield* Effect.promise(() => sign("https://pomerium.example"))
      const ofAccess = yield* Effect.promise(() => sign(url, { aud: [TAG] }))
      const offered = (verifier: Verifier, token: string) =>
        Effect.all(
          [HEADER, "cf-access-jwt-assertion", "cookie"].map((name) =>
            admits(verifier, both, { [name]: name === "cookie" ? `CF_Authorization=${token}` : token })
          )
        )
      expect(yield* offered(jwt, ofGateway)).toEqual([true, false, false])
      expect(yield* offered(access, ofAccess)).toEqual([false, true, true])
      expect(yield* offered(jwt, ofAccess)).toEqual([false, false, false])
      expect(yield* offered(access, ofGateway)).toEqual([false, false, false])
    })
  )

  it(
    "leaves the access gateway's rules as they are: RS256 with a key id",
    Effect.gen(function* () {
      const { url } = yield* gateway
      const access = yield* makeAccessVerifier
      const settings = { ACCESS_AUD: AUDIENCE, ACCESS_TEAM_DOMAIN: url }
      const tokens = yield* Effect.promise(() =>
        Promise.all([
          sign(url),
          sign(url, {}, { key: curve.privateKey, header: { alg: "ES256", kid: "curve" } }),
          sign(url, {}, { key: pss.privateKey, header: { alg: "PS256", kid: "pss" } }),
          sign(url, {}, { key: rsa.privateKey, header: { kid: undefined } })
        ])
      )
      const admitted = yield* Effect.all(
        tokens.map((token) => admits(access, settings, { "cf-access-jwt-assertion": token }))
      )
      expect(admitted).toEqual([true, false, false, false])
    })
  )
})
