import { Context, Data, Duration, Effect, Layer, Option, Predicate } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { Measure } from "../domain/Metrics.ts"
import { isDecodable, readLimited } from "./BodyLimit.ts"
import { isAllowed, isFetchable, isPublic, literalOf } from "./Destination.ts"
import { makeHostLimits } from "./HostLimits.ts"
import { connected, locationOf, requestFrom } from "./PinnedRequest.ts"
import { Resolver } from "./Resolver.ts"

/** Why a fetch gave nothing. `reason` is safe to log: it holds no address. */
export class FetchError extends Data.TaggedError("FetchError")<{
  readonly reason:
    | "bad-address"
    | "refused-address"
    | "unreachable"
    | "timeout"
    | "too-many-redirects"
    | "bad-encoding"
    | "content-type"
    | "status"
  /** The HTTP status, where there was an answer. */
  readonly status?: number
}> {
  /** Whether the same fetch would fail again tomorrow. */
  get lasting(): boolean {
    if (this.reason === "status") return [401, 404, 405, 406, 410, 451].includes(this.status ?? 0)
    return this.reason !== "unreachable" && this.reason !== "timeout"
  }
}

export interface FetchOptions {
  /** Sent as `Accept`. */
  readonly accept: string
  /** Which media types (lower case, without parameters; empty where none was sent) are read; others are `content-type`. */
  readonly readable: (mediaType: string) => boolean
  /** The most bytes of decoded body that are read; what lies beyond is cut off. */
  readonly maxBytes: number
}

export interface Fetched {
  /** The address that answered, after redirects. */
  readonly url: URL
  /** The addresses passed on the way, the first one asked included, `url` excluded. */
  readonly redirects: ReadonlyArray<string>
  /** The `Content-Type` header as sent. */
  readonly contentType: string | null
  readonly body: Uint8Array
  /** Whether the body was cut at `maxBytes`, or by a transfer that broke off. */
  readonly cut: boolean
}

export interface FetchLimits {
  /** For everything from the first look-up to the last byte; waiting for one's turn is not counted. */
  readonly timeout: Duration.DurationInput
  readonly redirects: number
  /** How many of a host's addresses are tried where the ones before cannot be reached. */
  readonly addresses: number
  readonly perHost: number
  readonly inAll: number
}

const limits: FetchLimits = { timeout: "10 seconds", redirects: 5, addresses: 3, perHost: 2, inAll: 8 }

const mediaTypeOf = (contentType: string | null) =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** Whether a body ended because its connection did, and not for what it holds. */
const isReset = (error: unknown) => Predicate.hasProperty(error, "code") && error.code === "ECONNRESET"

/** Whether FETCH_ALLOW, as it is now, exempts an address from the destination checks. */
export const isExempt = (url: URL): Effect.Effect<boolean> =>
  Effect.map(
    Effect.orElseSucceed(Setting.fetchAllow.config, () => Option.none<string>()),
    Option.exists((list) => isAllowed(url, list))
  )

