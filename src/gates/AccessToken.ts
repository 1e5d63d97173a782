import { type KeyObject, verify as verifySignature } from "node:crypto"
import { Clock, Data, Effect, Option, Redacted } from "effect"
import { decodeProtectedHeader, errors, type JWTClaimVerificationOptions, UnsecuredJWT } from "jose"
import { Setting } from "../config/Configuration.ts"
import { AccessKeys, parseTeam } from "./AccessKeys.ts"

/** A token does not admit; `reason` is safe to log. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly reason: string }> {}

/** How far the gateway's clock may be off, in seconds. */
const TOLERANCE = 60

/** The longest session the gateway offers is a month; in seconds. It also makes a token issued in the future fail. */
const MAX_TOKEN_AGE = 31 * 24 * 3600

/** Longer tokens are not looked at; a real one has about 1,000 characters. */
const MAX_TOKEN = 16_384

/** How many verified tokens are remembered. */
const REMEMBERED = 256

/** A token that was verified: for as long as all of this holds, it need not be verified again. */
interface Verified {
  readonly audience: string
  readonly issuer: string
  readonly kid: string
  readonly key: KeyObject
  /** The last moment it counts, exclusively, in seconds since 1970. */
  readonly until: number
}

const refused = (reason: string) => new TokenRefused({ reason })

/** The configured audience and team; fails while either is unset or no team's address. */
const settings = Effect.gen(function* () {
  const audience = yield* Effect.flatten(Setting.accessAud.config)
  const team = yield* Effect.flatten(Effect.map(Setting.accessTeamDomain.config, Option.flatMap(parseTeam)))
  return { audience, team }
}).pipe(Effect.mapError(() => refused("not set up")))

const digest = (token: string) => new Bun.CryptoHasher("sha256").update(token).digest("base64")

/** The key id that a token names; fails for another algorithm, and for extensions that a reader must understand (`crit`). */
const keyId = (token: string) =>
  Effect.try({ try: () => decodeProtectedHeader(token), catch: () => refused("not a token") }).pipe(
    Effect.flatMap(({ alg, crit, kid }) =>
      alg === "RS256" && kid !== undefined && crit === undefined
        ? Effect.succeed(kid)
        : refused("another algorithm, or no key id")
    )
  )

/** A JWS in compact form (RFC 7515, 7.1): what is signed, the payload in it, and the signature. */
const compact = /^([\w-]+\.([\w-]+))\.([\w-]+)$/

/** The header under which jose checks the claims of a payload whose signature has been verified. */
const VERIFIED = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")

/**
 * Verifies the signature (RS256) and then the claims; returns the claims. Throws for a token that does not admit.
 *
 * It takes some 50 microseconds on this thread. WebCrypto would queue in the runtime's small thread pool, behind
 * look-ups of names and reads of files that may hang: the owner could not sign in meanwhile.
 */
const verified = (token: string, key: KeyObject, options: JWTClaimVerificationOptions) => {
  const [, signed, payload, signature] = compact.exec(token) ?? []
  if (signed === undefined || signature === undefined) throw new errors.JWSInvalid("Invalid Compact JWS")
  if (!verifySignature("RSA-SHA256", Buffer.from(signed), key, Buffer.from(signature, "base64url")))
    throw new errors.JWSSignatureVerificationFailed()
  return UnsecuredJWT.decode(`${VERIFIED}.${payload}.`, options).payload
}

/**
 * Makes the check of the access gateway's tokens (application tokens and service tokens alike): signature by a key of
 * the team, RS256 alone, issuer, audience, times.
 *
 * Settings and keys are read on every call, so a change of either counts at once, for remembered tokens too.
 */
export const makeVerify = Effect.gen(function* () {
  const keys = yield* AccessKeys
  const remembered = new Map<string, Verified>()

  const remember = (id: string, verified: Verified) => {
    const oldest = remembered.keys().next()
    if (remembered.size >= REMEMBERED && oldest.value !== undefined) remembered.delete(oldest.value)
    remembered.set(id, verified)
  }

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
    remember(id, { audience, issuer: team.issuer, kid, key, until: (claims.exp ?? 0) + TOLERANCE })
  })
})
