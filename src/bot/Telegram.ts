import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Layer, Metric, Option, Redacted, Schema } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { Chat, ChatError, type ChatMessage } from "./Chat.ts"
import { plainOf } from "./Html.ts"

const TIMEOUT = "10 seconds"

/** The envelope of every answer (https://core.telegram.org/bots/api#making-requests). */
const Answer = Schema.parseJson(
  Schema.Struct({
    ok: Schema.Boolean,
    result: Schema.optional(Schema.Unknown),
    description: Schema.optional(Schema.String),
    error_code: Schema.optional(Schema.Int),
    parameters: Schema.optional(Schema.Struct({ retry_after: Schema.optional(Schema.Positive) }))
  })
)
const decodeAnswer = Schema.decodeUnknown(Answer)
const decodeMessage = Schema.decodeUnknown(Schema.Struct({ message_id: Schema.Int }))

/** sendMessage's fields (https://core.telegram.org/bots/api#sendmessage). */
const payload = ({ chatId, html, replyTo }: ChatMessage) => ({
  chat_id: chatId,
  text: html,
  parse_mode: "HTML" as const,
  link_preview_options: { is_disabled: true },
  ...(replyTo === null
    ? {}
    : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } })
})

const unavailable = new ChatError({ reason: "unavailable" })
const calls = Metric.counter("linkbower_chat_calls", {
  description: "Calls of the chat platform",
  incremental: true
})

/** What a refusal means for whoever sends; its description is kept without the token, whoever may have put it there. */
const refusal = (
  { description, error_code, parameters }: Schema.Schema.Type<typeof Answer>,
  token: Redacted.Redacted
) => {
  if (error_code === 429)
    return new ChatError({ reason: "rate-limited", retryAfterSeconds: parameters?.retry_after ?? 1 })
  if (error_code === undefined || error_code >= 500) return unavailable
  const said = (description ?? "").replaceAll(Redacted.value(token), "<token>")
  return new ChatError({ reason: "rejected", description: said })
}

/** editMessageText's fields (https://core.telegram.org/bots/api#editmessagetext). */
const changed = (messageId: number, message: ChatMessage) => {
  const { reply_parameters: _, ...fields } = { reply_parameters: undefined, ...payload(message) }
  return { ...fields, message_id: messageId }
}

/** The message already says so. */
const isUnchanged = (error: ChatError) =>
  error.reason === "rejected" && /message is not modified/i.test(error.description ?? "")

/** Markup the platform cannot read is no reason to say nothing. */
const isUnreadable = (error: ChatError) =>
  error.reason === "rejected" && /can't parse entities/i.test(error.description ?? "")

/** Telegram's Bot API as the way to the owner. Its errors are stripped of their cause, which holds the bot's token. */
export const layer = Layer.effect(
  Chat,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient

    const call = Effect.fn("Telegram.call")(function* (method: string, body: object) {
      const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
      if (Option.isNone(token)) return yield* new ChatError({ reason: "not-configured" })
      const base = yield* Effect.mapError(Setting.telegramApiUrl.config, () => unavailable)
      const request = HttpClientRequest.post(
        `${base.replace(/\/+$/, "")}/bot${Redacted.value(token.value)}/${method}`
      ).pipe(HttpClientRequest.bodyUnsafeJson(body))
      yield* Metric.increment(Metric.tagged(calls, "method", method))
      const answer = yield* client.execute(request).pipe(
        Effect.flatMap((response) => response.text),
        Effect.flatMap(decodeAnswer),
        Effect.timeout(TIMEOUT),
        // A redirect would carry the token to wherever it points.
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        Effect.withTracerEnabled(false),
        Effect.catchAllCause(() => Effect.fail(unavailable))
      )
      return answer.ok ? answer.result : yield* refusal(answer, token.value)
    })

    const send = (body: object) =>
      Effect.flatMap(call("sendMessage", body), (result) =>
        Effect.mapBoth(decodeMessage(result), {
          onSuccess: ({ message_id }) => ({ messageId: message_id }),
          onFailure: () => unavailable
        })
      )

    return {
      send: Effect.fn("Chat.send")(function* (message: ChatMessage) {
        const { parse_mode: _, ...plain } = payload(message)
        return yield* Effect.catchIf(send(payload(message)), isUnreadable, () =>
          send({ ...plain, text: plainOf(message.html) })
        )
      }),
      edit: Effect.fn("Chat.edit")((messageId: number, message: ChatMessage) =>
        call("editMessageText", changed(messageId, message)).pipe(
          Effect.catchIf(isUnchanged, () => Effect.void),
          Effect.asVoid
        )
      )
    }
  })
)
