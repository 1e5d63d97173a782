import { HttpServerRequest } from "@effect/platform"
import { Clock, Context, Duration, Effect, Predicate, Schema, Stream } from "effect"
import { BadRequest, badInput, RequestTimeout, TooLarge, UnsupportedMediaType } from "./api/Failures.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The largest body read, in bytes. */
const MAX_BODY = 1024 * 1024

/** Shorter bodies arrive within the idle limit or not at all, in bytes: at the slowest pace it lets through 30 KiB. */
const SHORT = 16 * 1024

/** How long a connection may be silent, in seconds; then the server closes it. Live answers say something more often. */
export const IDLE_SECONDS = 30

/** How slowly a body may arrive. */
interface Pace {
  /** How long nothing may arrive. */
  readonly idle: Duration.Duration
  /** The least bytes a second on average; the first `idle` seconds do not count. It bounds how long a body takes. */
  readonly floor: number
}

/** The pace of all bodies: at least one KiB a second, which the slowest mobile lines reach. */
export class BodyPace extends Context.Reference<BodyPace>()("BodyPace", {
  defaultValue: (): Pace => ({ idle: Duration.seconds(IDLE_SECONDS), floor: 1024 })
}) {}

/** Bun's server, which the framework keeps on its requests without declaring it. */
const serverOf = (request: Request) =>
  Predicate.hasProperty(request, "bunServer") && isServer(request.bunServer) ? request.bunServer : undefined

const isServer = (value: unknown): value is Pick<Bun.Server<unknown>, "timeout"> =>
  Predicate.hasProperty(value, "timeout") && Predicate.isFunction(value.timeout)

/**
 * Starts the connection's idle limit afresh. Bun starts it with the request and again when the body is complete, but not
 * in between, so it would close a connection whose body is still arriving.
 */
const stillAlive = (request: Request, { idle }: Pace) => {
  if (request.source instanceof globalThis.Request)
    serverOf(request)?.timeout(request.source, Math.ceil(Duration.toSeconds(idle)))
}

/**
 * The body's bytes as they arrive: for as long as they flow the connection stays open, however long the whole takes.
 *
 * Fails with `RequestTimeout` below the least pace, and where the client breaks off.
 */
export const incoming = (request: Request) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const pace = yield* BodyPace
      const start = yield* Clock.currentTimeMillis
      let received = 0
      return Stream.tap(request.stream, (chunk) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          received += chunk.length
          stillAlive(request, pace)
          const counted = (now - start - Duration.toMillis(pace.idle)) / 1000
          return received < counted * pace.floor ? new RequestTimeout() : Effect.void
        })
      )
    })
  )

const notRead = new BadRequest("The body could not be read.")

/** A body that is long, or does not say how long it is, read no further than it may be long. */
const readLong = Effect.fnUntraced(function* (request: Request) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* incoming(request).pipe(
    Stream.mapError((error) => (error._tag === "RequestTimeout" ? error : notRead)),
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
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (length > MAX_BODY) return yield* new TooLarge()
  if (!(length <= SHORT)) return yield* readLong(request)
  return yield* Effect.mapError(request.text, () => notRead)
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
