import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { ChatError } from "./Chat.ts"

const TIMEOUT = "10 seconds"

/** The envelope of every answer (https://core.telegram.org/bots/api#making-requests). */
const Answer = Schema.Struct({
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
type Answer = typeof Answer.Type

const decodeAnswer = Schema.decodeUnknown(Schema.parseJson(Answer))

const unavailable = new ChatError({ reason: "unavailable" })

/** A text without the token, which is part of the API's addresses. */
const withoutToken = (text: string, token: Redacted.Redacted) =>
  [Redacted.value(token), encodeURIComponent(Redacted.value(token))].reduce(
    (rest, secret) => rest.replaceAll(secret, "<token>"),
    text
  )

/** What a refusal means for whoever calls; its description is kept without the token, whoever may have put it there. */
const refusal = ({ description, error_code, parameters }: Answer, token: Redacted.Redacted) => {
  if (error_code === 429)
    return new ChatError({ reason: "rate-limited", retryAfterSeconds: parameters?.retry_after ?? 1 })
  if (error_code === undefined || error_code >= 500) return unavailable
  const said = withoutToken(description ?? "", token)
  const moved = parameters?.migrate_to_chat_id
  return new ChatError({
    reason: "rejected",
    description: moved === undefined ? said : `${said}; update ALLOWED_CHAT_ID to ${moved}`
  })
}

const logDefect = (method: string, defect: unknown, token: Redacted.Redacted) =>
  Effect.zipRight(
    Effect.logError(`calling Telegram's ${method} failed: ${withoutToken(Bun.inspect(defect), token)}`),
    new ChatError({ reason: "defect" })
  )

/**
 * Telegram's Bot API (https://core.telegram.org/bots/api). The token is read on every call. Errors are stripped of
 * their cause, which holds it; no redirect is followed, which would carry it along; no call takes over ten seconds.
 */
export class BotApi extends Context.Tag("BotApi")<
  BotApi,
  {
    /** Calls a method and gives its result. */
    readonly call: (method: string, body: object) => Effect.Effect<unknown, ChatError>
    /** Calls a method and gives the platform's own words about it, which may be none. */
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
          Effect.flatMap((response) => response.text),
          Effect.flatMap(decodeAnswer),
          Effect.timeout(TIMEOUT),
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          Effect.withTracerEnabled(false),
          Effect.mapError(() => unavailable),
          Effect.catchAllDefect((defect) => logDefect(method, defect, token.value))
        )
        return answer.ok ? answer : yield* refusal(answer, token.value)
      })

      const counted = (method: string, body: object) =>
        Effect.tapBoth(ask(method, body), {
          onSuccess: () => Measure.chatCalls.count(method, "ok"),
          onFailure: ({ reason }) => Measure.chatCalls.count(method, reason)
        })

      return {
        call: (method, body) => Effect.map(counted(method, body), ({ result }) => result),
        describe: (method, body) => Effect.map(counted(method, body), ({ description }) => description ?? "")
      }
    })
  )
}
