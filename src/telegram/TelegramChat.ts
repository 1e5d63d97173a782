import { Duration, Effect, Layer, Schema } from "effect"
import {
  answerCallbackQuery,
  BotApi,
  editMessageText,
  sendChatAction,
  sendMessage,
  setMessageReaction,
  withoutMarkup
} from "./BotApi.ts"
import { Chat, ChatError, type ChatMessage } from "./Chat.ts"
import { Pace, type Turn } from "./Pace.ts"

/** How long acknowledging a button press may wait for its turn, because the button shows as busy meanwhile. */
const ACKNOWLEDGE_PATIENCE = Duration.seconds(1)

const decodeMessage = Schema.decodeUnknown(Schema.Struct({ message_id: Schema.Int }))

/** Whether the platform rejected the call with a matching description. */
const rejectedAs = (words: RegExp) => (error: ChatError) =>
  error.reason === "rejected" && words.test(error.description ?? "")

/** The message already has this content. */
const isUnchanged = rejectedAs(/message is not modified/i)
/** The platform cannot parse the markup; the message is then sent as plain text. */
const isUnreadable = rejectedAs(/can't parse entities/i)

/** Implements `Chat` with Telegram's Bot API, within its rate limits. */
export const layer = Layer.effect(
  Chat,
  Effect.gen(function* () {
    const api = yield* BotApi
    const pace = yield* Pace

    const call = (method: string, turn: Turn, body: object) => pace.paced(turn)(api.call(method, body))

    /** Sends or edits a message; retries as plain text if the platform cannot parse the markup. */
    const withMarkupFallback = (
      method: string,
      chatId: number,
      body: { readonly text: string; readonly parse_mode: "HTML" }
    ) =>
      Effect.catchIf(call(method, { chatId }, body), isUnreadable, () =>
        call(method, { chatId }, withoutMarkup(body))
      )

    const bestEffort = (method: string, body: object) =>
      Effect.ignore(call(method, { patience: Duration.zero }, body))

    return {
      send: Effect.fn("Chat.send")((message: ChatMessage) =>
        Effect.flatMap(withMarkupFallback("sendMessage", message.chatId, sendMessage(message)), (result) =>
          Effect.mapBoth(decodeMessage(result), {
            onSuccess: ({ message_id }) => ({ messageId: message_id }),
            onFailure: () => new ChatError({ reason: "unavailable" })
          })
        )
      ),
      edit: Effect.fn("Chat.edit")((messageId: number, message: ChatMessage) =>
        withMarkupFallback("editMessageText", message.chatId, editMessageText(messageId, message)).pipe(
          Effect.catchIf(isUnchanged, () => Effect.void),
          Effect.asVoid
        )
      ),
      acknowledge: Effect.fn("Chat.acknowledge")((callbackId, text) =>
        Effect.ignore(
          call(
            "answerCallbackQuery",
            { patience: ACKNOWLEDGE_PATIENCE },
            answerCallbackQuery(callbackId, text)
          )
        )
      ),
      react: Effect.fn("Chat.react")((chatId, messageId, reaction) =>
        bestEffort("setMessageReaction", setMessageReaction(chatId, messageId, reaction))
      ),
      typing: Effect.fn("Chat.typing")((chatId) => bestEffort("sendChatAction", sendChatAction(chatId)))
    }
  })
)
