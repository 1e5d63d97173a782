import { Deferred, Duration, Effect, Exit } from "effect"
import type { MessageRef } from "../domain/Messages.ts"
import { Chat, type Reaction } from "./Chat.ts"

/** Work that finishes sooner shows no typing indicator. */
const TYPING_SOON = Duration.millis(1_500)
const TYPING_INTERVAL = Duration.seconds(4)

/** Shows in the chat that the bot is working, then the outcome. */
export const makeTypingIndicator = Effect.gen(function* () {
  const chat = yield* Chat
  const scope = yield* Effect.scope

  const typing = (chatId: number) =>
    Effect.zipRight(
      Effect.sleep(TYPING_SOON),
      Effect.forever(Effect.zipRight(chat.typing(chatId), Effect.sleep(TYPING_INTERVAL)))
    )

  return {
    /** Reacts to the message with 👀 during the work, then with the reaction it returns, or 🤷 if it fails. */
    during: Effect.fnUntraced(function* <E>(
      { chatId, messageId }: MessageRef,
      work: Effect.Effect<Reaction, E>
    ) {
      const outcome = yield* Deferred.make<Reaction>()
      // Runs in parallel, because an unresponsive chat must not delay the work.
      yield* chat.react(chatId, messageId, "👀").pipe(
        Effect.zipRight(Deferred.await(outcome)),
        Effect.flatMap((reaction) => chat.react(chatId, messageId, reaction)),
        Effect.forkIn(scope)
      )
      yield* Effect.forkScoped(typing(chatId)).pipe(
        Effect.zipRight(work),
        Effect.scoped,
        Effect.onExit((exit) => Deferred.succeed(outcome, Exit.isSuccess(exit) ? exit.value : "🤷")),
        Effect.asVoid
      )
    })
  }
})
