import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { isNavigation, isSameSite } from "../gates/RequestHost.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Headers = Readonly<Record<string, string>>

/** Routes behind the same door: who may call them from a browser, and which headers their responses carry. */
export interface RouteGroup {
  readonly place: `/${string}`
  /** Whether a browser may make this request, depending on the site that caused it. */
  readonly admits: (request: Request) => boolean
  /** Headers of every response of the group, errors and unknown paths included; they override the handler's. */
  readonly headers: Headers
  readonly headersFor?: (request: Request) => Headers
  /** The caching of a response whose handler does not choose it; with `no-store`, a handler can choose `private` only. */
  readonly caching: string
  /** Whether its requests may bring more than a few kilobytes, which only those do that show who sends them. */
  readonly takesLargeBodies?: true
  /** Whether its requests run before other work: only the owner's do. */
  readonly isUrgent: boolean
  /** Whether gate 4 stands before all of its routes, so that a person who is refused gets the page for signing in. */
  readonly isOwners?: true
  readonly hasPasskeys?: boolean
  /** Whether its pages frame documents of this service: the app shows kept pages so. */
  readonly hasFrames?: boolean
  /** How to sign in, as its refusals say (RFC 9110, 11.6.1); with a bearer token by default. */
  readonly challenge?: string
}

const anyone = () => true

/** Never in another site's page, never cached but where a handler lets the owner's browser keep one. */
const confidential = {
  headers: {
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex, nofollow"
  },
  caching: "no-store",
  isUrgent: true
}
const open = { admits: anyone, headers: {}, caching: "no-cache", isUrgent: false }

/** The owner's pages: a link or a bookmark may lead there from anywhere. */
const owners = {
  admits: (request: Request) => isSameSite(request.headers) || isNavigation(request),
  ...confidential,
  isOwners: true,
  hasPasskeys: true,
  hasFrames: true
} as const

/** Matches a browser extension's origin, in Chrome, Firefox and Safari. */
const extension = /^(chrome|moz|safari-web)-extension:\/\/[\w.-]+$/i

/** Lets extensions, but no web page, read a response and these headers of it (CORS, without credentials). */
const readableByExtensions =
  (exposed: string) =>
  ({ headers }: Request): Headers => {
    const origin = headers["origin"]
    return origin !== undefined && extension.test(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": exposed,
          vary: "Origin"
        }
      : { vary: "Origin" }
  }

/** Every group. A route belongs to the group whose `place` starts its path; all other paths are documentation. */
export const groups = {
  api: {
    ...owners,
    place: "/dashboard/api",
    admits: ({ headers }) => isSameSite(headers),
    takesLargeBodies: true
  },
  dashboard: { ...owners, place: "/dashboard" },
  setup: { ...owners, place: "/setup" },
  connect: { ...owners, place: "/connect" },
  signinApi: { place: "/signin/api", admits: ({ headers }) => isSameSite(headers), ...confidential },
  // The pages and redirects of signing in: a link or an identity provider may lead here.
  signin: {
    place: "/signin",
    admits: (request) => isSameSite(request.headers) || isNavigation(request),
    hasPasskeys: true,
    ...confidential
  },
  capture: {
    place: "/capture",
    admits: anyone,
    headersFor: readableByExtensions("retry-after"),
    takesLargeBodies: true,
    ...confidential
  },
  // For the owner's programs: the token is in a header, which no browser sends by itself.
  programs: {
    place: "/api",
    admits: anyone,
    headersFor: readableByExtensions("etag, retry-after, www-authenticate"),
    takesLargeBodies: true,
    ...confidential,
    isUrgent: false
  },
  // The reading apps of Readeck, whose API has the same paths as another one below `/api`.
  readeck: { place: "/readeck", admits: anyone, takesLargeBodies: true, ...confidential, isUrgent: false },
  // The same programs, by the Model Context Protocol.
  mcp: {
    place: "/mcp",
    admits: anyone,
    headersFor: readableByExtensions("retry-after, www-authenticate"),
    takesLargeBodies: true,
    ...confidential,
    isUrgent: false
  },
  // Where programs register and get their tokens: no cookie counts there.
  oauth: { place: "/oauth", admits: anyone, ...confidential, isUrgent: false },
  webhook: { place: "/webhook", admits: anyone, takesLargeBodies: true, ...confidential },
  list: { place: "/list", ...open },
  // Feeds of the owner's searches: the address is the secret, and no client waits for them.
  feeds: { place: "/feeds", admits: anyone, ...confidential, isUrgent: false },
  // The catalog of e-readers: the secret is in the address, or a password, as in the feeds.
  opds: {
    place: "/opds",
    admits: anyone,
    ...confidential,
    isUrgent: false,
    challenge: 'Basic realm="Linkbower", charset="UTF-8"'
  },
  // Kept pages under secret addresses, for whoever has been given one.
  shared: { place: "/s", admits: anyone, ...confidential, isUrgent: false },
  // The page that the service worker shows for the dashboard's is one of its files.
  app: { place: "/app", ...open, hasFrames: true },
  status: { place: "/healthz", ...open },
  docs: { place: "/", ...open }
} as const satisfies Record<string, RouteGroup>

