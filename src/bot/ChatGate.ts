import { Effect, Option } from "effect"
import { Setting } from "../domain/Configuration.ts"

/** Gate 2: the only chat the bot serves; none, and so nobody, while the setting is unset or no chat's number. */
export const allowedChat: Effect.Effect<Option.Option<number>> = Effect.orElseSucceed(
  Setting.allowedChatId.config,
  Option.none
)

/** Says in the log that gate 2 is closed to everybody, where it is: the bot itself stays silent then. */
export const warnIfClosed: Effect.Effect<void> = Effect.flatMap(allowedChat, (chat) =>
  Option.isSome(chat)
    ? Effect.void
    : Effect.logWarning("ALLOWED_CHAT_ID is unset or no chat's number: the bot ignores every message.")
)
