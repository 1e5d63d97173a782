import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, FiberRef, Option, Tracer } from "effect"
import { Measure } from "../telemetry/Metrics.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** Other methods are counted together: a request may name any. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** What the router notes on a request's span: the pattern of the route, where it found one. */
const ROUTE = "http.route"

/** Files of the app have names made from their content: counted each for itself they would grow with every version. */
const shownRoute = (route: unknown) => {
  if (typeof route !== "string") return "none"
  return route.startsWith("/app/") ? "/app/*" : route
}

/** Stands where the span of a request would, for the router's note alone: without a collector there are no spans. */
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
 * Counts the answer and takes the time until it, by method, pattern of the route and status, and traces it where there
 * is a collector. The address, its query, the headers and the body are not looked at. `handler` must answer failures
 * itself; who goes away before the answer is not counted.
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
