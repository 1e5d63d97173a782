import { Effect, Option } from "effect"
import { Setting } from "../domain/Configuration.ts"

/** Gate 2: the only chat the bot serves; none, and so nobody, while the setting is unset or no chat's number. */
export const allowedChat: Effect.Effect<Option.Option<number>> = Effect.orElseSucceed(
  Setting.allowedChatId.config,
  Option.none
)

/** How many chats are told of: strangers can write to the bot as well. */
const NEWCOMERS = 10

/**
 * Tells the log the number of a chat that writes while none is served, once for each: the owner needs it for the setting,
 * and the chat gets no answer that would say it.
 */
export const makeNewcomers = Effect.sync(() => {
  const told = new Set<number>()
  return Effect.fnUntraced(function* (chat: number) {
    if (told.has(chat) || told.size >= NEWCOMERS) return
    told.add(chat)
    yield* Effect.logInfo(`A message came from chat ${chat}. If that is yours, set ALLOWED_CHAT_ID=${chat}.`)
  })
})
