import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk"
import { Config, Data, Duration, Effect, Option, Redacted, Schema } from "effect"
import { MODEL, Setting } from "../../config/Configuration.ts"
import { directFetch, retryAfter } from "../fetch/DirectFetch.ts"
import { ProbeFailed, ServerDates, statusFailed } from "../fetch/Probe.ts"

/** What a model is asked, and the JSON Schema its answer is asked to follow. */
export interface Prompt {
  readonly system: string
  readonly prompt: string
  readonly schema: Record<string, unknown>
  readonly maxTokens: number
}

/** One request that gave no message: why, whether another may help, and how long the server asks to wait before it. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  readonly reason: "unavailable" | "rate-limited" | "timeout" | "refused" | "not-json"
  readonly retry: boolean
  readonly wait: Duration.Duration
}> {}

/** A request that failed for good. */
export const failed = (reason: RequestFailed["reason"]) =>
  new RequestFailed({ reason, retry: false, wait: Duration.zero })

const failedForNow = (wait = Duration.zero, reason: RequestFailed["reason"] = "unavailable") =>
  new RequestFailed({ reason, retry: true, wait })

/** The key and the server (none: the provider's own), or none where there is no key. Compared by value. */
export const account = Config.all({
  key: Setting.anthropicApiKey.config,
  baseUrl: Setting.anthropicBaseUrl.config
}).pipe(Config.map(({ key, baseUrl }) => Option.map(key, (secret) => Data.struct({ key: secret, baseUrl }))))
export type Account = Option.Option.Value<Config.Config.Success<typeof account>>

const worthAnother = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

/** Sorts what the SDK throws. A redirect lands among the failures: following it would carry the key elsewhere. */
const failureOf = (error: unknown, now: number): RequestFailed => {
  if (error instanceof APIConnectionTimeoutError) return failed("timeout")
  if (error instanceof APIConnectionError) return failedForNow()
  if (error instanceof SyntaxError) return failed("not-json")
  if (!(error instanceof APIError) || error.status === undefined || error.status < 400)
    return failed("unavailable")
  if (!worthAnother(error.status)) return failed("refused")
  const wait = Option.getOrUndefined(retryAfter(error.headers?.get("retry-after"), now))
  return failedForNow(wait, error.status === 429 ? "rate-limited" : "unavailable")
}

/** The provider's client for this account: no retries, no log, no redirect, and an answer ends after `maxBytes`. */
const connect = ({ key, baseUrl }: Account, timeout: Duration.DurationInput, maxBytes: number) =>
  new Anthropic({
    apiKey: Redacted.value(key),
    authToken: null,
    baseURL: Option.getOrNull(baseUrl),
    webhookKey: null,
    timeout: Duration.toMillis(timeout),
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
    fetch: directFetch(maxBytes)
  })

/**
 * One request to the Messages API (POST /v1/messages) with structured output; its answer is whatever JSON came back.
 *
 * Ends within `timeout`, body included, reads at most `maxBytes`, and is aborted when interrupted.
 */
export const request = (
  account: Account,
  { system, prompt, schema, maxTokens }: Prompt,
  { timeout, maxBytes }: { readonly timeout: Duration.DurationInput; readonly maxBytes: number }
): Effect.Effect<unknown, RequestFailed> =>
  Effect.clockWith((clock) =>
    Effect.tryPromise({
      try: (signal) =>
        connect(account, timeout, maxBytes).messages.create(
          {
            model: MODEL,
            max_tokens: maxTokens,
            system,
            messages: [{ role: "user", content: prompt }],
            output_config: { format: { type: "json_schema", schema } }
          },
          { signal }
        ),
      catch: (error) => failureOf(error, clock.unsafeCurrentTimeMillis())
    })
  ).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => failed("timeout") }))

/** The most of an answer that is read, in bytes. */
const MAX_BYTES = 65_536

const Model = Schema.Struct({ type: Schema.Literal("model"), id: Schema.String })
const Message = Schema.Struct({ type: Schema.Literal("message") })

const failureOfOfModelProbe = (error: unknown): ProbeFailed => {
  if (error instanceof APIConnectionTimeoutError) return new ProbeFailed({ reason: "timeout" })
  if (error instanceof APIConnectionError) return new ProbeFailed({ reason: "unreachable" })
  if (error instanceof APIError && typeof error.status === "number") return statusFailed(error.status)
  return new ProbeFailed({ reason: "garbage" })
}

/** One request of the provider's client, whose answer must be of this shape. */
const ask = <A, I>(
  account: Account,
  timeout: Duration.DurationInput,
  shape: Schema.Schema<A, I>,
  request: (
    client: Anthropic,
    signal: AbortSignal
  ) => Promise<{ readonly data: unknown; readonly response: Response }>
) =>
  Effect.gen(function* () {
    const dates = yield* ServerDates
    const client = connect(account, timeout, MAX_BYTES)
    const { data, response } = yield* Effect.tryPromise({
      try: (signal) => request(client, signal),
      catch: (error) => ({
        failure: failureOfOfModelProbe(error),
        headers: error instanceof APIError ? error.headers : undefined
      })
    }).pipe(
      Effect.tapError(({ headers }) =>
        headers === undefined ? Effect.void : dates.saw(client.baseURL, headers)
      ),
      Effect.mapError(({ failure }) => failure)
    )
    yield* dates.saw(client.baseURL, response.headers)
    yield* Effect.mapError(Schema.decodeUnknown(shape)(data), () => new ProbeFailed({ reason: "garbage" }))
  })

/** `GET /v1/models/{model}`: proves the key and the model, and costs nothing. */
const describe = (account: Account, timeout: Duration.DurationInput) =>
  ask(account, timeout, Model, (client, signal) =>
    client.models.retrieve(MODEL, {}, { signal }).withResponse()
  )

/** A message of one token, for servers that know the Messages API alone. */
const say = (account: Account, timeout: Duration.DurationInput) =>
  ask(account, timeout, Message, (client, signal) =>
    client.messages
      .create({ model: MODEL, max_tokens: 1, messages: [{ role: "user", content: "1" }] }, { signal })
      .withResponse()
  )

/** Whether a server of one's own may only lack the description of models. */
const mayLackModels = ({ reason, status = 0 }: ProbeFailed) =>
  reason === "missing" || reason === "garbage" || [400, 405, 501].includes(status)

/** Succeeds where the key and the model are good; the provider's own server is asked nothing that costs. */
export const probeModel = Effect.fn("ModelProbe.probeModel")(
  (account: Account, timeout: Duration.DurationInput) =>
    Effect.catchAll(describe(account, timeout), (failure) =>
      Option.isSome(account.baseUrl) && mayLackModels(failure) ? say(account, timeout) : failure
    ).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeFailed({ reason: "timeout" }) }))
)
