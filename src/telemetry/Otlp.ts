import { FetchHttpClient } from "@effect/platform"
import { Clock, Context, Data, Duration, Effect, Layer, Logger, Option, Redacted, Ref } from "effect"
import { Setting } from "../config/Configuration.ts"
import { withoutRequestSpans, withoutSpans } from "../runtime/TracingOptions.ts"
import { Gauges } from "./Gauges.ts"
import { discreet } from "./Logging.ts"
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

/** Where a collector is, and what is sent along. */
export interface Collector {
  /** Ends without a slash; `/v1/logs`, `/v1/traces` and `/v1/metrics` are below it (OTLP/HTTP specification). */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
}

export type Signal = "logs" | "traces" | "metrics"

/** The collector did not take what was sent; `reason` is safe to log: it holds no address and no header. */
class NotTaken extends Data.TaggedError("NotTaken")<{ readonly reason: string }> {}

const TIMEOUT = Duration.seconds(5)
/** How often at most the log says that the collector takes nothing. */
const SAY_AGAIN = Duration.minutes(1)
/** No signal holds up the end of the service for longer. */
export const LAST_WORDS = Duration.seconds(1)

const MAX_BATCH = 512
/** What waits beyond this is dropped: a collector that hangs must not fill the memory. */
const MAX_WAITING = 4096

const post = (send: typeof fetch, { endpoint, headers }: Collector, signal: Signal, body: string) =>
  Effect.tryPromise({
    try: async (abort) => {
      const response = await send(`${endpoint}/v1/${signal}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        // The headers hold a key, which must not go where a redirect points.
        redirect: "manual",
        signal: abort
      })
      // Whatever it says is not read: it may be anything, of any length.
      await response.body?.cancel()
      return response.status
    },
    catch: () => new NotTaken({ reason: "it cannot be reached" })
  }).pipe(
    Effect.timeoutFail({
      duration: TIMEOUT,
      onTimeout: () => new NotTaken({ reason: "it does not answer in time" })
    }),
    Effect.filterOrFail(
      (status) => status >= 200 && status < 300,
      (status) => new NotTaken({ reason: `it answers ${status}` })
    )
  )

/** Sends to one collector; what it does not take is dropped and counted. Never fails, and says so once a minute at most. */
export const makeSend = Effect.fnUntraced(function* (collector: Collector) {
  const said = yield* Ref.make(-Infinity)
  const fetching = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => fetch)

  const complain = Effect.fnUntraced(function* (reason: string) {
    const now = yield* Clock.currentTimeMillis
    const before = yield* Ref.get(said)
    if (now >= before && now - before < Duration.toMillis(SAY_AGAIN)) return
    yield* Ref.set(said, now)
    yield* Effect.logWarning(`the collector takes no telemetry: ${reason}; it is dropped meanwhile`)
  })

  return (signal: Signal, body: unknown, many: number) =>
    post(fetching, collector, signal, JSON.stringify(body)).pipe(
      Effect.asVoid,
      Effect.catchAll(({ reason }) =>
        Effect.zipRight(Measure.telemetryDropped.countBy(many, signal), complain(reason))
      )
    )
})
export type Send = Effect.Effect.Success<ReturnType<typeof makeSend>>

/** Collects items and sends them together every `interval`, and a last time when its scope closes. */
export const makeBatches = Effect.fnUntraced(function* <A>(
  signal: "logs" | "traces",
  interval: Duration.DurationInput,
  send: Send,
  bodyOf: (items: ReadonlyArray<A>) => unknown
) {
  const waiting: Array<A> = []
  let dropped = 0

  /** Sends the oldest; they wait until that has come to an end, so that one cut off by the last flush is sent by it. */
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

  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(flush), LAST_WORDS))
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
        onNone: () => Layer.provide(withoutSpans(layer), Layer.succeed(Exporting, Option.none())),
        onSome: (to) => Layer.provide(withoutRequestSpans(layer), layerTo(to))
      })
    )
  )
