import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isLoopback, parseHost, type RequestHost } from "../gates/RequestHost.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { BadRequest, Forbidden } from "./api/Failures.ts"
import { groupOf, noGroup, pathOf, type RouteGroup } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * Matches a path that every reader understands alike: no empty or dot segment, and only characters that stand for
 * themselves in a path (RFC 3986, 3.3, and `|`, `[`, `]`, which browsers send as they are). A `;` is not among them, for
 * the router ends the path there.
 */
const PLAIN = /^\/(?:(?!\.{1,2}(?:\/|$))[\w\-.~!$&'()*+,=:@|[\]]+(?:\/(?!\/)|$))*$/

const ENCODED = /%[0-9a-f]{2}/gi

/** Matches encoded bytes that have a plain spelling (RFC 3986, 2.3), and encoded slashes, backslashes and controls. */
const MISENCODED = /%(?:[01][0-9a-f]|2[def]|3[0-9]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i

const isUtf8 = (encoded: string) => {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(encoded))
  } catch {
    return false
  }
}

/**
 * Whether a path is written in the one form that is answered.
 *
 * Routes, gates and headers are chosen by the path, here and in whatever stands in front of the service: a second
 * spelling of a path would be a way past those that know only the first.
 */
export const isCanonical = (path: string): boolean =>
  path.includes("%")
    ? !MISENCODED.test(path) && isUtf8(path) && PLAIN.test(path.replace(ENCODED, "~"))
    : PLAIN.test(path)

const badPath =
  "The path must be in canonical form: without empty segments, dots or needless percent-encoding."
const badHost = "The request must have one Host header, with a host name or an IP address."

/** How a request was let in, or why not. */
interface Entrance {
  /** The group that answers, which decides on headers also where the request is refused. */
  readonly group: RouteGroup
  readonly host: RequestHost | undefined
  readonly refusal: BadRequest | Forbidden | undefined
}

/**
 * Decides before anything else whether a request is looked at: its path must be canonical, its host well-formed, and
 * its cause not another site where the group forbids that.
 *
 * Any host name is accepted, for the service cannot know the names under which proxies and tunnels publish it; names
 * matter to DEV_NO_AUTH alone. Bun refuses HTTP/1.1 without a `Host`, and resolves dot segments and backslashes before
 * the path can be seen.
 */
export const enter = (request: Request): Entrance => {
  const path = pathOf(request.url)
  const header = request.headers["host"]
  const host = header === undefined ? undefined : parseHost(header)
  if (header !== undefined && host === undefined)
    return { group: noGroup, host, refusal: new BadRequest(badHost) }
  if (!isCanonical(path)) return { group: noGroup, host, refusal: new BadRequest(badPath) }
  const group = groupOf(path)
  if (group.admits(request)) return { group, host, refusal: undefined }
  Measure.gateRefusals.unsafeCount("same-site")
  return { group, host, refusal: new Forbidden() }
}

/** How long PUBLIC_URL is remembered, in milliseconds: reading it costs more than all the rest of the front door. */
const REMEMBERED = 1_000

/** Whether PUBLIC_URL is an address over HTTPS, as of at most a second ago. */
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
          until = performance.now() + REMEMBERED
        })
  )
}

/** Says whether browsers reach a host by HTTPS. */
export type IsHttps = (request: Request, host: RequestHost | undefined) => Effect.Effect<boolean>

/**
 * Makes the check whether browsers reach a host by HTTPS: PUBLIC_URL says so, and nothing says that this request came
 * without.
 *
 * A proxy ends the encryption, so the service sees plain HTTP either way. Requests to an IP address or to this machine
 * itself bypass it, and browsers ignore the policy over plain HTTP and for addresses (RFC 6797, 8.1).
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
