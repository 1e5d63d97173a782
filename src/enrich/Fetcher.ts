import { Context, Data, type Effect } from "effect"

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
}> {}

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
  /** Whether the body was cut at `maxBytes`. */
  readonly cut: boolean
}

/**
 * Fetches public pages on behalf of enrichment: bounded in time, size, redirects and destination.
 *
 * The only door from a saved address to the network.
 */
export class Fetcher extends Context.Tag("Fetcher")<
  Fetcher,
  { readonly fetch: (url: URL, options: FetchOptions) => Effect.Effect<Fetched, FetchError> }
>() {}
