import {
  Array,
  Clock,
  Context,
  Data,
  Duration,
  Effect,
  Layer,
  Option,
  Redacted,
  Schedule,
  Schema
} from "effect"
import { Setting, SIMILARITY_THRESHOLD } from "../../config/Configuration.ts"
import { cutText } from "../../shared/Text.ts"
import { directFetch, retryAfter } from "../fetch/DirectFetch.ts"
import { builtIn, earlierBuiltIn } from "./BuiltIn.ts"

/** The embedder returned no vectors; `reason` is safe to log. */
export class EmbedderUnavailable extends Data.TaggedError("EmbedderUnavailable")<{
  readonly reason: string
  /** Whether the embedder refused these texts, so that other or fewer texts may succeed. */
  readonly refused: boolean
}> {}

/** Turns texts into vectors whose angles measure how similar the texts are in meaning. */
export interface TextEmbedder {
  /** Identifies the embedder of stored vectors. */
  readonly name: string
  /** Whether it answers at once, without the network. */
  readonly inProcess: boolean
  readonly dimensions: Option.Option<number>
  /** The minimum similarity of related links, if measured. */
  readonly threshold: Option.Option<number>
  /**
   * One unit vector per text; the zero vector for a text without content. Vectors of searches are compared with those
   * of links only.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    of?: "links" | "searches"
  ) => Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable>
}

export interface Endpoint {
  /** The base URL, or the full URL of the `embeddings` path. */
  readonly url: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** Texts per request, and the maximum length sent of each, in UTF-16 units. */
const BATCH = 32
const MAX_TEXT = 4_000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_DIMENSIONS = 4_096
const TIMEOUT = Duration.seconds(30)
const LONGEST_DELAY = Duration.seconds(20)

const Answer = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ index: Schema.optional(Schema.Int), embedding: Schema.Array(Schema.Number) })
  )
})
const decode = Schema.decodeUnknown(Schema.parseJson(Answer))

interface Failed {
  readonly reason: string
  readonly retry: boolean
  readonly wait: Duration.Duration
  readonly refused: boolean
}
const failed = (reason: string, more: Partial<Failed> = {}): Failed => ({
  reason,
  retry: false,
  wait: Duration.zero,
  refused: false,
  ...more
})

/** Classifies an error status: the texts are refused (400, 413, 422), a retry may help, or the settings are wrong. */
const statusFailure = (response: Response, now: number): Failed =>
  failed(`answered ${response.status}`, {
    retry: response.status === 408 || response.status === 429 || response.status >= 500,
    refused: [400, 413, 422].includes(response.status),
    wait: Option.getOrElse(retryAfter(response.headers.get("retry-after"), now), () => Duration.zero)
  })

/** Completes a base URL to that of the `embeddings` path; returns an invalid URL unchanged. */
export const embeddingsAddress = (address: string): string => {
  if (!URL.canParse(address.trim())) return address
  const url = new URL(address.trim())
  const path = url.pathname.replace(/\/+$/, "")
  if (!/\/embeddings$/.test(path))
    url.pathname = /\/v\d+$/.test(path) ? `${path}/embeddings` : `${path}/v1/embeddings`
  else url.pathname = path
  return url.href
}

const unit = (values: ReadonlyArray<number>): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length > 0 ? value / length : 0))
}

/** The vectors in the order of the texts; none unless there is one finite vector per text, all of the same length. */
const vectorsOf = (data: Schema.Schema.Type<typeof Answer>["data"], texts: number) => {
  const placed = new Map(data.map((one, place) => [one.index ?? place, one.embedding]))
  const vectors = Array.filterMap(
    Array.makeBy(texts, (place) => placed.get(place)),
    Option.fromNullable
  )
  const dimensions = vectors[0]?.length ?? 0
  const usable =
    data.length === texts &&
    vectors.length === texts &&
    dimensions > 0 &&
    dimensions <= MAX_DIMENSIONS &&
    vectors.every((vector) => vector.length === dimensions && vector.every(Number.isFinite))
  return usable ? Option.some(vectors.map(unit)) : Option.none()
}

const bodyOf = (model: string, texts: ReadonlyArray<string>) =>
  JSON.stringify({
    ...(model === "" ? {} : { model }),
    input: texts.map((text) => cutText(text, MAX_TEXT).toWellFormed() || " "),
    encoding_format: "float"
  })

