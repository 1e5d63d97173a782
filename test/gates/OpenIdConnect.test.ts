import { describe, expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { type OidcFailed, OpenIdConnect } from "../../src/gates/OpenIdConnect.ts"
import { effectTest } from "../support/effect.ts"
import { type Deviation, fakeIssuer } from "../support/fakeIssuer.ts"
import { withSettings } from "../support/loopback.ts"

const it = effectTest(OpenIdConnect.layer)

const REDIRECT = "http://localhost:8787/signin/oidc/callback"

interface Attack extends Deviation {
  readonly settings?: Record<string, string>
  /** The provider's answer, made from a good one. */
  readonly answer?: (good: { code: string; state: string }, issuer: string) => Record<string, string>
  /** How it ends: with a sign-in, or with this problem. */
  readonly ends: "signed in" | OidcFailed["problem"]
}

const now = () => Math.floor(Date.now() / 1000)
const owner = { sub: "ann-1", email: "ann@example.org", email_verified: true }
/** Claims of a token without an address. */
const nameless = { email: undefined, email_verified: undefined }

const attacks: Readonly<Record<string, Attack>> = {
  "no code": { answer: ({ state }) => ({ state }), ends: "oidc_failed" },
  "a code of another sign-in": { answer: ({ state }) => ({ code: "stolen", state }), ends: "oidc_failed" },
  "the right issuer in the answer (RFC 9207)": {
    answer: (good, iss) => ({ ...good, iss }),
    ends: "signed in"
  },
  "another issuer in the answer (mix-up)": {
    answer: (good) => ({ ...good, iss: "https://evil.example" }),
    ends: "oidc_failed"
  },
  "no issuer in the answer of a provider that sends it": {
    metadata: { authorization_response_iss_parameter_supported: true },
    ends: "oidc_failed"
  },
  "a token in the answer instead of a code": {
    answer: ({ state }) => ({ state, id_token: "a.b.c", access_token: "x" }),
    ends: "oidc_failed"
  },
  "a denial": {
    answer: ({ state }) => ({
      state,
      error: "access_denied",
      error_description: "<script>alert(1)</script>"
    }),
    ends: "oidc_refused"
  },
  "another error": { answer: ({ state }) => ({ state, error: "server_error" }), ends: "oidc_refused" },
  "another nonce (a token of another sign-in)": { claims: { nonce: "n".repeat(43) }, ends: "oidc_failed" },
  "no nonce": { claims: { nonce: undefined }, ends: "oidc_failed" },
  "a token of another issuer": { claims: { iss: "https://evil.example" }, ends: "oidc_failed" },
  "a token for another client": { claims: { aud: "another" }, ends: "oidc_failed" },
  "a token for others too, issued to another": {
    claims: { aud: ["linkbower", "another"], azp: "another" },
    ends: "oidc_failed"
  },
  "a token for others too, issued to nobody": {
    claims: { aud: ["linkbower", "another"] },
    ends: "oidc_failed"
  },
  "a token for others too, issued to this client": {
    claims: { aud: ["linkbower", "another"], azp: "linkbower" },
    ends: "signed in"
  },
  "an expired token": { claims: { exp: now() - 120 }, ends: "oidc_failed" },
  "a token without an end": { claims: { exp: undefined }, ends: "oidc_failed" },
  "a token without a time of issue": { claims: { iat: undefined }, ends: "oidc_failed" },
  "a token that is not valid yet": { claims: { nbf: now() + 600 }, ends: "oidc_failed" },
  "a token without a subject": { claims: { sub: undefined }, ends: "oidc_failed" },
  "a token without a signature": { key: "none", ends: "oidc_failed" },
  "a token signed by another key": { key: "stranger", ends: "oidc_failed" },
  "a token signed with the public key as a secret (HS256)": { key: "public as secret", ends: "oidc_failed" },
  "the same, from a provider that supports HS256 and none": {
    key: "public as secret",
    metadata: { id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] },
    ends: "oidc_failed"
  },
  "no signature, from a provider that supports none": {
    key: "none",
    metadata: { id_token_signing_alg_values_supported: ["RS256", "none"] },
    ends: "oidc_failed"
  },
  "a token with a key of its own": {
    key: "stranger",
    header: { jwk: { kty: "RSA" }, jku: "https://evil.example/jwks" },
    ends: "oidc_failed"
  },
  "a token of an unknown key": { header: { kid: "k9" }, ends: "oidc_failed" },
  "no token": {
    tokenResponse: () => Response.json({ access_token: "x", token_type: "Bearer" }),
    ends: "oidc_failed"
  },
  "a page instead of a token": {
    tokenResponse: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    ends: "oidc_failed"
  },
  "a response without an end": {
    tokenResponse: () => Response.json({ padding: "x".repeat(400_000) }),
    ends: "oidc_failed"
  },
  "a redirect of the token endpoint": {
    tokenResponse: () => Response.redirect("http://127.0.0.1:9/", 307),
    ends: "oidc_failed"
  },
  "another user": { claims: { sub: "bob", email: "bob@example.org" }, ends: "oidc_other_user" },
  "an unverified address": { claims: { email_verified: false }, ends: "oidc_other_user" },
  "an address of which nothing is said": { claims: { email_verified: undefined }, ends: "oidc_other_user" },
  "the address in other letters": { claims: { email: "Ann@Example.org" }, ends: "oidc_other_user" },
  "the address as the subject": {
    claims: { ...nameless, sub: "ann@example.org" },
    ends: "oidc_other_user"
  },
  "the address from the user info": { claims: nameless, userInfo: owner, ends: "signed in" },
  "the address from the user info, unverified": {
    claims: nameless,
    userInfo: { ...owner, email_verified: false },
    ends: "oidc_other_user"
  },
  "the address from the user info of another user": {
    claims: nameless,
    userInfo: { ...owner, sub: "bob" },
    ends: "oidc_failed"
  },
  "the allowed subject": { settings: { OIDC_ALLOW: "ann-1" }, claims: nameless, ends: "signed in" },
  "the allowed subject as the address": {
    settings: { OIDC_ALLOW: "ann-1" },
    claims: { sub: "bob", email: "ann-1", email_verified: true },
    ends: "oidc_other_user"
  },
  "a public client": { settings: { OIDC_CLIENT_SECRET: "" }, ends: "signed in" },
  "a provider that takes the secret in the form alone": {
    metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    ends: "signed in"
  },
  "metadata of another issuer": { metadata: { issuer: "https://evil.example" }, ends: "oidc_unavailable" },
  "metadata without a token endpoint": { metadata: { token_endpoint: undefined }, ends: "oidc_failed" },
  "a sign-in address that is a script": {
    metadata: { authorization_endpoint: "javascript:alert(1)" },
    ends: "oidc_unavailable"
  },
  "a sign-in address in the clear": {
    metadata: { authorization_endpoint: "http://login.example.org/" },
    ends: "oidc_unavailable"
  },
  "an issuer in the clear": {
    settings: { OIDC_ISSUER: "http://login.example.org" },
    ends: "oidc_unavailable"
  },
  "an issuer that is no address": { settings: { OIDC_ISSUER: "login" }, ends: "oidc_unavailable" },
  "no client": { settings: { OIDC_CLIENT_ID: "" }, ends: "oidc_unavailable" },
  "no allowed user": { settings: { OIDC_ALLOW: "" }, ends: "oidc_unavailable" }
}

