import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { OpenIdConnect } from "./OpenIdConnect.ts"
import type { Verifier } from "./Verifier.ts"

/** The owner's private chat with the bot; a group has a negative number, and others in it could press the button. */
const privateChat = Effect.gen(function* () {
  yield* Effect.flatten(Setting.telegramBotToken.config)
  return Option.filter(yield* Setting.allowedChatId.config, (chat) => chat > 0)
}).pipe(Effect.orElseSucceed(() => Option.none<number>()))

/**
 * Returns the chat in which the bot may ask whether a browser may sign in; none if SIGNIN_BOT is `off`, or `auto` while
 * someone outside signs the owner in: whoever has the owner's Telegram account must not get around that.
 */
export const makeBotChat = (
  verifiers: ReadonlyArray<Verifier>,
  provider: OpenIdConnect["Type"]
): Effect.Effect<Option.Option<number>> => {
  const gateways = verifiers.filter(({ name }) => name !== "session")
  const isElsewhere = Effect.flatMap(provider.host, (host) =>
    Option.isSome(host) ? Effect.succeed(true) : Effect.exists(gateways, ({ isSetUp }) => isSetUp)
  )
  return Effect.gen(function* () {
    const mode = yield* Effect.orElseSucceed(Setting.signInBot.config, () => "off" as const)
    if (mode === "off" || (mode === "auto" && (yield* isElsewhere))) return Option.none()
    return yield* privateChat
  })
}
