import { Cause, Context, Effect, Layer, Option, Schema } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { Handler } from "../library/Inbox.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { type ButtonAction, decode, makeDoublePressGuard } from "./Buttons.ts"
import { Chat } from "./Chat.ts"
import { makeCommandReplies } from "./CommandReplies.ts"
import { type Prepared, stripMarkup, userError, withoutPreparation } from "./Content.ts"
import { type LinkPress, makeLinkPresses } from "./LinkPresses.ts"
import { makeListPresses } from "./ListPresses.ts"
import { Profile } from "./Profile.ts"
import * as Replies from "./Replies.ts"
import { callbackMessageOf, makeReplyContext, type Notice, type ReplyContext } from "./ReplyContext.ts"
import { makeSaveMessages } from "./SaveMessages.ts"
import { type ChatUpdate, readUpdate } from "./Update.ts"
import { makeTextMessages } from "./WordMessages.ts"

type Callback = Extract<ChatUpdate, { readonly _tag: "Callback" }>

const isAboutLink = (press: ButtonAction): press is LinkPress => "id" in press && !("job" in press)

/** Runs the actions of pressed buttons and acknowledges every press, whether the action succeeds or fails. */
const makeCallbacks = Effect.fnUntraced(function* (answering: ReplyContext) {
  const chat = yield* Chat
  const ofLink = yield* makeLinkPresses
  const ofList = yield* makeListPresses
  const isDoublePress = makeDoublePressGuard()

  const workOf = (arrival: number, callback: Callback): Prepared<Notice> => {
    const { chatId, data, messageId } = callback
    if (isDoublePress({ arrival, data, under: `${chatId} ${messageId}` }))
      return withoutPreparation(Effect.succeed(null))
    const screen = callbackMessageOf(answering, callback)
    return Option.match(decode(data), {
      onNone: () => userError("This button is old."),
      onSome: (press) => (isAboutLink(press) ? ofLink(screen, press) : ofList(screen, press))
    })
  }

  const acknowledge = ({ id }: Callback, notice: Notice) =>
    notice === null ? chat.acknowledge(id) : chat.acknowledge(id, notice)

  return {
    press: Effect.fn("Callbacks.press")(
      (arrival: number, callback: Callback): Effect.Effect<void, StoreUnavailable> =>
        answering
          .carriedOut(
            arrival,
            Effect.suspend(() => workOf(arrival, callback)),
            ({ html }) => Effect.succeed<Notice>(stripMarkup(html.html))
          )
          .pipe(
            Effect.tapErrorCause((cause) =>
              Cause.isInterruptedOnly(cause)
                ? Effect.void
                : acknowledge(callback, "Something went wrong. I try again.")
            ),
            Effect.flatMap((notice) => acknowledge(callback, notice))
          )
    )
  }
})

const decodeJson = Schema.decode(Schema.parseJson(Schema.Unknown))

/** Handles chat updates and replies to them. */
export class Bot extends Context.Tag("Bot")<Bot, { readonly work: Handler }>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const inbox = yield* InboxStore
      const profile = yield* Profile
      const answering = yield* makeReplyContext
      const callbacks = yield* makeCallbacks(answering)
      const commands = yield* makeCommandReplies(answering)
      const saves = yield* makeSaveMessages
      const words = yield* makeTextMessages(answering)

      /** Whether a command addresses another bot; false while the bot does not know its own name. */
      const addressesAnotherBot = (update: ChatUpdate) => {
        const mention = "mention" in update ? update.mention : null
        return mention === null
          ? Effect.succeed(false)
          : Effect.map(
              profile.username,
              Option.exists((name) => name.toLowerCase() !== mention.toLowerCase())
            )
      }

      const perform = (
        id: number,
        update: ChatUpdate,
        isSpared: boolean
      ): Effect.Effect<void, StoreUnavailable> => {
        switch (update._tag) {
          case "Save":
            return saves.save(id, update, isSpared)
          case "Edit":
            return saves.edit(id, update, isSpared)
          case "SetNote":
            return words.answered(id, update)
          case "Search":
            return words.search(id, update)
          case "Command":
            return commands.answer(id, update)
          case "Callback":
            return callbacks.press(id, update)
          case "Hint":
            return answering.settled(id, answering.reply(update, { html: Replies.hintReply(update.reason) }))
          case "Ignored":
            return inbox.done(id)
        }
      }

      return {
        work: Effect.fn("Bot.work")(function* ({ id, payload }, isSpared) {
          const update = readUpdate(yield* Effect.orDie(decodeJson(payload)))
          yield* (yield* addressesAnotherBot(update)) ? inbox.done(id) : perform(id, update, isSpared)
        })
      }
    })
  )
}
