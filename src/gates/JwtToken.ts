import { Effect, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { JwtKeys } from "./AccessKeys.ts"
import { isConfidential } from "./BrowserChannel.ts"
import { makeTokenVerifier } from "./SignedToken.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

/** The settings of the tokens; fails if one that is needed is unset or invalid, or JWT_ALLOW cannot be read. */
const settings = Effect.gen(function* () {
  const issuer = yield* Effect.flatten(Setting.jwtIssuer.config)
  const audience = yield* Effect.flatten(Setting.jwtAudience.config)
  const header = yield* Effect.flatten(Setting.jwtHeader.config)
  const certs = yield* Effect.flatten(Setting.jwtKeysUrl.config)
  const allowed = Option.getOrUndefined(yield* Setting.jwtAllow.config)
  return yield* isConfidential(certs)
    ? Effect.succeed({ header, source: { issuer, certs }, expected: { issuer, audience, allowed } })
    : Effect.fail("exposed")
}).pipe(Effect.mapError(() => new TokenRefused({ reason: "not set up" })))

export const isJwtSetUp: Effect.Effect<boolean> = Effect.isSuccess(settings)

/** Returns the token in a header; in `Authorization`, the one of the scheme `Bearer` (RFC 6750, 2.1). */
const tokenIn = ({ headers }: Request, name: string) => {
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
      const { expected, header, source } = yield* settings
      yield* verify(tokenIn(request, header), expected, (kid) => keys.find(source, kid))
    })
  }
  return verifier
})
