import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Data, Duration, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import { boundedBytes, boundedText } from "../runtime/BoundedBody.ts"
import { Service } from "../runtime/Services.ts"
import { Measure } from "../telemetry/Metrics.ts"

const TIMEOUT = Duration.seconds(10)
/** Maximum size of a response, in bytes; real ones have a few thousand. */
const MAX_BYTES = 1_048_576
/** Timeout of an upload; 50 MB take 400 seconds at 1 Mbit/s. */
const UPLOAD_TIMEOUT = Duration.minutes(7)
/** How long a download may stall, and how long it may take. */
const STALL_TIMEOUT = Duration.seconds(30)
const DOWNLOAD_TIMEOUT = Duration.minutes(5)

export interface CallBounds {
  /** Ten seconds if omitted. */
  readonly timeout?: Duration.Duration
  /** Maximum size of the response in bytes; one MiB if omitted. */
  readonly maxBytes?: number
}

/** A file to upload. Its bytes are streamed, never held in memory as a whole. */
export interface FileUpload {
  readonly field: string
  /** Its name, of characters that need no escape in a header. */
  readonly name: string
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, unknown>
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

/** What a sentence about a failed call says to whom it is shown. */
interface FailureAdvice {
  readonly withoutToken: string
  /** What connects to Telegram, such as "the service". */
  readonly client: string
  /** How to answer a refusal with this description. */
  readonly onRefusal: (description: string) => string
}

export const sentenceOf = (
  {
    description = "",
    reason,
    retryAfterSeconds = 1
  }: Pick<ChatError, "description" | "reason" | "retryAfterSeconds">,
  { client, onRefusal, withoutToken }: FailureAdvice
): string => {
  switch (reason) {
    case "not-configured":
      return withoutToken
    case "rate-limited":
      return `Telegram limits requests. Try again in ${retryAfterSeconds} seconds.`
    case "unavailable":
      return `Telegram does not respond. Check that ${client} can connect to TELEGRAM_API_URL.`
    case "defect":
      return "The request to Telegram failed. Report this as a bug, with the version of Linkbower."
    case "rejected":
      return `Telegram says: ${description}. ${onRefusal(description)}`
  }
}

const unavailable = new ChatError({ reason: "unavailable" })

const withoutToken = (text: string, token: Redacted.Redacted) =>
  [Redacted.value(token), encodeURIComponent(Redacted.value(token))].reduce(
    (rest, secret) => rest.replaceAll(secret, "<token>"),
    text
  )

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

const encoder = new TextEncoder()

/** multipart/form-data (RFC 7578) with the whole length; values that are no strings are JSON, as the API asks. */
const multipart = (fields: Readonly<Record<string, unknown>>, { bytes, field, name, size }: FileUpload) => {
  const boundary = `linkbower-${crypto.randomUUID()}`
  const part = (header: string) => `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n`
  const head = encoder.encode(
    [
      ...Object.entries(fields).map(
        ([key, value]) =>
          `${part(`name="${key}"`)}\r\n${typeof value === "string" ? value : JSON.stringify(value)}\r\n`
      ),
      `${part(`name="${field}"; filename="${name}"`)}Content-Type: application/octet-stream\r\n\r\n`
    ].join("")
  )
  const foot = encoder.encode(`\r\n--${boundary}--\r\n`)
  return HttpClientRequest.bodyStream(
    Stream.concat(Stream.concat(Stream.make(head), bytes), Stream.make(foot)),
    {
      contentType: `multipart/form-data; boundary=${boundary}`,
      contentLength: head.length + size + foot.length
    }
  )
}

/** A relative path, as the API gives files; a self-hosted server in local mode gives paths on its own disk. */
const FILE_PATH = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/

const make = Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient

  const access = Effect.gen(function* () {
    const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
    if (Option.isNone(token)) return yield* new ChatError({ reason: "not-configured" })
    const base = yield* Effect.mapError(Setting.telegramApiUrl.config, () => unavailable)
    return { base: base.replace(/\/+$/, ""), token: token.value }
  })

