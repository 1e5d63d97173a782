import { isTrackingOn } from "./Tracking.ts"
import { decoded } from "./WebAddress.ts"

/** The query without its tracking parameters; the others keep their order and, except for escapes, their spelling. */
const cleanQuery = (search: string, host: string): string => {
  const isTracking = isTrackingOn(host)
  const kept = search
    .slice(1)
    .split("&")
    .map(normalizeEscapes)
    .filter((pair) => pair !== "" && !isTracking(decoded((pair.split("=", 1)[0] ?? "").replaceAll("+", " "))))
  return kept.length === 0 ? "" : `?${kept.join("&")}`
}

/**
 * Normalizes percent-encoding: upper-case digits, and unreserved characters decoded (RFC 3986, 6.2.2).
 *
 * Text with a broken escape is unchanged: decoding next to it could create a new escape, and so a different address.
 */
const normalizeEscapes = (text: string): string =>
  /%(?![0-9a-f]{2})/i.test(text)
    ? text
    : text.replace(/%[0-9a-f]{2}/gi, (escape) => {
        const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
        return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
      })

/** Removes a character from the end of a text, however often it stands there, in linear time. */
export const withoutFinal = (character: string, text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** A host name without the trailing dot of a fully qualified name, if the rest is a valid host name. */
const withoutFinalDot = (host: string): string => {
  const bare = withoutFinal(".", host)
  return URL.canParse(`http://${bare}`) ? bare : host
}

/**
 * The identity of a link: two addresses with the same normal form are one link.
 *
 * Lower-case host without a trailing dot, no default port, no user, no fragment (except `#!` and `#/`, which are routes
 * of an application), no tracking parameters, no trailing slash except the root's.
 */
export const normalizeUrl = (url: URL): string => {
  const host = withoutFinalDot(url.hostname)
  const port = url.port === "" ? "" : `:${url.port}`
  const path = withoutFinal("/", normalizeEscapes(url.pathname)) || "/"
  const fragment = /^#[!/]/.test(url.hash) ? normalizeEscapes(url.hash) : ""
  return `${url.protocol}//${host}${port}${path}${cleanQuery(url.search, host)}${fragment}`
}
