import type Anthropic from "@anthropic-ai/sdk"
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk"
import { type Duration, Effect, Option, Schema } from "effect"
import { MODEL } from "../domain/Configuration.ts"
import { type Account, connect } from "./MessagesApi.ts"
import { ProbeFailed, statusFailed } from "./ProbeFailed.ts"
import { ServerDates } from "./ServerDates.ts"

/** The most of an answer that is read, in bytes. */
const MAX_BYTES = 65_536

const Model = Schema.Struct({ type: Schema.Literal("model"), id: Schema.String })
const Message = Schema.Struct({ type: Schema.Literal("message") })

const failureOf = (error: unknown): ProbeFailed => {
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
        failure: failureOf(error),
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
