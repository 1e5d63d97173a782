import {
  Array,
  Clock,
  type ConfigError,
  Context,
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
import { makeEncoderEmbedder } from "./encoder/EncoderThread.ts"
import { EmbedderUnavailable, type TextEmbedder } from "./TextEmbedder.ts"

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
  isLocal: false,
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
  isLocal: true,
  dimensions: Option.some(dimensions),
  threshold: Option.some(SIMILARITY_THRESHOLD),
  embed: (texts, of) => Effect.sync(() => texts.map(of === "searches" ? embedQuery : embed))
})
const builtInEmbedder = inProcess(builtIn)
const builtInEmbedders = [builtInEmbedder, inProcess(earlierBuiltIn)]
const builtInNamed = (name: string) =>
  Option.fromNullable(builtInEmbedders.find((embedder) => embedder.name === name))

/** How to start a thread of the encoder, if its file is there. */
type EncoderSpawn = Effect.Effect<Option.Option<() => Worker>, ConfigError.ConfigError>

export class Embedder extends Context.Tag("Embedder")<
  Embedder,
  {
    readonly current: TextEmbedder
    readonly named: (name: string) => Option.Option<TextEmbedder>
  }
>() {
  /** The endpoint that the settings name, else the encoder, else the table. */
  static readonly layerWith = (encoder: EncoderSpawn) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const url = yield* Setting.embeddingsUrl.config
        const model = yield* Setting.embeddingsModel.config
        const key = yield* Setting.embeddingsApiKey.config
        const encoding = yield* Effect.flatMap(encoder, Effect.transposeMapOption(makeEncoderEmbedder))
        const own = Option.getOrElse(encoding, () => builtInEmbedder)
        const current = Option.match(url, {
          onNone: () => own,
          onSome: (address) =>
            endpointEmbedder(
              { url: address, key },
              Option.getOrElse(model, () => "")
            )
        })
        const all = [current, own, ...builtInEmbedders]
        return {
          current,
          named: (name) => Option.fromNullable(all.find((embedder) => embedder.name === name))
        }
      })
    )

  /** Without the encoder. */
  static readonly layer = this.layerWith(Effect.succeedNone)

  static readonly builtIn = Layer.succeed(this, {
    current: builtInEmbedder,
    named: builtInNamed
  })
}
