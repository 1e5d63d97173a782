import { HttpServerRequest } from "@effect/platform"
import { Clock, Context, Duration, Effect, Layer, Predicate, Stream } from "effect"
import { boundedText } from "../runtime/BoundedBody.ts"
import { BadRequest, RequestTimeout, TooLarge, UnsupportedMediaType } from "./api/Failures.ts"
import { JsonBody } from "./api/Middleware.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Maximum size of a request body, in bytes. */
const MAX_BODY = 1024 * 1024

/**
 * Maximum size of a body read without a pace check, in bytes. Such a body arrives within the idle limit or not at all;
 * at the slowest allowed pace, 30 KiB arrive in that time.
 */
const MAX_UNPACED = 16 * 1024

/** Idle limit of a connection, in seconds, after which the server closes it. Live streams send something more often. */
export const IDLE_SECONDS = 30

/** The slowest pace at which a body may arrive. */
interface Pace {
  /** Maximum time in which nothing arrives. */
  readonly idle: Duration.Duration
  /** Minimum average of bytes per second, not counting the first `idle` seconds. Bounds how long a body takes. */
  readonly floor: number
}

/** The pace for all bodies: at least 1 KiB per second, which the slowest mobile connections reach. */
export class BodyPace extends Context.Reference<BodyPace>()("BodyPace", {
  defaultValue: (): Pace => ({ idle: Duration.seconds(IDLE_SECONDS), floor: 1024 })
}) {}

/** Returns Bun's server, which the framework keeps on its requests without declaring it. */
const serverOf = (request: Request) =>
  Predicate.hasProperty(request, "bunServer") && isServer(request.bunServer) ? request.bunServer : undefined

const isServer = (value: unknown): value is Pick<Bun.Server<unknown>, "timeout"> =>
  Predicate.hasProperty(value, "timeout") && Predicate.isFunction(value.timeout)

/**
 * Restarts the connection's idle limit. Bun starts it with the request and again when the body is complete, but not in
 * between, so it would close a connection whose body is still arriving.
 */
const restartIdleLimit = (request: Request, { idle }: Pace) => {
  if (request.source instanceof globalThis.Request)
    serverOf(request)?.timeout(request.source, Math.ceil(Duration.toSeconds(idle)))
}

/**
 * Streams the body's bytes as they arrive; the connection stays open while they flow, however long the body takes.
 *
 * Fails with `RequestTimeout` below the minimum pace, and fails if the client disconnects.
 */
export const bodyStream = (request: Request) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const pace = yield* BodyPace
      const start = yield* Clock.currentTimeMillis
      let received = 0
      return Stream.tap(request.stream, (chunk) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          received += chunk.length
          restartIdleLimit(request, pace)
          const counted = (now - start - Duration.toMillis(pace.idle)) / 1000
          return received < counted * pace.floor ? new RequestTimeout() : Effect.void
        })
      )
    })
  )

const unreadable = new BadRequest("The body could not be read.")

/** Reads a body that is long or has no declared length, up to the maximum size. */
const readLong = (request: Request) =>
  bodyStream(request).pipe(
    Stream.mapError((error) => (error._tag === "RequestTimeout" ? error : unreadable)),
    boundedText(MAX_BODY, () => new TooLarge())
  )

/** Reads the request's body as text; rejects it by its declared length before reading, or once it grows too long. */
export const readText = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (length > MAX_BODY) return yield* new TooLarge()
  if (!(length <= MAX_UNPACED)) return yield* readLong(request)
  return yield* Effect.mapError(request.text, () => unreadable)
})

/** Parses JSON; the error gives no details of the text, which may be anyone's. */
export const parseJson = (text: string) =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new BadRequest("The body is not JSON.") })

/** Fails unless the request declares JSON, which a cross-site form cannot do. */
export const requireJson = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")
    ? Effect.void
    : Effect.fail(new UnsupportedMediaType())
)

/** The same request with a body that has been read, for the framework, whose own reading has no limits. */
const withJson = (request: Request, json: unknown): Request =>
  Object.create(request, { json: { value: Effect.succeed(json) } })

/** Reads the JSON bodies of the API's requests. */
export const layer = Layer.succeed(
  JsonBody,
  Effect.gen(function* () {
    yield* requireJson
    const json = yield* parseJson(yield* readText)
    return withJson(yield* HttpServerRequest.HttpServerRequest, json)
  })
)
