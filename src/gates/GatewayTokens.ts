import { Effect, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { AccessKeys, JwtKeys, parseTeam } from "./AccessKeys.ts"
import { isConfidential } from "./BrowserChannel.ts"
import { makeTokenVerifier } from "./SignedToken.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

const accessSettings = Effect.gen(function* () {
  const audience = yield* Effect.flatten(Setting.accessAud.config)
  const team = yield* Effect.flatten(Effect.map(Setting.accessTeamDomain.config, Option.flatMap(parseTeam)))
  return { audience, team }
}).pipe(Effect.mapError(() => new TokenRefused({ reason: "not set up" })))

export const isAccessSetUp: Effect.Effect<boolean> = Effect.isSuccess(accessSettings)

/** Application and service tokens alike (RS256). Reads settings and keys on every call, so changes take effect at once. */
export const makeVerify = Effect.gen(function* () {
  const keys = yield* AccessKeys
  const verify = makeTokenVerifier({ algorithms: ["RS256"], needsKeyId: true })

  return Effect.fn("AccessToken.verify")(function* (given: Redacted.Redacted) {
    const { audience, team } = yield* accessSettings
    yield* verify(given, { issuer: team.issuer, audience, allowed: undefined }, (kid) => keys.find(team, kid))
  })
})

/** Returns the access token: from the header, else from the cookie the gateway sets (Cloudflare One docs). */
const accessTokenOf = ({ cookies, headers }: Request) =>
  Redacted.make(headers["cf-access-jwt-assertion"] ?? cookies["CF_Authorization"] ?? "")

export const makeAccessVerifier = Effect.map(
  makeVerify,
  (verify): Verifier => ({
    name: "access",
    verify: (request) => verify(accessTokenOf(request))
  })
)

/** The settings of the tokens; fails if one that is needed is unset or invalid, or JWT_ALLOW cannot be read. */
const jwtSettings = Effect.gen(function* () {
  const issuer = yield* Effect.flatten(Setting.jwtIssuer.config)
  const audience = yield* Effect.flatten(Setting.jwtAudience.config)
  const header = yield* Effect.flatten(Setting.jwtHeader.config)
  const certs = yield* Effect.flatten(Setting.jwtKeysUrl.config)
  const allowed = Option.getOrUndefined(yield* Setting.jwtAllow.config)
  return yield* isConfidential(certs)
    ? Effect.succeed({ header, source: { issuer, certs }, expected: { issuer, audience, allowed } })
    : Effect.fail("exposed")
}).pipe(Effect.mapError(() => new TokenRefused({ reason: "not set up" })))

export const isJwtSetUp: Effect.Effect<boolean> = Effect.isSuccess(jwtSettings)

/** Returns the token in a header; in `Authorization`, the one of the scheme `Bearer` (RFC 6750, 2.1). */
const jwtIn = ({ headers }: Request, name: string) => {
  const value = headers[name] ?? ""
  return Redacted.make(name === "authorization" ? (/^bearer +(.*)$/i.exec(value)?.[1] ?? "") : value)
}

/** Signed tokens (RFC 7519) of another gateway or provider, which a proxy sends in JWT_HEADER. */
export const makeJwtVerifier = Effect.gen(function* () {
  const keys = yield* JwtKeys
  const verify = makeTokenVerifier({
    algorithms: ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"],
    needsKeyId: false
  })
  const verifier: Verifier = {
    name: "jwt",
    verify: Effect.fn("JwtToken.verify")(function* (request: Request) {
      const { expected, header, source } = yield* jwtSettings
      yield* verify(jwtIn(request, header), expected, (kid) => keys.find(source, kid))
    })
  }
  return verifier
})