/** A provider for as long as the scope lasts, with the settings that name it. */
const provider = Effect.map(
  Effect.acquireRelease(Effect.promise(fakeIssuer), (issuer) => Effect.promise(() => issuer.stop())),
  (issuer) => ({
    issuer,
    settings: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: "linkbower",
      OIDC_CLIENT_SECRET: "a client secret",
      OIDC_ALLOW: "ann@example.org"
    }
  })
)

describe("OpenIdConnect", () => {
  for (const [name, attack] of Object.entries(attacks))
    it(
      `${attack.ends === "signed in" ? "accepts" : "refuses"} ${name}`,
      Effect.gen(function* () {
        const { settings = {}, answer = (good) => good, ends, ...deviation } = attack
        const { issuer, settings: own } = yield* provider
        const oidc = yield* OpenIdConnect
        issuer.deviation = deviation
        const ended = yield* Effect.gen(function* () {
          const { address, pending } = yield* oidc.begin(REDIRECT)
          issuer.nonce = address.searchParams.get("nonce") ?? ""
          const good = { code: "good", state: address.searchParams.get("state") ?? "" }
          yield* oidc.finish(pending, new URLSearchParams(answer(good, issuer.url)))
          return "signed in"
        }).pipe(
          Effect.catchTag("OidcFailed", ({ problem }) => Effect.succeed(problem)),
          withSettings({ ...own, ...settings })
        )
        expect(ended).toBe(ends)
      })
    )

  it(
    "refuses an answer after the settings have changed",
    Effect.gen(function* () {
      const { issuer, settings } = yield* provider
      const oidc = yield* OpenIdConnect
      const { pending } = yield* withSettings(settings)(oidc.begin(REDIRECT))
      issuer.nonce = pending.nonce
      const answer = new URLSearchParams({ code: "good", state: pending.state })
      for (const changed of [{ OIDC_CLIENT_ID: "another" }, { OIDC_ALLOW: "bob@example.org" }])
        expect(
          yield* Effect.flip(withSettings({ ...settings, ...changed })(oidc.finish(pending, answer)))
        ).toMatchObject({ problem: "oidc_expired" })
      expect(issuer.requests).toEqual(["GET /.well-known/openid-configuration"])
      yield* withSettings(settings)(oidc.finish(pending, answer))
    })
  )

  it(
    "asks an unreachable provider once in ten seconds",
    Effect.gen(function* () {
      const { issuer, settings } = yield* provider
      const oidc = yield* OpenIdConnect
      issuer.answer = () => new Response("down", { status: 500 })
      const begin = Effect.flip(withSettings(settings)(oidc.begin(REDIRECT)))
      const failures = yield* Effect.all(
        Array.from({ length: 20 }, () => begin),
        { concurrency: "unbounded" }
      )
      expect(new Set(failures.map(({ problem }) => problem))).toEqual(new Set(["oidc_unavailable"]))
      expect(issuer.requests).toHaveLength(1)
    })
  )

  it(
    "reads no more of a response than it needs",
    Effect.gen(function* () {
      const { issuer, settings } = yield* provider
      const oidc = yield* OpenIdConnect
      let sent = 0
      issuer.answer = () =>
        new Response(
          new ReadableStream({
            // Without an end, at the pace of a network.
            pull: async (controller) => {
              await Bun.sleep(1)
              sent += 65_536
              controller.enqueue(new Uint8Array(65_536).fill(32))
            }
          }),
          { headers: { "content-type": "application/json" } }
        )
      const { problem } = yield* Effect.flip(withSettings(settings)(oidc.begin(REDIRECT)))
      expect([problem, sent < 5_000_000]).toEqual(["oidc_unavailable", true])
    })
  )

  it(
    "uses the service's own fetch",
    Effect.gen(function* () {
      const { settings } = yield* provider
      const asked: Array<string> = []
      const fetched = Object.assign(
        async (input: string | URL | Request) => {
          asked.push(String(input))
          return new Response("", { status: 500 })
        },
        { preconnect: () => {} }
      )
      const begun = Effect.flatMap(OpenIdConnect, ({ begin }) => begin(REDIRECT)).pipe(
        Effect.provide(
          OpenIdConnect.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetched)))
        ),
        withSettings(settings)
      )
      expect(yield* Effect.flip(begun)).toMatchObject({ problem: "oidc_unavailable" })
      expect(asked).toEqual([`${settings.OIDC_ISSUER}/.well-known/openid-configuration`])
    })
  )
})
