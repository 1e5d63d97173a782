import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type Chunk, Duration, Effect, Schedule, Stream } from "effect"
import { Access } from "../gates/AccessGate.ts"
import { Events, type LibraryEvent } from "../library/Events.ts"
import { jobSummary } from "./Actions.ts"
import { Unavailable } from "./api/Failures.ts"

/** Interval of heartbeats: a proxy on the way closes a connection that is silent for longer. */
const HEARTBEAT = Duration.seconds(15)
/** How soon a browser reconnects, in milliseconds. */
const RETRY = 2_000
const MAX_LISTENERS = 200
/** Maximum number of messages queued for a page that does not read. */
const MAX_QUEUED = 64

const encoder = new TextEncoder()

/** Encodes a server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const textOf = (event: LibraryEvent) => {
  if (event.type === "job") return message("job", jobSummary(event.job))
  const { type, ...link } = event
  return message(type, link)
}

/** A page that shows an older revision has missed events and reloads. */
const openingOf = (revision: string) =>
  encoder.encode(`retry: ${RETRY}\n\n${message("revision", { revision })}`)
const heartbeat = encoder.encode(": still here\n\n")

/** Encoded once for all listeners, without a fiber each. A page that does not read is cut off, and fetches again. */
export const makeEventStream = Effect.gen(function* () {
  const events = yield* Events
  const access = yield* Access
  /** The pages that listen, each with its request, by which it may. */
  const listeners = new Map<
    ReadableStreamDefaultController<Uint8Array>,
    HttpServerRequest.HttpServerRequest
  >()

  const end = (listener: ReadableStreamDefaultController<Uint8Array>) => {
    if (listeners.delete(listener)) listener.close()
  }
  const send = (bytes: Uint8Array) => {
    // Without a high-water mark, the desired size is the number of queued messages, negated.
    for (const listener of listeners.keys())
      if ((listener.desiredSize ?? Number.NEGATIVE_INFINITY) > -MAX_QUEUED) listener.enqueue(bytes)
      else end(listener)
  }
  const sendEvents = (some: Chunk.Chunk<LibraryEvent>) => {
    if (listeners.size > 0) send(encoder.encode(Array.from(some, textOf).join("")))
  }
  /** Any process may end a session. Asks once for all pages of a browser, whose requests are the same. */
  const endRefused = Effect.suspend(() => {
    const groups = Map.groupBy(listeners, ([, { headers, remoteAddress }]) =>
      JSON.stringify([remoteAddress, headers])
    )
    return Effect.forEach(groups.values(), (group) => {
      const [[, request] = []] = group
      return request === undefined
        ? Effect.void
        : Effect.map(
            Effect.provideService(access.admits, HttpServerRequest.HttpServerRequest, request),
            (may) => {
              if (!may) for (const [listener] of group) end(listener)
            }
          )
    })
  })

  yield* events.listen.pipe(
    Effect.flatMap(
      Stream.runForEachChunk((some) =>
        Effect.zipRight(
          endRefused,
          Effect.sync(() => sendEvents(some))
        )
      )
    ),
    Effect.forkScoped
  )
  yield* Effect.forkScoped(
    Effect.schedule(
      Effect.zipRight(
        endRefused,
        Effect.sync(() => send(heartbeat))
      ),
      Schedule.spaced(HEARTBEAT)
    )
  )
  // Ends the streams with the service, which could not stop otherwise.
  yield* Effect.addFinalizer(() => Effect.sync(() => [...listeners.keys()].forEach(end)))

  /** A stream that listens from its first read until it is closed or its reader disconnects; HEAD never reads it. */
  const listen = (request: HttpServerRequest.HttpServerRequest) => {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (own !== undefined) return
          own = controller
          listeners.set(controller, request)
          controller.enqueue(openingOf(events.revision()))
        },
        cancel: () => {
          if (own !== undefined) listeners.delete(own)
        }
      },
      { highWaterMark: 0 }
    )
  }

  const respond = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    listeners.size < MAX_LISTENERS
      ? Effect.succeed(
          HttpServerResponse.raw(listen(request), {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
          })
        )
      : new Unavailable("Too many pages are open. Close some of them.")
  )
  return { respond }
})
