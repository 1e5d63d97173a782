import { Effect, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Service } from "../runtime/Services.ts"
import { CredentialStore } from "../store/signin/CredentialStore.ts"
import { SessionStore } from "../store/signin/SessionStore.ts"
import { isAccessSetUp, isJwtSetUp } from "./GatewayTokens.ts"
import { CODE_LIFETIME, OneTimeCodes } from "./OneTimeCodes.ts"
import { providerHost } from "./OpenIdConnect.ts"
import { parseHost } from "./RequestHost.ts"
import { Sessions } from "./Sessions.ts"
import { isHeaderSetUp } from "./TrustedHeader.ts"
import type { Request } from "./Verifier.ts"

/** How each way to sign in that belongs to another program is called, and whether it is set up. */
const externalWays: ReadonlyArray<readonly [name: string, isSetUp: Effect.Effect<boolean>]> = [
  ["Cloudflare Access", isAccessSetUp],
  ["a gateway's signed tokens", isJwtSetUp],
  ["a trusted proxy", isHeaderSetUp],
  ["an OpenID Connect provider", Effect.map(providerHost, ({ _tag }) => _tag === "Some")]
]

/** Decided by the settings alone; the names are for people. */
export const externalSignIns: Effect.Effect<ReadonlyArray<string>> = Effect.map(
  Effect.filter(externalWays, ([, isSetUp]) => isSetUp),
  (found) => found.map(([name]) => name)
)

export interface Ways {
  readonly password: boolean
  readonly passkey: boolean
  readonly bot: boolean
  /** The host of the OpenID Connect provider, if one is set up. */
  readonly oidc: string | null
}

export type Removal = "password" | { readonly passkey: number }

export type Removed = "removed" | "unknown" | "last"

const isOutside = Effect.map(externalSignIns, (names) => names.length > 0)

/** Whether the owner can come in without a credential of this library. */
const isSetUpElsewhere = Effect.gen(function* () {
  return (yield* Effect.orElseSucceed(Setting.devNoAuth.config, () => false)) || (yield* isOutside)
})

/** The owner's private chat with the bot; a group has a negative number, and others in it could press the button. */
const privateChat = Effect.gen(function* () {
  yield* Effect.flatten(Setting.telegramBotToken.config)
  return Option.filter(yield* Setting.allowedChatId.config, (chat) => chat > 0)
}).pipe(Effect.orElseSucceed(() => Option.none<number>()))

/** None if SIGNIN_BOT is `off`, or `auto` beside another sign-in, which the Telegram account must not get around. */
const botChat = Effect.gen(function* () {
  const mode = yield* Effect.orElseSucceed(Setting.signInBot.config, () => "off" as const)
  if (mode === "off" || (mode === "auto" && (yield* isOutside))) return Option.none()
  return yield* privateChat
})

const make = Effect.gen(function* () {
  const codes = yield* OneTimeCodes
  const credentials = yield* CredentialStore
  const sessions = yield* Sessions
  const stored = yield* SessionStore
  const oneByOne = (yield* Effect.makeSemaphore(1)).withPermits(1)

  const isSetUp = Effect.gen(function* () {
    const { hasPassword, passkeys } = yield* credentials.summary
    return hasPassword || passkeys > 0 || (yield* isSetUpElsewhere)
  }).pipe(Effect.withSpan("SignInWays.isSetUp"))

  const newCode = Effect.gen(function* () {
    return (yield* isSetUp) ? Option.none() : Option.some(yield* codes.make("log"))
  })

  const logCode = Effect.fn("SignInWays.logCode")(function* (when: "always" | "needed") {
    if (when === "needed" && (yield* codes.hasValid)) return
    const code = yield* newCode
    if (Option.isSome(code))
      yield* Effect.logInfo(
        `No way to sign in is set up. Open /setup and enter the one-time code ${Redacted.value(code.value)} within ${CODE_LIFETIME}.`
      )
  })

  const remove = Effect.fnUntraced(function* (removal: Removal, request: Request) {
    const { hasPassword, passkeys } = yield* credentials.summary
    const known = yield* credentials.passkeys
    const exists = removal === "password" ? hasPassword : known.some(({ id }) => id === removal.passkey)
    if (!exists) return "unknown"
    if ((hasPassword ? 1 : 0) + passkeys < 2 && !(yield* isSetUpElsewhere)) return "last"
    yield* removal === "password" ? credentials.removePassword : credentials.removePasskey(removal.passkey)
    const way = removal === "password" ? "password" : "passkey"
    yield* stored.removeWay(way, yield* sessions.currentId(request))
    return "removed"
  })

  return {
    botChat,
    isSetUp,
    ways: Effect.fn("SignInWays.ways")(function* (request: Request) {
      const host = parseHost(request.headers["host"] ?? "")?.name
      const { hasPassword } = yield* credentials.summary
      return {
        password: hasPassword,
        passkey: (yield* credentials.passkeys).some((passkey) => passkey.host === host),
        bot: Option.isSome(yield* botChat),
        oidc: Option.getOrNull(yield* providerHost)
      }
    }),
    /** Makes a one-time code that replaces the last one; none if a way is set up. */
    newCode: oneByOne(newCode),
    /** Writes a new one-time code into the log while no way is set up; `needed` does so unless one is still valid. */
    logCode: (when: "always" | "needed") => oneByOne(logCode(when)),
    /** Ends the sessions of its kind but the request's; refuses the last way to sign in. */
    remove: Effect.fn("SignInWays.remove")((removal: Removal, request: Request) =>
      oneByOne(remove(removal, request))
    )
  }
})

/** The ways that are set up, whether a one-time code is offered, and which credential must stay. */
export class SignInWays extends Service<SignInWays>()("SignInWays", make) {}
