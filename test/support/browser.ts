import type { App } from "./app.ts"

const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** Where a browser is, and how it reaches the service. */
interface BrowserOptions {
  /** The address of its pages; those with https reach the service through a proxy that says so. */
  readonly origin?: string
  /** Its own address, which a proxy passes on. */
  readonly address?: string
  /** The cookies that it has from earlier. */
  readonly cookies?: ReadonlyMap<string, string>
}

/**
 * A browser as far as sign-in concerns it: it keeps the cookies that it may keep for its address, and sends them from
 * the service's own pages.
 */
export const makeBrowser = (
  app: App,
  {
    address = "203.0.113.7",
    cookies: earlier = new Map(),
    origin = "http://localhost:8787"
  }: BrowserOptions = {}
) => {
  const { host, protocol } = new URL(origin)
  const isSecure = protocol === "https:"
  const cookies = new Map(earlier)

  const keep = (header: string) => {
    const [pair = "", ...attributes] = header.split(";").map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf("="))
    const lower = attributes.map((attribute) => attribute.toLowerCase())
    if (lower.includes("secure") && !isSecure) return
    if (name.startsWith("__Host-") && !(lower.includes("secure") && lower.includes("path=/"))) return
    if (lower.includes("max-age=0")) cookies.delete(name)
    else cookies.set(name, pair.slice(pair.indexOf("=") + 1))
  }

  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ) => {
    const response = await app.request(method, path, body, {
      host,
      "user-agent": agent,
      "x-forwarded-for": address,
      "sec-fetch-site": "same-origin",
      ...(method === "GET" ? {} : { origin }),
      ...(isSecure ? { "x-forwarded-proto": "https" } : {}),
      ...(cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...headers
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookie)
    return response
  }

  return {
    origin,
    cookies,
    request,
    /** The status of a request to the dashboard's API. */
    dashboard: async () => (await request("GET", "/dashboard/api/meta")).status,
    post: (path: string, body: unknown = {}) => request("POST", `/signin/api${path}`, body),
    put: (path: string, body: unknown) => request("PUT", `/signin/api${path}`, body)
  }
}
export type Browser = ReturnType<typeof makeBrowser>
