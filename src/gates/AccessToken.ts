import { Effect, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { AccessKeys, parseTeam } from "./AccessKeys.ts"
import { makeTokenVerifier } from "./SignedToken.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

const settings = Effect.gen(function* () {
  const audience = yield* Effect.flatten(Setting.accessAud.config)
  const team = yield* Effect.flatten(Effect.map(Setting.accessTeamDomain.config, Option.flatMap(parseTeam)))
  return { audience, team }
}).pipe(Effect.mapError(() => new TokenRefused({ reason: "not set up" })))

export const isAccessSetUp: Effect.Effect<boolean> = Effect.isSuccess(settings)

/** Application and service tokens alike (RS256). Reads settings and keys on every call, so changes take effect at once. */
export const makeVerify = Effect.gen(function* () {
  const keys = yield* AccessKeys
  const verify = makeTokenVerifier({ algorithms: ["RS256"], needsKeyId: true })

  return Effect.fn("AccessToken.verify")(function* (given: Redacted.Redacted) {
    const { audience, team } = yield* settings
    yield* verify(given, { issuer: team.issuer, audience, allowed: undefined }, (kid) => keys.find(team, kid))
  })
})

/** Returns the access token: from the header, else from the cookie the gateway sets (Cloudflare One docs). */
const tokenOf = ({ cookies, headers }: Request) =>
  Redacted.make(headers["cf-access-jwt-assertion"] ?? cookies["CF_Authorization"] ?? "")

export const makeAccessVerifier = Effect.map(
  makeVerify,
  (verify): Verifier => ({
    name: "access",
    verify: (request) => verify(tokenOf(request))
  })
)
