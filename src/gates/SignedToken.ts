import type { KeyObject } from "node:crypto"
import { Clock, Effect, Option, Redacted } from "effect"
import { decodeProtectedHeader, errors, type JWTClaimVerificationOptions, UnsecuredJWT } from "jose"
import { LruMap } from "../runtime/LruMap.ts"
import { isAllowedUser } from "./AllowedUser.ts"
import { type Algorithm, isFor, isSigned } from "./SigningKeys.ts"
import { TokenRefused } from "./Verifier.ts"

/** Accepted difference between this clock and the issuer's, in seconds. */
const TOLERANCE = 60

/** In seconds: the gateway's longest session is a month. Also rejects a token issued in the future. */
const MAX_TOKEN_AGE = 31 * 24 * 3600

/** Maximum length of a token, in characters; a longer one is not parsed. A real one has about 1,000. */
const MAX_TOKEN = 16_384

const MAX_VERIFIED = 256

interface Expected {
  readonly issuer: string
  readonly audience: string
  /** The subject or e-mail address of the only user whose tokens count; undefined if all count. */
  readonly allowed: string | undefined
}

/** A verified token; it need not be verified again while all of these values still hold. */
interface Verified extends Expected {
  readonly algorithm: Algorithm
  readonly kid: string
  readonly key: KeyObject
  /** When the token expires, including the tolerance; exclusive, in seconds since 1970. */
  readonly until: number
}

const refused = (reason: string) => new TokenRefused({ reason })

const digest = (token: string) => new Bun.CryptoHasher("sha256").update(token).digest("base64")

/** Matches a JWS in compact form (RFC 7515, 7.1): the signed part, the payload in it, and the signature. */
const compact = /^([\w-]+\.([\w-]+))\.([\w-]+)$/

/** The header with which jose checks only the claims of a payload whose signature is already verified. */
const CLAIMS_ONLY_HEADER = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")

/** Verifies the signature, then the claims, and returns the claims. Throws if either is invalid. */
const verified = (
  token: string,
  algorithm: Algorithm,
  key: KeyObject,
  options: JWTClaimVerificationOptions
) => {
  const [, signed, payload, signature] = compact.exec(token) ?? []
  if (signed === undefined || signature === undefined) throw new errors.JWSInvalid("Invalid Compact JWS")
  if (!isSigned(algorithm, key, Buffer.from(signed), Buffer.from(signature, "base64url")))
    throw new errors.JWSSignatureVerificationFailed()
  return UnsecuredJWT.decode(`${CLAIMS_ONLY_HEADER}.${payload}.`, options).payload
}

interface Signers {
  readonly algorithms: ReadonlyArray<Algorithm>
  /** Whether a token must name its key; otherwise one without a key id is verified with the key whose id is "". */
  readonly needsKeyId: boolean
}

/**
 * Makes a verifier of signed tokens (RFC 7519). It checks the signature with the key that `find` returns, the issuer,
 * the audience, the times and, if one is given, the user.
 *
 * A verified token is cached for the values that it was verified with, so a change of a setting or a key takes effect at
 * once. Every verifier has its own cache: what one has verified is nothing to another.
 */
export const makeTokenVerifier = ({ algorithms, needsKeyId }: Signers) => {
  const remembered = new LruMap<string, Verified>(MAX_VERIFIED)

  /** Returns a token's algorithm and key id; rejects extensions that a reader must understand (`crit`). */
  const headerOf = (token: string) =>
    Effect.try({ try: () => decodeProtectedHeader(token), catch: () => refused("not a token") }).pipe(
      Effect.flatMap(({ alg, crit, kid }) => {
        const algorithm = algorithms.find((one) => one === alg)
        return algorithm === undefined || crit !== undefined || (needsKeyId && kid === undefined)
          ? refused("another algorithm, or no key id")
          : Effect.succeed({ algorithm, kid: kid ?? "" })
      })
    )

  return Effect.fn("SignedToken.verify")(function* (
    given: Redacted.Redacted,
    { allowed, audience, issuer }: Expected,
    find: (kid: string) => Effect.Effect<Option.Option<KeyObject>>
  ) {
    const token = Redacted.value(given)
    if (token === "" || token.length > MAX_TOKEN) return yield* refused("no token")

    const id = digest(token)
    const seconds = (yield* Clock.currentTimeMillis) / 1000
    const known = remembered.get(id)
    const { algorithm, kid } = known ?? (yield* headerOf(token))
    const key = Option.getOrUndefined(yield* find(kid))
    if (key === undefined) return yield* refused("an unknown key")
    if (!isFor(key, algorithm)) return yield* refused("an algorithm of another kind of key")
    if (
      known?.audience === audience &&
      known.issuer === issuer &&
      known.allowed === allowed &&
      known.key === key &&
      seconds < known.until
    )
      return

    remembered.delete(id)
    const claims = yield* Effect.try({
      try: () =>
        verified(token, algorithm, key, {
          issuer,
          audience,
          requiredClaims: ["exp", "iat"],
          maxTokenAge: MAX_TOKEN_AGE,
          clockTolerance: TOLERANCE,
          currentDate: new Date(seconds * 1000)
        }),
      catch: (error) => refused(error instanceof errors.JOSEError ? error.code : "unreadable")
    })
    if (allowed !== undefined && !isAllowedUser(claims, allowed, { trustsEmail: true }))
      return yield* refused("another user")
    const until = (claims.exp ?? 0) + TOLERANCE
    remembered.set(id, { audience, issuer, allowed, algorithm, kid, key, until })
  })
}