/** Reads the whole body, so that `signal` covers it too. */
const post = async ({ key, url }: Endpoint, body: string, signal: AbortSignal) => {
  const authorization = Option.match(key, {
    onNone: () => ({}),
    onSome: (secret) => ({ authorization: `Bearer ${Redacted.value(secret)}` })
  })
  const response = await directFetch(MAX_BYTES)(embeddingsAddress(url), {
    method: "POST",
    signal,
    headers: { "content-type": "application/json", ...authorization },
    body
  })
  return { response, text: response.ok ? await response.text() : "" }
}

const request = (endpoint: Endpoint, model: string, texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { response, text } = yield* Effect.tryPromise({
      try: (signal) => post(endpoint, bodyOf(model, texts), signal),
      catch: () => failed("unreachable", { retry: true })
    })
    if (!response.ok) return yield* Effect.fail(statusFailure(response, yield* Clock.currentTimeMillis))
    const { data } = yield* Effect.mapError(decode(text), () => failed("an unexpected response"))
    return yield* Effect.mapError(vectorsOf(data, texts.length), () =>
      failed("an unexpected number or length of vectors")
    )
  }).pipe(
    Effect.timeoutFail({ duration: TIMEOUT, onTimeout: () => failed("no answer in time", { retry: true }) }),
    Effect.retry({
      schedule: Schedule.identity<Failed>().pipe(
        Schedule.intersect(Schedule.jittered(Schedule.exponential("500 millis"))),
        Schedule.intersect(Schedule.recurs(2)),
        Schedule.modifyDelay(([[failure]], delay) =>
          Duration.min(Duration.max(delay, failure.wait), LONGEST_DELAY)
        )
      ),
      while: ({ retry }) => retry
    }),
    Effect.mapError(
      ({ reason, refused }) =>
        new EmbedderUnavailable({ reason: `the embeddings endpoint: ${reason}`, refused })
    )
  )

/** An embedder behind an endpoint: batched, bounded in time and size, retrying temporary failures. */
export const endpointEmbedder = (endpoint: Endpoint, model: string): TextEmbedder => ({
  name: `${model === "" ? "default" : model} at ${URL.canParse(endpoint.url) ? new URL(endpoint.url).host : "endpoint"}`,
  inProcess: false,
  dimensions: Option.none(),
  threshold: Option.none(),
  embed: Effect.fn("EmbeddingsEndpoint.embed")((texts: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(Array.chunksOf(texts, BATCH), (batch) => request(endpoint, model, batch)),
      Array.flatten
    )
  )
})

const inProcess = ({ dimensions, embed, embedQuery, name }: typeof earlierBuiltIn): TextEmbedder => ({
  name,
  inProcess: true,
  dimensions: Option.some(dimensions),
  threshold: Option.some(SIMILARITY_THRESHOLD),
  embed: (texts, of) => Effect.sync(() => texts.map(of === "searches" ? embedQuery : embed))
})
const builtInEmbedder = inProcess(builtIn)
const builtInEmbedders = [builtInEmbedder, inProcess(earlierBuiltIn)]
const builtInNamed = (name: string) =>
  Option.fromNullable(builtInEmbedders.find((embedder) => embedder.name === name))

export class Embedder extends Context.Tag("Embedder")<
  Embedder,
  {
    readonly current: TextEmbedder
    readonly named: (name: string) => Option.Option<TextEmbedder>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const url = yield* Setting.embeddingsUrl.config
      const model = yield* Setting.embeddingsModel.config
      const key = yield* Setting.embeddingsApiKey.config
      const endpoint = Option.map(url, (address): Endpoint => ({ url: address, key }))
      const current = Option.match(endpoint, {
        onNone: () => builtInEmbedder,
        onSome: (found) =>
          endpointEmbedder(
            found,
            Option.getOrElse(model, () => "")
          )
      })
      return {
        current,
        named: (name) => (name === current.name ? Option.some(current) : builtInNamed(name))
      }
    })
  )

  static readonly builtIn = Layer.succeed(this, {
    current: builtInEmbedder,
    named: builtInNamed
  })
}
