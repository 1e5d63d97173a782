import { Duration, Effect, Layer, Schema } from "effect"
import { BotApi } from "./BotApi.ts"
import { Chat, ChatError, type ChatMessage } from "./Chat.ts"
import { Pace, type Turn } from "./Pace.ts"
import * as Payloads from "./Payloads.ts"

/** How long the answer to a pressed button waits for its turn: the person sees the button at work. */
const MOMENT = Duration.seconds(1)

const decodeMessage = Schema.decodeUnknown(Schema.Struct({ message_id: Schema.Int }))

/** The platform refused the call in words such as these. */
const refusedAs = (words: RegExp) => (error: ChatError) =>
  error.reason === "rejected" && words.test(error.description ?? "")

/** The message already says so. */
const isUnchanged = refusedAs(/message is not modified/i)
/** Markup the platform cannot read is no reason to say nothing. */
const isUnreadable = refusedAs(/can't parse entities/i)

/** The owner's chat by way of Telegram's Bot API, within its limits. */
export const layer = Layer.effect(
  Chat,
  Effect.gen(function* () {
    const api = yield* BotApi
    const pace = yield* Pace

    const call = (method: string, turn: Turn, body: object) => pace.paced(turn)(api.call(method, body))

    /** Says it once more without markup, where the platform cannot read the markup. */
    const written = (
      method: string,
      chatId: number,
      body: { readonly text: string; readonly parse_mode: "HTML" }
    ) =>
      Effect.catchIf(call(method, { chatId }, body), isUnreadable, () =>
        call(method, { chatId }, Payloads.withoutMarkup(body))
      )

    const bestEffort = (method: string, body: object) =>
      Effect.ignore(call(method, { patience: Duration.zero }, body))

    return {
      send: Effect.fn("Chat.send")((message: ChatMessage) =>
        Effect.flatMap(written("sendMessage", message.chatId, Payloads.sendMessage(message)), (result) =>
          Effect.mapBoth(decodeMessage(result), {
            onSuccess: ({ message_id }) => ({ messageId: message_id }),
            onFailure: () => new ChatError({ reason: "unavailable" })
          })
        )
      ),
      edit: Effect.fn("Chat.edit")((messageId: number, message: ChatMessage) =>
        written("editMessageText", message.chatId, Payloads.editMessageText(messageId, message)).pipe(
          Effect.catchIf(isUnchanged, () => Effect.void),
          Effect.asVoid
        )
      ),
      acknowledge: Effect.fn("Chat.acknowledge")((callbackId, text) =>
        Effect.ignore(
          call("answerCallbackQuery", { patience: MOMENT }, Payloads.answerCallbackQuery(callbackId, text))
        )
      ),
      react: Effect.fn("Chat.react")((chatId, messageId, reaction) =>
        bestEffort("setMessageReaction", Payloads.setMessageReaction(chatId, messageId, reaction))
      ),
      typing: Effect.fn("Chat.typing")((chatId) =>
        bestEffort("sendChatAction", Payloads.sendChatAction(chatId))
      )
    }
  })
)
