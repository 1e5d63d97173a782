import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Clock, Context, Data, type Duration, Effect, Layer, Option, Ref, Schema } from "effect"
import { HealthReport } from "../../domain/Health.ts"
import { directFetch } from "./DirectFetch.ts"
import { FetchError, Fetcher } from "./Fetcher.ts"

/**
 * A server did not answer a probe as it should; it holds no address and no credential.
 *
 * `refused`: the credential does not count. `missing`: there is no such thing there. `limited`: not now, for too many
 * requests. `status`: any other status. `garbage`: an answer of another shape.
 */
export class ProbeFailed extends Data.TaggedError("ProbeFailed")<{
  readonly reason: "unreachable" | "timeout" | "refused" | "missing" | "limited" | "status" | "garbage"
  /** The HTTP status, where there was an answer. */
  readonly status?: number
}> {}

/** What a status that is no success tells. */
export const statusFailed = (status: number): ProbeFailed => {
  if (status === 401 || status === 403) return new ProbeFailed({ reason: "refused", status })
  if (status === 404) return new ProbeFailed({ reason: "missing", status })
  return new ProbeFailed({ reason: status === 429 ? "limited" : "status", status })
}

/** The most of an answer that is read, in bytes. */
const MAX_BYTES = 65_536

/** An answer, read to its end. */
interface Probed {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A GET that follows no redirect and ends within `timeout`, body included. */
export const probe = (
  url: string,
  headers: Record<string, string>,
  timeout: Duration.DurationInput
): Effect.Effect<Probed, ProbeFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await directFetch(MAX_BYTES)(url, { signal, headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    catch: () => new ProbeFailed({ reason: "unreachable" })
  }).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeFailed({ reason: "timeout" }) }))

const decode = Schema.decodeUnknown(Schema.parseJson(HealthReport))

/** Such an answer is far shorter, in bytes. */
const HEALTH_PROBE_MAX_BYTES = 4_096

/** The report of the Linkbower that answers `/healthz` below this address, which may be any on this machine. */
export const healthOf = Effect.fn("HealthProbe.healthOf")(function* (
  base: string,
  timeout: Duration.DurationInput
) {
  const { body, status } = yield* probe(`${base}/healthz`, { accept: "application/json" }, timeout)
  const report = yield* Effect.option(decode(body))
  if (Option.isSome(report)) return report.value
  return yield* status === 200 ? new ProbeFailed({ reason: "garbage" }) : statusFailed(status)
})

/** The same for an address of the internet: who answers in the end, and its version where it is a Linkbower. */
export const healthOutside = Effect.fn("HealthProbe.healthOutside")(function* (
  address: URL,
  timeout: Duration.DurationInput
) {
  const fetcher = yield* Fetcher
  const { body, url } = yield* fetcher
    .fetch(address, { accept: "application/json", readable: () => true, maxBytes: HEALTH_PROBE_MAX_BYTES })
    .pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new FetchError({ reason: "timeout" }) }))
  const health = yield* Effect.option(decode(new TextDecoder().decode(body)))
  return { url, version: Option.map(health, ({ version }) => version) }
})

/** How far this machine's clock is from a server's, in milliseconds; positive where this one is ahead. */
interface Difference {
  readonly host: string
  readonly millis: number
}

/** A `Date` header tells whole seconds: on average it is half of one behind. */
const HALF_A_SECOND = 500

/** The times that servers say it is, by the `Date` headers of their answers (RFC 9110, section 6.6.1). */
export class ServerDates extends Context.Tag("ServerDates")<
  ServerDates,
  {
    /** Notes an answer that has just come; one kept by a cache (`Age`), or without a date, says nothing. */
    readonly saw: (url: string, headers: Headers) => Effect.Effect<void>
    /** One for each answer that was noted. */
    readonly differences: Effect.Effect<ReadonlyArray<Difference>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Ref.make<ReadonlyArray<Difference>>([]), (all) => ({
      differences: Ref.get(all),
      saw: Effect.fnUntraced(function* (url, headers) {
        const said = Date.parse(headers.get("date") ?? "")
        const host = URL.parse(url)?.host
        if (host === undefined || Number.isNaN(said) || headers.has("age")) return
        const millis = (yield* Clock.currentTimeMillis) - (said + HALF_A_SECOND)
        yield* Ref.update(all, (before) => [...before, { host, millis }])
      })
    }))
  )
}

/** The client of the services that ask through one, which notes the dates of all their answers. */
const dated = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const dates = yield* ServerDates
    return HttpClient.tap(yield* HttpClient.HttpClient, ({ headers, request }) =>
      dates.saw(request.url, new Headers(headers))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** What the probes of other servers need. */
export const probing = Layer.provideMerge(dated, ServerDates.layer)
