import { HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Schedule, Stream } from "effect"
import { Events, type LibraryEvent } from "../library/Events.ts"
import { JobViews } from "../library/JobViews.ts"
import { jobAnswer } from "./Actions.ts"

/** Something is sent at least this often: a connection that says nothing is taken for dead on the way. */
const HEARTBEAT = Duration.seconds(15)
/** How soon a browser is to connect again, in milliseconds. */
const RETRY = 2_000

/** An event of a server-sent event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Tells a browser what happens in the library from now on, for as long as it listens. */
export const makeEventStream = Effect.gen(function* () {
  const events = yield* Events
  const views = yield* JobViews

  const textOf = (event: LibraryEvent) => {
    if (event.type === "job")
      return Effect.map(jobAnswer(views, event.job), (answer) => message("job", answer.job))
    const { type, ...link } = event
    return Effect.succeed(message(type, link))
  }

  const respond = Effect.sync(() => {
    const happening = Stream.mapEffect(Stream.unwrapScoped(events.listen), textOf)
    const beats = Stream.map(Stream.fromSchedule(Schedule.spaced(HEARTBEAT)), () => ": still here\n\n")
    // The beats end with the events, so that the service can stop.
    const text = Stream.concat(
      Stream.make(`retry: ${RETRY}\n\n`),
      Stream.merge(happening, beats, { haltStrategy: "left" })
    )
    return HttpServerResponse.stream(Stream.encodeText(text), {
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
    })
  })
  return { respond }
})
