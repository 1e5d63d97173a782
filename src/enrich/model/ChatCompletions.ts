import { Clock, Effect, Option, Redacted, Ref, Schema } from "effect"
import type { ModelChoice } from "../../config/ModelChoice.ts"
import { directFetch, retryAfter } from "../fetch/DirectFetch.ts"
import { ProbeError, ServerDates, statusFailed } from "../fetch/Probe.ts"
import { jsonOfText } from "./AnswerText.ts"
import {
  type Abilities,
  nameOfModel,
  type Prompt,
  permanentFailure,
  type Reply,
  type RequestFailed,
  type RequestLimits,
  retryableFailure,
  statusFailure,
  weakerThan
} from "./ModelRequest.ts"

/** Tokens that a model may think before it answers: servers count them as part of the answer. */
const REASONING_TOKENS = 3072
const MAX_ERROR = 4_000

/** `base` may lack its version or name the path itself; invalid ones unchanged. */
const addressOf = (base: string, path: "chat/completions" | "models"): string => {
  if (!URL.canParse(base.trim())) return base
  const url = new URL(base.trim())
  const root = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")
  url.pathname = `${root === "" ? "/v1" : root}/${path}`
  return url.href
}

/** The request's body (https://platform.openai.com/docs/api-reference/chat/create), as far as the server accepts it. */
const bodyOf = (
  { maxTokens, prompt, schema, system }: Prompt,
  name: Option.Option<string>,
  { format, limit, stream, temperature }: Abilities
) =>
  JSON.stringify({
    ...(Option.isSome(name) ? { model: name.value } : {}),
    messages: [
      // Servers that ignore the format learn it here.
      {
        role: "system",
        content: `${system}\n\nThe JSON object follows this JSON Schema: ${JSON.stringify(schema)}`
      },
      { role: "user", content: prompt }
    ],
    [limit]: maxTokens + REASONING_TOKENS,
    ...(temperature ? { temperature: 0 } : {}),
    stream,
    ...(format === "schema"
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } } }
      : {}),
    ...(format === "object" ? { response_format: { type: "json_object" } } : {})
  })

const headersOf = ({ key }: ModelChoice): Record<string, string> => ({
  "content-type": "application/json",
  ...(Option.isSome(key) ? { authorization: `Bearer ${Redacted.value(key.value)}` } : {})
})

const Content = Schema.Union(
  Schema.String,
  Schema.Array(Schema.Struct({ text: Schema.optionalWith(Schema.String, { default: () => "" }) }))
)
const Said = Schema.Struct({
  content: Schema.optional(Schema.NullOr(Content)),
  refusal: Schema.optional(Schema.NullOr(Schema.String))
})
const Completion = Schema.Struct({
  model: Schema.optional(Schema.Unknown),
  choices: Schema.optionalWith(
    Schema.Array(
      Schema.Struct({
        message: Schema.optional(Schema.NullOr(Said)),
        delta: Schema.optional(Schema.NullOr(Said)),
        finish_reason: Schema.optional(Schema.Unknown)
      })
    ),
    { default: () => [] }
  ),
  usage: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Unknown)
})
type Completion = typeof Completion.Type
const decodeCompletion = Schema.decodeOption(Schema.parseJson(Completion))
const usageOf = Schema.decodeUnknownOption(
  Schema.Struct({ prompt_tokens: Schema.NonNegativeInt, completion_tokens: Schema.NonNegativeInt })
)
/** An error inside a successful response, as routers send it when the server behind them fails. */
const errorOf = Schema.decodeUnknownOption(
  Schema.Union(Schema.Struct({ code: Schema.optional(Schema.Unknown) }), Schema.String)
)

/** The events of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), each a JSON text. */
const eventsIn = (body: string): ReadonlyArray<string> =>
  body.split(/\r\n|\n|\r/).flatMap((line) => {
    const data = line.startsWith("data:") ? line.slice(5).trim() : ""
    return data === "" || data === "[DONE]" ? [] : [data]
  })

const isStream = (type: string | null, body: string) =>
  /^text\/event-stream\b/i.test(type ?? "") || /^\s*(?:data|event):/.test(body)

