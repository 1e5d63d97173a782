import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk"
import { Config, Data, Duration, Effect, Option, Redacted, Schema } from "effect"
import { MODEL, Setting } from "../../config/Configuration.ts"
import { directFetch, retryAfter } from "../fetch/DirectFetch.ts"
import { ProbeError, ServerDates, statusFailed } from "../fetch/Probe.ts"

/** A prompt, and the JSON Schema that the answer should follow. */
export interface Prompt {
  readonly system: string
  readonly prompt: string
  readonly schema: Record<string, unknown>
  readonly maxTokens: number
}

/** A failed request: the reason, whether a retry may help, and how long the server asks to wait before it. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  readonly reason: "unavailable" | "rate-limited" | "timeout" | "refused" | "not-json"
  readonly retry: boolean
  readonly wait: Duration.Duration
}> {}

/** A failure that is not retried. */
export const permanentFailure = (reason: RequestFailed["reason"]) =>
  new RequestFailed({ reason, retry: false, wait: Duration.zero })

const retryableFailure = (wait = Duration.zero, reason: RequestFailed["reason"] = "unavailable") =>
  new RequestFailed({ reason, retry: true, wait })

/** The API key and the server (none: the provider's own); none without a key. Compared by value. */
export const account = Config.all({
  key: Setting.anthropicApiKey.config,
  baseUrl: Setting.anthropicBaseUrl.config
}).pipe(Config.map(({ key, baseUrl }) => Option.map(key, (secret) => Data.struct({ key: secret, baseUrl }))))
export type Account = Option.Option.Value<Config.Config.Success<typeof account>>

const isRetryable = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

/** Classifies an SDK error. A redirect is a failure, because following it would send the key elsewhere. */
const failureOf = (error: unknown, now: number): RequestFailed => {
  if (error instanceof APIConnectionTimeoutError) return permanentFailure("timeout")
  if (error instanceof APIConnectionError) return retryableFailure()
  if (error instanceof SyntaxError) return permanentFailure("not-json")
  if (!(error instanceof APIError) || error.status === undefined || error.status < 400)
    return permanentFailure("unavailable")
  if (!isRetryable(error.status)) return permanentFailure("refused")
  const wait = Option.getOrUndefined(retryAfter(error.headers?.get("retry-after"), now))
  return retryableFailure(wait, error.status === 429 ? "rate-limited" : "unavailable")
}

/** The provider's client for an account: no retries, logging or redirects, and responses are cut after `maxBytes`. */
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
 * Sends one request to the Messages API (POST /v1/messages) with structured output; returns the response's JSON
 * unvalidated.
 *
 * Ends within `timeout`, including the body, reads at most `maxBytes`, and aborts when interrupted.
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
  ).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => permanentFailure("timeout") }))

/** Maximum size of a probe's response, in bytes. */
const MAX_BYTES = 65_536

const Model = Schema.Struct({ type: Schema.Literal("model"), id: Schema.String })
const Message = Schema.Struct({ type: Schema.Literal("message") })

const probeFailure = (error: unknown): ProbeError => {
  if (error instanceof APIConnectionTimeoutError) return new ProbeError({ reason: "timeout" })
  if (error instanceof APIConnectionError) return new ProbeError({ reason: "unreachable" })
  if (error instanceof APIError && typeof error.status === "number") return statusFailed(error.status)
  return new ProbeError({ reason: "garbage" })
}

/** Sends one request with the provider's client, records the server's date and checks the response's shape. */
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
        failure: probeFailure(error),
        headers: error instanceof APIError ? error.headers : undefined
      })
    }).pipe(
      Effect.tapError(({ headers }) =>
        headers === undefined ? Effect.void : dates.record(client.baseURL, headers)
      ),
      Effect.mapError(({ failure }) => failure)
    )
    yield* dates.record(client.baseURL, response.headers)
    yield* Effect.mapError(Schema.decodeUnknown(shape)(data), () => new ProbeError({ reason: "garbage" }))
  })

/** `GET /v1/models/{model}`: verifies the key and the model, and costs nothing. */
const retrieveModel = (account: Account, timeout: Duration.DurationInput) =>
  ask(account, timeout, Model, (client, signal) =>
    client.models.retrieve(MODEL, {}, { signal }).withResponse()
  )

/** Requests a message of one token, for servers that support only the Messages API. */
const requestShortMessage = (account: Account, timeout: Duration.DurationInput) =>
  ask(account, timeout, Message, (client, signal) =>
    client.messages
      .create({ model: MODEL, max_tokens: 1, messages: [{ role: "user", content: "1" }] }, { signal })
      .withResponse()
  )

/** Whether a self-hosted server may have failed only because it lacks the models endpoint. */
const mayLackModels = ({ reason, status = 0 }: ProbeError) =>
  reason === "missing" || reason === "garbage" || [400, 405, 501].includes(status)

/** Succeeds if the key and the model work; costs nothing on the provider's own server. */
export const probeModel = Effect.fn("MessagesApi.probeModel")(
  (account: Account, timeout: Duration.DurationInput) =>
    Effect.catchAll(retrieveModel(account, timeout), (failure) =>
      Option.isSome(account.baseUrl) && mayLackModels(failure)
        ? requestShortMessage(account, timeout)
        : failure
    ).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeError({ reason: "timeout" }) }))
)
