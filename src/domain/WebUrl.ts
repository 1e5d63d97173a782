import { Option } from "effect"
import { trackingOnHosts, trackingParameters, trackingPrefixes } from "./trackingParameters.ts"

/** The longest address read, in UTF-16 units. */
const MAX_LENGTH = 8_192

/** Where a scheme is named it must be http or https, with both slashes and nothing hidden in it. */
const shape = /^https?:\/\/[^/\\?#\s]/i

/**
 * The http or https address that `text` is; none for anything else.
 *
 * Stricter than the WHATWG parser (https://url.spec.whatwg.org): white space and controls inside, a missing slash or
 * host and other schemes are refused, not repaired.
 */
export const parseWebUrl = (text: string): Option.Option<URL> => {
  const address = text.trim()
  if (address.length > MAX_LENGTH || !shape.test(address) || /[\s\p{Cc}]/u.test(address)) return Option.none()
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ""
    ? Option.some(url)
    : Option.none()
}

const isTracking = (host: string) => (name: string) => {
  const lower = name.toLowerCase()
  return (
    trackingParameters.has(lower) ||
    trackingPrefixes.some((prefix) => lower.startsWith(prefix)) ||
    trackingOnHosts.some(([site, names]) => names.has(lower) && (host === site || host.endsWith(`.${site}`)))
  )
}

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name.replaceAll("+", " "))
  } catch {
    return name
  }
}

/** The query without its tracking parameters; what remains keeps its order and its spelling. */
const cleanQuery = (search: string, host: string): string => {
  const tracking = isTracking(host)
  const kept = search
    .slice(1)
    .split("&")
    .map(normalizeEscapes)
    .filter((pair) => pair !== "" && !tracking(decoded(pair.split("=", 1)[0] ?? "")))
  return kept.length === 0 ? "" : `?${kept.join("&")}`
}

/**
 * Percent-encoding in its one normal form: capitals, and unreserved characters as themselves (RFC 3986, 6.2.2).
 *
 * Text with a broken escape stays as it is: decoding beside it could make a new escape, and so another address.
 */
const normalizeEscapes = (text: string): string =>
  /%(?![0-9a-f]{2})/i.test(text)
    ? text
    : text.replace(/%[0-9a-f]{2}/gi, (escape) => {
        const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
        return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
      })

/** A host name without the dot that marks it as complete, where it is a host name without it too. */
const withoutFinalDot = (host: string): string => {
  const bare = host.replace(/\.+$/, "")
  return URL.canParse(`http://${bare}`) ? bare : host
}

/**
 * The identity of a link: two addresses with the same normal form are one link.
 *
 * Lower-case host without a final dot, no default port, no user, no fragment (but `#!` and `#/`, which are routes of
 * an application), no tracking parameters, no slash at the end but the root's.
 */
export const normalizeUrl = (url: URL): string => {
  const host = withoutFinalDot(url.hostname)
  const port = url.port === "" ? "" : `:${url.port}`
  const path = normalizeEscapes(url.pathname).replace(/\/+$/, "") || "/"
  const fragment = /^#[!/]/.test(url.hash) ? normalizeEscapes(url.hash) : ""
  return `${url.protocol}//${host}${port}${path}${cleanQuery(url.search, host)}${fragment}`
}
