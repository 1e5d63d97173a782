import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Data, Effect, Layer, Option, Predicate } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isNavigation, isSameSite, parseHost } from "../gates/RequestHost.ts"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { Gauges } from "../telemetry/Gauges.ts"
import { CONTENT_TYPE, exposition } from "../telemetry/MetricFormat.ts"

/** Regardless of HOST: access to the dashboard must not grant access to the metrics, which have no gate. */
const LOOPBACK = "127.0.0.1"

export class MetricsPortTaken extends Data.TaggedError("MetricsPortTaken")<{
  readonly port: number
  readonly taken: boolean
}> {
  override get message() {
    return this.taken
      ? `METRICS_PORT ${this.port} is in use by another program. Set it to a free port, or unset it.`
      : `The service has no permission to listen on METRICS_PORT ${this.port}. Set it to another port, or unset it.`
  }
}

const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
}
const forbidden = HttpServerResponse.text("Request the metrics by IP address or as localhost.\n", {
  status: 403,
  headers
})
const notFound = HttpServerResponse.text("The metrics are at /metrics.\n", { status: 404, headers })

/**
 * Whether to trust a request: false if a web page may have made a browser send it.
 *
 * The host must be an IP address or `localhost`: the requesting page could have made any other name resolve to this
 * machine (DNS rebinding). A Prometheus in a container reaches the port by address, through any port forwarding.
 */
const isTrusted = (request: HttpServerRequest.HttpServerRequest) => {
  const host = parseHost(request.headers["host"] ?? "")
  return (
    host !== undefined &&
    (host.isAddress || isLoopback(host.name)) &&
    (isSameSite(request.headers) || isNavigation(request))
  )
}

const answer = Effect.fnUntraced(function* (gauges: Gauges["Type"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isTrusted(request)) return forbidden
  const { method, url } = request
  const asked = url.split("?", 1)[0] === "/metrics" && (method === "GET" || method === "HEAD")
  if (!asked) return notFound
  const text = exposition(yield* gauges.snapshot)
  return HttpServerResponse.text(text, { contentType: CONTENT_TYPE, headers })
})

const listening = (port: number) =>
  Effect.catchAllDefect(
    BunHttpServer.make({ hostname: LOOPBACK, port, reusePort: false, maxRequestBodySize: 0 }),
    (defect) =>
      new MetricsPortTaken({
        port,
        taken: Predicate.hasProperty(defect, "code") && defect.code === "EADDRINUSE"
      })
  )

/** `http://127.0.0.1:METRICS_PORT/metrics`, on a server of its own; 403 for requests that a web page may have made. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const wanted = yield* Setting.metricsPort.config
    if (Option.isNone(wanted)) return
    const gauges = yield* Gauges
    const server = yield* listening(wanted.value)
    yield* server.serve(answer(gauges))
    const { address } = server
    const port = address._tag === "TcpAddress" ? address.port : wanted.value
    yield* Effect.logInfo(`metrics are at http://${LOOPBACK}:${port}/metrics`)
  })
)
