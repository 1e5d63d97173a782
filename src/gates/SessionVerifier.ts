import { Effect } from "effect"
import { CredentialStore } from "../store/signin/CredentialStore.ts"
import { Sessions } from "./Sessions.ts"
import type { Verifier } from "./Verifier.ts"

/** Makes the verifier of the service's own sessions; it is set up once there is a password or a passkey. */
export const makeSessionVerifier = Effect.gen(function* () {
  const sessions = yield* Sessions
  const credentials = yield* CredentialStore
  const verifier: Verifier = {
    name: "session",
    isSetUp: Effect.map(credentials.summary, ({ hasPassword, passkeys }) => hasPassword || passkeys > 0),
    verify: sessions.verify
  }
  return verifier
})
