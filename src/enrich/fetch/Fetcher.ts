import { type CompressionFormat, DecompressionStream, ReadableStream } from "node:stream/web"
import { Clock, Data, Duration, Effect, Option, Predicate } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { Service } from "../../runtime/Services.ts"
import { retryAfterMillis } from "../../shared/RetryAfter.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { type Cookies, makeCookies } from "./Cookies.ts"
import { isAllowed, isFetchable, isPublic, literalOf, portOf, Resolver } from "./Destination.ts"
import { makeHostLimits } from "./HostLimits.ts"

/** `cut`: longer, or broken off. */
interface LimitedBody {
  readonly bytes: Uint8Array
  readonly cut: boolean
}

const formats: Readonly<Record<string, CompressionFormat>> = {
  br: "brotli",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate"
}

const decoderFor = (encoding: string | null): DecompressionStream | null | undefined => {
  const name = (encoding ?? "").trim().toLowerCase()
  if (name === "" || name === "identity") return null
  const format = formats[name]
  return format && new DecompressionStream(format)
}

export const isDecodable = (encoding: string | null): boolean => decoderFor(encoding) !== undefined

/** How much longer than its content a compressed body may be, in bytes: formats add a header and little else. */
const COMPRESSION_OVERHEAD = 65_536

/** The first `limit` bytes of a transfer: an endless compressed body can decompress to nothing. */
async function* transferred(body: AsyncIterable<Uint8Array<ArrayBuffer>>, limit: number) {
  let left = limit
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.byteLength
    if (left <= 0) return
  }
}

const BEGINNING = 2_048

/**
 * Decodes a body up to `maxBytes`, then stops the transfer, so that a decompression bomb is never held in memory.
 * `limitOf` may lower the limit by the beginning of the body. Rejects if the transfer or its encoding fails before the
 * first decoded byte.
 */
export const readLimited = async (
  body: AsyncIterable<Uint8Array<ArrayBuffer>> | null,
  encoding: string | null,
  maxBytes: number,
  limitOf: (beginning: Uint8Array) => number = () => maxBytes
): Promise<LimitedBody> => {
  if (body === null) return { bytes: new Uint8Array(), cut: false }
  const decoder = decoderFor(encoding)
  // Only Node's type declarations include brotli, and its stream types are incompatible with the web's.
  const encoded = ReadableStream.from(transferred(body, maxBytes + COMPRESSION_OVERHEAD))
  const reader = (decoder ? encoded.pipeThrough(decoder) : encoded).getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  let limit: number | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { bytes: Buffer.concat(chunks), cut: false }
      chunks.push(value)
      length += value.byteLength
      if (limit === undefined && length >= BEGINNING)
        limit = Math.min(maxBytes, limitOf(Buffer.concat(chunks, BEGINNING)))
      const most = limit ?? maxBytes
      if (length > most) return { bytes: Buffer.concat(chunks, most), cut: true }
    }
  } catch (error) {
    // The beginning of a page is still useful when the transfer breaks off.
    if (length === 0) throw error
    return { bytes: Buffer.concat(chunks), cut: true }
  } finally {
    reader.cancel().catch(() => {})
  }
}

type Asked = Pick<FetchOptions, "accept" | "method" | "referer"> & { readonly cookie?: string }

const headersFor = (url: URL, { accept, cookie, referer }: Asked) => ({
  host: url.host,
  "user-agent": "Linkbower/0.1 (link preview; self-hosted)",
  accept,
  "accept-encoding": "gzip, br",
  "accept-language": "en, *;q=0.5",
  ...(cookie === undefined ? {} : { cookie }),
  // As browsers do by default: the page's origin, and nothing from a page over HTTPS to a server without it.
  ...(referer === undefined || (referer.protocol === "https:" && url.protocol === "http:")
    ? {}
    : { referer: `${referer.origin}/` })
})

