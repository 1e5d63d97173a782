import { type Handover, readHandoverLink } from "../../src/shared/Handover.ts"

/** The reason why a page cannot be saved; each is the name of a text in `_locales`. */
export type Refusal =
  | "blockedBrowser"
  | "blockedFile"
  | "blockedData"
  | "blockedScript"
  | "blockedSource"
  | "blockedExtension"
  | "blockedOwn"
  | "blockedHandover"
  | "blockedOther"

/** The first pattern that matches decides. */
const schemes: ReadonlyArray<readonly [RegExp, Refusal]> = [
  [/^(\w+-)?extension:/, "blockedExtension"],
  [/^(about|brave|chrome(-\w+)?|devtools|edge|resource):/, "blockedBrowser"],
  [/^file:/, "blockedFile"],
  [/^(blob|data):/, "blockedData"],
  [/^javascript:/, "blockedScript"],
  [/^view-source:/, "blockedSource"]
]

/** Returns the page behind Firefox's reader view; any other address is unchanged. */
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

/** Why the address cannot be saved; undefined if it can. `services` are the library's own addresses. */
export const refusalOf = (
  address: string | undefined,
  services: ReadonlyArray<string>
): Refusal | undefined => {
  // Browsers hide the address of a protected page from extensions.
  if (address === undefined || address === "") return "blockedBrowser"
  const url = URL.parse(unwrapped(address))
  if (url === null) return "blockedOther"
  if (!/^https?:$/.test(url.protocol))
    return schemes.find(([scheme]) => scheme.test(url.protocol))?.[1] ?? "blockedOther"
  // The link holds a token, which must reach no library.
  if (readHandoverLink(url.href) !== undefined) return "blockedHandover"
  return services.some((service) => isBelow(url, service)) ? "blockedOwn" : undefined
}

/** The host of a service, as the user is asked about it: international names in their ASCII form. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? address

/** Private host names and addresses of a home or an office, where certificates are hard to get. */
const privateHost =
  /^(localhost|[^.:[\]]+|.+\.(localhost|local|lan|internal|home\.arpa)|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|169\.254(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}|\[::1\]|\[f[cd][\da-f]{2}:.*\]|\[fe[89ab][\da-f]:.*\])$/

/** What is wrong with a service's address; each is the name of a text in `_locales`. */
export type AddressProblem = "addressMissing" | "addressBroken" | "addressInsecure"

/** A parsed address, or what is wrong with it. */
export type ReadAddress = { readonly address: string } | { readonly problem: AddressProblem }

/**
 * Parses the service's address, without a trailing slash: https, or http in a private network.
 *
 * A bare host gets https, and an address of the dashboard or the capture endpoint is cut to the service's address.
 */
export const readAddress = (text: string): ReadAddress => {
  const typed = text.trim()
  if (typed === "") return { problem: "addressMissing" }
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  // In a permission request, a star would mean every host.
  const isBroken = url === null || !/^https?:$/.test(url.protocol) || url.username !== ""
  if (isBroken || /[\s*]/.test(typed)) return { problem: "addressBroken" }
  if (url.protocol === "http:" && !privateHost.test(url.hostname)) return { problem: "addressInsecure" }
  const path = url.pathname.replace(/\/(dashboard|capture)(\/.*)?$/, "").replace(/\/+$/, "")
  return { address: url.origin + path }
}

/** Reads a handover link; names the problem if the text is not one, or if its address may not be used. */
export const readHandover = (
  link: string
): Handover | { readonly problem: AddressProblem | "linkBroken" } => {
  const handover = readHandoverLink(link)
  if (handover === undefined) return { problem: "linkBroken" }
  const read = readAddress(handover.address)
  return "problem" in read ? read : { ...read, token: handover.token }
}

/** The host permission that the extension requests. Firefox allows no port in it; without one it covers every port. */
export const originPattern = (address: string): string => {
  const { hostname, protocol } = new URL(address)
  return `${protocol}//${hostname}/*`
}
