import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, FiberRef, Option, Tracer } from "effect"
import { Measure } from "../telemetry/Metrics.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** Methods counted separately; all others are counted together, because a request may name any. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The attribute of a request's span in which the router notes the pattern of the route, if it found one. */
const ROUTE = "http.route"

/** The app's files share one route: their names change with their content, and would add series with every version. */
const shownRoute = (route: unknown) => {
  if (typeof route !== "string") return "none"
  return route.startsWith("/app/") ? "/app/*" : route
}

/** Replaces the request's span to receive the router's note: without a collector there are no spans. */
class RouteNote implements Tracer.Span {
  readonly _tag = "Span"
  readonly name = "request"
  readonly spanId = "0"
  readonly traceId = "0"
  readonly parent = Option.none()
  readonly context = Context.empty()
  readonly status: Tracer.SpanStatus = { _tag: "Started", startTime: 0n }
  readonly attributes = new Map<string, unknown>()
  readonly links = []
  readonly sampled = false
  readonly kind = "server"
  end() {}
  event() {}
  addLinks() {}
  attribute(key: string, value: unknown) {
    if (key === ROUTE) this.attributes.set(key, value)
  }
}

/**
 * Counts responses by method, route pattern and status, measures the time until them by method and route pattern, and
 * traces them if there is a collector. Ignores the address, its query, the headers and the body. `handler` must answer
 * failures itself; a client that disconnects before the response is not counted.
 */
export const withRequestMetrics = <E, R>(
  handler: Effect.Effect<Answer, E, R>
): Effect.Effect<Answer, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.withFiberRuntime((fiber) => {
    const request = Context.unsafeGet(
      fiber.getFiberRef(FiberRef.currentContext),
      HttpServerRequest.HttpServerRequest
    )
    const start = performance.now()
    const method = methods.has(request.method) ? request.method : "other"

    const within = (span: Tracer.Span) =>
      Effect.map(Effect.provideService(handler, Tracer.ParentSpan, span), (answer) => {
        const route = shownRoute(span.attributes.get(ROUTE))
        Measure.httpRequests.unsafeCount(method, route, String(answer.status))
        Measure.httpRequestDuration.unsafeRecord((performance.now() - start) / 1000, method, route)
        span.attribute("http.response.status_code", answer.status)
        return answer
      })

    if (!fiber.getFiberRef(FiberRef.currentTracerEnabled)) return within(new RouteNote())
    return Effect.useSpan(
      "request",
      { kind: "server", root: true, captureStackTrace: false, attributes: { "http.request.method": method } },
      within
    )
  })
