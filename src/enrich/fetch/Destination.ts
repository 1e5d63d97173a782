import { isIP } from "node:net"
import { Context, Effect, Layer } from "effect"
import ipaddr from "ipaddr.js"
import { FETCH_ALLOW_ENTRY } from "../../config/Configuration.ts"
import { dnsResolver, isMulticastName, type Names, systemLookUp } from "../../runtime/Names.ts"

/** Addresses in public ranges that some clouds use for their own metadata and name servers. */
const notPublic = new Set(["168.63.129.16"])

/** Ranges inside the global unicast space (2000::/3) that lead elsewhere or nowhere (RFC 6890 and its registries). */
const notGlobal: ReadonlyArray<[ipaddr.IPv6, number]> = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "2620:4f:8000::/48"
].map((range) => ipaddr.IPv6.parseCIDR(range))
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** False for private, loopback, link-local, shared, mapped, translated, tunnelled and invalid addresses. */
export const isPublic = (address: string): boolean => {
  if (address.includes("%") || isIP(address) === 0) return false
  const ip = ipaddr.parse(address)
  if (ip instanceof ipaddr.IPv4) return ip.range() === "unicast" && !notPublic.has(ip.toString())
  return ip.range() === "unicast" && ip.match(globalUnicast) && !notGlobal.some((range) => ip.match(range))
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

export const portOf = (url: URL): string => url.port || (defaultPorts[url.protocol] ?? "")

const isDefaultPort = (port: string) => port === "80" || port === "443"

/**
 * `allow` is FETCH_ALLOW: comma-separated `host[:port]`, by default ports 80 and 443; invalid entries allow nothing.
 */
export const isAllowed = (url: URL, allow: string): boolean =>
  allow.split(",").some((entry) => {
    const [, host, port] = FETCH_ALLOW_ENTRY.exec(entry.trim()) ?? []
    const named = host === undefined ? null : URL.parse(`http://${host}${port ?? ""}/`)
    if (named?.hostname !== url.hostname) return false
    return port === undefined ? isDefaultPort(portOf(url)) : portOf(named) === portOf(url)
  })

/** Whether a fetch may start: an HTTP(S) URL without credentials, on port 80 or 443 unless it is `allowed`. */
export const isFetchable = (url: URL, allowed: boolean): boolean =>
  /^https?:$/.test(url.protocol) &&
  url.username === "" &&
  url.password === "" &&
  url.hostname !== "" &&
  (allowed || isDefaultPort(portOf(url)))

export const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return isIP(host) === 0 ? undefined : host
}

const MAX_LOOKUPS = 512
const LOOKUP_TIMEOUT = "5 seconds"

/** Untrusted names ask the hosts file and DNS alone, where nothing holds a thread; `system` runs one at a time. */
const make = Effect.fnUntraced(function* (sources: Names, system: typeof systemLookUp = systemLookUp) {
  const scope = yield* Effect.scope
  const turns = yield* Effect.makeSemaphore(MAX_LOOKUPS)
  const systemTurn = yield* Effect.makeSemaphore(1)

  // A system lookup cannot be cancelled: it holds its turn until it ends, even after its caller has timed out.
  const askSystem = (name: string) =>
    Effect.uninterruptibleMask((restore) =>
      restore(systemTurn.take(1)).pipe(
        Effect.zipRight(
          Effect.promise(() => system(name).catch(() => [])).pipe(
            Effect.interruptible,
            Effect.ensuring(systemTurn.release(1)),
            Effect.forkIn(scope)
          )
        ),
        Effect.flatMap((fiber) => restore(fiber.await)),
        Effect.flatten
      )
    )

  const ask = Effect.fnUntraced(function* (name: string, trusted: boolean) {
    if (trusted && isMulticastName(name)) return yield* askSystem(name)
    const found = yield* turns.withPermits(1)(Effect.promise((signal) => sources.lookUp(name, signal)))
    if (found.state === "found") return found.addresses
    return trusted || found.state === "unreachable" ? yield* askSystem(name) : []
  })

  return {
    /** Returns no address for an unknown name. A `trusted` name is a listed host, and may be one of this network. */
    lookup: Effect.fn("Resolver.lookup")((name: string, trusted: boolean) =>
      Effect.timeoutTo(ask(name, trusted), {
        duration: LOOKUP_TIMEOUT,
        onSuccess: (addresses) => addresses,
        onTimeout: () => []
      })
    )
  }
})

export class Resolver extends Context.Tag("Resolver")<
  Resolver,
  Effect.Effect.Success<ReturnType<typeof make>>
>() {
  static readonly over = (...given: Parameters<typeof make>) => Layer.scoped(Resolver, make(...given))

  static readonly layer = Resolver.over(dnsResolver)
}
