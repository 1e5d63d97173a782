import { Effect, Option } from "effect"
import ipaddr from "ipaddr.js"
import { Setting } from "../config/Configuration.ts"
import { type AddressRange, isInRanges } from "../runtime/AddressRanges.ts"
import type { Request } from "./Verifier.ts"

const localRanges: ReadonlySet<string> = new Set([
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

export const isPrivateAddress = (address: string): boolean => {
  const parsed = parse(address)
  return parsed !== undefined && localRanges.has(parsed.range())
}

/** An IPv4 address, or the /64 network of an IPv6 address, which belongs to one subscriber. */
const keyOf = (address: Address | undefined): string => {
  if (address === undefined) return "unknown"
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".")
}

/** Who sent a request, as far as its connection and the forwarders on its way show. */
export interface Client {
  readonly key: string
  /** Its address for people; "unknown" if the service does not know it. */
  readonly address: string
  /** Whether it is a machine of the local network that says that it forwards for another, and is no named forwarder. */
  readonly isUnnamedProxy: boolean
  /** Behind an unnamed proxy the claimed address: one visitor does not use up all; who invents some gains only speed. */
  readonly visitorKey: string
}

/** Each of the `forwarders` tells the address before it; those before the first other machine are unverified claims. */
export const clientBehind = (
  peer: string,
  forwarded: string | undefined,
  forwarders: ReadonlyArray<AddressRange>
): Client => {
  const hops = [...(forwarded?.split(",") ?? []), peer].map(parse).reverse()
  const isForwarder = (hop: Address | undefined) =>
    hop !== undefined && isInRanges(hop.toString(), forwarders)
  let at = 0
  while (isForwarder(hops[at]) && hops[at + 1] !== undefined) at++
  const client = hops[at]
  const claimed = hops[1]
  const isUnnamedProxy =
    client !== undefined && at === 0 && claimed !== undefined && localRanges.has(client.range())
  return {
    key: keyOf(client),
    address: client?.toString() ?? "unknown",
    isUnnamedProxy,
    visitorKey: keyOf(isUnnamedProxy ? claimed : client)
  }
}

const forwarders = Effect.match(Setting.trustedForwarders.config, {
  onFailure: (): ReadonlyArray<AddressRange> => [],
  onSuccess: Option.getOrElse((): ReadonlyArray<AddressRange> => [])
})

export const clientOf = ({ headers, remoteAddress }: Request): Effect.Effect<Client> => {
  const forwarded = headers["x-forwarded-for"]
  // Without the header, no setting matters: reading one costs more than the rest.
  return Effect.map(forwarded === undefined ? Effect.succeed([]) : forwarders, (named) =>
    clientBehind(
      Option.getOrElse(remoteAddress, () => ""),
      forwarded,
      named
    )
  )
}
