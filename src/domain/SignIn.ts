import { Schema } from "effect"

/** How a session began; one that began with a one-time code can only set up a way to sign in. */
export const SignInWay = Schema.Literal("code", "password", "passkey", "oidc", "bot")
export type SignInWay = typeof SignInWay.Type

/** A session as the owner sees it in the list of sessions; it has no secret. */
export const Session = Schema.Struct({
  id: Schema.Int,
  way: SignInWay,
  device: Schema.String.annotations({
    description: "The browser and its system, such as `Firefox on Linux`."
  }),
  address: Schema.String.annotations({ description: "The address from which it began." }),
  createdAt: Schema.String,
  usedAt: Schema.String.annotations({ description: "When it was last used, to within a day." })
})
export type Session = typeof Session.Type

/** What can go wrong while another server or the chat signs the owner in, in sentences for the sign-in page. */
export const signInProblems = {
  oidc_unavailable: "The sign-in provider cannot be reached. Try again in a moment, or use another way.",
  oidc_refused: "The sign-in provider did not sign you in. Try again, or use another way.",
  oidc_expired: "This sign-in has expired, or it began in another browser. Start again here.",
  oidc_failed: "The answer of the sign-in provider could not be verified. The log of the service says why.",
  oidc_other_user:
    "You signed in to the provider, but not as the owner of this library. The log says as whom.",
  oidc_address: "The provider must know this address. Set PUBLIC_URL to it, then start again.",
  exposed: "Signing in needs HTTPS on this address.",
  busy: "There were too many attempts. Try again in a minute.",
  unavailable: "The library cannot be written to at the moment. Try again in a moment."
} as const

export type SignInProblem = keyof typeof signInProblems
