import { Duration, Effect, Fiber, Option, Ref } from "effect"
import { ChatListStore } from "../store/ChatListStore.ts"
import { Chat } from "./Chat.ts"
import type { At } from "./Content.ts"
import { savingReply } from "./Replies.ts"

/** Saving that ends before this needs no message that shows how it goes. */
const SOON = Duration.seconds(2)
/** A message is edited no more often than this: the platform allows some twenty edits a minute. */
const EDIT = Duration.seconds(3)
/** So long a message that is on its way is waited for when the saving has ended; then it is not sent at all. */
const PATIENCE = Duration.seconds(5)

/** Shows how the saving of a message with many links goes, in one message, also over a restart. */
export const makeSaveProgress = Effect.gen(function* () {
  const chat = yield* Chat
  const lists = yield* ChatListStore
  const scope = yield* Effect.scope

  const first = (at: At, html: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const shown = yield* lists.shownBy(at)
        if (Option.isSome(shown)) return shown.value
        const { messageId } = yield* restore(chat.send({ chatId: at.chatId, html, replyTo: at.messageId }))
        yield* lists.shows(at, messageId)
        return messageId
      })
    )

  return {
    /** Shows how many of `total` links are `done` while the work goes on; where no message can be sent, nothing. */
    during: Effect.fn("SaveProgress.during")(function* <A, E>(
      at: At,
      total: number,
      done: Ref.Ref<number>,
      work: Effect.Effect<A, E>
    ) {
      const said = Effect.map(Ref.get(done), (number) => savingReply(number, total).html)
      const sending = yield* Ref.make<Fiber.Fiber<unknown, unknown>>(Fiber.void)
      const show = Effect.gen(function* () {
        yield* Effect.sleep(SOON)
        let last = yield* said
        // In a fiber of its own: the end of the saving must not lose track of what is on its way.
        const sent = yield* Effect.forkIn(first(at, last), scope)
        yield* Ref.set(
          sending,
          Fiber.map(sent, () => undefined)
        )
        const messageId = yield* Fiber.join(sent)
        for (;;) {
          yield* Effect.sleep(EDIT)
          const html = yield* said
          if (html === last) continue
          last = html
          // An edit that fails is made up for by the next one, or by the result.
          yield* Effect.ignore(chat.edit(messageId, { chatId: at.chatId, html, replyTo: null }))
        }
      })
      const result = yield* Effect.scoped(Effect.zipRight(Effect.forkScoped(Effect.ignore(show)), work))
      const onItsWay = yield* Ref.get(sending)
      yield* Effect.timeoutOption(Fiber.await(onItsWay), PATIENCE)
      yield* Fiber.interrupt(onItsWay)
      return result
    }),
    /** The message that shows it, if there is one. */
    shownBy: (at: At): Effect.Effect<Option.Option<number>> => lists.shownBy(at)
  }
})