  const ask = Effect.fn("BotApi.call")(function* (
    method: string,
    withBody: (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest,
    { maxBytes = MAX_BYTES, timeout = TIMEOUT }: CallBounds
  ) {
    const { base, token } = yield* access
    const request = withBody(HttpClientRequest.post(`${base}/bot${Redacted.value(token)}/${method}`))
    const answer = yield* client.execute(request).pipe(
      Effect.flatMap(({ stream }) => boundedText(maxBytes, () => unavailable)(stream)),
      Effect.flatMap(decodeEnvelope),
      Effect.timeout(timeout),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.withTracerEnabled(false),
      Effect.mapError(() => unavailable),
      Effect.catchAllDefect((defect) => logDefect(method, defect, token))
    )
    return answer.ok ? answer : yield* errorFrom(answer, token)
  })

  const counted = <A>(method: string, work: Effect.Effect<A, ChatError>) =>
    Effect.tapBoth(work, {
      onSuccess: () => Measure.chatCalls.count(method, "ok"),
      onFailure: ({ reason }) => Measure.chatCalls.count(method, reason)
    })

  const measured = (method: string, body: object, bounds: CallBounds = {}) =>
    counted(method, ask(method, HttpClientRequest.bodyUnsafeJson(body), bounds))

  /** Opens a download; its bytes are neither bounded nor safe to report errors of. */
  const open = Effect.fn("BotApi.download")(function* (path: string) {
    const { base, token } = yield* access
    if (!FILE_PATH.test(path))
      return yield* new ChatError({ reason: "rejected", description: "a path on the server’s disk" })
    const response = yield* client.get(`${base}/file/bot${Redacted.value(token)}/${path}`).pipe(
      Effect.timeout(TIMEOUT),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.withTracerEnabled(false),
      Effect.mapError(() => unavailable),
      Effect.catchAllDefect((defect) => logDefect("download", defect, token))
    )
    if (response.status === 200) return response.stream
    return yield* errorFrom({ ok: false, error_code: response.status, description: "no such file" }, token)
  })

  return {
    call: (method: string, body: object, bounds?: CallBounds) =>
      Effect.map(measured(method, body, bounds), ({ result }) => result),
    upload: (method: string, fields: Readonly<Record<string, unknown>>, file: FileUpload) =>
      Effect.map(
        counted(method, ask(method, multipart(fields, file), { timeout: UPLOAD_TIMEOUT })),
        ({ result }) => result
      ),
    /** `path` is from `getFile`; `rejected` if it is larger than `maxBytes`, gone, or on the server's own disk. */
    download: (path: string, maxBytes: number) =>
      Stream.unwrap(counted("download", open(path))).pipe(
        Stream.timeoutFail(() => unavailable, STALL_TIMEOUT),
        Stream.interruptWhen(Effect.delay(unavailable, DOWNLOAD_TIMEOUT)),
        Stream.mapError((error) => (error instanceof ChatError ? error : unavailable)),
        boundedBytes(maxBytes, () => new ChatError({ reason: "rejected", description: "file is too big" }))
      ),
    /** Calls a method and returns the platform's description of the result, which may be empty. */
    describe: (method: string, body: object) =>
      Effect.map(measured(method, body), ({ description }) => description ?? "")
  }
})

/** https://core.telegram.org/bots/api. Reads the token on every call; errors and redirects must not leak it. */
export class BotApi extends Service<BotApi>()("BotApi", make) {}

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

export const UPDATES = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query"
] as const

/** The same for a bot that can be searched from other chats: BotFather switches that on. */
export const INLINE_UPDATES = [...UPDATES, "inline_query"] as const

/** https://core.telegram.org/bots/api#setwebhook */
export const setWebhook = (url: string, secret: string, isInline: boolean) => ({
  url,
  secret_token: secret,
  allowed_updates: isInline ? INLINE_UPDATES : UPDATES,
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
  allowed_updates: INLINE_UPDATES
})
