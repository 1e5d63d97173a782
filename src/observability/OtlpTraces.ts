import { Cause, type Context, Exit, Option, Tracer } from "effect"
import { attributesOf, resource, scope } from "./OtlpJson.ts"
import { wordsOf } from "./Wording.ts"

/** What of a span's attributes leaves the service: nothing in them was written by a person but the host of a page. */
const told: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.operation.name",
  "host"
])

/** A span as OTLP writes it (opentelemetry-proto, trace/v1). */
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

/** A single statement: left out, for the call to the store around it says more and there are several to each. */
const STATEMENT = "sql.execute"

const kinds: Record<Tracer.SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

const idOf = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toHex()

/** A call to the store that belongs to no other work is a loop that looks whether there is any: not worth a trace. */
const isIdle = (name: string) => /^(sql\.|\w+Store\.)/.test(name)

const statusOf = (exit: Exit.Exit<unknown, unknown>): OtlpSpan["status"] => {
  if (Exit.isSuccess(exit)) return { code: 1 }
  if (Cause.isInterruptedOnly(exit.cause)) return { code: 0, message: "interrupted" }
  return { code: 2, message: wordsOf(Cause.squash(exit.cause)) }
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
    this.sampled = above?.sampled ?? !isIdle(name)
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
      attributes: attributesOf([...this.attributes].filter(([key]) => told.has(key))),
      status: statusOf(exit)
    })
  }

  attribute(key: string, value: unknown) {
    this.attributes.set(key, value)
  }

  /** Not told: what happens within a span has spans of its own. */
  event() {}

  addLinks(links: ReadonlyArray<Tracer.SpanLink>) {
    this.links.push(...links)
  }

  /** A request is called after its route, which is only known once the router has found it. */
  #shownName() {
    const route = this.attributes.get("http.route")
    return route === undefined ? this.name : `${this.attributes.get("http.request.method")} ${route}`
  }
}

/** A tracer that gives every span that has ended to `ended`. */
export const makeTracer = (ended: (span: OtlpSpan) => void): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const span = new RecordedSpan({ name, parent, context, kind }, startTime, ended)
      span.addLinks(links)
      return span
    },
    context: (run) => run()
  })

/** The body of a request to `/v1/traces`. */
export const tracesBody = (spans: ReadonlyArray<OtlpSpan>) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }]
})
