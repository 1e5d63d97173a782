import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { parseHost, type RequestHost } from "../gates/RequestHost.ts"
import { isLoopback } from "../runtime/AddressRanges.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { BadRequest, Forbidden, TooLarge } from "./api/Failures.ts"
import { declaredLength, MAX_OPEN_BODY } from "./Body.ts"
import { groupOf, pathOf, type RouteGroup, refusedGroup } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * Matches a path that every parser reads alike: no empty or dot segment, and only characters that need no encoding in a
 * path (RFC 3986, 3.3, and `|`, `[`, `]`, which browsers send unencoded). Excludes `;`, because the router ends the
 * path there.
 */
const PLAIN = /^\/(?:(?!\.{1,2}(?:\/|$))[\w\-.~!$&'()*+,=:@|[\]]+(?:\/(?!\/)|$))*$/

const ENCODED = /%[0-9a-f]{2}/gi

/** Encoded bytes with a plain spelling (RFC 3986, 2.3), slashes, backslashes and control characters. */
const MISENCODED = /%(?:[01][0-9a-f]|2[def]|3[0-9]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i

const isUtf8 = (encoded: string) => {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(encoded))
  } catch {
    return false
  }
}

/**
 * Whether a path is in the canonical form, the only one that the service accepts.
 *
 * Routes, gates and headers are chosen by the path, here and in any proxy in front of the service: a second spelling of
 * a path could bypass those that know only the first.
 */
export const isCanonical = (path: string): boolean =>
  path.includes("%")
    ? !MISENCODED.test(path) && isUtf8(path) && PLAIN.test(path.replace(ENCODED, "~"))
    : PLAIN.test(path)

const badPath =
  "The path must be in canonical form: without empty segments, dot segments or unnecessary percent-encoding."
const badHost = "The request must have one Host header, with a host name or an IP address."

/** The decision about a request: admitted, or refused with a reason. */
interface Entrance {
  /** The group of the request, which determines the headers even if the request is refused. */
  readonly group: RouteGroup
  readonly host: RequestHost | undefined
  readonly refusal: BadRequest | Forbidden | TooLarge | undefined
}

/**
 * Decides before anything else whether to admit a request: its path must be canonical and its host well-formed, and
 * another site must not have caused it if the group forbids that. A body that is too large for the group is not waited
 * for: the server would keep in memory what arrives of it.
 *
 * Accepts any host name, because the service cannot know the names under which proxies and tunnels publish it; only
 * DEV_NO_AUTH checks names. Bun refuses HTTP/1.1 without a `Host`, and resolves dot segments and backslashes before the
 * path is visible here.
 */
export const admit = (request: Request): Entrance => {
  const path = pathOf(request.url)
  const header = request.headers["host"]
  const host = header === undefined ? undefined : parseHost(header)
  if (header !== undefined && host === undefined)
    return { group: refusedGroup, host, refusal: new BadRequest(badHost) }
  if (!isCanonical(path)) return { group: refusedGroup, host, refusal: new BadRequest(badPath) }
  const group = groupOf(path)
  if (group.takesLargeBodies !== true && declaredLength(request) > MAX_OPEN_BODY)
    return { group, host, refusal: new TooLarge(undefined, { connection: "close" }) }
  if (group.admits(request)) return { group, host, refusal: undefined }
  Measure.gateRefusals.unsafeCount("same-site")
  return { group, host, refusal: new Forbidden() }
}

/** How long PUBLIC_URL is cached, in milliseconds: reading it costs more than the rest of the front door. */
const CACHE_MILLIS = 1_000

/** Makes the check whether PUBLIC_URL is an HTTPS address; the result is at most a second old. */
const makeIsPublished = () => {
  let known = false
  let until = Number.NEGATIVE_INFINITY
  const read = Effect.match(Setting.publicUrl.config, {
    onFailure: () => false,
    onSuccess: Option.exists((url) => /^https:/i.test(url))
  })
  return Effect.suspend(() =>
    performance.now() < until
      ? Effect.succeed(known)
      : Effect.tap(read, (now) => {
          known = now
          until = performance.now() + CACHE_MILLIS
        })
  )
}

/** Whether browsers reach a host over HTTPS. */
export type IsHttps = (request: Request, host: RequestHost | undefined) => Effect.Effect<boolean>

/**
 * Makes the check whether browsers reach a host over HTTPS: PUBLIC_URL says so, and no header says that this request
 * came over plain HTTP.
 *
 * A proxy terminates TLS, so the service sees plain HTTP either way. Requests to an IP address or to this machine
 * itself bypass the proxy, and browsers ignore HSTS over plain HTTP and for addresses (RFC 6797, 8.1).
 */
export const makeIsHttps = Effect.sync((): IsHttps => {
  const isPublished = makeIsPublished()
  return ({ headers }, host) =>
    host === undefined ||
    host.isAddress ||
    isLoopback(host.name) ||
    headers["x-forwarded-proto"]?.toLowerCase() === "http"
      ? Effect.succeed(false)
      : isPublished
})
