import { HttpServerRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import { BadRequest, badInput, TooLarge, UnsupportedMediaType } from "../api/Failures.ts"

/** The largest body read, in bytes. */
const MAX_BODY = 1024 * 1024

/** The request's body as text; refused by its declared length before it is read, by its real one after. */
export const readText = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) return yield* new TooLarge()
  const text = yield* Effect.mapError(request.text, () => new BadRequest("The body could not be read."))
  if (text.length > MAX_BODY || Buffer.byteLength(text) > MAX_BODY) return yield* new TooLarge()
  return text
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
