import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/** Whether only this machine itself reaches the host: `localhost`, 127.0.0.0/8 and ::1, in brackets or not. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
  return name === "localhost" || (isIP(name) !== 0 && ipaddr.process(name).range() === "loopback")
}

type Headers = Readonly<Record<string, string | undefined>>

/** A host as a request names it (RFC 9110, 7.2). */
export interface RequestHost {
  /** In lower case, without brackets, port and final dot. */
  readonly name: string
  /** Whether the name is an IP address, which no name server can point elsewhere. */
  readonly isAddress: boolean
}

/** A name of at most 253 characters with or without a final dot, and a port. Underscores occur in container names. */
const NAMED = /^(?=[^:]{1,253}\.?(?::|$))((?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63})\.?(?::(\d{0,5}))?$/i
const BRACKETED = /^\[([0-9a-f:.]{2,45})\](?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

/**
 * Parses a `Host` header: a name or an IP address, with or without a port.
 *
 * Undefined for anything else: an empty header, several of them (which arrive joined by commas), user info, a path.
 */
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

/** Whether a proxy or tunnel has passed the request on, as far as its headers tell. */
export const isForwarded = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => FORWARDING.test(name))

/**
 * Whether a request was made on this machine, to a name that is this machine's own, and not forwarded.
 *
 * The name matters: a page whose own name has come to resolve to 127.0.0.1 (DNS rebinding) calls from this machine too.
 */
export const isDirect = (headers: Headers): boolean => {
  const host = parseHost(headers["host"] ?? "")
  return host !== undefined && isLoopback(host.name) && !isForwarded(headers)
}

type SameSiteHeaders = Readonly<Record<string, string | undefined>>

/**
 * Whether a request comes from the service's own pages, from the person at the browser, or from no browser at all.
 *
 * `Sec-Fetch-Site` decides where a browser sends it (Fetch Metadata, W3C); else `Origin` must be the host asked.
 */
export const isSameSite = (headers: SameSiteHeaders): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const origin = headers["origin"]
  return origin === undefined || isOwn(origin, headers["host"])
}

/** Parsed alike, so that a default port or capitals make no difference. */
const isOwn = (origin: string, host: string | undefined) => {
  const from = URL.parse(origin)
  if (from === null || host === undefined || !/^https?:$/.test(from.protocol)) return false
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host
}

/** What a navigation is for; a service worker that passes one on may leave it empty. Frames and plug-ins are not among them. */
const inTabs: ReadonlySet<string | undefined> = new Set(["document", "empty"])

/**
 * Whether a browser opens the address as a page in a tab of its own, as a link in a message or a bookmark does.
 *
 * Scripts cannot make such a request and its answer stays out of their reach, so another site may cause it.
 */
export const isNavigation = ({
  headers,
  method
}: {
  readonly headers: SameSiteHeaders
  readonly method: string
}): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["sec-fetch-mode"] === "navigate" &&
  inTabs.has(headers["sec-fetch-dest"])
