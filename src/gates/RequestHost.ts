import { isIP } from "node:net"
import { isLoopback } from "../runtime/AddressRanges.ts"

type Headers = Readonly<Record<string, string | undefined>>

export interface RequestHost {
  /** In lower case, without brackets, port and trailing dot. */
  readonly name: string
  /** Whether the name is an IP address, which DNS cannot point elsewhere. */
  readonly isAddress: boolean
}

/** At most 253 characters, with an optional trailing dot and port; underscores occur in container names. */
const NAMED = /^(?=[^:]{1,253}\.?(?::|$))((?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63})\.?(?::(\d{0,5}))?$/i
const BRACKETED = /^\[([0-9a-f:.]{2,45})\](?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

/** A name or an IP address with an optional port; undefined for several headers (joined by commas), user info, a path. */
export const parseHost = (header: string): RequestHost | undefined => {
  const named = NAMED.exec(header)
  const [, text = "", port = ""] = named ?? BRACKETED.exec(header) ?? []
  if (text === "" || Number(port) > MAX_PORT) return undefined
  const name = text.toLowerCase()
  if (named === null) return isIP(name) === 6 ? { name, isAddress: true } : undefined
  return { name, isAddress: isIP(name) === 4 }
}

/**
 * Matches a header that only an intermediary between client and service adds: the standard ones (`Forwarded`, `Via`,
 * `CDN-Loop`), every `X-Forwarded…`, `X-Original…` and `X-Real…`, every name that ends in "IP" or "addr", and the prefixes
 * of tunnels, load balancers and content delivery networks.
 */
const FORWARDING = new RegExp(
  [
    "^(forwarded|via|cdn-loop|client-ip|front-end-https|x-scheme|x-cloud-trace-context)$",
    "^x-(forward|original|real|rewrite|proxy|cluster)",
    "^x-(akamai|amz|appengine|arr|azure|envoy|fastly|vercel)",
    "^(akamai|cf|fastly|fly|ngrok|tailscale)-",
    "-(client)?(ip|addr|address)$"
  ].join("|")
)

export const isForwarded = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => FORWARDING.test(name))

/** The name matters: a page whose name resolves to 127.0.0.1 (DNS rebinding) also calls from this machine. */
export const isDirect = (headers: Headers): boolean => {
  const host = parseHost(headers["host"] ?? "")
  return host !== undefined && isLoopback(host.name) && !isForwarded(headers)
}

/** Decided by `Sec-Fetch-Site` if it is sent (Fetch Metadata, W3C), else by `Origin`; no browser counts too. */
export const isSameSite = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const origin = headers["origin"]
  return origin === undefined || isOwn(origin, headers["host"])
}

/** Parses both the same way, so that a default port or capitals make no difference. */
const isOwn = (origin: string, host: string | undefined) => {
  const from = URL.parse(origin)
  if (from === null || host === undefined || !/^https?:$/.test(from.protocol)) return false
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host
}

/** `Sec-Fetch-Dest` of a navigation in a tab, empty from a service worker; no frames, no plug-ins. */
const inTabs: ReadonlySet<string | undefined> = new Set(["document", "empty"])

/** As from a bookmark or a message. Scripts can neither make such a request nor read its response. */
export const isNavigation = ({
  headers,
  method
}: {
  readonly headers: Headers
  readonly method: string
}): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["sec-fetch-mode"] === "navigate" &&
  inTabs.has(headers["sec-fetch-dest"])
