import { Context, Effect } from "effect"
import { makeAccessVerifier } from "./AccessToken.ts"
import { makeJwtVerifier } from "./JwtToken.ts"
import { Sessions } from "./Sessions.ts"
import { headerVerifier } from "./TrustedHeader.ts"
import type { Verifier } from "./Verifier.ts"

const sessionVerifier = Effect.map(Sessions, ({ verify }): Verifier => ({ name: "session", verify }))

/** All verifiers, in the order in which they are asked: first those that cost least. */
export class Verifiers extends Context.Tag("Verifiers")<Verifiers, ReadonlyArray<Verifier>>() {
  static readonly make = Effect.map(
    Effect.all([sessionVerifier, makeAccessVerifier, makeJwtVerifier]),
    (verifiers): ReadonlyArray<Verifier> => [headerVerifier, ...verifiers]
  )
}
