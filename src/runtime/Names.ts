import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { codeOf, makeFileReader } from "./LiveFile.ts"

/**
 * The result of a DNS lookup: the addresses (IPv4 and IPv6 alternating, IPv4 first), `unknown` if the name has none,
 * `unreachable` if no name server could be reached, or `silent` if none answered in time.
 */
export type DnsResult =
  | { readonly state: "found"; readonly addresses: ReadonlyArray<string> }
  | { readonly state: "unknown" | "unreachable" | "silent" }

/** Where to look up names. */
interface NameSources {
  /** Name servers (`address` or `address:port`); by default those currently in resolv.conf. */
  readonly servers?: ReadonlyArray<string>
  readonly hostsFile?: string
  /** Whether requests go through a proxy, which resolves names itself; `proxy: false` disables it for a request. */
  readonly proxied?: boolean
}

/** DNS lookups that do not block a thread. */
export interface Names {
  /** Finishes within 4.3 seconds, and at once when `signal` is aborted. Never rejects. */
  readonly lookUp: (name: string, signal?: AbortSignal | null) => Promise<DnsResult>
  /** `fetch` for a host that the owner configured; rejects if the DNS lookup of its name times out. */
  readonly fetch: typeof fetch
}

/**
 * How often to query a name server, and the timeout of the first query in milliseconds. c-ares doubles the timeout with
 * each retry, and starts as low as 250 ms where answers have been quick.
 */
const TRIES = 4
const FIRST_TIMEOUT = 1_000
/** The lookup timeout, in milliseconds. */
const LOOKUP_TIMEOUT = 4_000
/** How much longer to wait for the second address family once the first has answered, in milliseconds. */
const SECOND_FAMILY_TIMEOUT = 300

const silent: DnsResult = { state: "silent" }

/** Whether the name is a localhost name, which is never sent to the DNS (RFC 6761, 6.3). */
const isLocalhost = (name: string) => name === "localhost" || name.endsWith(".localhost")

/** Whether a name is resolved by multicast on the local network instead of the DNS (RFC 6762, 3). */
export const isMulticastName = (name: string): boolean => /\.local\.?$/i.test(name)

const failure = (error: unknown): DnsResult => {
  const code = codeOf(error)
  if (/^(DNS_)?(ETIMEOUT|ECANCELLED)$/.test(code)) return silent
  return { state: /^(DNS_)?ECONNREFUSED$/.test(code) ? "unreachable" : "unknown" }
}

const answered = (asked: Promise<ReadonlyArray<string>>): Promise<DnsResult> =>
  asked.then(
    (addresses) => (addresses.length > 0 ? { state: "found", addresses } : { state: "unknown" }),
    failure
  )

/** Interleaves the two families, so that if one is unreachable, an address of the other is among the first two. */
const interleaved = (one: DnsResult, other: DnsResult): DnsResult => {
  const four = one.state === "found" ? one.addresses : []
  const six = other.state === "found" ? other.addresses : []
  const most = Math.max(four.length, six.length)
  const addresses = Array.from({ length: most }, (_, at) => [four[at], six[at]]).flat()
  return { state: "found", addresses: addresses.filter((address) => address !== undefined) }
}

const joined = (four: DnsResult, six: DnsResult): DnsResult => {
  if (four.state === "found" || six.state === "found") return interleaved(four, six)
  // The name may have addresses only in the family that did not answer.
  if (four.state === "silent" || six.state === "silent") return silent
  return four.state === "unreachable" ? four : six
}

/** Returns the addresses that a hosts file (hosts(5)) assigns to a name. */
const inHosts = (text: string, name: string): ReadonlyArray<string> =>
  // Block lists have a hundred thousand lines: split the text only if it contains the name.
  text.includes(name)
    ? text.split("\n").flatMap((line) => {
        const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/)
        return names.includes(name) ? [address] : []
      })
    : []

/**
 * Makes a resolver that uses the hosts file and asynchronous DNS queries.
 *
 * The system's own lookup (getaddrinfo) occupies one of the runtime's few pool threads for as long as a name server is
 * silent, and file reads, WebCrypto and every other lookup queue behind it.
 */
export const makeDnsResolver = ({
  hostsFile = "/etc/hosts",
  proxied = false,
  servers
}: NameSources = {}): Names => {
  const hosts = makeFileReader(hostsFile, (text) => text.toLowerCase())

  // One resolver for all queries, which share its socket; replaced when resolv.conf changes.
  const configuration = makeFileReader("/etc/resolv.conf", (text) => text)
  let configured: string | undefined
  let resolver = new Resolver({ timeout: FIRST_TIMEOUT, tries: TRIES })
  const current = () => {
    const file = configuration()
    const now = file.state === "read" ? file.value : ""
    if (now !== configured) {
      configured = now
      resolver = new Resolver({ timeout: FIRST_TIMEOUT, tries: TRIES })
      if (servers !== undefined) resolver.setServers([...servers])
    }
    return resolver
  }

  const ask = async (name: string, signal: AbortSignal | null | undefined): Promise<DnsResult> => {
    const asking = current()
    const families = [answered(asking.resolve4(name)), answered(asking.resolve6(name))] as const
    const { promise: timedOut, resolve: settle } = Promise.withResolvers<DnsResult>()
    const end = () => settle(silent)
    let timer = setTimeout(end, LOOKUP_TIMEOUT)
    signal?.addEventListener("abort", end, { once: true })
    const first = await Promise.race([...families, timedOut])
    if (first.state === "found") {
      clearTimeout(timer)
      timer = setTimeout(end, SECOND_FAMILY_TIMEOUT)
    }
    const both = families.map((family) => Promise.race([family, timedOut]))
    const [four = silent, six = silent] = await Promise.all(both)
    clearTimeout(timer)
    signal?.removeEventListener("abort", end)
    return joined(four, six)
  }

  const lookUp = async (given: string, signal?: AbortSignal | null): Promise<DnsResult> => {
    const name = given.toLowerCase().replace(/\.$/, "")
    const file = hosts()
    const known = file.state === "read" ? inHosts(file.value, name) : []
    if (known.length > 0) return { state: "found", addresses: known }
    if (isLocalhost(name)) return { state: "found", addresses: ["127.0.0.1", "::1"] }
    return signal?.aborted ? silent : ask(name, signal)
  }

  const guarded = async (input: string | URL | Request, init?: BunFetchRequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    const isAddress = isIP(hostname) !== 0 || hostname.startsWith("[")
    // If the DNS does not know the name, the system may. Its lookup returns quickly when the name servers answer.
    if (!isAddress && !isMulticastName(hostname) && (!proxied || init?.proxy === false)) {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
      if ((await lookUp(hostname, signal)).state === "silent") throw new TypeError("No name server answers.")
    }
    return fetch(input, init)
  }
  return { lookUp, fetch: Object.assign(guarded, { preconnect: fetch.preconnect }) }
}

/**
 * Resolves a name with the system's lookup, which uses every source of names (nsswitch.conf) and may block a pool
 * thread for minutes.
 */
export const systemLookUp = async (name: string): Promise<ReadonlyArray<string>> =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)

/** The resolver of this machine, for requests without a proxy. */
export const dnsResolver: Names = makeDnsResolver()
