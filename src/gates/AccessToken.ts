import { type KeyObject, verify as verifySignature } from "node:crypto"
import { Clock, Effect, Option, Redacted } from "effect"
import { decodeProtectedHeader, errors, type JWTClaimVerificationOptions, UnsecuredJWT } from "jose"
import { Setting } from "../config/Configuration.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { AccessKeys, parseTeam } from "./AccessKeys.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

/** Accepted difference between this clock and the gateway's, in seconds. */
const TOLERANCE = 60

/**
 * Maximum age of a token, in seconds: the gateway's longest session is a month. Also makes a token issued in the future
 * fail.
 */
const MAX_TOKEN_AGE = 31 * 24 * 3600

/** Maximum length of a token, in characters; a longer one is not parsed. A real one has about 1,000. */
const MAX_TOKEN = 16_384

/** Maximum number of verified tokens in the cache. */
const MAX_VERIFIED = 256

/** A verified token; it need not be verified again while all of these values still hold. */
interface Verified {
  readonly audience: string
  readonly issuer: string
  readonly kid: string
  readonly key: KeyObject
  /** When the token expires, including the tolerance; exclusive, in seconds since 1970. */
  readonly until: number
}

const refused = (reason: string) => new TokenRefused({ reason })

/** Returns the configured audience and team; fails if either is unset or the team's address is invalid. */
const settings = Effect.gen(function* () {
  const audience = yield* Effect.flatten(Setting.accessAud.config)
  const team = yield* Effect.flatten(Effect.map(Setting.accessTeamDomain.config, Option.flatMap(parseTeam)))
  return { audience, team }
}).pipe(Effect.mapError(() => refused("not set up")))

const digest = (token: string) => new Bun.CryptoHasher("sha256").update(token).digest("base64")

/** Returns the key id of a token; rejects other algorithms and extensions that a reader must understand (`crit`). */
const keyId = (token: string) =>
  Effect.try({ try: () => decodeProtectedHeader(token), catch: () => refused("not a token") }).pipe(
    Effect.flatMap(({ alg, crit, kid }) =>
      alg === "RS256" && kid !== undefined && crit === undefined
        ? Effect.succeed(kid)
        : refused("another algorithm, or no key id")
    )
  )

/** Matches a JWS in compact form (RFC 7515, 7.1): the signed part, the payload in it, and the signature. */
const compact = /^([\w-]+\.([\w-]+))\.([\w-]+)$/

/** The header with which jose checks only the claims of a payload whose signature is already verified. */
const CLAIMS_ONLY_HEADER = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")

/**
 * Verifies the signature (RS256), then the claims, and returns the claims. Throws if either is invalid.
 *
 * Takes about 50 microseconds on this thread. WebCrypto would queue in the runtime's small thread pool, behind DNS
 * lookups and file reads that may hang, and the owner could not sign in meanwhile.
 */
const verified = (token: string, key: KeyObject, options: JWTClaimVerificationOptions) => {
  const [, signed, payload, signature] = compact.exec(token) ?? []
  if (signed === undefined || signature === undefined) throw new errors.JWSInvalid("Invalid Compact JWS")
  if (!verifySignature("RSA-SHA256", Buffer.from(signed), key, Buffer.from(signature, "base64url")))
    throw new errors.JWSSignatureVerificationFailed()
  return UnsecuredJWT.decode(`${CLAIMS_ONLY_HEADER}.${payload}.`, options).payload
}

/**
 * Makes the verifier of the access gateway's tokens (application tokens and service tokens alike). It checks the
 * signature with the team's keys (RS256 only), the issuer, the audience and the times.
 *
 * Reads the settings and keys on every call, so a change of either takes effect at once, for cached tokens too.
 */
export const makeVerify = Effect.gen(function* () {
  const keys = yield* AccessKeys
  const remembered = new LruMap<string, Verified>(MAX_VERIFIED)

  return Effect.fn("AccessToken.verify")(function* (given: Redacted.Redacted) {
    const { audience, team } = yield* settings
    const token = Redacted.value(given)
    if (token === "" || token.length > MAX_TOKEN) return yield* refused("no token")

    const id = digest(token)
    const seconds = (yield* Clock.currentTimeMillis) / 1000
    const known = remembered.get(id)
    const kid = known?.kid ?? (yield* keyId(token))
    const key = Option.getOrUndefined(yield* keys.find(team, kid))
    if (key === undefined) return yield* refused("an unknown key")
    if (
      known?.audience === audience &&
      known.issuer === team.issuer &&
      known.key === key &&
      seconds < known.until
    )
      return

    remembered.delete(id)
    const claims = yield* Effect.try({
      try: () =>
        verified(token, key, {
          issuer: team.issuer,
          audience,
          requiredClaims: ["exp", "iat"],
          maxTokenAge: MAX_TOKEN_AGE,
          clockTolerance: TOLERANCE,
          currentDate: new Date(seconds * 1000)
        }),
      catch: (error) => refused(error instanceof errors.JOSEError ? error.code : "unreadable")
    })
    remembered.set(id, { audience, issuer: team.issuer, kid, key, until: (claims.exp ?? 0) + TOLERANCE })
  })
})

/** Returns the access token: from the header, else from the cookie the gateway sets (Cloudflare One docs). */
const tokenOf = ({ cookies, headers }: Request) =>
  Redacted.make(headers["cf-access-jwt-assertion"] ?? cookies["CF_Authorization"] ?? "")

/** Makes the verifier of requests that come through the access gateway. */
export const makeAccessVerifier = Effect.map(
  makeVerify,
  (verify): Verifier => ({
    name: "access",
    isSetUp: Effect.isSuccess(settings),
    verify: (request) => verify(tokenOf(request))
  })
)
