import { HttpServerRequest } from "@effect/platform"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import { Clock, Context, Deferred, Duration, Effect, Predicate, Schema, Stream } from "effect"
import { isObject } from "../domain/Json.ts"
import { Callers } from "../gates/Callers.ts"
import { boundedText } from "../runtime/BoundedBody.ts"
import { Service } from "../runtime/Services.ts"
import { MAX_CAPTURE } from "../shared/Limits.ts"
import {
  BadRequest,
  RequestTimeout,
  TooLarge,
  tooManyRequests,
  UnsupportedMediaType
} from "./api/Failures.ts"
import { jsonPayload } from "./api/Input.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Maximum size of a request body, in bytes; captures may be larger. */
const MAX_BODY = 1024 * 1024

/** Bytes from first byte to response. Decoding a capture takes up to five times its size. */
const MAX_CAPTURES = 2 * MAX_CAPTURE

/** How soon the sender of a capture that was refused for lack of memory may try again, in seconds. */
const RETRY_CAPTURE = 5

/** Bytes. Such a body arrives within the idle limit or not at all: at the slowest pace 30 KiB do. */
const MAX_UNPACED = 16 * 1024

/** Maximum size of a body that comes before its sender has shown anything, in bytes. */
export const MAX_OPEN_BODY = 16 * 1024
/** How long such a body may take: it fits into a few packets. */
const OPEN_BODY_TIME = "10 seconds"
/** Maximum number of such bodies that arrive at a time, of strangers and of browsers that the owner has used. */
const MAX_OPEN_BODIES = { strangers: 128, known: 32 }

/** Idle limit of a connection, in seconds, after which the server closes it. Live streams send something more often. */
export const IDLE_SECONDS = 30

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

/** Faster than others while captures wait for its memory: two slow senders would keep all out for hours. */
const CAPTURE_PACE = 8

/** Returns Bun's server, which the framework keeps on its requests without declaring it. */
const serverOf = (request: Request) =>
  Predicate.hasProperty(request, "bunServer") && isServer(request.bunServer) ? request.bunServer : undefined

const isServer = (value: unknown): value is Pick<Bun.Server<unknown>, "timeout"> =>
  Predicate.hasProperty(value, "timeout") && Predicate.isFunction(value.timeout)

/** Bun starts the limit with the request and after the body, so it would cut off one that still arrives. */
const restartIdleLimit = (request: Request, { idle }: Pace) => {
  if (request.source instanceof globalThis.Request)
    serverOf(request)?.timeout(request.source, Math.ceil(Duration.toSeconds(idle)))
}

/** `RequestTimeout` below the minimum pace; fails if the client disconnects. */
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

/** The size of a request's body as declared, in bytes; NaN if it declares none. */
export const declaredLength = ({ headers }: Request) => Number(headers["content-length"] ?? Number.NaN)

/** Reserves memory for this many more bytes of a body. */
type Reserve<E> = (bytes: number) => Effect.Effect<void, E>

/** Reads a body that is long or has no declared length, up to `most` bytes. */
const readLong = <E>(request: Request, most: number, reserve: Reserve<E>) =>
  bodyStream(request).pipe(
    Stream.mapError((error) => (error._tag === "RequestTimeout" ? error : unreadable)),
    Stream.tap((chunk) => (Number.isNaN(declaredLength(request)) ? reserve(chunk.length) : Effect.void)),
    boundedText(most, () => new TooLarge())
  )

/** Reads a body as text; rejects it by its declared length before reading, or once it has more than `most` bytes. */
const readUpTo = Effect.fnUntraced(function* <E = never>(
  most: number,
  reserve: Reserve<E> = () => Effect.void
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = declaredLength(request)
  if (length > most) return yield* new TooLarge()
  if (length <= MAX_UNPACED) return yield* Effect.mapError(request.text, () => unreadable)
  if (!Number.isNaN(length)) yield* reserve(length)
  return yield* readLong(request, most, reserve)
})

export const readText = readUpTo(MAX_BODY)

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

/** Returns the request with its JSON body, for the framework to decode. */
const readJson = Effect.fnUntraced(function* <E, R, E2 = never>(
  text: Effect.Effect<string, E, R>,
  check: (json: unknown, length: number) => Effect.Effect<void, E2> = () => Effect.void
) {
  yield* requireJson
  const body = yield* text
  const json = yield* parseJson(body)
  yield* check(json, body.length)
  return withJson(yield* HttpServerRequest.HttpServerRequest, json)
})

/** Refuses a capture that is larger than other requests may be, not counting the page and the snapshot that it brings. */
const checkCapture = (json: unknown, length: number) => {
  if (length <= MAX_BODY) return Effect.void
  const rest = isObject(json) ? { ...json, article: undefined, snapshot: undefined } : json
  return JSON.stringify(rest).length > MAX_BODY ? new TooLarge() : Effect.void
}

export const jsonBody = readJson(readText)

export const makeCaptureBody = Effect.sync(() => {
  let held = 0
  return Effect.gen(function* () {
    let own = 0
    // Released once the response is complete.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        held -= own
      })
    )
    const reserve = (bytes: number) =>
      Effect.suspend(() => {
        if (held + bytes > MAX_CAPTURES) return tooManyRequests(RETRY_CAPTURE)
        held += bytes
        own += bytes
        return Effect.void
      })
    const pace = yield* BodyPace
    return yield* readJson(readUpTo(MAX_CAPTURE, reserve), checkCapture).pipe(
      Effect.provideService(BodyPace, { ...pace, floor: pace.floor * CAPTURE_PACE })
    )
  })
})

/** Makes a share of the memory for bodies: one body too many ends the oldest that is incomplete. */
const makeShare = (most: number) => {
  const arriving = new Set<Deferred.Deferred<never, RequestTimeout>>()
  return Effect.fnUntraced(function* <A, E, R>(body: Effect.Effect<A, E, R>) {
    const ended = yield* Deferred.make<never, RequestTimeout>()
    const [oldest] = arriving
    if (oldest !== undefined && arriving.size >= most) {
      arriving.delete(oldest)
      yield* Deferred.fail(oldest, new RequestTimeout())
    }
    arriving.add(ended)
    return yield* Effect.raceFirst(body, Deferred.await(ended)).pipe(
      Effect.ensuring(Effect.sync(() => arriving.delete(ended)))
    )
  })
}

const make = Effect.map(Callers, (callers) => {
  const shares = {
    strangers: makeShare(MAX_OPEN_BODIES.strangers),
    known: makeShare(MAX_OPEN_BODIES.known)
  }
  const readOpen = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (declaredLength(request) > MAX_OPEN_BODY) return yield* new TooLarge()
    const { isKnown } = yield* callers.find(request)
    return yield* readLong(request, MAX_OPEN_BODY, () => Effect.void).pipe(
      Effect.timeoutFail({ duration: OPEN_BODY_TIME, onTimeout: () => new RequestTimeout() }),
      shares[isKnown ? "known" : "strangers"]
    )
  })
  return {
    text: readOpen,
    read: Effect.fnUntraced(function* <A, I>(body: Schema.Schema<A, I>) {
      yield* requireJson
      const json = yield* Effect.flatMap(readOpen, parseJson)
      return yield* Effect.catchTag(
        Schema.decodeUnknown(jsonPayload(body))(json),
        "ParseError",
        HttpApiDecodeError.refailParseError
      )
    })
  }
})

/**
 * Reads the bodies of requests before anything shows who sends them. They are small and quick, and share a limited
 * amount of memory, of which browsers that the owner has used have a part of their own.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class OpenBody extends Service<OpenBody>()("OpenBody", make) {}
