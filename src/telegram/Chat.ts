import { Duration, Effect, FiberRef, Option, Schema, Stream } from "effect"
import { LinkId } from "../domain/Link.ts"
import { Question, type QuestionKind } from "../domain/Messages.ts"
import { Service } from "../runtime/Services.ts"
import { BotApi, ChatError, type FileUpload } from "./BotApi.ts"
import { Button, Document, Rich, stripMarkup } from "./Content.ts"
import { Pace, type Turn } from "./Pace.ts"
import { currentTopic } from "./Topic.ts"

/** A message to the owner in the chat platform's HTML subset, at most 4,096 UTF-16 units without markup. */
export const ChatMessage = Schema.Struct({
  chatId: Schema.Int,
  html: Schema.String,
  replyTo: Schema.NullOr(Schema.Int),
  /** The topic to send it to; the topic of the message that is being answered if omitted. */
  topic: Schema.optional(Schema.Int),
  /** The job that the message reports: the first such message is sent, later ones replace it. */
  job: Schema.optional(Schema.Int),
  /** The message to replace; if that can no longer be edited, this one is sent as a new message. */
  replaces: Schema.optional(Schema.Int),
  /** Whether it is dropped instead of sent anew if the message to replace can no longer be edited. */
  editsOnly: Schema.optional(Schema.Boolean),
  /** Rows of buttons. Replacing a message without buttons removes its buttons. */
  buttons: Schema.optional(Schema.Array(Schema.Array(Button))),
  /** Opens the reply field to ask for this about the link. */
  asks: Schema.optional(Question),
  card: Schema.optional(LinkId),
  isTrashed: Schema.optional(Schema.Boolean),
  /** The link whose card it is, if the card lacks a summary that the model is still writing. */
  awaits: Schema.optional(LinkId),
  /** The saves it reports, if it reports nothing else: consecutive queued messages of this kind are sent as one. */
  saves: Schema.optional(Schema.Array(Schema.Struct({ linkId: LinkId, created: Schema.Boolean }))),
  /** The file that the message carries; the text is its caption. */
  document: Schema.optional(Document),
  /** The rich text to send in place of the text, if the platform knows rich messages. */
  rich: Schema.optional(Rich)
})
export type ChatMessage = typeof ChatMessage.Type

/** The bot's reactions to the owner's messages, from the emoji that Telegram allows as reactions. */
export type Reaction = "👀" | "👍" | "✍" | "🤷"

/** Maximum length of a notice after a button press, in UTF-16 units. */
const MAX_NOTICE = 200

/** Placeholders of the reply field, at most 64 characters each. */
const placeholders: Record<QuestionKind, string> = {
  collection: "Collection name",
  note: "Your note"
}

const inlineButton = (button: Button) =>
  "url" in button
    ? { text: button.label, url: button.url }
    : { text: button.label, callback_data: button.data }

const keyboard = (rows: ReadonlyArray<ReadonlyArray<Button>>) => ({
  inline_keyboard: rows.map((row) => row.map(inlineButton))
})

const content = ({ chatId, html }: ChatMessage) => ({
  chat_id: chatId,
  text: html,
  parse_mode: "HTML" as const,
  link_preview_options: { is_disabled: true }
})

/** A message's reply markup. A message has only one kind, so a question opens the reply field and has no buttons. */
const markup = ({ asks, buttons }: ChatMessage) => {
  if (asks !== undefined)
    return {
      reply_markup: { force_reply: true as const, input_field_placeholder: placeholders[asks.what] }
    }
  return buttons === undefined ? {} : { reply_markup: keyboard(buttons) }
}

const inTopic = (topic: number | null | undefined) =>
  topic === undefined || topic === null ? {} : { message_thread_id: topic }

/** https://core.telegram.org/bots/api#sendmessage */
export const sendMessage = (message: ChatMessage) => ({
  ...content(message),
  ...inTopic(message.topic),
  ...markup(message),
  ...(message.replyTo === null
    ? {}
    : { reply_parameters: { message_id: message.replyTo, allow_sending_without_reply: true } })
})

/** https://core.telegram.org/bots/api#sendrichmessage */
export const sendRichMessage = (message: ChatMessage, { html, isRightToLeft }: Rich) => {
  const { link_preview_options: _, parse_mode: __, text: ___, ...fields } = sendMessage(message)
  return {
    ...fields,
    rich_message: { html, skip_entity_detection: true, ...(isRightToLeft ? { is_rtl: true } : {}) }
  }
}