/** The URL with its host replaced by the address that was checked, so that a second lookup cannot differ. */
const pinned = (url: URL, address: string): string => {
  const host = address.includes(":") ? `[${address}]` : address
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`
}

/** Asks under the host's name, follows no redirect, and fails with one word: the underlying error has the address. */
export const requestFrom = (address: string, url: URL, asked: Asked, signal: AbortSignal) =>
  Effect.tryPromise({
    try: () =>
      fetch(pinned(url, address), {
        method: asked.method ?? "GET",
        headers: headersFor(url, asked),
        redirect: "manual",
        // The body's reader bounds decompression; a proxy would look up the name again.
        decompress: false,
        proxy: false,
        tls: { serverName: url.hostname },
        signal
      }),
    catch: () => "unreachable" as const
  })

const connected = <A, E>(use: (signal: AbortSignal) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) => use(signal),
    (connection) => Effect.sync(() => connection.abort())
  )

/** Redirects that say that the page has moved for good (RFC 9110, sections 15.4.2 and 15.4.9). */
const movesForGood = (status: number) => status === 301 || status === 308

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

const locationOf = ({ headers, status }: Response): string | null => {
  const location = isRedirect(status) ? headers.get("location") : null
  // `fetch` decodes each byte as one character. In escapes, the bytes reach the server as it wrote them, in any
  // encoding.
  return location?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`) ?? null
}

/** `reason` is safe to log: it contains no address. */
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
  readonly status?: number
  /** In milliseconds, as the server asks. */
  readonly pause?: number
}> {
  get lasting(): boolean {
    if (this.reason === "status") return [401, 404, 405, 406, 410, 451].includes(this.status ?? 0)
    return this.reason !== "unreachable" && this.reason !== "timeout"
  }
}

export interface FetchOptions {
  readonly accept: string
  readonly method?: "GET" | "HEAD"
  /** The page that shows the file; servers learn its origin alone. */
  readonly referer?: URL
  /** Accepts a media type (lower case, no parameters; empty if none was sent); others fail with `content-type`. */
  readonly readable: (mediaType: string) => boolean
  /** Maximum size of the decoded body, in bytes; longer bodies are cut. */
  readonly maxBytes: number
  readonly maxBytesOf?: (beginning: Uint8Array) => number
  /** Accepts an error status, whose response is then returned if its body can be read. */
  readonly readsStatus?: (status: number) => boolean
}

export interface Fetched {
  readonly url: URL
  readonly redirects: ReadonlyArray<string>
  /** Whether all of these redirects are permanent; true for a page without redirects. */
  readonly isPermanent: boolean
  readonly status: number
  readonly headers: Headers
  readonly contentType: string | null
  readonly body: Uint8Array
  readonly cut: boolean
  /** Follows an address that the content sends its visitors to, as the next redirect of the same fetch. */
  readonly follow: (location: string) => Effect.Effect<Fetched, FetchError>
}

interface Way extends Pick<Fetched, "redirects" | "isPermanent"> {
  readonly left: Duration.Duration
  readonly cookies: Cookies
  readonly isAllowed: boolean
}

export interface FetchLimits {
  /** Runs from the first lookup to the last byte, without the wait for a turn. */
  readonly timeout: Duration.DurationInput
  readonly redirects: number
  readonly addresses: number
  readonly perHost: number
  readonly inAll: number
  /** Whether FETCH_ALLOW counts; it does if this is left out. */
  readonly exempts?: boolean
}

const limits: FetchLimits = { timeout: "10 seconds", redirects: 5, addresses: 3, perHost: 2, inAll: 8 }

const mediaTypeOf = (contentType: string | null) =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const isReset = (error: unknown) => Predicate.hasProperty(error, "code") && error.code === "ECONNRESET"

export const isExempt = (url: URL): Effect.Effect<boolean> =>
  Effect.map(
    Effect.orElseSucceed(Setting.fetchAllow.config, () => Option.none<string>()),
    Option.exists((list) => isAllowed(url, list))
  )

