import { describe, expect, test } from "bun:test"
import { Data, Duration, Effect, Layer, Logger, Option, type Scope } from "effect"
import {
  headersOf,
  type Intervals,
  layerTo,
  OtlpSender,
  withTelemetryExport
} from "../../src/telemetry/Otlp.ts"
import { metricsBody } from "../../src/telemetry/OtlpSignals.ts"
import { effectTest } from "../support/effect.ts"
import { loopback, withSettings } from "../support/loopback.ts"
import { countOf } from "../support/metrics.ts"

const plain = effectTest(Layer.empty)

interface Sent {
  readonly path: string
  readonly key: string | null
  readonly body: string
}

/** A collector that records its requests and responds with `answer`. */
const collector = Effect.fnUntraced(function* (answer: () => Response | Promise<Response>) {
  const sent: Array<Sent> = []
  const endpoint = yield* loopback(async (request) => {
    const { pathname } = new URL(request.url)
    sent.push({ path: pathname, key: request.headers.get("x-key"), body: await request.text() })
    return answer()
  })
  return { endpoint, sent }
})

/** So rare that everything is sent at the end, at once. */
const rarely: Intervals = { logs: "1 hour", traces: "1 hour" }
const often: Intervals = { logs: "20 millis", traces: "20 millis" }

/** Runs work and exports its telemetry, flushing everything at the end. */
const exporting = <A, E>(endpoint: string, work: Effect.Effect<A, E, Scope.Scope>, every = rarely) =>
  work.pipe(
    Effect.scoped,
    Effect.provide(layerTo({ endpoint, headers: { "x-key": "a key" } }, every)),
    Effect.timed
  )

class Failing extends Data.TaggedError("Failing")<{ readonly message: string }> {}

const spansIn = (sent: ReadonlyArray<Sent>) =>
  sent.flatMap(({ body, path }) =>
    path === "/v1/traces" ? JSON.parse(body).resourceSpans[0].scopeSpans[0].spans : []
  )
const logsIn = (sent: ReadonlyArray<Sent>) =>
  sent.flatMap(({ body, path }) =>
    path === "/v1/logs" ? JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords : []
  )

const dropped = () => countOf("linkbower_telemetry_dropped_total", { signal: "traces" })

