import {
  Array,
  Cause,
  Context,
  Exit,
  FiberRef,
  FiberRefs,
  Logger,
  type LogLevel,
  Option,
  Tracer
} from "effect"
import { VERSION } from "../version.ts"
import { describeWithoutData } from "./Logging.ts"
import type { Distribution, Family, Series } from "./MetricFormat.ts"

/** A value in OTLP's JSON (opentelemetry-proto, common/v1), where 64-bit integers are strings. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

const valueOf = (value: unknown): AnyValue => {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: String(value) }
}

const attributesOf = (entries: Iterable<readonly [string, unknown]>): ReadonlyArray<KeyValue> =>
  [...entries].map(([key, value]) => ({ key, value: valueOf(value) }))

/** The sender of the telemetry (OpenTelemetry semantic conventions, `service.*`). */
const resource = {
  attributes: attributesOf([
    ["service.name", "linkbower"],
    ["service.version", VERSION]
  ])
}

/** The instrumentation scope, which is the same for all telemetry. */
const scope = { name: "linkbower", version: VERSION }

/** Converts milliseconds since the epoch to OTLP's nanoseconds. */
const nanosOf = (millis: number): string => `${Math.round(millis)}000000`

/** A log record in OTLP's JSON (opentelemetry-proto, logs/v1). */
export interface OtlpLog {
  readonly timeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly body: { readonly stringValue: string }
  readonly attributes: ReadonlyArray<KeyValue>
  readonly traceId?: string
  readonly spanId?: string
}

/** `SeverityNumber` of opentelemetry-proto, logs/v1. */
const severities: Record<LogLevel.LogLevel["_tag"], number> = {
  All: 0,
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warning: 13,
  Error: 17,
  Fatal: 21,
  None: 0
}

const spanOf = (refs: FiberRefs.FiberRefs) =>
  Option.match(Context.getOption(FiberRefs.getOrDefault(refs, FiberRef.currentContext), Tracer.ParentSpan), {
    onNone: () => ({}),
    onSome: ({ sampled, spanId, traceId }) => (sampled ? { traceId, spanId } : {})
  })

/** A logger that passes every record to `written`. Errors in messages must already be redacted (`redactingLogger`). */
export const makeLogger = (written: (log: OtlpLog) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ annotations, cause, context, date, logLevel, message }) =>
    written({
      timeUnixNano: nanosOf(date.getTime()),
      severityNumber: severities[logLevel._tag],
      severityText: logLevel.label,
      body: { stringValue: Array.ensure(message).map(String).join(" ") },
      attributes: attributesOf([
        ...annotations,
        ...(Cause.isEmpty(cause) ? [] : [["exception.stacktrace", Cause.pretty(cause)] as const])
      ]),
      ...spanOf(context)
    })
  )

export const logsBody = (logRecords: ReadonlyArray<OtlpLog>) => ({
  resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }]
})

/** Values are counted since startup, not since the last report (AGGREGATION_TEMPORALITY_CUMULATIVE). */
const CUMULATIVE = 2

type Times = { readonly startTimeUnixNano: string; readonly timeUnixNano: string }

const histogramPoint = ({ buckets, count, sum }: Distribution) => {
  const upTo = [...buckets.map(([, below]) => below), count]
  return {
    count: String(count),
    sum,
    explicitBounds: buckets.map(([bound]) => bound),
    bucketCounts: upTo.map((below, index) => String(below - (upTo[index - 1] ?? 0)))
  }
}

const pointOf = ({ labels, value }: Series, times: Times) => ({
  ...times,
  attributes: attributesOf(labels),
  ...(typeof value === "number" ? { asDouble: value } : histogramPoint(value))
})