const textOf = (content: (typeof Content)["Type"] | null | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("")

const replyOf = (completions: ReadonlyArray<Completion>, asked: Option.Option<string>): Reply => {
  const choices = completions.flatMap((one) => one.choices.slice(0, 1))
  const said = choices.flatMap(({ delta, message }) => message ?? delta ?? [])
  const isRefused =
    choices.some(({ finish_reason }) => finish_reason === "content_filter") ||
    said.some(({ refusal = null }) => refusal !== null && refusal !== "")
  return {
    json: isRefused ? Option.none() : jsonOfText(said.map(({ content }) => textOf(content)).join("")),
    tokens: Option.map(
      Option.firstSomeOf(completions.toReversed().map(({ usage }) => usageOf(usage))),
      ({ completion_tokens, prompt_tokens }) => ({ input: prompt_tokens, output: completion_tokens })
    ),
    model: nameOfModel(completions.find(({ model }) => typeof model === "string")?.model, asked)
  }
}

const failureWithin = (completions: ReadonlyArray<Completion>): RequestFailed | undefined => {
  if (completions.some(({ choices }) => choices.length > 0)) return undefined
  const error = Option.firstSomeOf(
    completions.flatMap(({ error }) => (error == null ? [] : [errorOf(error)]))
  )
  if (Option.isNone(error)) return undefined
  const code = typeof error.value === "string" ? undefined : Number(error.value.code)
  return statusFailure(code !== undefined && code >= 400 ? code : 400)
}

const post = async (choice: ModelChoice, body: string, limits: RequestLimits, signal: AbortSignal) => {
  const response = await directFetch(limits.maxBytes)(
    addressOf(
      Option.getOrElse(choice.url, () => ""),
      "chat/completions"
    ),
    { method: "POST", signal, headers: headersOf(choice), body, timeout: false }
  )
  return { response, text: await response.text() }
}

/**
 * Asks a server with an OpenAI-compatible API. The next request leaves out what the server rejects; `abilities`
 * remembers that once a request has succeeded. Ends within `timeout`, including the body, reads at most `maxBytes`,
 * follows no redirect, and aborts when interrupted.
 */
export const request = (
  choice: ModelChoice,
  prompt: Prompt,
  limits: RequestLimits,
  abilities: Ref.Ref<Abilities>
): Effect.Effect<Reply, RequestFailed> => {
  const attempt = (current: Abilities): Effect.Effect<Reply, RequestFailed> =>
    Effect.gen(function* () {
      const { response, text } = yield* Effect.tryPromise({
        try: (signal) => post(choice, bodyOf(prompt, choice.name, current), limits, signal),
        catch: () => retryableFailure()
      })
      if (!response.ok) {
        const next = [400, 404, 422].includes(response.status)
          ? weakerThan(current, text.slice(0, MAX_ERROR))
          : undefined
        if (next !== undefined) return yield* attempt(next)
        const wait = retryAfter(response.headers.get("retry-after"), yield* Clock.currentTimeMillis)
        return yield* statusFailure(response.status, Option.getOrUndefined(wait))
      }
      const events = isStream(response.headers.get("content-type"), text) ? eventsIn(text) : [text]
      const completions = events.flatMap((event) => Option.toArray(decodeCompletion(event)))
      const failure = failureWithin(completions)
      if (failure !== undefined) return yield* failure
      if (completions.length === 0) return yield* permanentFailure("not-json")
      yield* Ref.set(abilities, current)
      return replyOf(completions, choice.name)
    })
  return Effect.flatMap(Ref.get(abilities), attempt).pipe(
    Effect.timeoutFail({ duration: limits.timeout, onTimeout: () => permanentFailure("timeout") })
  )
}

/** Maximum size of a probe's response, in bytes: routers list hundreds of models. */
const MAX_PROBE_BYTES = 4 * 1024 * 1024

const Models = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })
const decodeModels = Schema.decodeOption(Schema.parseJson(Models))

const ask = Effect.fnUntraced(function* (address: string, init: RequestInit) {
  const dates = yield* ServerDates
  const { response, text } = yield* Effect.tryPromise({
    try: async (signal) => {
      const response = await directFetch(MAX_PROBE_BYTES)(address, { ...init, signal })
      return { response, text: await response.text() }
    },
    catch: () => new ProbeError({ reason: "unreachable" })
  })
  yield* dates.record(address, response.headers)
  if (!response.ok) return yield* statusFailed(response.status)
  return text
})

/** Whether one of the server's models has this name; Gemini and Ollama list theirs with a prefix or a tag. */
const isListed = (name: string, ids: ReadonlyArray<string>) =>
  ids.some((id) => id === name || id === `models/${name}` || id === `${name}:latest`)

/** Requests an answer of one token: some servers list no models, or not all of them. */
const requestShortAnswer = (choice: ModelChoice, base: string) =>
  ask(addressOf(base, "chat/completions"), {
    method: "POST",
    headers: headersOf(choice),
    body: JSON.stringify({
      ...(Option.isSome(choice.name) ? { model: choice.name.value } : {}),
      messages: [{ role: "user", content: "1" }],
      max_tokens: 1
    })
  }).pipe(
    Effect.filterOrFail(
      (text) => Option.isSome(decodeCompletion(text)) || eventsIn(text).length > 0,
      () => new ProbeError({ reason: "garbage" })
    ),
    Effect.catchIf(
      ({ status }) => status === 400 || status === 422,
      () => Effect.void
    ),
    Effect.asVoid
  )

export const probe = Effect.fn("ChatCompletions.probe")(function* (choice: ModelChoice) {
  const base = Option.getOrElse(choice.url, () => "")
  const listed = yield* Effect.match(ask(addressOf(base, "models"), { headers: headersOf(choice) }), {
    onFailure: (failure) => failure,
    onSuccess: (text) => Option.getOrElse(decodeModels(text), () => ({ data: [] })).data.map(({ id }) => id)
  })
  if (listed instanceof ProbeError) {
    if (listed.reason !== "missing" && ![400, 405, 501].includes(listed.status ?? 0)) return yield* listed
    return yield* requestShortAnswer(choice, base)
  }
  const { name } = choice
  if (Option.isNone(name) ? listed.length > 0 : isListed(name.value, listed)) return
  yield* requestShortAnswer(choice, base)
})
