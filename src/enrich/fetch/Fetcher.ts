import { type CompressionFormat, DecompressionStream, ReadableStream } from "node:stream/web"
import { Context, Data, Duration, Effect, Layer, Option, Predicate } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { isAllowed, isFetchable, isPublic, literalOf, portOf, Resolver } from "./Destination.ts"
import { makeHostLimits } from "./HostLimits.ts"

/** The first bytes of a body, decoded; `cut` where there was more. */
interface LimitedBody {
  readonly bytes: Uint8Array
  readonly cut: boolean
}

/** What is asked for, and what servers send all the same. */
const formats: Readonly<Record<string, CompressionFormat>> = {
  br: "brotli",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate"
}

/** The way to decode a `Content-Encoding`: null where there is nothing to decode, undefined where it is not known. */
const decoderFor = (encoding: string | null): DecompressionStream | null | undefined => {
  const name = (encoding ?? "").trim().toLowerCase()
  if (name === "" || name === "identity") return null
  const format = formats[name]
  return format && new DecompressionStream(format)
}

/** Whether a body so encoded can be read. */
export const isDecodable = (encoding: string | null): boolean => decoderFor(encoding) !== undefined

/** How much longer than its content a packed body may be, in bytes: formats add a header and little else. */
const packing = 65_536

/** The transfer up to `limit` bytes: a packed body can go on for ever and unpack to nothing. */
async function* transferred(body: AsyncIterable<Uint8Array<ArrayBuffer>>, limit: number) {
  let left = limit
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.byteLength
    if (left <= 0) return
  }
}

/**
 * Reads a body that was fetched without decoding, up to `maxBytes` of it decoded, and then stops the transfer: what
 * a small compressed body unpacks to is never held, and no more is transferred than so much content packs to.
 * Rejects where the transfer or its encoding breaks before any byte of it.
 */
export const readLimited = async (
  body: AsyncIterable<Uint8Array<ArrayBuffer>> | null,
  encoding: string | null,
  maxBytes: number
): Promise<LimitedBody> => {
  if (body === null) return { bytes: new Uint8Array(), cut: false }
  const decoder = decoderFor(encoding)
  // The declarations that know brotli are Node's, and its streams are not the web's to the compiler.
  const encoded = ReadableStream.from(transferred(body, maxBytes + packing))
  const reader = (decoder ? encoded.pipeThrough(decoder) : encoded).getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { bytes: Buffer.concat(chunks), cut: false }
      chunks.push(value.subarray(0, maxBytes - length))
      length += value.byteLength
      if (length > maxBytes) return { bytes: Buffer.concat(chunks), cut: true }
    }
  } catch (error) {
    // A transfer that breaks off leaves a page whose beginning says what it is.
    if (length === 0) throw error
    return { bytes: Buffer.concat(chunks), cut: true }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const headersFor = (url: URL, accept: string) => ({
  host: url.host,
  "user-agent": "Linkbower/0.1 (link preview; self-hosted)",
  accept,
  "accept-encoding": "gzip, br",
  "accept-language": "en, *;q=0.5"
})

/** The address with the host replaced by the one address that was checked, so that no second look-up can differ. */
const pinned = (url: URL, address: string): string => {
  const host = address.includes(":") ? `[${address}]` : address
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`
}

/**
 * Asks one address of the host for `url`, by the host's name and over TLS with its certificate, and follows nothing.
 *
 * The failure is one word: the cause holds the address.
 */
export const requestFrom = (address: string, url: URL, accept: string, signal: AbortSignal) =>
  Effect.tryPromise({
    try: () =>
      fetch(pinned(url, address), {
        headers: headersFor(url, accept),
        redirect: "manual",
        // Whoever reads the body bounds what it unpacks to; a proxy would look the name up again.
        decompress: false,
        proxy: false,
        tls: { serverName: url.hostname },
        signal
      }),
    catch: () => "unreachable" as const
  })

/** Closes the connection when `use` is over, however that ends: an unread or dripping body costs nothing more. */
const connected = <A, E>(use: (signal: AbortSignal) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) => use(signal),
    (connection) => Effect.sync(() => connection.abort())
  )

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

/** Where an answer sends the reader; null where it is the page itself. */
const locationOf = ({ headers, status }: Response): string | null => {
  const location = isRedirect(status) ? headers.get("location") : null
  // Servers write such addresses in UTF-8, of which a header shows every byte as a character.
  return location && Buffer.from(location, "latin1").toString("utf8")
}

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

interface Fetched {
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
