import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { isPrivateAddress } from "./ClientAddress.ts"
import { parseHost, type RequestHost } from "./RequestHost.ts"
import type { Request } from "./Verifier.ts"

/** `private` is plain HTTP on this machine or a private network; `exposed`, to any other host. */
export type BrowserChannel = "https" | "private" | "exposed"

/** Domains of private networks (RFC 6762, 8375 and ICANN's `internal`), and names that only a local resolver knows. */
const PRIVATE_NAME = /^[^.]+$|\.(local|lan|home\.arpa|internal|localhost)$/

/** Whether a host is this machine, or an address or a name of private networks, which no public name server knows. */
export const isPrivateHost = ({ isAddress, name }: RequestHost) =>
  isLoopback(name) || (isAddress ? isPrivateAddress(name) : PRIVATE_NAME.test(name))

/** Whether requests to an address are protected from others on the way: https, or http in a private network. */
export const isConfidential = (url: URL): boolean => {
  if (url.protocol === "https:") return true
  const host = parseHost(url.host)
  return url.protocol === "http:" && host !== undefined && isPrivateHost(host)
}

const isPublishedOverHttps = (host: RequestHost) =>
  Effect.match(Setting.publicUrl.config, {
    onFailure: () => false,
    onSuccess: Option.exists((text) => {
      const url = URL.parse(text)
      return url?.protocol === "https:" && parseHost(url.host)?.name === host.name
    })
  })

/** A proxy that ends TLS says so in X-Forwarded-Proto, or PUBLIC_URL is https; a forger only loses its own cookie. */
export const browserChannel = ({ headers }: Request): Effect.Effect<BrowserChannel> => {
  const host = parseHost(headers["host"] ?? "")
  if (host === undefined) return Effect.succeed("exposed")
  const [scheme] = (headers["x-forwarded-proto"] ?? "").toLowerCase().split(",")
  if (scheme?.trim() === "https") return Effect.succeed("https")
  const plain = isPrivateHost(host) ? "private" : "exposed"
  if (scheme?.trim() === "http") return Effect.succeed(plain)
  return Effect.map(isPublishedOverHttps(host), (is) => (is ? "https" : plain))
}
