import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/** Public by its range, and yet some clouds' own metadata and name servers. */
const notPublic = new Set(["168.63.129.16"])

/** Inside the global unicast space (2000::/3), what leads elsewhere or nowhere (RFC 6890 and its registries). */
const notGlobal: ReadonlyArray<[ipaddr.IPv6, number]> = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "2620:4f:8000::/48"
].map((range) => ipaddr.IPv6.parseCIDR(range))
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an address may be dialled for a stranger: public unicast, and neither private, loopback, link-local,
 * shared, mapped, translated nor tunnelled. What is no address may not.
 */
export const isPublic = (address: string): boolean => {
  if (address.includes("%") || isIP(address) === 0) return false
  const ip = ipaddr.parse(address)
  if (ip instanceof ipaddr.IPv4) return ip.range() === "unicast" && !notPublic.has(ip.toString())
  return ip.range() === "unicast" && ip.match(globalUnicast) && !notGlobal.some((range) => ip.match(range))
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

/** The port an address is asked on. */
export const portOf = (url: URL): string => url.port || (defaultPorts[url.protocol] ?? "")

const isDefaultPort = (port: string) => port === "80" || port === "443"

/** A host or an IPv6 address in brackets, and perhaps a port: nothing else of an address. */
const allowEntry = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(:\d{1,5})?$/i

/**
 * Whether the owner has allowed a destination that would else be refused: `allow` is FETCH_ALLOW, comma-separated
 * `host[:port]`. A host alone stands for its ports 80 and 443; an entry that is neither opens nothing.
 */
export const isAllowed = (url: URL, allow: string): boolean =>
  allow.split(",").some((entry) => {
    const [, host, port] = allowEntry.exec(entry.trim()) ?? []
    const named = host === undefined ? null : URL.parse(`http://${host}${port ?? ""}/`)
    if (named?.hostname !== url.hostname) return false
    return port === undefined ? isDefaultPort(portOf(url)) : portOf(named) === portOf(url)
  })

/** Whether a fetch may even begin: an address of the web, without credentials, on a web port or an allowed one. */
export const isFetchable = (url: URL, allowed: boolean): boolean =>
  /^https?:$/.test(url.protocol) &&
  url.username === "" &&
  url.password === "" &&
  url.hostname !== "" &&
  (allowed || isDefaultPort(portOf(url)))

/** The address the host itself is, without an IPv6 literal's brackets; undefined for a name. */
export const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return isIP(host) === 0 ? undefined : host
}
