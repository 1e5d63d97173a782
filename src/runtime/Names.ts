import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { liveFile } from "./LiveFile.ts"

/**
 * How a look-up ended: with the name's addresses (IPv4 and IPv6 by turns, IPv4 first), with the answer that it has none
 * (`unknown`), without a name server that could be asked (`unreachable`), or without an answer in time (`silent`).
 */
export type LookUp =
  | { readonly state: "found"; readonly addresses: ReadonlyArray<string> }
  | { readonly state: "unknown" | "unreachable" | "silent" }

/** Where names are looked up. */
interface NameSources {
  /** Name servers (`address` or `address:port`); undefined: those that resolv.conf names at the moment. */
  readonly servers?: ReadonlyArray<string>
  readonly hostsFile?: string
  /** Whether requests go through a proxy, which looks names up itself, unless they switch that off (`proxy: false`). */
  readonly proxied?: boolean
}

/** Look-ups of names that occupy no thread. */
export interface Names {
  /** Ends within four seconds, and at once when `signal` is aborted. Never rejects. */
  readonly lookUp: (name: string, signal?: AbortSignal | null) => Promise<LookUp>
  /** `fetch` for a host that the owner has named; rejects at once where the look-up of its name does not end. */
  readonly fetch: typeof fetch
}

/**
 * How often a name server is asked, and how long the first answer is waited for, in milliseconds. c-ares doubles that wait
 * with each try, and begins with as little as a quarter of a second where answers have been quick.
 */
const TRIES = 4
const TRY = 1_000
/** The longest look-up, in milliseconds. */
const LONGEST = 4_000
/** How much longer the addresses of one family are waited for when the others are there, in milliseconds. */
const OTHER_FAMILY = 300

const silent: LookUp = { state: "silent" }

/** RFC 6761 (6.3): such a name never leaves the machine. */
const isLocalhost = (name: string) => name === "localhost" || name.endsWith(".localhost")

/** Whether a name is looked up by multicast on the local network and not in the DNS (RFC 6762, 3). */
export const isMulticastName = (name: string): boolean => /\.local\.?$/i.test(name)

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const failure = (error: unknown): LookUp => {
  const code = codeOf(error)
  if (/^(DNS_)?(ETIMEOUT|ECANCELLED)$/.test(code)) return silent
  return { state: /^(DNS_)?ECONNREFUSED$/.test(code) ? "unreachable" : "unknown" }
}

const answered = (asked: Promise<ReadonlyArray<string>>): Promise<LookUp> =>
  asked.then(
    (addresses) => (addresses.length > 0 ? { state: "found", addresses } : { state: "unknown" }),
    failure
  )

/** One of each in turn: where one family cannot be reached, the other one is among the first two. */
const byTurns = (one: LookUp, other: LookUp): LookUp => {
  const four = one.state === "found" ? one.addresses : []
  const six = other.state === "found" ? other.addresses : []
  const most = Math.max(four.length, six.length)
  const addresses = Array.from({ length: most }, (_, at) => [four[at], six[at]]).flat()
  return { state: "found", addresses: addresses.filter((address) => address !== undefined) }
}

const joined = (four: LookUp, six: LookUp): LookUp => {
  if (four.state === "found" || six.state === "found") return byTurns(four, six)
  // One family that is not answered may be the one that the name has.
  if (four.state === "silent" || six.state === "silent") return silent
  return four.state === "unreachable" ? four : six
}

/** The addresses that a hosts file (hosts(5)) gives a name. */
const inHosts = (text: string, name: string): ReadonlyArray<string> =>
  // Lists of blocked hosts have a hundred thousand lines: few of them are taken apart.
  text.includes(name)
    ? text.split("\n").flatMap((line) => {
        const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/)
        return names.includes(name) ? [address] : []
      })
    : []

/**
 * Looks names up in the hosts file and the DNS by asynchronous queries.
 *
 * The system's own look-up (getaddrinfo) occupies one of the runtime's few pool threads for as long as a name server is
 * silent, and file reads, WebCrypto and every other look-up queue behind it.
 */
export const makeNames = ({
  hostsFile = "/etc/hosts",
  proxied = false,
  servers
}: NameSources = {}): Names => {
  const hosts = liveFile(hostsFile, (text) => text.toLowerCase())

  // One for all questions, which share its socket; another one once resolv.conf has changed.
  const configuration = liveFile("/etc/resolv.conf", (text) => text)
  let configured: string | undefined
  let resolver = new Resolver({ timeout: TRY, tries: TRIES })
  const current = () => {
    const file = configuration()
    const now = file.state === "read" ? file.value : ""
    if (now !== configured) {
      configured = now
      resolver = new Resolver({ timeout: TRY, tries: TRIES })
      if (servers !== undefined) resolver.setServers([...servers])
    }
    return resolver
  }

  const ask = async (name: string, signal: AbortSignal | null | undefined): Promise<LookUp> => {
    const asking = current()
    const families = [answered(asking.resolve4(name)), answered(asking.resolve6(name))] as const
    const { promise: given, resolve: giveUp } = Promise.withResolvers<LookUp>()
    const end = () => giveUp(silent)
    let timer = setTimeout(end, LONGEST)
    signal?.addEventListener("abort", end, { once: true })
    const first = await Promise.race([...families, given])
    if (first.state === "found") {
      clearTimeout(timer)
      timer = setTimeout(end, OTHER_FAMILY)
    }
    const both = families.map((family) => Promise.race([family, given]))
    const [four = silent, six = silent] = await Promise.all(both)
    clearTimeout(timer)
    signal?.removeEventListener("abort", end)
    return joined(four, six)
  }

  const lookUp = async (given: string, signal?: AbortSignal | null): Promise<LookUp> => {
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
    // What the DNS does not know, the system may: its look-up ends where the name servers answer.
    if (!isAddress && !isMulticastName(hostname) && (!proxied || init?.proxy === false)) {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
      if ((await lookUp(hostname, signal)).state === "silent") throw new TypeError("No name server answers.")
    }
    return fetch(input, init)
  }
  return { lookUp, fetch: Object.assign(guarded, { preconnect: fetch.preconnect }) }
}

/** The system's own look-up, which knows every source of names (nsswitch.conf) and may occupy a pool thread for minutes. */
export const systemLookUp = async (name: string): Promise<ReadonlyArray<string>> =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)

/** The names of this machine, for requests that go through no proxy. */
export const names: Names = makeNames()
