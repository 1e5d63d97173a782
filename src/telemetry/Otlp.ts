import { FetchHttpClient, HttpClient, HttpMiddleware } from "@effect/platform"
import { Clock, Context, Data, Duration, Effect, Layer, Logger, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { makeThrottle } from "../runtime/Throttle.ts"
import { Gauges } from "./Gauges.ts"
import { redactingLogger } from "./Logging.ts"
import { Measure } from "./Metrics.ts"
import {
  logsBody,
  makeLogger,
  makeTracer,
  metricsBody,
  type OtlpLog,
  type OtlpSpan,
  tracesBody
} from "./OtlpSignals.ts"

/**
 * Disables the framework's spans for incoming and outgoing requests: they record whole URLs and headers, and so
 * queries, tokens and the bot's credential. `http/RequestMetrics.ts` traces requests instead.
 */
const withoutRequestSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  layer.pipe(
    HttpMiddleware.withTracerDisabledWhen(() => true),
    Layer.locally(HttpClient.currentTracerDisabledWhen, () => true)
  )

/** Disables all spans: they dominate the cost of a request, and are of no use without an exporter. */
export const withoutSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  withoutRequestSpans(layer).pipe(Layer.provide(Layer.setTracerEnabled(false)))

export interface Collector {
  /** The base URL without a trailing slash; `/v1/logs`, `/v1/traces` and `/v1/metrics` are below it (OTLP/HTTP). */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
}

export type Signal = "logs" | "traces" | "metrics"

/** The collector did not accept a request; `reason` is safe to log, because it contains no address and no header. */
class NotAccepted extends Data.TaggedError("NotAccepted")<{ readonly reason: string }> {}

const TIMEOUT = Duration.seconds(5)
/** Minimum interval between two warnings that the collector accepts nothing. */
const WARNING_INTERVAL = Duration.minutes(1)
/** Timeout for each signal's final flush when the service stops. */
export const FINAL_FLUSH_TIMEOUT = Duration.seconds(1)

const MAX_BATCH = 512
/** Maximum items that wait to be sent; more are dropped, so that a hanging collector does not fill the memory. */
const MAX_WAITING = 4096

const post = (send: typeof fetch, { endpoint, headers }: Collector, signal: Signal, body: string) =>
  Effect.tryPromise({
    try: async (abort) => {
      const response = await send(`${endpoint}/v1/${signal}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        // The headers contain a key, which a redirect must not send to another server.
        redirect: "manual",
        signal: abort
      })
      // The body is not read: it may be anything, of any length.
      await response.body?.cancel()
      return response.status
    },
    catch: () => new NotAccepted({ reason: "it cannot be reached" })
  }).pipe(
    Effect.timeoutFail({
      duration: TIMEOUT,
      onTimeout: () => new NotAccepted({ reason: "it does not answer in time" })
    }),
    Effect.filterOrFail(
      (status) => status >= 200 && status < 300,
      (status) => new NotAccepted({ reason: `it answers ${status}` })
    )
  )

/** Sends to one collector. Never fails: drops and counts rejected items, with at most one warning a minute. */
export const makeSend = Effect.fnUntraced(function* (collector: Collector) {
  const throttle = makeThrottle(WARNING_INTERVAL)
  const fetching = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => fetch)

  const complain = (reason: string) =>
    throttle(
      Effect.logWarning(`the collector accepts no telemetry: ${reason}; dropping it until this is fixed`)
    )

  return (signal: Signal, body: unknown, many: number) =>
    post(fetching, collector, signal, JSON.stringify(body)).pipe(
      Effect.asVoid,
      Effect.catchAll(({ reason }) =>
        Effect.zipRight(Measure.telemetryDropped.countBy(many, signal), complain(reason))
      )
    )
})
export type Send = Effect.Effect.Success<ReturnType<typeof makeSend>>

/** Collects items and sends them in batches every `interval`, and a last time when the scope closes. */
export const makeBatches = Effect.fnUntraced(function* <A>(
  signal: "logs" | "traces",
  interval: Duration.DurationInput,
  send: Send,
  bodyOf: (items: ReadonlyArray<A>) => unknown
) {
  const waiting: Array<A> = []
  let dropped = 0

  /** Sends the oldest items and removes them only afterwards, so that the last flush resends an interrupted batch. */
  const sendSome = Effect.suspend(() => {
    const some = waiting.slice(0, MAX_BATCH)
    return Effect.andThen(send(signal, bodyOf(some), some.length), () => {
      waiting.splice(0, some.length)
    })
  })

  const countDropped = Effect.suspend(() => {
    const lost = dropped
    dropped = 0
    return lost > 0 ? Measure.telemetryDropped.countBy(lost, signal) : Effect.void
  })

  const flush = Effect.zipRight(
    countDropped,
    Effect.whileLoop({ while: () => waiting.length > 0, body: () => sendSome, step: () => {} })
  )

  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(flush), FINAL_FLUSH_TIMEOUT))
  yield* Effect.forkScoped(Effect.forever(Effect.delay(flush, interval)))

  return (item: A): void => {
    if (waiting.length < MAX_WAITING) waiting.push(item)
    else dropped++
  }
})

const unescaped = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a header has a valid name (RFC 9110, section 5.1) and a value without control characters. */
const isHeader = (name: string, value: string) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Parses `name=value,name=value` with percent-encoded values (OpenTelemetry, "Protocol Exporter"). */
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

/** The collector named in the settings; none if the endpoint is unset, or invalid, which logs a warning. */
const collector = Effect.gen(function* () {
  const endpoint = yield* Setting.otlpEndpoint.config
  const headers = yield* Setting.otlpHeaders.config
  if (Option.isNone(endpoint)) return Option.none<Collector>()
  const usable = endpointOf(endpoint.value)
  if (Option.isNone(usable))
    yield* Effect.logWarning(
      "OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL without user and password: telemetry is not exported."
    )
  return Option.map(usable, (address) => ({
    endpoint: address,
    headers: Option.match(headers, { onNone: () => ({}), onSome: (text) => headersOf(Redacted.value(text)) })
  }))
})

/** Sends to the collector, if one is configured. */
export class OtlpSender extends Context.Tag("Exporting")<OtlpSender, Option.Option<Send>>() {}

/** Sends all metrics every `interval`, and a last time when the service stops; does nothing without a collector. */
export const metrics = (interval: Duration.DurationInput = "30 seconds") =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const send = yield* OtlpSender
      if (Option.isNone(send)) return
      const gauges = yield* Gauges
      const started = yield* Clock.currentTimeMillis
      const report = Effect.gen(function* () {
        const families = yield* gauges.snapshot
        yield* send.value("metrics", metricsBody(families, started, yield* Clock.currentTimeMillis), 1)
      })
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOption(Effect.interruptible(report), FINAL_FLUSH_TIMEOUT)
      )
      yield* Effect.forkScoped(Effect.forever(Effect.delay(report, interval)))
    })
  )

export interface Intervals {
  readonly logs: Duration.DurationInput
  readonly traces: Duration.DurationInput
}

export const layerTo = (
  to: Collector,
  every: Intervals = { logs: "2 seconds", traces: "5 seconds" }
): Layer.Layer<OtlpSender> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const send = yield* makeSend(to)
      const log = yield* makeBatches<OtlpLog>("logs", every.logs, send, logsBody)
      const span = yield* makeBatches<OtlpSpan>("traces", every.traces, send, tracesBody)
      return Layer.mergeAll(
        Logger.add(redactingLogger(makeLogger(log))),
        Layer.setTracer(makeTracer(span)),
        Layer.succeed(OtlpSender, Option.some(send))
      )
    })
  )

/**
 * Runs a layer and sends its telemetry to OTEL_EXPORTER_OTLP_ENDPOINT, as OTLP over HTTP with JSON. If that is unset or
 * invalid, no spans are created.
 */
export const withTelemetryExport = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.unwrapEffect(
    Effect.map(
      collector,
      Option.match({
        onNone: () => Layer.provide(withoutSpans(layer), Layer.succeed(OtlpSender, Option.none())),
        onSome: (to) => Layer.provide(withoutRequestSpans(layer), layerTo(to))
      })
    )
  )
