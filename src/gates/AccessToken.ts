import { Clock, Data, Effect, Option, Redacted } from "effect"
import { decodeProtectedHeader, errors, jwtVerify } from "jose"
import { Setting } from "../domain/Configuration.ts"
import { AccessKeys } from "./AccessKeys.ts"
import { parseTeam } from "./TeamDomain.ts"

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
  readonly key: CryptoKey
  /** The first and, exclusively, the last moment it counts, in ms since 1970. */
  readonly from: number
  readonly until: number
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

  return Effect.fnUntraced(function* (given: Redacted.Redacted) {

  })
})
