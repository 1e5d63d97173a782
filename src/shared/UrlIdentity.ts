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

/** RFC 3986, 6.2.2. Text with a broken escape stays: decoding beside it could make another address. */
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

/** Sites where every fragment selects the page: a key, a mailbox, a chat, a drawing. */
const stateful =
  /(?:^|\.)(?:mega\.nz|mega\.co\.nz|mail\.google\.com|web\.telegram\.org|(?:app\.)?diagrams\.net|draw\.io|excalidraw\.com|wormhole\.app|webwormhole\.io)$/

/** The position in a recording or a document: media fragments, and PDF's parameters to open a file. */
const position = /^(?:t|page|zoom)=/i

/** A range of lines, as in `L10`, `L10-L20`, `L3C5-L9C1`, `lines-10:20`, `line=10,20`, `a-file.py-10:20`. */
const lineRange =
  /^(?:(?:[\w.-]+-)?\d+(?:[:,]\d+)+|L\d+(?:C\d+)?(?:[-:~,]L?\d+(?:C\d+)?)*|lines?[-=:]?\d+(?:[-:,.~]+(?:L|line)?\d+)*)$/i

/** Whether a text is words, as headings' names are: `Section-2-Getting-Started`. */
const isWords = (text: string): boolean => {
  const parts = text.split(/[-_.~+]+/)
  return (
    parts.length > 1 && parts.every((part) => /^(?:\p{Lu}*|\p{L}?\p{Ll}*|(?:\p{Lu}\p{Ll}+)+)\d*$/u.test(part))
  )
}

/** Whether a text is a key or the packed state of an application, which no heading looks like. */
const isOpaque = (text: string): boolean =>
  text.length >= 16 &&
  [/^[\w.~+-]+$/, /[a-z]/, /[A-Z]/, /\d/].every((sign) => sign.test(text)) &&
  !isWords(text)

/** A route, parameters, a key or an application's state; empty for a section, a position and a range of lines. */
const stateIn = (hash: string, host: string): string => {
  const isTracking = isTrackingOn(host)
  const cleaned = (part: string) =>
    part
      .split("&")
      .filter((pair) => {
        const name = decoded(pair)
        return !position.test(name) && !(name.includes("=") && isTracking(name.split("=", 1)[0] ?? ""))
      })
      .join("&")
  // What follows `:~:` is for the browser alone (https://wicg.github.io/scroll-to-text-fragment/).
  const [whole = ""] = normalizeEscapes(hash.slice(1)).split(":~:", 1)
  const [route = "", ...query] = whole.split("?")
  const parameters = cleaned(query.join("?"))
  const fragment = `${cleaned(route)}${parameters === "" ? "" : `?${parameters}`}`
  const text = decoded(fragment)
  if (text === "" || lineRange.test(text)) return ""
  return /[/=:@!]/.test(text) || isOpaque(text) || stateful.test(host) ? `#${fragment}` : ""
}

/** A link's identity: lower-case host, no default port, user, tracking, final slash, nor fragment without state. */
export const normalizeUrl = (url: URL): string => {
  const host = withoutFinalDot(url.hostname)
  const port = url.port === "" ? "" : `:${url.port}`
  const path = withoutFinal("/", normalizeEscapes(url.pathname)) || "/"
  const address = `${url.protocol}//${host}${port}${path}${cleanQuery(url.search, host)}`
  return url.hash === "" ? address : address + stateIn(url.hash, host)
}
