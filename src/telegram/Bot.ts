import { Effect, Option, Schema } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { makeButtonActions } from "./ButtonActions.ts"
import { Chat } from "./Chat.ts"
import { makeCommandReplies } from "./CommandReplies.ts"
import { makeFileMessages } from "./FileMessages.ts"
import { Profile } from "./Profile.ts"
import * as Replies from "./Replies.ts"
import { makeReplyContext } from "./ReplyContext.ts"
import { makeSaveMessages } from "./SaveMessages.ts"
import { makeSaveOffers } from "./SaveOffers.ts"
import { makeTextMessages } from "./TextMessages.ts"
import { currentTopic, topicOf } from "./Topic.ts"
import { type ChatUpdate, isForBot, isOfGroup, readUpdate } from "./Update.ts"

type Callback = Extract<ChatUpdate, { readonly _tag: "Callback" }>

const decodeJson = Schema.decode(Schema.parseJson(Schema.Unknown))

const make = Effect.gen(function* () {
  const chat = yield* Chat
  const offers = yield* makeSaveOffers
  const profile = yield* Profile
  const context = yield* makeReplyContext
  const presses = yield* makeButtonActions(context)
  const commands = yield* makeCommandReplies(context)
  const files = yield* makeFileMessages(context)
  const saves = yield* makeSaveMessages
  const texts = yield* makeTextMessages(context, offers)

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

  const press = Effect.fnUntraced(function* (id: number, update: Callback, skipReading: boolean) {
    const offer = yield* offers.pressed(id, update)
    switch (offer._tag) {
      case "None":
      case "Expired":
        return yield* presses.press(id, update)
      case "Repeated":
        yield* context.settle(id, Effect.void)
        return yield* chat.acknowledge(update.id)
      case "Taken":
        yield* chat.acknowledge(update.id, "Saving…")
        return yield* saves.save(id, offer.message, skipReading)
    }
  })

  const perform = (
    id: number,
    update: ChatUpdate,
    skipReading: boolean
  ): Effect.Effect<void, StoreUnavailable> => {
    switch (update._tag) {
      case "Save":
        return saves.save(
          id,
          update,
          skipReading,
          update.file === null ? Effect.void : files.leftAlone(update, update.file)
        )
      case "File":
        return files.receive(id, update, skipReading)
      case "Edit":
        return saves.edit(id, update, skipReading)
      case "SetNote":
        return texts.handleReply(id, update)
      case "Search":
        return texts.search(id, update)
      case "Command":
        return commands.answer(id, update)
      case "Callback":
        return press(id, update, skipReading)
      case "Hint":
        return context.settle(
          id,
          Effect.flatMap(
            offers.under(update, { html: Replies.hintReply(update.reason, update.offers.length) }),
            (content) => context.reply(update, content)
          )
        )
      case "Ignored":
        return context.settle(id, Effect.void)
    }
  }

  return {
    work: Effect.fn("Bot.work")(function* ({ id, payload }, skipReading) {
      // The webhook stores JSON only, so anything else is a defect, and the inbox sets the arrival aside.
      const given = yield* Effect.orDie(decodeJson(payload))
      const own = isOfGroup(given) ? yield* profile.username : Option.none()
      const update = readUpdate(given, own)
      const isMeant = isForBot(given, own) && !(yield* addressesAnotherBot(update))
      yield* (isMeant ? perform(id, update, skipReading) : context.settle(id, Effect.void)).pipe(
        Effect.provideService(CurrentAuthor, "bot"),
        Effect.locally(currentTopic, topicOf(given))
      )
    })
  }
})

export class Bot extends Service<Bot>()("Bot", make) {}
