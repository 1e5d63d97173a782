import { Option } from "effect"
import ipaddr from "ipaddr.js"
import type { Request } from "./Verifier.ts"

/** Address ranges of a proxy: this machine or a private network. */
const proxyRanges: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "linkLocal",
  "carrierGradeNat"
])

type Address = ReturnType<typeof ipaddr.process>

const parse = (address: string): Address | undefined => {
  const text = address.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** Whether an address is on this machine or its network. */
export const isPrivateAddress = (address: string): boolean => {
  const parsed = parse(address)
  return parsed !== undefined && proxyRanges.has(parsed.range())
}

/**
 * Finds the address of a client. A peer on this machine or its network is a proxy: then the client is the last address
 * in X-Forwarded-For, which the proxy itself wrote; the addresses before it are unverified claims of the client.
 */
const findClient = (peer: string, forwarded: string | undefined): Address | undefined => {
  const direct = parse(peer)
  const last = forwarded === undefined ? undefined : parse(forwarded.split(",").at(-1) ?? "")
  if (direct === undefined) return last
  return last !== undefined && proxyRanges.has(direct.range()) ? last : direct
}

/**
 * Returns the key by which a client is counted: its IPv4 address, or the /64 network of its IPv6 address, which belongs
 * to one subscriber.
 */
export const clientKey = (peer: string, forwarded: string | undefined): string => {
  const address = findClient(peer, forwarded)
  if (address === undefined) return "unknown"
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".")
}

const partsOf = ({ headers, remoteAddress }: Request) =>
  [Option.getOrElse(remoteAddress, () => ""), headers["x-forwarded-for"]] as const

/** Returns the key by which the client of a request is counted. */
export const clientKeyOf = (request: Request): string => clientKey(...partsOf(request))

/** Returns the address of a request's client for people; "unknown" if the service does not know it. */
export const clientAddressOf = (request: Request): string =>
  findClient(...partsOf(request))?.toString() ?? "unknown"
