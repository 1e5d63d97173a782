import { Array, Cause, Context, FiberRef, FiberRefs, Logger, type LogLevel, Option, Tracer } from "effect"
import { attributesOf, type KeyValue, nanosOf, resource, scope } from "./OtlpJson.ts"

/** A log line as OTLP writes it (opentelemetry-proto, logs/v1). */
export interface OtlpLog {
  readonly timeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly body: { readonly stringValue: string }
  readonly attributes: ReadonlyArray<KeyValue>
  readonly traceId?: string
  readonly spanId?: string
}

/** SeverityNumber of opentelemetry-proto, logs/v1. */
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

/** A logger that gives every line to `written`. Errors must have been put into words before. */
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

/** The body of a request to `/v1/logs`. */
export const logsBody = (logRecords: ReadonlyArray<OtlpLog>) => ({
  resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }]
})
