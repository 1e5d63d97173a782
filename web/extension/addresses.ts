import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"

/** Why a page cannot be saved; each is a text of `_locales`. */
export type Refusal =
  | "blockedBrowser"
  | "blockedFile"
  | "blockedData"
  | "blockedScript"
  | "blockedSource"
  | "blockedExtension"
  | "blockedOwn"
  | "blockedOther"

/** The first that fits counts. */
const schemes: ReadonlyArray<readonly [RegExp, Refusal]> = [
  [/^(\w+-)?extension:/, "blockedExtension"],
  [/^(about|brave|chrome(-\w+)?|devtools|edge|resource):/, "blockedBrowser"],
  [/^file:/, "blockedFile"],
  [/^(blob|data):/, "blockedData"],
  [/^javascript:/, "blockedScript"],
  [/^view-source:/, "blockedSource"]
]

/** The page behind Firefox's reader view; any other address as it is. */
export const unwrapped = (address: string): string =>
  address.startsWith("about:reader?") ? (URL.parse(address)?.searchParams.get("url") ?? address) : address

const isBelow = (page: URL, service: string): boolean => {
  const own = URL.parse(service)
  return (
    own !== null &&
    own.origin === page.origin &&
    `${page.pathname}/`.startsWith(`${own.pathname}/`.replace("//", "/"))
  )
}

/** Why the address cannot be saved, or undefined where it can; `services` are the library's own addresses. */
export const refusalOf = (
  address: string | undefined,
  services: ReadonlyArray<string>
): Refusal | undefined => {
  // A page that the browser guards has no address for an extension.
  if (address === undefined || address === "") return "blockedBrowser"
  const url = URL.parse(unwrapped(address))
  if (url === null) return "blockedOther"
  if (!/^https?:$/.test(url.protocol))
    return schemes.find(([scheme]) => scheme.test(url.protocol))?.[1] ?? "blockedOther"
  return services.some((service) => isBelow(url, service)) ? "blockedOwn" : undefined
}

/** The identity of a page for the mark of what was saved from here: the library's own, for its address. */
export const identityOf = (address: string): string => {
  const url = URL.parse(address)
  return url === null ? address : normalizeUrl(url)
}

/** Hosts of a home or an office, where a certificate is hard to come by: private addresses and names. */
const privateHost =
  /^(localhost|[^.:[\]]+|.+\.(localhost|local|lan|internal|home\.arpa)|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|169\.254(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}|\[::1\]|\[f[cd][\da-f]{2}:.*\]|\[fe[89ab][\da-f]:.*\])$/

/** What is wrong with a service's address; each is a text of `_locales`. */
export type AddressProblem = "addressMissing" | "addressBroken" | "addressInsecure"

/** An address that was read, or what is wrong with it. */
export type ReadAddress = { readonly address: string } | { readonly problem: AddressProblem }

/**
 * The service's address as it is kept, without a slash at the end: https, or http in a private network.
 *
 * A bare host gets https, and the address of the dashboard or of the capture endpoint is taken for its service's.
 */
export const readAddress = (text: string): ReadAddress => {
  const typed = text.trim()
  if (typed === "") return { problem: "addressMissing" }
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  // A star would stand for every host where the browser is asked for leave to reach it.
  const isBroken = url === null || !/^https?:$/.test(url.protocol) || url.username !== ""
  if (isBroken || /[\s*]/.test(typed)) return { problem: "addressBroken" }
  if (url.protocol === "http:" && !privateHost.test(url.hostname)) return { problem: "addressInsecure" }
  const path = url.pathname.replace(/\/(dashboard|capture)(\/.*)?$/, "").replace(/\/+$/, "")
  return { address: url.origin + path }
}

/** What the extension asks to reach: the one host. Firefox allows no port in it, and without one every port is meant. */
export const originPattern = (address: string): string => {
  const { hostname, protocol } = new URL(address)
  return `${protocol}//${hostname}/*`
}
