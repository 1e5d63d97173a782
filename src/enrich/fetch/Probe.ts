import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Clock, Context, Data, type Duration, Effect, Layer, Option, Ref, Schema } from "effect"
import { HealthReport } from "../../domain/Health.ts"
import { directFetch } from "./DirectFetch.ts"
import { FetchError, Fetcher } from "./Fetcher.ts"

/**
 * A server did not answer a probe as expected. The error contains no address and no credential.
 *
 * `refused`: the server rejected the credential. `missing`: it has no such resource. `limited`: it received too many
 * requests. `status`: any other status. `garbage`: the response has an unexpected shape.
 */
export class ProbeError extends Data.TaggedError("ProbeFailed")<{
  readonly reason: "unreachable" | "timeout" | "refused" | "missing" | "limited" | "status" | "garbage"
  /** The HTTP status, if it caused the failure. */
  readonly status?: number
}> {}

/** Classifies an error status. */
export const statusFailed = (status: number): ProbeError => {
  if (status === 401 || status === 403) return new ProbeError({ reason: "refused", status })
  if (status === 404) return new ProbeError({ reason: "missing", status })
  return new ProbeError({ reason: status === 429 ? "limited" : "status", status })
}

/** Maximum response size, in bytes; longer responses are cut. */
const MAX_BYTES = 65_536

/** A response with its body read. */
interface Probed {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Sends a GET that follows no redirect and ends within `timeout`, including the body. */
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

/** Maximum size of a health report, in bytes; real ones are far shorter. */
const MAX_HEALTH_BYTES = 4_096

/** Fetches a Linkbower's health report from `/healthz` below `base`, which may be any address on this machine. */
export const fetchHealth = Effect.fn("Probe.fetchHealth")(function* (
  base: string,
  timeout: Duration.DurationInput
) {
  const { body, status } = yield* probe(`${base}/healthz`, { accept: "application/json" }, timeout)
  const report = yield* Effect.option(decode(body))
  if (Option.isSome(report)) return report.value
  return yield* status === 200 ? new ProbeError({ reason: "garbage" }) : statusFailed(status)
})

/** Fetches a public URL: returns the final URL, and the version if a Linkbower's health report answers there. */
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

/** The offset of this machine's clock from a server's, in milliseconds; positive if this one is ahead. */
interface Difference {
  readonly host: string
  readonly millis: number
}

/** A `Date` header has whole seconds, so on average it is half a second behind. */
const HALF_A_SECOND = 500

const make = Effect.map(Ref.make<ReadonlyArray<Difference>>([]), (all) => ({
  /** One difference per recorded response. */
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

/** Collects clock differences from the `Date` headers of servers' responses (RFC 9110, section 6.6.1). */
export class ServerDates extends Context.Tag("ServerDates")<
  ServerDates,
  Effect.Effect.Success<typeof make>
>() {
  static readonly layer = Layer.effect(ServerDates, make)
}

/** An HTTP client that records the date of every response, for services that send requests through a client. */
const dated = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const dates = yield* ServerDates
    return HttpClient.tap(yield* HttpClient.HttpClient, ({ headers, request }) =>
      dates.record(request.url, new Headers(headers))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** The services that probes of other servers need. */
export const probeLayer = Layer.provideMerge(dated, ServerDates.layer)
