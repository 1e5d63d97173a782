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
