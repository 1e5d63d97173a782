import { Clock, Context, type Duration, Effect, Layer, Logger, Option, Redacted } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { untraced, withoutRequestSpans } from "../Untraced.ts"
import { Gauges } from "./Gauges.ts"
import { discreet } from "./Logging.ts"
import { type Collector, LAST_WORDS, makeBatches, makeSend, type Send } from "./OtlpExporter.ts"
import { logsBody, makeLogger, type OtlpLog } from "./OtlpLogs.ts"
import { metricsBody } from "./OtlpMetrics.ts"
import { makeTracer, type OtlpSpan, tracesBody } from "./OtlpTraces.ts"

const unescaped = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Header names of RFC 9110, section 5.1; a value may hold no control character. */
const isHeader = (name: string, value: string) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Reads `name=value,name=value` with percent-encoding in the values (OpenTelemetry, "Protocol Exporter"). */
export const headersOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=")
      const name = pair.slice(0, Math.max(at, 0)).trim()
      const value = unescaped(pair.slice(at + 1).trim())
      return isHeader(name, value) ? [[name, value]] : []
    })
  )

const endpointOf = (text: string) => {
  const url = URL.parse(text)
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return usable ? Option.some(`${url.origin}${url.pathname.replace(/\/+$/, "")}`) : Option.none()
}

/** The collector the settings name; none where they name none, and with a warning where that is no address. */
const collector = Effect.gen(function* () {
  const endpoint = yield* Setting.otlpEndpoint.config
  const headers = yield* Setting.otlpHeaders.config
  if (Option.isNone(endpoint)) return Option.none<Collector>()
  const usable = endpointOf(endpoint.value)
  if (Option.isNone(usable))
    yield* Effect.logWarning(
      "OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address without user and password: nothing is exported."
    )
  return Option.map(usable, (address) => ({
    endpoint: address,
    headers: Option.match(headers, { onNone: () => ({}), onSome: (text) => headersOf(Redacted.value(text)) })
  }))
})

/** The way to the collector, where there is one. */
export class Exporting extends Context.Tag("Exporting")<Exporting, Option.Option<Send>>() {}

/** Sends every metric, and a last time when the service stops. Nothing where there is no collector. */
export const metrics = (interval: Duration.DurationInput = "30 seconds") =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const send = yield* Exporting
      if (Option.isNone(send)) return
      const gauges = yield* Gauges
      const started = yield* Clock.currentTimeMillis
      const report = Effect.gen(function* () {
        const families = yield* gauges.snapshot
        yield* send.value("metrics", metricsBody(families, started, yield* Clock.currentTimeMillis), 1)
      })
      yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(report), LAST_WORDS))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(report, interval)))
    })
  )

/** How often logs and spans are sent. */
export interface Intervals {
  readonly logs: Duration.DurationInput
  readonly traces: Duration.DurationInput
}

/** Sends logs and spans to this collector. */
export const layerTo = (
  to: Collector,
  every: Intervals = { logs: "2 seconds", traces: "5 seconds" }
): Layer.Layer<Exporting> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const send = yield* makeSend(to)
      const log = yield* makeBatches<OtlpLog>("logs", every.logs, send, logsBody)
      const span = yield* makeBatches<OtlpSpan>("traces", every.traces, send, tracesBody)
      return Layer.mergeAll(
        Logger.add(discreet(makeLogger(log))),
        Layer.setTracer(makeTracer(span)),
        Layer.succeed(Exporting, Option.some(send))
      )
    })
  )

/**
 * Runs a layer with its telemetry sent to where OTEL_EXPORTER_OTLP_ENDPOINT points, as OTLP over HTTP with JSON. Where
 * that is unset no span is made at all.
 */
export const exported = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.unwrapEffect(
    Effect.map(
      collector,
      Option.match({
        onNone: () => Layer.provide(untraced(layer), Layer.succeed(Exporting, Option.none())),
        onSome: (to) => Layer.provide(withoutRequestSpans(layer), layerTo(to))
      })
    )
  )
