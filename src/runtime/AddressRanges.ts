import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

type Address = ReturnType<typeof ipaddr.process>

/** A range of IP addresses: one of them, and how many leading bits all have in common. */
export interface AddressRange {
  readonly address: Address
  readonly bits: number
}

/** The bits before the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2). */
const MAPPED_BITS = 96

/**
 * Parses an IP address, or a range in CIDR notation (RFC 4632), such as `10.0.0.0/8`. A range of IPv4-mapped addresses
 * becomes one of IPv4 addresses. Returns undefined for anything else, and for a range of all addresses.
 */
export const parseRange = (text: string): AddressRange | undefined => {
  const [, host = "", width] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(host)
  if (version === 0) return undefined
  const address = ipaddr.process(host)
  const given = width === undefined ? (version === 4 ? 32 : 128) : Number(width)
  const isMapped = version === 6 && address.kind() === "ipv4"
  const bits = isMapped ? given - MAPPED_BITS : given
  return bits > 0 && bits <= (address.kind() === "ipv4" ? 32 : 128) ? { address, bits } : undefined
}

/** Whether an IP address is in one of the ranges. An IPv4-mapped IPv6 address is the IPv4 address. */
export const isInRanges = (address: string, ranges: ReadonlyArray<AddressRange>): boolean => {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return ranges.some(
    ({ address: start, bits }) => start.kind() === parsed.kind() && parsed.match(start, bits)
  )
}