const dataOf = ({ kind, series }: Family, times: Times) => {
  const dataPoints = series.map((one) => pointOf(one, times))
  if (kind === "gauge") return { gauge: { dataPoints } }
  return kind === "counter"
    ? { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    : { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }
}

/** The unit in a metric's name, as the UCUM code that OTLP requires. */
const unitOf = (name: string) => (/_seconds(_|$)/.test(name) ? "s" : /_bytes(_|$)/.test(name) ? "By" : "1")

/** The body of a request to `/v1/metrics`, with values since `started`; both times are in ms since the epoch. */
export const metricsBody = (families: ReadonlyArray<Family>, started: number, now: number) => {
  const times = { startTimeUnixNano: nanosOf(started), timeUnixNano: nanosOf(now) }
  const metrics = families
    .filter(({ series }) => series.length > 0)
    .map((family) => ({
      name: family.name,
      description: family.meaning,
      unit: unitOf(family.name),
      ...dataOf(family, times)
    }))
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}

/** The span attributes that are exported: only `host`, a page's host name, comes from a person's input. */
const exportedAttributes: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.operation.name",
  "host"
])

/** A span in OTLP's JSON (opentelemetry-proto, trace/v1). */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReturnType<typeof attributesOf>
  readonly status: { readonly code: number; readonly message?: string }
}

/** The span of a single SQL statement; not exported, because each store call has several and its own span says more. */
const STATEMENT = "sql.execute"

const kinds: Record<Tracer.SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

const idOf = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toHex()

/** Whether a root span is a store call: then it is a loop polling for work, and not worth a trace. */
const isPolling = (name: string) => /^(sql\.|\w+Store\.)/.test(name)

const statusOf = (exit: Exit.Exit<unknown, unknown>): OtlpSpan["status"] => {
  if (Exit.isSuccess(exit)) return { code: 1 }
  if (Cause.isInterruptedOnly(exit.cause)) return { code: 0, message: "interrupted" }
  return { code: 2, message: describeWithoutData(Cause.squash(exit.cause)) }
}

class RecordedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = idOf(8)
  readonly traceId: string
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly sampled: boolean
  readonly attributes = new Map<string, unknown>()
  readonly links: Array<Tracer.SpanLink> = []
  status: Tracer.SpanStatus
  readonly #started: bigint
  readonly #ended: (span: OtlpSpan) => void

  constructor(
    { context, kind, name, parent }: Pick<Tracer.Span, "name" | "parent" | "context" | "kind">,
    startTime: bigint,
    ended: (span: OtlpSpan) => void
  ) {
    const above = Option.getOrUndefined(parent)
    this.name = name
    this.parent = parent
    this.context = context
    this.kind = kind
    this.traceId = above?.traceId ?? idOf(16)
    this.sampled = above?.sampled ?? !isPolling(name)
    this.status = { _tag: "Started", startTime }
    this.#started = startTime
    this.#ended = ended
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>) {
    this.status = { _tag: "Ended", startTime: this.#started, endTime, exit }
    if (!this.sampled || this.name === STATEMENT) return
    this.#ended({
      traceId: this.traceId,
      spanId: this.spanId,
      ...(Option.isSome(this.parent) ? { parentSpanId: this.parent.value.spanId } : {}),
      name: this.#shownName(),
      kind: kinds[this.kind],
      startTimeUnixNano: String(this.#started),
      endTimeUnixNano: String(endTime),
      attributes: attributesOf([...this.attributes].filter(([key]) => exportedAttributes.has(key))),
      status: statusOf(exit)
    })
  }

  attribute(key: string, value: unknown) {
    this.attributes.set(key, value)
  }

  /** Ignored: steps within a span have spans themselves. */
  event() {}

  addLinks(links: ReadonlyArray<Tracer.SpanLink>) {
    this.links.push(...links)
  }

  /** Names a request's span after its route, which is known only after routing. */
  #shownName() {
    const route = this.attributes.get("http.route")
    return route === undefined ? this.name : `${this.attributes.get("http.request.method")} ${route}`
  }
}

/** A tracer that passes every exportable span to `ended` when it ends. */
export const makeTracer = (ended: (span: OtlpSpan) => void): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const span = new RecordedSpan({ name, parent, context, kind }, startTime, ended)
      span.addLinks(links)
      return span
    },
    context: (run) => run()
  })

export const tracesBody = (spans: ReadonlyArray<OtlpSpan>) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }]
})