/** https://core.telegram.org/bots/api#senddocument; the file itself is sent in the field `document`. */
export const sendDocument = (message: ChatMessage) => {
  const { link_preview_options: _, text: caption, ...fields } = sendMessage(message)
  return { ...fields, caption }
}

/** https://core.telegram.org/bots/api#editmessagetext; a message without buttons removes the existing ones. */
export const editMessageText = (messageId: number, message: ChatMessage) => ({
  ...content(message),
  message_id: messageId,
  ...(message.buttons === undefined ? {} : { reply_markup: keyboard(message.buttons) })
})

/** https://core.telegram.org/bots/api#answercallbackquery */
export const answerCallbackQuery = (callbackId: string, text?: string) => ({
  callback_query_id: callbackId,
  ...(text === undefined
    ? {}
    : {
        text: text
          .toWellFormed()
          .slice(0, MAX_NOTICE)
          .replace(/[\ud800-\udbff]$/, "")
      })
})

/** A link as an inline query finds it: what is shown, and the message that choosing it sends. */
export interface InlineResult {
  /** At most 64 bytes. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly url: string | undefined
  readonly html: string
}

/** The answer to an inline query; Telegram may repeat it for `cacheTime` to the person who asked. */
export interface InlineAnswer {
  readonly queryId: string
  readonly results: ReadonlyArray<InlineResult>
  readonly cacheTime: Duration.Duration
}

/** https://core.telegram.org/bots/api#answerinlinequery */
export const answerInlineQuery = ({ cacheTime, queryId, results }: InlineAnswer) => ({
  inline_query_id: queryId,
  results: results.map(({ description, html, id, title, url }) => ({
    type: "article" as const,
    id,
    title,
    description,
    ...(url === undefined ? {} : { url }),
    input_message_content: { message_text: html, parse_mode: "HTML" as const }
  })),
  cache_time: Math.round(Duration.toSeconds(cacheTime)),
  is_personal: true
})

/** https://core.telegram.org/bots/api#setmessagereaction */
export const setMessageReaction = (chatId: number, messageId: number, emoji: Reaction) => ({
  chat_id: chatId,
  message_id: messageId,
  reaction: [{ type: "emoji" as const, emoji }]
})

/** https://core.telegram.org/bots/api#sendchataction */
export const sendChatAction = (chatId: number, topic: number | null = null) => ({
  chat_id: chatId,
  action: "typing" as const,
  ...inTopic(topic)
})

/** How long acknowledging a button press may wait for its turn, because the button shows as busy meanwhile. */
const ACKNOWLEDGE_PATIENCE = Duration.seconds(1)

const decodeFile = Schema.decodeUnknown(Schema.Struct({ file_path: Schema.String }))
const decodeMessage = Schema.decodeUnknown(Schema.Struct({ message_id: Schema.Int }))

/** Whether the platform rejected the call with a matching description. */
const rejectedAs = (words: RegExp) => (error: ChatError) =>
  error.reason === "rejected" && words.test(error.description ?? "")

/** The message already has this content. */
const isUnchanged = rejectedAs(/message is not modified/i)
/** The platform cannot parse the markup; the message is then sent as plain text. */
const isUnreadable = rejectedAs(/can't parse entities/i)

/** The platform does not accept the address of a button, which it checks more strictly than a browser. */
const isRefusedButton = rejectedAs(
  /BUTTON_(?:URL|TYPE)_INVALID|wrong (?:http )?url|invalid (?:http )?url|button url/i
)
/** The topic was deleted, or the chat has none. */
const isWithoutTopic = rejectedAs(/message thread not found|TOPIC_(?:CLOSED|DELETED|ID_INVALID)/i)

interface Payload {
  readonly text: string
  readonly parse_mode?: "HTML"
  readonly message_thread_id?: number
  readonly reply_markup?:
    | ReturnType<typeof keyboard>
    | Exclude<ReturnType<typeof markup>["reply_markup"], undefined>
}

export const withoutMarkup = <P extends { readonly text: string; readonly parse_mode?: "HTML" }>({
  parse_mode: _,
  ...payload
}: P) => ({ ...payload, text: stripMarkup(payload.text) })

export const withoutUrlButtons = (payload: Payload): Payload => {
  const { reply_markup, ...rest } = payload
  if (reply_markup === undefined || !("inline_keyboard" in reply_markup)) return payload
  const rows = reply_markup.inline_keyboard
    .map((row) => row.filter((button) => !("url" in button)))
    .filter((row) => row.length > 0)
  return rows.length === 0 ? rest : { ...rest, reply_markup: { inline_keyboard: rows } }
}

interface Fallback {
  readonly isFor: (error: ChatError) => boolean
  readonly without: (payload: Payload) => Payload
}

const allFallbacks: ReadonlyArray<Fallback> = [
  { isFor: isUnreadable, without: withoutMarkup },
  { isFor: isRefusedButton, without: withoutUrlButtons },
  { isFor: isWithoutTopic, without: ({ message_thread_id: _, ...rest }) => rest }
]

const make = Effect.gen(function* () {
  const api = yield* BotApi
  const pace = yield* Pace

  const call = (method: string, turn: Turn, body: object) => pace.paced(turn)(api.call(method, body))

  /** Retries without what the platform refuses, each once: markup it cannot parse, URL buttons, a missing topic. */
  const withFallbacks = (
    method: string,
    chatId: number,
    body: Payload,
    fallbacks: ReadonlyArray<Fallback> = allFallbacks
  ): Effect.Effect<unknown, ChatError> =>
    call(method, { chatId }, body).pipe(
      Effect.catchSome((error) =>
        Option.map(Option.fromNullable(fallbacks.find(({ isFor }) => isFor(error))), (fallback) =>
          withFallbacks(
            method,
            chatId,
            fallback.without(body),
            fallbacks.filter((one) => one !== fallback)
          )
        )
      )
    )

  const bestEffort = (method: string, body: object) =>
    Effect.ignore(call(method, { patience: Duration.zero }, body))

  const sentMessage = (result: unknown) =>
    Effect.mapBoth(decodeMessage(result), {
      onSuccess: ({ message_id }) => ({ messageId: message_id }),
      onFailure: () => new ChatError({ reason: "unavailable" })
    })

  return {
    send: Effect.fn("Chat.send")((message: ChatMessage) =>
      Effect.flatMap(withFallbacks("sendMessage", message.chatId, sendMessage(message)), sentMessage)
    ),
    /** Sends a message with a rich text; fails with `rejected` if the platform knows none. */
    sendRich: Effect.fn("Chat.sendRich")((message: ChatMessage, rich: Rich) =>
      Effect.flatMap(
        call("sendRichMessage", { chatId: message.chatId }, sendRichMessage(message, rich)),
        sentMessage
      )
    ),
    sendFile: Effect.fn("Chat.sendFile")((message: ChatMessage, file: Omit<FileUpload, "field">) =>
      api
        .upload("sendDocument", sendDocument(message), { ...file, field: "document" })
        .pipe(pace.paced({ chatId: message.chatId }), Effect.flatMap(sentMessage))
    ),
    /** Downloads a file that was sent to the bot; fails with `rejected` if it is larger than `maxBytes`. */
    download: (fileId: string, maxBytes: number) =>
      call("getFile", {}, { file_id: fileId }).pipe(
        Effect.flatMap((result) =>
          Effect.mapBoth(decodeFile(result), {
            onSuccess: ({ file_path }) => api.download(file_path, maxBytes),
            onFailure: () => new ChatError({ reason: "unavailable" })
          })
        ),
        Stream.unwrap
      ),
    /** Replaces a message sent before; fails with `rejected` if it can no longer be edited. */
    edit: Effect.fn("Chat.edit")((messageId: number, message: ChatMessage) =>
      withFallbacks("editMessageText", message.chatId, editMessageText(messageId, message)).pipe(
        Effect.catchIf(isUnchanged, () => Effect.void),
        Effect.asVoid
      )
    ),
    /** Acknowledges a button press with a short notice of at most 200 characters; best effort. */
    acknowledge: Effect.fn("Chat.acknowledge")((callbackId: string, text?: string) =>
      Effect.ignore(
        call("answerCallbackQuery", { patience: ACKNOWLEDGE_PATIENCE }, answerCallbackQuery(callbackId, text))
      )
    ),
    /** Answers an inline query; best effort, without waiting or retrying. */
    answerInline: Effect.fn("Chat.answerInline")((answer: InlineAnswer) =>
      bestEffort("answerInlineQuery", answerInlineQuery(answer))
    ),
    /** Reacts to a message of the owner; best effort, without waiting or retrying. */
    react: Effect.fn("Chat.react")((chatId: number, messageId: number, reaction: Reaction) =>
      bestEffort("setMessageReaction", setMessageReaction(chatId, messageId, reaction))
    ),
    /** Shows for about five seconds that the bot is typing; best effort. */
    typing: Effect.fn("Chat.typing")((chatId: number) =>
      Effect.flatMap(FiberRef.get(currentTopic), (topic) =>
        bestEffort("sendChatAction", sendChatAction(chatId, topic))
      )
    )
  }
})

export class Chat extends Service<Chat>()("Chat", make) {}
