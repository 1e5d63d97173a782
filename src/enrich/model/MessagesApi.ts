import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk"
import { Duration, Effect, Option, Redacted, Ref, Schema } from "effect"
import { MODEL } from "../../config/Configuration.ts"
import type { ModelChoice } from "../../config/ModelChoice.ts"
import { directFetch, retryAfter } from "../fetch/DirectFetch.ts"
import { ProbeError, ServerDates, statusFailed } from "../fetch/Probe.ts"
import { jsonOfMessage, nameOfMessage, tokensOfMessage } from "./Answer.ts"
import {
  type Abilities,
  type Prompt,
  permanentFailure,
  type Reply,
  type RequestFailed,
  type RequestLimits,
  retryableFailure,
  statusFailure,
  withoutNamed
} from "./ModelRequest.ts"

const failureOf = (error: unknown, now: number): RequestFailed => {
  if (error instanceof APIConnectionTimeoutError) return permanentFailure("timeout")
  if (error instanceof APIConnectionError) return retryableFailure()
  if (error instanceof SyntaxError) return permanentFailure("not-json")
  if (!(error instanceof APIError) || error.status === undefined) return permanentFailure("unavailable")
  return statusFailure(
    error.status,
    Option.getOrUndefined(retryAfter(error.headers?.get("retry-after"), now))
  )
}

/** The provider's client for a server: no retries, logging or redirects, and responses are cut after `maxBytes`. */
const connect = ({ key, url }: ModelChoice, { maxBytes, timeout }: RequestLimits) =>
  new Anthropic({
    apiKey: Option.getOrNull(Option.map(key, Redacted.value)),
    authToken: null,
    baseURL: Option.getOrNull(url),
    webhookKey: null,
    timeout: Duration.toMillis(timeout),
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
    fetch: directFetch(maxBytes)
  })

const modelOf = ({ name }: ModelChoice) => Option.getOrElse(name, () => MODEL)

/**
 * Sends a request to the Messages API (POST /v1/messages) with structured output; its bounds are those of
 * `ChatCompletions.request`.
 */
export const request = (
  choice: ModelChoice,
  { system, prompt, schema, maxTokens }: Prompt,
  limits: RequestLimits,
  abilities: Ref.Ref<Abilities>
): Effect.Effect<Reply, RequestFailed> => {
  const attempt = (current: Abilities): Effect.Effect<Reply, RequestFailed> =>
    Effect.clockWith((clock) =>
      Effect.tryPromise({
        try: (signal) =>
          connect(choice, limits).messages.create(
            {
              model: modelOf(choice),
              max_tokens: maxTokens,
              system,
              messages: [{ role: "user", content: prompt }],
              ...(current.temperature ? { temperature: 0 } : {}),
              ...(current.format === "schema"
                ? { output_config: { format: { type: "json_schema", schema } } }
                : {})
            },
            { signal }
          ),
        catch: (error) => ({
          failure: failureOf(error, clock.unsafeCurrentTimeMillis()),
          next:
            error instanceof APIError && error.status === 400
              ? withoutNamed({ ...current, stream: true }, error.message)
              : undefined
        })
      })
    ).pipe(
      Effect.matchEffect({
        onFailure: ({ failure, next }) => (next === undefined ? Effect.fail(failure) : attempt(next)),
        onSuccess: (message) =>
          Effect.as(Ref.set(abilities, current), {
            json: jsonOfMessage(message),
            tokens: tokensOfMessage(message),
            model: nameOfMessage(message, Option.some(modelOf(choice)))
          })
      })
    )
  return Effect.flatMap(Ref.get(abilities), attempt).pipe(
    Effect.timeoutFail({ duration: limits.timeout, onTimeout: () => permanentFailure("timeout") })
  )
}

/** In bytes. */
const MAX_BYTES = 65_536

const Model = Schema.Struct({ type: Schema.Literal("model"), id: Schema.String })
const Message = Schema.Struct({ type: Schema.Literal("message") })

const probeFailure = (error: unknown): ProbeError => {
  if (error instanceof APIConnectionTimeoutError) return new ProbeError({ reason: "timeout" })
  if (error instanceof APIConnectionError) return new ProbeError({ reason: "unreachable" })
  if (error instanceof APIError && typeof error.status === "number") return statusFailed(error.status)
  return new ProbeError({ reason: "garbage" })
}

const ask = <A, I>(
  choice: ModelChoice,
  timeout: Duration.DurationInput,
  shape: Schema.Schema<A, I>,
  request: (
    client: Anthropic,
    signal: AbortSignal
  ) => Promise<{ readonly data: unknown; readonly response: Response }>
) =>
  Effect.gen(function* () {
    const dates = yield* ServerDates
    const client = connect(choice, { timeout, maxBytes: MAX_BYTES })
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
const retrieveModel = (choice: ModelChoice, timeout: Duration.DurationInput) =>
  ask(choice, timeout, Model, (client, signal) =>
    client.models.retrieve(modelOf(choice), {}, { signal }).withResponse()
  )

/** Requests a message of one token, for servers that support only the Messages API. */
const requestShortMessage = (choice: ModelChoice, timeout: Duration.DurationInput) =>
  ask(choice, timeout, Message, (client, signal) =>
    client.messages
      .create(
        { model: modelOf(choice), max_tokens: 1, messages: [{ role: "user", content: "1" }] },
        { signal }
      )
      .withResponse()
  )

const mayLackModels = ({ reason, status = 0 }: ProbeError) =>
  reason === "missing" || reason === "garbage" || [400, 405, 501].includes(status)

/** Succeeds if the key and the model work; costs nothing on the provider's own server. */
export const probe = Effect.fn("MessagesApi.probe")((choice: ModelChoice, timeout: Duration.DurationInput) =>
  Effect.catchAll(retrieveModel(choice, timeout), (failure) =>
    Option.isSome(choice.url) && mayLackModels(failure) ? requestShortMessage(choice, timeout) : failure
  )
)
