import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { QuestionKind } from "../domain/Messages.ts"
import { boundedText } from "../runtime/BoundedBody.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { type Button, ChatError, type ChatMessage, type Reaction } from "./Chat.ts"
import { stripMarkup } from "./Content.ts"

const TIMEOUT = "10 seconds"
/** Maximum size of a response, in bytes; real ones have a few thousand. */
const MAX_BYTES = 1_048_576

/** The envelope of every response (https://core.telegram.org/bots/api#making-requests). */
const Envelope = Schema.Struct({
  ok: Schema.Boolean,
  result: Schema.optional(Schema.Unknown),
  description: Schema.optional(Schema.String),
  error_code: Schema.optional(Schema.Int),
  parameters: Schema.optional(
    Schema.Struct({
      retry_after: Schema.optional(Schema.Positive),
      migrate_to_chat_id: Schema.optional(Schema.Int)
    })
  )
})
type Envelope = typeof Envelope.Type

const decodeEnvelope = Schema.decodeUnknown(Schema.parseJson(Envelope))

const unavailable = new ChatError({ reason: "unavailable" })

/** Redacts the token, which is part of the API's URLs, in a text. */
const withoutToken = (text: string, token: Redacted.Redacted) =>
  [Redacted.value(token), encodeURIComponent(Redacted.value(token))].reduce(
    (rest, secret) => rest.replaceAll(secret, "<token>"),
    text
  )

/** Converts an error response to a `ChatError`, with the token redacted in its description. */
const errorFrom = ({ description, error_code, parameters }: Envelope, token: Redacted.Redacted) => {
  if (error_code === 429)
    return new ChatError({ reason: "rate-limited", retryAfterSeconds: parameters?.retry_after ?? 1 })
  if (error_code === undefined || error_code >= 500) return unavailable
  const detail = withoutToken(description ?? "", token)
  const moved = parameters?.migrate_to_chat_id
  return new ChatError({
    reason: "rejected",
    description: moved === undefined ? detail : `${detail}; update ALLOWED_CHAT_ID to ${moved}`
  })
}

const logDefect = (method: string, defect: unknown, token: Redacted.Redacted) =>
  Effect.zipRight(
    Effect.logError(`calling Telegram's ${method} failed: ${withoutToken(Bun.inspect(defect), token)}`),
    new ChatError({ reason: "defect" })
  )

/**
 * Client for Telegram's Bot API (https://core.telegram.org/bots/api). Reads the token on every call. Errors have no
 * cause, which would contain the token; redirects are not followed, because they would leak it; calls time out after
 * ten seconds.
 */
export class BotApi extends Context.Tag("BotApi")<
  BotApi,
  {
    /** Calls a method and returns its result. */
    readonly call: (method: string, body: object) => Effect.Effect<unknown, ChatError>
    /** Calls a method and returns the platform's description of the result, which may be empty. */
    readonly describe: (method: string, body: object) => Effect.Effect<string, ChatError>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient

      const ask = Effect.fn("BotApi.call")(function* (method: string, body: object) {
        const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
        if (Option.isNone(token)) return yield* new ChatError({ reason: "not-configured" })
        const base = yield* Effect.mapError(Setting.telegramApiUrl.config, () => unavailable)
        const request = HttpClientRequest.post(
          `${base.replace(/\/+$/, "")}/bot${Redacted.value(token.value)}/${method}`
        ).pipe(HttpClientRequest.bodyUnsafeJson(body))
        const answer = yield* client.execute(request).pipe(
          Effect.flatMap(({ stream }) => boundedText(MAX_BYTES, () => unavailable)(stream)),
          Effect.flatMap(decodeEnvelope),
          Effect.timeout(TIMEOUT),
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          Effect.withTracerEnabled(false),
          Effect.mapError(() => unavailable),
          Effect.catchAllDefect((defect) => logDefect(method, defect, token.value))
        )
        return answer.ok ? answer : yield* errorFrom(answer, token.value)
      })

      const measured = (method: string, body: object) =>
        Effect.tapBoth(ask(method, body), {
          onSuccess: () => Measure.chatCalls.count(method, "ok"),
          onFailure: ({ reason }) => Measure.chatCalls.count(method, reason)
        })

      return {
        call: (method, body) => Effect.map(measured(method, body), ({ result }) => result),
        describe: (method, body) => Effect.map(measured(method, body), ({ description }) => description ?? "")
      }
    })
  )
}

/** Payloads of Bot API methods (https://core.telegram.org/bots/api#available-methods). */

/** Maximum length of a notice after a button press, in UTF-16 units. */
const MAX_NOTICE = 200

/** Placeholders of the reply field, at most 64 characters each. */
const placeholders: Record<QuestionKind, string> = {
  collection: "Name of the collection",
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

/** https://core.telegram.org/bots/api#sendmessage */
export const sendMessage = (message: ChatMessage) => ({
  ...content(message),
  ...markup(message),
  ...(message.replyTo === null
    ? {}
    : { reply_parameters: { message_id: message.replyTo, allow_sending_without_reply: true } })
})

/** https://core.telegram.org/bots/api#editmessagetext; a message without buttons removes the existing ones. */
export const editMessageText = (messageId: number, message: ChatMessage) => ({
  ...content(message),
  message_id: messageId,
  ...(message.buttons === undefined ? {} : { reply_markup: keyboard(message.buttons) })
})

/** The same payload as plain text. */
export const withoutMarkup = <Payload extends { readonly text: string; readonly parse_mode: "HTML" }>({
  parse_mode: _,
  ...payload
}: Payload) => ({ ...payload, text: stripMarkup(payload.text) })

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

/** https://core.telegram.org/bots/api#setmessagereaction */
export const setMessageReaction = (chatId: number, messageId: number, emoji: Reaction) => ({
  chat_id: chatId,
  message_id: messageId,
  reaction: [{ type: "emoji" as const, emoji }]
})

/** https://core.telegram.org/bots/api#sendchataction */
export const sendChatAction = (chatId: number) => ({ chat_id: chatId, action: "typing" as const })

/** A command in the bot's menu: 1 to 32 characters of `a-z0-9_`, and a description of at most 256 characters. */
export interface BotCommand {
  readonly command: string
  readonly description: string
}

/** https://core.telegram.org/bots/api#setmycommands; the commands are visible in this chat only. */
export const setMyCommands = (chatId: number, commands: ReadonlyArray<BotCommand>) => ({
  commands: commands.map(({ command, description }) => ({ command, description })),
  scope: { type: "chat" as const, chat_id: chatId }
})

/** The update types that the bot receives. */
export const UPDATES = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query"
] as const

/** https://core.telegram.org/bots/api#setwebhook */
export const setWebhook = (url: string, secret: string) => ({
  url,
  secret_token: secret,
  allowed_updates: UPDATES,
  max_connections: 10,
  drop_pending_updates: false
})

/** https://core.telegram.org/bots/api#deletewebhook */
export const deleteWebhook = (dropPending: boolean) => ({ drop_pending_updates: dropPending })
