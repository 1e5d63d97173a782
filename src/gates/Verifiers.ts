import { Context, Effect, Layer } from "effect"
import { makeAccessVerifier } from "./AccessToken.ts"
import { makeJwtVerifier } from "./JwtToken.ts"
import { makeSessionVerifier } from "./SessionVerifier.ts"
import { headerVerifier } from "./TrustedHeader.ts"
import type { Verifier } from "./Verifier.ts"

/** All verifiers, in the order in which they are asked: first those that cost least. */
export class Verifiers extends Context.Tag("Verifiers")<Verifiers, ReadonlyArray<Verifier>>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(
      Effect.all([makeSessionVerifier, makeAccessVerifier, makeJwtVerifier]),
      (verifiers): ReadonlyArray<Verifier> => [headerVerifier, ...verifiers]
    )
  )
}
