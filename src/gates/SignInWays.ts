import { Context, Effect, Layer } from "effect"
import { Setting } from "../config/Configuration.ts"
import { CredentialStore } from "../store/signin/CredentialStore.ts"
import { Verifiers } from "./Verifiers.ts"

/** The ways in which a browser can begin a session. */
export interface Ways {
  readonly password: boolean
  readonly passkey: boolean
  /** Whether the bot can ask in the owner's chat. */
  readonly bot: boolean
  /** The host of the OpenID Connect provider, if one is set up. */
  readonly oidc: string | null
}

/** Which ways to sign in are set up. */
export class SignInWays extends Context.Tag("SignInWays")<
  SignInWays,
  {
    readonly ways: Effect.Effect<Ways>
    /** Whether the owner can reach the dashboard in any way, so that no one-time code is offered. */
    readonly isSetUp: Effect.Effect<boolean>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const credentials = yield* CredentialStore
      const verifiers = yield* Verifiers
      const isOpen = Effect.orElseSucceed(Setting.devNoAuth.config, () => false)
      const ways = Effect.map(
        credentials.summary,
        ({ hasPassword, passkeys }): Ways => ({
          password: hasPassword,
          passkey: passkeys > 0,
          bot: false,
          oidc: null
        })
      )
      return {
        ways,
        isSetUp: Effect.gen(function* () {
          if (yield* isOpen) return true
          if ((yield* ways).oidc !== null) return true
          return yield* Effect.exists(verifiers, ({ isSetUp }) => isSetUp)
        }).pipe(Effect.withSpan("SignInWays.isSetUp"))
      }
    })
  )
}
