import { Deferred, Duration, Effect, Exit } from "effect"
import { Chat, type Reaction } from "./Chat.ts"
import type { At } from "./Content.ts"

/** Work that ends before this shows in nothing but its answer. */
const SOON = Duration.millis(1_500)
/** The platform shows for five seconds that somebody types. */
const AGAIN = Duration.seconds(4)

/** Shows in the chat that the bot is at work, and how it came out. */
export const makeAtWork = Effect.gen(function* () {
  const chat = yield* Chat
  const scope = yield* Effect.scope

  const typing = (chatId: number) =>
    Effect.zipRight(
      Effect.sleep(SOON),
      Effect.forever(Effect.zipRight(chat.typing(chatId), Effect.sleep(AGAIN)))
    )

  return {
    /** Marks the message while the work on it goes on, and afterwards with the reaction it comes to. */
    during: Effect.fnUntraced(function* <E>({ chatId, messageId }: At, work: Effect.Effect<Reaction, E>) {
      const outcome = yield* Deferred.make<Reaction>()
      // Beside the work, which a chat that does not answer must not hold up.
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
