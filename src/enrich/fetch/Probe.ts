import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Clock, Data, type Duration, Effect, Layer, Option, Ref, Schema } from "effect"
import { HealthReport } from "../../domain/Health.ts"
import { Service } from "../../runtime/Services.ts"
import { directFetch } from "./DirectFetch.ts"
import { FetchError, Fetcher } from "./Fetcher.ts"

/** No address, no credential. `refused`: the credential; `missing`: the resource; `garbage`: the shape. */
export class ProbeError extends Data.TaggedError("ProbeFailed")<{
  readonly reason: "unreachable" | "timeout" | "refused" | "missing" | "limited" | "status" | "garbage"
  readonly status?: number
}> {}

export const statusFailed = (status: number): ProbeError => {
  if (status === 401 || status === 403) return new ProbeError({ reason: "refused", status })
  if (status === 404) return new ProbeError({ reason: "missing", status })
  return new ProbeError({ reason: status === 429 ? "limited" : "status", status })
}

/** In bytes; longer responses are cut. */
const MAX_BYTES = 65_536

interface Probed {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export const probe = (
  url: string,
  headers: Record<string, string>,
  timeout: Duration.DurationInput
): Effect.Effect<Probed, ProbeError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await directFetch(MAX_BYTES)(url, { signal, headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    catch: () => new ProbeError({ reason: "unreachable" })
  }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeError({ reason: "timeout" }) }))

const decode = Schema.decodeUnknown(Schema.parseJson(HealthReport))

const MAX_HEALTH_BYTES = 4_096

/** Asks `/healthz` below `base`, which may be any address on this machine. */
export const fetchHealth = Effect.fn("Probe.fetchHealth")(function* (
  base: string,
  timeout: Duration.DurationInput
) {
  const { body, status } = yield* probe(`${base}/healthz`, { accept: "application/json" }, timeout)
  const report = yield* Effect.option(decode(body))
  if (Option.isSome(report)) return report.value
  return yield* status === 200 ? new ProbeError({ reason: "garbage" }) : statusFailed(status)
})

/** The final URL, and the version if a Linkbower answers there. */
export const fetchPublicHealth = Effect.fn("Probe.fetchPublicHealth")(function* (
  address: URL,
  timeout: Duration.DurationInput
) {
  const fetcher = yield* Fetcher
  const { body, url } = yield* fetcher
    .fetch(address, { accept: "application/json", readable: () => true, maxBytes: MAX_HEALTH_BYTES })
    .pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new FetchError({ reason: "timeout" }) }))
  const health = yield* Effect.option(decode(new TextDecoder().decode(body)))
  return { url, version: Option.map(health, ({ version }) => version) }
})

interface Difference {
  readonly host: string
  readonly millis: number
}

/** A `Date` header has whole seconds, so on average it is half a second behind. */
const HALF_A_SECOND = 500

const make = Effect.map(Ref.make<ReadonlyArray<Difference>>([]), (all) => ({
  differences: Ref.get(all),
  /** Records a response that has just arrived; ignores cached responses (`Age`) and those without a date. */
  record: Effect.fnUntraced(function* (url: string, headers: Headers) {
    const serverTime = Date.parse(headers.get("date") ?? "")
    const host = URL.parse(url)?.host
    if (host === undefined || Number.isNaN(serverTime) || headers.has("age")) return
    const millis = (yield* Clock.currentTimeMillis) - (serverTime + HALF_A_SECOND)
    yield* Ref.update(all, (before) => [...before, { host, millis }])
  })
}))

/** In milliseconds, from `Date` headers (RFC 9110, section 6.6.1); positive if this machine is ahead. */
export class ServerDates extends Service<ServerDates>()("ServerDates", make) {}

const dated = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const dates = yield* ServerDates
    return HttpClient.tap(yield* HttpClient.HttpClient, ({ headers, request }) =>
      dates.record(request.url, new Headers(headers))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

export const probeLayer = Layer.provideMerge(dated, ServerDates.layer)
