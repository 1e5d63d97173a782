import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk"
import { Config, Data, Duration, Effect, Option, Redacted } from "effect"
import { MODEL, Setting } from "../domain/Configuration.ts"
import { directFetch } from "./DirectFetch.ts"
import { retryAfter } from "./RetryAfter.ts"

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
export const connect = ({ key, baseUrl }: Account, timeout: Duration.DurationInput, maxBytes: number) =>
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
