import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Context, Data, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { boundedText } from "../runtime/BoundedBody.ts"
import { Measure } from "../telemetry/Metrics.ts"

const TIMEOUT = Duration.seconds(10)
/** Maximum size of a response, in bytes; real ones have a few thousand. */
const MAX_BYTES = 1_048_576

/** The bounds of a call that differ from the usual ones. */
export interface CallBounds {
  /** Ten seconds if omitted. */
  readonly timeout?: Duration.Duration
  /** Maximum size of the response in bytes; one MiB if omitted. */
  readonly maxBytes?: number
}

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

/**
 * A failed call to the platform. It contains no URL, because the platform's URLs contain the bot's credential.
 *
 * `not-configured`: there is no credential. `rate-limited`: retry after `retryAfterSeconds`. `unavailable`: the
 * platform sends no usable response. `rejected`: it refuses the call; `description` gives the reason. `defect`: a bug
 * in the program, reported in the log.
 */
export class ChatError extends Data.TaggedError("ChatError")<{
  readonly reason: "not-configured" | "rate-limited" | "unavailable" | "rejected" | "defect"
  readonly retryAfterSeconds?: number
  readonly description?: string
}> {}

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
 * cause, which would contain the token; redirects are not followed, because they would leak it; calls time out, usually
 * after ten seconds.
 */
export class BotApi extends Context.Tag("BotApi")<
  BotApi,
  {
    /** Calls a method and returns its result. */
    readonly call: (method: string, body: object, bounds?: CallBounds) => Effect.Effect<unknown, ChatError>
    /** Calls a method and returns the platform's description of the result, which may be empty. */
    readonly describe: (method: string, body: object) => Effect.Effect<string, ChatError>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient

      const ask = Effect.fn("BotApi.call")(function* (
        method: string,
        body: object,
        { maxBytes = MAX_BYTES, timeout = TIMEOUT }: CallBounds
      ) {
        const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
        if (Option.isNone(token)) return yield* new ChatError({ reason: "not-configured" })
        const base = yield* Effect.mapError(Setting.telegramApiUrl.config, () => unavailable)
        const request = HttpClientRequest.post(
          `${base.replace(/\/+$/, "")}/bot${Redacted.value(token.value)}/${method}`
        ).pipe(HttpClientRequest.bodyUnsafeJson(body))
        const answer = yield* client.execute(request).pipe(
          Effect.flatMap(({ stream }) => boundedText(maxBytes, () => unavailable)(stream)),
          Effect.flatMap(decodeEnvelope),
          Effect.timeout(timeout),
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          Effect.withTracerEnabled(false),
          Effect.mapError(() => unavailable),
          Effect.catchAllDefect((defect) => logDefect(method, defect, token.value))
        )
        return answer.ok ? answer : yield* errorFrom(answer, token.value)
      })

      const measured = (method: string, body: object, bounds: CallBounds = {}) =>
        Effect.tapBoth(ask(method, body, bounds), {
          onSuccess: () => Measure.chatCalls.count(method, "ok"),
          onFailure: ({ reason }) => Measure.chatCalls.count(method, reason)
        })

      return {
        call: (method, body, bounds) => Effect.map(measured(method, body, bounds), ({ result }) => result),
        describe: (method, body) => Effect.map(measured(method, body), ({ description }) => description ?? "")
      }
    })
  )
}

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

/** https://core.telegram.org/bots/api#getupdates; confirms every update before `offset`. `timeout` is in seconds. */
export const getUpdates = (offset: Option.Option<number>, limit: number, timeout: number) => ({
  ...(Option.isSome(offset) ? { offset: offset.value } : {}),
  limit,
  timeout,
  allowed_updates: UPDATES
})