/** A fetcher with limits of its own; `request` asks one checked address. */
export const make = Effect.fnUntraced(function* (
  limits: FetchLimits,
  request: typeof requestFrom = requestFrom
) {
  const resolver = yield* Resolver
  const politely = yield* makeHostLimits(limits.perHost, limits.inAll)

  /** The addresses to dial, best first: every address of the host must be one that may be dialled. */
  const destinations = Effect.fnUntraced(function* (url: URL, allowed: boolean) {
    if (!isFetchable(url, allowed)) return yield* new FetchError({ reason: "refused-address" })
    const literal = literalOf(url)
    const addresses = literal === undefined ? yield* resolver.lookup(url.hostname, allowed) : [literal]
    if (addresses.length === 0) return yield* new FetchError({ reason: "unreachable" })
    if (!allowed && !addresses.every(isPublic)) return yield* new FetchError({ reason: "refused-address" })
    return addresses.slice(0, limits.addresses)
  })

  const within = <A>(duration: Duration.Duration, work: Effect.Effect<A, FetchError>) =>
    Effect.timeoutFail(work, { duration, onTimeout: () => new FetchError({ reason: "timeout" }) })

  const read = Effect.fnUntraced(function* (response: Response, { maxBytes, readable }: FetchOptions) {
    const contentType = response.headers.get("content-type")
    const encoding = response.headers.get("content-encoding")
    if (!response.ok) return yield* new FetchError({ reason: "status", status: response.status })
    if (!readable(mediaTypeOf(contentType))) return yield* new FetchError({ reason: "content-type" })
    if (!isDecodable(encoding)) return yield* new FetchError({ reason: "bad-encoding" })
    const body = yield* Effect.tryPromise({
      try: () => readLimited(response.body, encoding, maxBytes),
      catch: (error) => new FetchError({ reason: isReset(error) ? "unreachable" : "bad-encoding" })
    })
    return { contentType, body: body.bytes, cut: body.cut }
  })

  /** One hop: what the page says, or where it has gone. */
  const ask = (url: URL, addresses: ReadonlyArray<string>, options: FetchOptions) =>
    connected((signal) =>
      Effect.gen(function* () {
        const response = yield* Effect.firstSuccessOf(
          addresses.map((address) => request(address, url, options.accept, signal))
        ).pipe(Effect.mapError((reason) => new FetchError({ reason })))
        const location = locationOf(response)
        return location === null ? { content: yield* read(response, options) } : { location }
      })
    )

  /**
   * Every hop takes its own turn at its own host, once its name has been looked up: names that hang must not keep the
   * turns of pages that can be read. `left` is the time that the hops before have not used. FETCH_ALLOW exempts a hop
   * while every hop before it was exempt: what a stranger's page redirects to is a stranger's choice.
   */
  const follow = (
    url: URL,
    options: FetchOptions,
    redirects: ReadonlyArray<string>,
    left: Duration.Duration,
    wasAllowed: boolean
  ): Effect.Effect<Fetched, FetchError> =>
    Effect.gen(function* () {
      const allowed = wasAllowed && (yield* isExempt(url))
      const [looked, addresses] = yield* Effect.timed(within(left, destinations(url, allowed)))
      const remaining = Duration.subtract(left, looked)
      const [asked, { content, location }] = yield* ask(url, addresses, options).pipe(
        (hop) => within(remaining, hop),
        Effect.timed,
        politely(url.host)
      )
      if (content !== undefined) return { url, redirects, ...content }
      const next = URL.parse(location, url)
      if (next === null) return yield* new FetchError({ reason: "bad-address" })
      if (redirects.length >= limits.redirects) return yield* new FetchError({ reason: "too-many-redirects" })
      return yield* follow(
        next,
        options,
        [...redirects, url.href],
        Duration.subtract(remaining, asked),
        allowed
      )
    })

  return {
    fetch: Effect.fn("Fetcher.fetch")(function* (url: URL, options: FetchOptions) {
      yield* Effect.annotateCurrentSpan("host", url.hostname)
      return yield* follow(url, options, [], Duration.decode(limits.timeout), true).pipe(
        Measure.fetchDuration.timed(),
        Effect.tapBoth({
          onSuccess: () => Measure.fetches.count("read"),
          onFailure: ({ reason }) => Measure.fetches.count(reason)
        })
      )
    })
  }
})

/**
 * Fetches public pages on behalf of enrichment: bounded in time, size, redirects and destination.
 *
 * The only door from a saved address to the network. A name is looked up once a hop, every address it has is checked,
 * and the connection goes to the address that was checked; each redirect is checked again.
 */
export class Fetcher extends Context.Tag("Fetcher")<
  Fetcher,
  { readonly fetch: (url: URL, options: FetchOptions) => Effect.Effect<Fetched, FetchError> }
>() {
  static readonly layer = Layer.effect(this, make(limits))
}
