import { Cookies } from "@effect/platform"
import type { Duration } from "effect"
import type { BrowserChannel } from "./BrowserChannel.ts"
import type { Request } from "./Verifier.ts"

/** How a connection protects a cookie that it may carry. */
export type Secure = Exclude<BrowserChannel, "exposed">

export const SESSION = "linkbower_session"

/** Over HTTPS `__Host-…`, which no other host and no plain connection can plant (RFC 6265bis, 4.1.3). */
export const cookieName = (name: string, channel: Secure): string =>
  channel === "https" ? `__Host-${name}` : name

/** The secret of a cookie: 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/

/** Undefined for other text and for two cookies of the name: another site of the domain may have set the second. */
export const cookieSecret = ({ headers }: Request, name: string): string | undefined => {
  const prefix = `${name}=`
  const [value, other] = (headers["cookie"] ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const secret = value?.slice(prefix.length)
  return other === undefined && secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** Makes a cookie that scripts cannot read, and that a browser sends only to this host and not in requests of others. */
export const makeCookie = (
  name: string,
  secret: string,
  channel: Secure,
  maxAge: Duration.DurationInput
): Cookies.Cookie =>
  Cookies.unsafeMakeCookie(cookieName(name, channel), secret, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: channel === "https",
    maxAge
  })

export const makeExpiredCookie = (name: string, channel: Secure): Cookies.Cookie =>
  makeCookie(name, "", channel, 0)
