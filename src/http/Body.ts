import { HttpServerRequest } from "@effect/platform"
import { Effect, Schema, Stream } from "effect"
import { BadRequest, badInput, TooLarge, UnsupportedMediaType } from "../api/Failures.ts"

/** The largest body read, in bytes. */
const MAX_BODY = 1024 * 1024

const notRead = new BadRequest("The body could not be read.")

/** A body that does not say how long it is, read no further than it may be long. */
const readUnmeasured = Effect.fnUntraced(function* (bytes: Stream.Stream<Uint8Array, unknown>) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* bytes.pipe(
    Stream.mapError(() => notRead),
    Stream.runForEach((chunk) => {
      size += chunk.length
      chunks.push(chunk)
      return size > MAX_BODY ? Effect.fail(new TooLarge()) : Effect.void
    })
  )
  return new TextDecoder().decode(Buffer.concat(chunks))
})

/** The request's body as text; refused by its declared length before it is read, or where it grows too long. */
export const readText = Effect.gen(function* () {
  const { headers, stream, text } = yield* HttpServerRequest.HttpServerRequest
  const length = headers["content-length"]
  if (length === undefined) return yield* readUnmeasured(stream)
  return Number(length) > MAX_BODY ? yield* new TooLarge() : yield* Effect.mapError(text, () => notRead)
})

/** Parses JSON without saying what was wrong where: the text may be anybody's. */
export const parseJson = (text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new BadRequest("The body is not JSON.") })

/** Fails unless the request says that it carries JSON, which a cross-site form cannot. */
export const requireJson = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")
    ? Effect.void
    : Effect.fail(new UnsupportedMediaType())
)

/** The request's JSON body as `schema` says; anything else is a 400 that names the field. */
export const readJson = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(schema)
  return requireJson.pipe(
    Effect.zipRight(readText),
    Effect.flatMap(parseJson),
    Effect.flatMap((value) => Effect.mapError(decode(value), badInput))
  )
}