/** A logger that records its lines. */
const recording = (lines: Array<string>) =>
  Logger.add(Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${message}`)))

describe("OTLP", () => {
  plain(
    "exports spans with their parents, and logs with their spans",
    Effect.gen(function* () {
      const { endpoint, sent } = yield* collector(() => Response.json({}))
      yield* exporting(
        endpoint,
        Effect.logInfo("inside").pipe(
          Effect.annotateLogs("request", "r1"),
          Effect.withSpan("Inner.work"),
          Effect.withSpan("Outer.work")
        )
      )
      const [inner, outer] = spansIn(sent)
      expect([inner.name, outer.name]).toEqual(["Inner.work", "Outer.work"])
      expect(outer).not.toHaveProperty("parentSpanId")
      expect(inner).toMatchObject({
        parentSpanId: outer.spanId,
        traceId: outer.traceId,
        status: { code: 1 },
        kind: 1
      })
      expect(inner.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(inner.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(BigInt(inner.endTimeUnixNano) >= BigInt(inner.startTimeUnixNano)).toBe(true)
      expect(logsIn(sent)).toEqual([
        {
          timeUnixNano: expect.stringMatching(/^\d{19}$/),
          severityNumber: 9,
          severityText: "INFO",
          body: { stringValue: "inside" },
          attributes: [{ key: "request", value: { stringValue: "r1" } }],
          traceId: inner.traceId,
          spanId: inner.spanId
        }
      ])
      expect(sent.every(({ key }) => key === "a key")).toBe(true)
      const resource = JSON.parse(sent[0]?.body ?? "{}")
      expect(JSON.stringify(resource)).toContain('{"key":"service.name","value":{"stringValue":"linkbower"}}')
    })
  )

  plain(
    "exports failures without data, and only known attributes",
    Effect.gen(function* () {
      const { endpoint, sent } = yield* collector(() => Response.json({}))
      const failing = new Failing({ message: "zebrafish" }).pipe(
        Effect.withSpan("Some.work", { attributes: { "url.query": "zebrafish", host: "example.org" } }),
        Effect.catchAllCause((cause) => Effect.logError("it failed", cause, new Error("zebrafish")))
      )
      yield* exporting(endpoint, failing)
      expect(spansIn(sent)).toMatchObject([
        {
          attributes: [{ key: "host", value: { stringValue: "example.org" } }],
          status: { code: 2, message: "Failing" }
        }
      ])
      expect(logsIn(sent)).toMatchObject([{ severityNumber: 17, body: { stringValue: "it failed Error" } }])
      expect(JSON.stringify(sent)).not.toContain("zebrafish")
    })
  )

  plain(
    "omits polling and single statements",
    Effect.gen(function* () {
      const { endpoint, sent } = yield* collector(() => Response.json({}))
      const store = Effect.withSpan(Effect.withSpan(Effect.void, "sql.execute"), "InboxStore.due")
      yield* exporting(endpoint, Effect.zipRight(store, Effect.withSpan(store, "Inbox.work")))
      expect(spansIn(sent).map(({ name }: { readonly name: string }) => name)).toEqual([
        "InboxStore.due",
        "Inbox.work"
      ])
    })
  )

  for (const [what, answer] of Object.entries({
    "responds with an error": () => new Response("no", { status: 503 }),
    redirects: () => Response.redirect("http://127.0.0.1:1/")
  }))
    plain(
      `logs once and counts dropped spans when the collector ${what}`,
      Effect.gen(function* () {
        const { endpoint, sent } = yield* collector(answer)
        const lines: Array<string> = []
        const before = dropped()
        yield* exporting(
          endpoint,
          Effect.withSpan(Effect.void, "Some.work").pipe(
            Effect.zipRight(Effect.sleep("30 millis")),
            Effect.repeatN(5)
          ),
          often
        ).pipe(Effect.provide(recording(lines)))
        expect(sent.length).toBeGreaterThan(2)
        expect(lines.filter((line) => line.startsWith("WARN"))).toHaveLength(1)
        expect(lines.join()).not.toContain(endpoint)
        expect(dropped()).toBeGreaterThanOrEqual(before + 6)
      })
    )

  plain(
    "accepts a response that is not JSON or never ends",
    Effect.gen(function* () {
      const endless = () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }))
      for (const answer of [() => new Response("<html>what?"), endless]) {
        const { endpoint, sent } = yield* collector(answer)
        const lines: Array<string> = []
        const [took] = yield* Effect.provide(exporting(endpoint, Effect.logInfo("a line")), recording(lines))
        expect(logsIn(sent)).toHaveLength(1)
        expect(lines.filter((line) => line.startsWith("WARN"))).toEqual([])
        expect(Duration.toMillis(took)).toBeLessThan(60_000)
      }
    })
  )

  plain(
    "does not wait for an unreachable or hanging collector",
    Effect.gen(function* () {
      const hanging = yield* collector(() => new Promise<Response>(() => {}))
      // More spans than the queue holds.
      const work = Effect.withSpan(Effect.void, "Some.work").pipe(Effect.repeatN(5_000), Effect.timed)
      const timed = yield* Effect.forEach(
        ["http://127.0.0.1:1", hanging.endpoint],
        (endpoint) => exporting(endpoint, work, often),
        { concurrency: "unbounded" }
      )
      for (const [all, [working]] of timed) {
        expect(Duration.toMillis(working)).toBeLessThan(60_000)
        expect(Duration.toMillis(all) - Duration.toMillis(working)).toBeLessThan(60_000)
      }
    })
  )
})

describe("withTelemetryExport", () => {
  const traced = Layer.effect(
    OtlpSender,
    Effect.zipRight(Effect.withSpan(Effect.void, "Some.work"), OtlpSender)
  )

  plain(
    "exports to the endpoint in the settings, with its headers",
    Effect.gen(function* () {
      const { endpoint, sent } = yield* collector(() => Response.json({}))
      const settings = withSettings({
        OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/base/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=from%20settings"
      })
      const sender = yield* OtlpSender.pipe(Effect.provide(withTelemetryExport(traced)), settings)
      expect(Option.isSome(sender)).toBe(true)
      expect(sent.map(({ key, path }) => [path, key])).toContainEqual(["/base/v1/traces", "from settings"])
    })
  )

  for (const [why, settings] of Object.entries({
    "nothing is set": {},
    "the endpoint is invalid": { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost" },
    "the endpoint contains a password": { OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:zebrafish@localhost:4318" }
  }))
    plain(
      `exports nothing when ${why}, and never logs the endpoint`,
      Effect.gen(function* () {
        const lines: Array<string> = []
        const enabled = Layer.effect(
          OtlpSender,
          Effect.gen(function* () {
            const span = yield* Effect.option(Effect.withSpan(Effect.currentSpan, "Some.work"))
            expect(Option.exists(span, ({ sampled }) => sampled)).toBe(false)
            return yield* OtlpSender
          })
        )
        const sender = yield* OtlpSender.pipe(
          Effect.provide(Layer.provide(withTelemetryExport(enabled), recording(lines))),
          withSettings(settings)
        )
        expect(Option.isNone(sender)).toBe(true)
        expect(lines.length).toBe(why === "nothing is set" ? 0 : 1)
        expect(lines.join()).not.toContain("zebrafish")
      })
    )
})

test("headersOf parses names and values, and omits invalid headers", () => {
  expect(headersOf("api-key=a%20b, other = c=d ,,=x,no,bad name=1,evil=a%0Ab,odd=%zz")).toEqual({
    "api-key": "a b",
    other: "c=d",
    odd: "%zz"
  })
  expect(headersOf("")).toEqual({})
})

test("metricsBody leaves out metrics without a series", () => {
  const about = { kind: "counter", meaning: "What it counts." } as const
  const body = metricsBody(
    [
      { ...about, name: "a_total", series: [] },
      { ...about, name: "b_total", series: [{ labels: [], value: 1 }] }
    ],
    0,
    1
  )
  const [resource] = body.resourceMetrics
  expect(resource?.scopeMetrics[0]?.metrics.map(({ name }) => name)).toEqual(["b_total"])
})
