type Headers = Readonly<Record<string, string | undefined>>

/**
 * Whether a request comes from the service's own pages, from the person at the browser, or from no browser at all.
 *
 * `Sec-Fetch-Site` decides where a browser sends it (Fetch Metadata, W3C); else `Origin` must be the host asked.
 */
export const isSameSite = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  const origin = headers["origin"]
  return origin === undefined || isOwn(origin, headers["host"])
}

/** Parsed alike, so that a default port or capitals make no difference. */
const isOwn = (origin: string, host: string | undefined) => {
  const from = URL.parse(origin)
  if (from === null || host === undefined || !/^https?:$/.test(from.protocol)) return false
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host
}

/** What a navigation is for; a service worker that passes one on may leave it empty. Frames and plug-ins are not among them. */
const inTabs: ReadonlySet<string | undefined> = new Set(["document", "empty"])

/**
 * Whether a browser opens the address as a page in a tab of its own, as a link in a message or a bookmark does.
 *
 * Scripts cannot make such a request and its answer stays out of their reach, so another site may cause it.
 */
export const isNavigation = ({
  headers,
  method
}: {
  readonly headers: Headers
  readonly method: string
}): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["sec-fetch-mode"] === "navigate" &&
  inTabs.has(headers["sec-fetch-dest"])
