import { Cookie } from "bun"
import { registeredDomain } from "../../shared/WebAddress.ts"

/** Maximum cookies kept, and maximum length of one and of all that a request sends, in UTF-16 units. */
const MAX_COOKIES = 50
const MAX_COOKIE = 4_096
const MAX_SENT = 8_192

export interface Cookies {
  readonly take: (url: URL, headers: Headers) => void
  /** Undefined if no cookie is for `url`. */
  readonly headerFor: (url: URL) => string | undefined
}

interface Kept {
  readonly cookie: Cookie
  readonly host: string
  readonly isDomain: boolean
  readonly path: string
}

const parsed = (written: string): Cookie | undefined => {
  try {
    return Cookie.parse(written)
  } catch {
    return undefined
  }
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** The path of a cookie that states none (RFC 6265, 5.1.4). */
const defaultPath = ({ pathname }: URL) => pathname.slice(0, pathname.lastIndexOf("/")) || "/"

const isOnPath = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`)

/** The cookies of one fetch: many sites redirect in circles until these return. */
export const makeCookies = (): Cookies => {
  const kept = new Map<string, Kept>()

  const takeOne = (url: URL, written: string) => {
    const cookie = written.length > MAX_COOKIE ? undefined : parsed(written)
    if (cookie === undefined || !/^[!-~]+=[ -~]*$/.test(`${cookie.name}=${cookie.value}`)) return
    const domain = cookie.domain?.replace(/^\./, "").toLowerCase() || undefined
    const isForeign =
      domain !== undefined &&
      !(isWithin(url.hostname, domain) && isWithin(domain, registeredDomain(url.hostname)))
    if (isForeign || (cookie.secure && url.protocol !== "https:")) return
    const host = domain ?? url.hostname
    // The parser gives "/" where no path is stated.
    const path = /;\s*path\s*=\s*\//i.test(written) ? cookie.path : defaultPath(url)
    const key = JSON.stringify([host, domain !== undefined, path, cookie.name])
    kept.delete(key)
    if (!cookie.isExpired() && kept.size < MAX_COOKIES)
      kept.set(key, { cookie, host, isDomain: domain !== undefined, path })
  }

  return {
    take: (url, headers) => {
      for (const written of headers.getSetCookie().slice(0, MAX_COOKIES)) takeOne(url, written)
    },
    headerFor: ({ hostname, pathname, protocol }) => {
      let header = ""
      for (const { cookie, host, isDomain, path } of kept.values()) {
        const isFor = isDomain ? isWithin(hostname, host) : hostname === host
        if (!isFor || !isOnPath(pathname, path) || (cookie.secure && protocol !== "https:")) continue
        const pair = `${cookie.name}=${cookie.value}`
        if (header.length + pair.length <= MAX_SENT) header += header === "" ? pair : `; ${pair}`
      }
      return header === "" ? undefined : header
    }
  }
}