export const make = Effect.fnUntraced(function* (
  limits: FetchLimits,
  request: typeof requestFrom = requestFrom
) {
  const resolver = yield* Resolver
  const withinHostLimits = yield* makeHostLimits(limits.perHost, limits.inAll)

  /** Best first; fails unless every address of the host is allowed. */
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

  const readBody = Effect.fnUntraced(function* (
    response: Response,
    { maxBytes, maxBytesOf, readable }: FetchOptions
  ) {
    const { headers, status } = response
    const contentType = headers.get("content-type")
    const encoding = headers.get("content-encoding")
    if (!readable(mediaTypeOf(contentType))) return yield* new FetchError({ reason: "content-type" })
    if (!isDecodable(encoding)) return yield* new FetchError({ reason: "bad-encoding" })
    const body = yield* Effect.tryPromise({
      try: () => readLimited(response.body, encoding, maxBytes, maxBytesOf),
      catch: (error) => new FetchError({ reason: isReset(error) ? "unreachable" : "bad-encoding" })
    })
    return { status, headers, contentType, body: body.bytes, cut: body.cut }
  })

  const read = (response: Response, options: FetchOptions) => {
    const { ok, status } = response
    if (ok) return readBody(response, options)
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const pause = retryAfterMillis(response.headers.get("retry-after"), now)
      const failure = new FetchError({ reason: "status", status, ...(pause === undefined ? {} : { pause }) })
      if (options.readsStatus?.(status) !== true) return Effect.fail(failure)
      return Effect.mapError(readBody(response, options), () => failure)
    })
  }

  const ask = (url: URL, addresses: ReadonlyArray<string>, options: FetchOptions, cookies: Cookies) =>
    connected((signal) =>
      Effect.gen(function* () {
        const cookie = cookies.headerFor(url)
        const asked = cookie === undefined ? options : { ...options, cookie }
        const response = yield* Effect.firstSuccessOf(
          addresses.map((address) => request(address, url, asked, signal))
        ).pipe(Effect.mapError((reason) => new FetchError({ reason })))
        cookies.take(url, response.headers)
        const location = locationOf(response)
        return location === null
          ? { content: yield* read(response, options) }
          : { location, isPermanent: movesForGood(response.status) }
      })
    )

  /**
   * Each hop looks up its name before it waits for a turn at its host, so that slow lookups delay no other page.
   * FETCH_ALLOW exempts a hop only if every earlier hop was exempt, because a stranger's page chooses its redirect
   * target.
   */
  const follow = (url: URL, options: FetchOptions, way: Way): Effect.Effect<Fetched, FetchError> =>
    Effect.gen(function* () {
      const { cookies, isPermanent: wasPermanent, left, redirects } = way
      const isAllowed = way.isAllowed && (yield* isExempt(url))
      const [lookupTime, addresses] = yield* Effect.timed(within(left, destinations(url, isAllowed)))
      const remaining = Duration.subtract(left, lookupTime)
      const [hopTime, { content, isPermanent, location }] = yield* ask(url, addresses, options, cookies).pipe(
        (hop) => within(remaining, hop),
        Effect.timed,
        withinHostLimits(url.host)
      )
      const next = Effect.fnUntraced(function* (to: string, isForGood: boolean) {
        const target = URL.parse(to, url)
        if (target === null) return yield* new FetchError({ reason: "bad-address" })
        if (redirects.length >= limits.redirects)
          return yield* new FetchError({ reason: "too-many-redirects" })
        return yield* follow(target, options, {
          redirects: [...redirects, url.href],
          isPermanent: wasPermanent && isForGood,
          left: Duration.subtract(remaining, hopTime),
          cookies,
          isAllowed
        })
      })
      if (content === undefined) return yield* next(location, isPermanent)
      return {
        url,
        redirects,
        isPermanent: wasPermanent,
        ...content,
        follow: (to) => measured(next(to, false))
      }
    })

  const measured = <A extends { readonly status: number }>(fetched: Effect.Effect<A, FetchError>) =>
    fetched.pipe(
      Measure.fetchDuration.timed(),
      Effect.tapBoth({
        onSuccess: ({ status }) => Measure.fetches.count(status < 300 ? "read" : "status"),
        onFailure: ({ reason }) => Measure.fetches.count(reason)
      })
    )

  return {
    fetch: Effect.fn("Fetcher.fetch")(function* (url: URL, options: FetchOptions) {
      yield* Effect.annotateCurrentSpan("host", url.hostname)
      return yield* measured(
        follow(url, options, {
          redirects: [],
          isPermanent: true,
          left: Duration.decode(limits.timeout),
          cookies: makeCookies(),
          isAllowed: limits.exempts !== false
        })
      )
    })
  }
})

/** All requests to saved URLs, bounded; each hop looks its host up once and connects to a checked address. */
export class Fetcher extends Service<Fetcher>()("Fetcher", make(limits)) {}
