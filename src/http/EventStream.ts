import { HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Schedule, Stream } from "effect"
import { Events, type LibraryEvent } from "../library/Events.ts"
import { jobSummary } from "./Actions.ts"
import { Unavailable } from "./api/Failures.ts"

/** Something is sent at least this often: a proxy on the way closes a connection that is silent for longer. */
const HEARTBEAT = Duration.seconds(15)
/** How soon a browser is to connect again, in milliseconds. */
const RETRY = 2_000
/** How many pages may listen at once. */
const MOST_LISTENERS = 200
/** How many messages may wait for a page that does not read. */
const MOST_WAITING = 64

const encoder = new TextEncoder()

/** An event of a server-sent event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const textOf = (event: LibraryEvent) => {
  if (event.type === "job") return message("job", jobSummary(event.job))
  const { type, ...link } = event
  return message(type, link)
}

const opening = encoder.encode(`retry: ${RETRY}\n\n`)
const heartbeat = encoder.encode(": still here\n\n")

/**
 * Tells browsers what happens in the library from now on, for as long as they listen. Each event is encoded once for all of
 * them, and handed to the runtime's own streams: a fiber for each of a hundred listeners would hold the event loop. A page
 * that does not read is disconnected: it connects again and asks for what it missed.
 */
export const makeEventStream = Effect.gen(function* () {
  const events = yield* Events
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>()

  const end = (listener: ReadableStreamDefaultController<Uint8Array>) => {
    if (listeners.delete(listener)) listener.close()
  }
  const send = (bytes: Uint8Array) => {
    for (const listener of listeners)
      if ((listener.desiredSize ?? 0) > 0) listener.enqueue(bytes)
      else end(listener)
  }
  const sendEvent = (event: LibraryEvent) => {
    if (listeners.size > 0) send(encoder.encode(textOf(event)))
  }

  yield* events.listen.pipe(
    Effect.flatMap(Stream.runForEach((event) => Effect.sync(() => sendEvent(event)))),
    Effect.forkScoped
  )
  yield* Effect.forkScoped(
    Effect.schedule(
      Effect.sync(() => send(heartbeat)),
      Schedule.spaced(HEARTBEAT)
    )
  )
  // The streams end with the service, so that it can stop.
  yield* Effect.addFinalizer(() => Effect.sync(() => [...listeners].forEach(end)))

  /** A stream that listens until it is closed or its reader goes away. */
  const listen = () => {
    let own: ReadableStreamDefaultController<Uint8Array> | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller
          listeners.add(controller)
          controller.enqueue(opening)
        },
        cancel: () => {
          if (own !== undefined) listeners.delete(own)
        }
      },
      { highWaterMark: MOST_WAITING }
    )
  }

  const respond = Effect.suspend(() =>
    listeners.size < MOST_LISTENERS
      ? Effect.succeed(
          HttpServerResponse.raw(listen(), {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
          })
        )
      : new Unavailable("Too many pages listen already. Close some of them.")
  )
  return { respond }
})