/** The group of requests that are refused before they reach one. */
export const refusedGroup: RouteGroup = { place: "/", admits: () => false, ...confidential }

/** The APIs below another group's place, and the documentation, belong to no segment of their own. */
const bySegment: ReadonlyMap<string, RouteGroup> = new Map(
  Object.values<RouteGroup>(groups).flatMap((group) =>
    /^\/[^/]+$/.test(group.place) ? [[group.place.slice(1), group]] : []
  )
)

/** Returns the path of an address without its query, which may hold the owner's search words. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const secretPlaces: ReadonlySet<RouteGroup> = new Set([groups.feeds, groups.opds, groups.shared])

/** Returns a path as logs show it: without the secret that is part of the address of a feed, a catalog or a page. */
export const loggedPath = (path: string): string => {
  const group = groupOf(path)
  return secretPlaces.has(group) ? `${group.place}/…` : path
}

/** Returns the group of a path, which must be canonical (`isCanonical`): then the router reads it the same way. */
export const groupOf = (path: string): RouteGroup => {
  const end = path.indexOf("/", 1)
  const group = bySegment.get(end === -1 ? path.slice(1) : path.slice(1, end)) ?? groups.docs
  if (group !== groups.dashboard && group !== groups.signin) return group
  if (!/^\/[^/]+\/api(\/|$)/.test(path)) return group
  return group === groups.dashboard ? groups.api : groups.signinApi
}

/** Headers of every response (OWASP Secure Headers; Fetch Metadata; CSP level 3). */
const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin"
}
const dataPolicy = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }

/** Browser features of the pages that ask for passkeys (Web Authentication, 5.9). */
const passkeyFeatures = ["publickey-credentials-create", "publickey-credentials-get"]

/** Browser features that no page uses (Permissions Policy, W3C), by the names that browsers know. */
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
  "screen-wake-lock",
  "serial",
  "usb",
  "window-management",
  "xr-spatial-tracking"
]
const permissions = (used: ReadonlyArray<string>, refused: ReadonlyArray<string>) =>
  [...used.map((feature) => `${feature}=(self)`), ...refused.map((feature) => `${feature}=()`)].join(", ")
const contentPolicy = (hasFrames: boolean) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  `worker-src 'self'; ${hasFrames ? "frame-src 'self'; " : ""}base-uri 'none'; form-action 'self'; ` +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types linkbower"

const pagePolicyOf = ({ hasFrames = false, hasPasskeys = false }: RouteGroup): Headers => ({
  "content-security-policy": contentPolicy(hasFrames),
  "permissions-policy": hasPasskeys
    ? permissions(["clipboard-write", ...passkeyFeatures], unused)
    : permissions(["clipboard-write"], [...unused, ...passkeyFeatures])
})

/** Whether a request comes from a person in a browser, who needs a page rather than an error code. */
export const isFromPerson = ({ headers, method }: Request): boolean =>
  (method === "GET" || method === "HEAD") && /(^|[,\s])text\/html\s*($|[,;])/i.test(headers["accept"] ?? "")

export const isPage = ({ headers }: Response): boolean =>
  headers["content-type"]?.startsWith("text/html") === true

/** After a body that came too slowly the connection closes: its rest looks like the next request. */
const byStatus: Readonly<Record<number, Headers>> = {
  408: { connection: "close" },
  503: { "retry-after": "5" }
}

/** HTTPS alone for a year (RFC 6797); subdomains are not this service's to decide for. */
const hsts: Headers = { "strict-transport-security": "max-age=31536000" }

/** A 304 keeps the policy sent with the content (RFC 9111, 4.3.4). Built once: every response needs them. */
const headerSetsOf = (group: RouteGroup) => ({
  page: { ...always, ...pagePolicyOf(group), ...group.headers },
  data: { ...always, ...dataPolicy, ...group.headers },
  neither: { ...always, ...group.headers }
})
const setsByGroup = new Map(
  [...Object.values<RouteGroup>(groups), refusedGroup].map((one) => [one, headerSetsOf(one)])
)

const kindOf = (response: Response) => {
  if (response.status === 304 || "content-security-policy" in response.headers) return "neither"
  return isPage(response) ? "page" : "data"
}

/** The caching of a response: what its handler chose, unless that lets a cache that others use keep what is confidential. */
const cachingOf = ({ caching }: RouteGroup, { headers }: Response): string => {
  const chosen = headers["cache-control"]
  return chosen === undefined || (caching === "no-store" && !chosen.startsWith("private, "))
    ? caching
    : chosen
}

/** Adds the headers of its group to a response; `overHttps` says whether browsers reach this host over HTTPS. */
export const withGroupHeaders = (
  group: RouteGroup,
  request: Request,
  response: Response,
  overHttps: boolean
): Response => {
  const headerSets = setsByGroup.get(group) ?? headerSetsOf(group)
  return HttpServerResponse.setHeaders(response, {
    "cache-control": cachingOf(group, response),
    ...headerSets[kindOf(response)],
    ...group.headersFor?.(request),
    ...byStatus[response.status],
    ...(response.status === 401
      ? { "www-authenticate": response.headers["www-authenticate"] ?? group.challenge ?? "Bearer" }
      : undefined),
    ...(overHttps ? hsts : undefined)
  })
}
