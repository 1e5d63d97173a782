import { Effect, Option } from "effect"
import { Setting } from "../domain/Configuration.ts"

/** Gate 2: the only chat the bot serves; none, and so nobody, while the setting is unset or no chat's number. */
export const allowedChat: Effect.Effect<Option.Option<number>> = Effect.orElseSucceed(
  Setting.allowedChatId.config,
  Option.none
)
