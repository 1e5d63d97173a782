import { isIP } from "node:net"
import { Context, Effect, Layer } from "effect"
import ipaddr from "ipaddr.js"
import { isMulticastName, type Names, names, systemLookUp } from "../../runtime/Names.ts"

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

/** How many names are looked up at once; more wait. One that hangs costs a few kilobytes for some seconds. */
const AT_ONCE = 512
/** How long a caller waits for a look-up, its turn included. */
const PATIENCE = "5 seconds"

/** Turns a host name into addresses. */
export class Resolver extends Context.Tag("Resolver")<
  Resolver,
  {
    /**
     * Every address of the name; none where it has none, or no answer came within five seconds. `trusted`: the owner has
     * listed the host, so that names which only this machine or its network knows are looked up too.
     */
    readonly lookup: (name: string, trusted: boolean) => Effect.Effect<ReadonlyArray<string>>
  }
>() {
  /**
   * A resolver over these sources of names. A stranger's name goes to the hosts file and the DNS alone, where a look-up
   * that hangs costs nothing. `system` may occupy a pool thread for minutes, so it runs one look-up at a time.
   */
  static readonly over = (sources: Names, system: typeof systemLookUp = systemLookUp) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const turns = yield* Effect.makeSemaphore(AT_ONCE)
        const systemTurn = yield* Effect.makeSemaphore(1)

        // Nothing cancels the system's look-up: it keeps its turn until it ends, even if its caller has stopped waiting.
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
              Effect.flatMap((asking) => restore(asking.await)),
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
          lookup: Effect.fn("Resolver.lookup")((name, trusted) =>
            Effect.timeoutTo(ask(name, trusted), {
              duration: PATIENCE,
              onSuccess: (addresses) => addresses,
              onTimeout: () => []
            })
          )
        }
      })
    )

  /** The machine's own names. */
  static readonly layer = this.over(names)
}
