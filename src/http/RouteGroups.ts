import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { isNavigation, isSameSite } from "../gates/RequestHost.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Headers = Readonly<Record<string, string>>

/** Routes that stand behind the same door: who may call them from a browser, and what their answers carry. */
export interface RouteGroup {
  /** The path under which the group's routes stand. */
  readonly place: `/${string}`
  /** Whether a browser may make this request, as far as the site that caused it decides. */
  readonly admits: (request: Request) => boolean
  /** Headers of every answer of the group, errors and unknown paths included; they replace what a handler has set. */
  readonly headers: Headers
  /** More of them, where they depend on the request. */
  readonly headersFor?: (request: Request) => Headers
  /** How an answer may be cached where neither these headers nor its handler say so. */
  readonly caching: string
  /** Whether its requests go before other work: those of the owner, not of strangers. */
  readonly isUrgent: boolean
}

const anyone = () => true

/** Answers with the owner's data, or about the owner's secrets: never cached, never shown in another site's page. */
const confidential = {
  headers: {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex, nofollow"
  },
  caching: "no-store",
  isUrgent: true
}
const open = { admits: anyone, headers: {}, caching: "no-cache", isUrgent: false }

/** A browser extension's own origin, in Chrome, Firefox and Safari. */
const extension = /^(chrome|moz|safari-web)-extension:\/\/[\w.-]+$/i

/** Lets extensions, and no web page, read an answer (CORS, without credentials). */
const readableByExtensions = ({ headers }: Request): Headers => {
  const origin = headers["origin"]
  return origin !== undefined && extension.test(origin)
    ? {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "retry-after",
        vary: "Origin"
      }
    : { vary: "Origin" }
}

/** Every group. A route stands in the one whose place its path begins with; what is left is documentation. */
export const groups = {
  api: { place: "/dashboard/api", admits: ({ headers }) => isSameSite(headers), ...confidential },
  dashboard: {
    place: "/dashboard",
    admits: (request) => isSameSite(request.headers) || isNavigation(request),
    ...confidential
  },
  capture: { place: "/capture", admits: anyone, headersFor: readableByExtensions, ...confidential },
  webhook: { place: "/webhook", admits: anyone, ...confidential },
  list: { place: "/list", ...open },
  app: { place: "/app", ...open },
  status: { place: "/healthz", ...open },
  docs: { place: "/", ...open }
} as const satisfies Record<string, RouteGroup>

/** Of requests that are refused before they reach a group. */
export const noGroup: RouteGroup = { place: "/", admits: () => false, ...confidential }

const bySegment: ReadonlyMap<string, RouteGroup> = new Map(
  [groups.dashboard, groups.capture, groups.webhook, groups.list, groups.app, groups.status].map((group) => [
    group.place.slice(1),
    group
  ])
)

/** The path of an address, without its query, which may hold what the owner looks for. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

/** The group of a path, which must be in the form `isCanonical` demands: then the router reads it in the same way. */
export const groupOf = (path: string): RouteGroup => {
  const end = path.indexOf("/", 1)
  const group = bySegment.get(end === -1 ? path.slice(1) : path.slice(1, end)) ?? groups.docs
  return group === groups.dashboard && /^\/dashboard\/api(\/|$)/.test(path) ? groups.api : group
}

/** What every answer carries (OWASP Secure Headers; Fetch Metadata; CSP level 3). */
const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin"
}
const dataPolicy = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }

/**
 * Features of the browser that no page uses (Permissions Policy, W3C), by the names that browsers know; writing to the
 * clipboard is the only one used.
 */
const unused = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "window-management",
  "xr-spatial-tracking"
]
const pagePolicy = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types linkbower",
  "permissions-policy": `clipboard-write=(self), ${unused.map((feature) => `${feature}=()`).join(", ")}`
}

/** Whether an answer is a page of ours, as opposed to data. */
export const isPage = ({ headers }: Response): boolean =>
  headers["content-type"]?.startsWith("text/html") === true

/**
 * What goes with a status: how to sign in, and when to try again. After a body that came too slowly the connection ends,
 * for what is left of it cannot be told from the next request.
 */
const byStatus: Readonly<Record<number, Headers>> = {
  401: { "www-authenticate": "Bearer" },
  408: { connection: "close" },
  503: { "retry-after": "5" }
}

/** Tells browsers for a year to use HTTPS alone (RFC 6797). Subdomains are not this service's to decide about. */
const secure: Headers = { "strict-transport-security": "max-age=31536000" }

/**
 * The headers of a group's pages, of its data, and of answers with a policy of their own or none: a 304 leaves the one that
 * was sent with the content (RFC 9111, 4.3.4). Put together once, for every answer needs them.
 */
const wardrobeOf = ({ headers }: RouteGroup) => ({
  page: { ...always, ...pagePolicy, ...headers },
  data: { ...always, ...dataPolicy, ...headers },
  neither: { ...always, ...headers }
})
const wardrobes = new Map(
  [...Object.values<RouteGroup>(groups), noGroup].map((one) => [one, wardrobeOf(one)])
)

const kindOf = (response: Response) => {
  if (response.status === 304 || "content-security-policy" in response.headers) return "neither"
  return isPage(response) ? "page" : "data"
}

/** Gives an answer the headers of its group; `overHttps` says whether browsers reach this host by HTTPS. */
export const dressed = (
  group: RouteGroup,
  request: Request,
  response: Response,
  overHttps: boolean
): Response => {
  const wardrobe = wardrobes.get(group) ?? wardrobeOf(group)
  return HttpServerResponse.setHeaders(response, {
    "cache-control": response.headers["cache-control"] ?? group.caching,
    ...wardrobe[kindOf(response)],
    ...group.headersFor?.(request),
    ...byStatus[response.status],
    ...(overHttps ? secure : undefined)
  })
}
