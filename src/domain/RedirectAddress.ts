/** Maximum length of an address to which a program takes the browser back, in characters. */
const MAX_LENGTH = 512

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

/** A reversed domain such as `org.example.app` (RFC 8252, 7.1), or a well-known editor's scheme, without a dot. */
const PRIVATE_USE = /^(?:[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+|cursor|vscode|vscode-insiders|windsurf|zed):$/

/** What an answer says itself (RFC 6749, 4.1.2; RFC 9207): an address that says it too would contradict the answer. */
const ANSWERED = ["code", "error", "error_description", "iss", "state"]

/** Parses an address that every browser and program reads alike. */
const parse = (text: string): URL | null =>
  text.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(text) && !/[\\#"<>^`{|}]/.test(text)
    ? URL.parse(text)
    : null

const isLoopbackUrl = ({ hostname, protocol }: URL) => protocol === "http:" && LOOPBACK.has(hostname)

/** OAuth 2.1, 8.4: an https address, any port of this machine, or an app's own scheme. */
export const isRedirectAddress = (text: string): boolean => {
  const url = parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  if (ANSWERED.some((name) => url.searchParams.has(name))) return false
  // The parser mends what a strict one reads differently, such as a missing slash.
  if (url.protocol === "https:") return /^https:\/\/[^/?]/i.test(text)
  return isLoopbackUrl(url) || PRIVATE_USE.test(url.protocol)
}

/** Returns a loopback address without its port, which a program may choose anew each time (RFC 8252, 7.3). */
const withoutPort = (text: string): string => {
  const url = parse(text)
  if (url === null || !isLoopbackUrl(url)) return text
  url.port = ""
  return url.href
}

/** Whether an address is one of those that a program has registered, character by character but for a loopback port. */
export const isRegistered = (registered: ReadonlyArray<string>, address: string): boolean =>
  isRedirectAddress(address) && registered.some((one) => withoutPort(one) === withoutPort(address))

/** Where an address leads, for people: its host, `this computer`, or the app's own scheme. */
export const redirectPlace = (address: string): string => {
  const url = new URL(address)
  if (url.protocol === "https:") return url.host
  return isLoopbackUrl(url) ? "this computer" : url.protocol.slice(0, -1)
}
