import { Context, Effect, Layer, Option, Schema } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { Handler } from "../library/Inbox.ts"
import { InboxStore } from "../store/InboxStore.ts"
import { makeAnswering } from "./Answering.ts"
import { makeCallbacks } from "./Callbacks.ts"
import { makeCommandReplies } from "./CommandReplies.ts"
import { Profile } from "./Profile.ts"
import * as Replies from "./Replies.ts"
import { makeSaveMessages } from "./SaveMessages.ts"
import { type ChatUpdate, readUpdate } from "./Update.ts"
import { makeWordMessages } from "./WordMessages.ts"

const decodeJson = Schema.decode(Schema.parseJson(Schema.Unknown))

/** Does what chat updates ask for, and answers them. */
export class Bot extends Context.Tag("Bot")<Bot, { readonly work: Handler }>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const inbox = yield* InboxStore
      const profile = yield* Profile
      const answering = yield* makeAnswering
      const callbacks = yield* makeCallbacks(answering)
      const commands = yield* makeCommandReplies(answering)
      const saves = yield* makeSaveMessages
      const words = yield* makeWordMessages(answering)

      /** Whether a command calls another bot; while the bot's own name is not known it takes every command for its own. */
      const callsAnother = (update: ChatUpdate) => {
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
          yield* (yield* callsAnother(update)) ? inbox.done(id) : perform(id, update, isSpared)
        })
      }
    })
  )
}
