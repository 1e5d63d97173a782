import type { SitePage } from "./SitePage.ts"

/** A request to a site about one of its pages. */
export interface SiteRequest {
  readonly address: URL
  /** Sent as `Accept`. */
  readonly accept: string
}

/**
 * How to ask a site about one of its pages, where its answer says more than the page. Rules run without Effect: `request`
 * in the service, `read` in the sandbox child, because an answer is as untrusted as a page.
 */
export interface SiteRule {
  /** Names the rule in requests to the sandbox, logs and metrics. */
  readonly name: string
  /**
   * The request for a page at this http(s) address; undefined if the address is not of the site, or of a kind that it
   * does not answer about. The request goes to the site itself and contains nothing but the page's address or number.
   */
  readonly request: (url: URL) => SiteRequest | undefined
  /**
   * What the answer about the page at `url` states; undefined if it is unusable. Takes time linear in the answer's
   * length, at most `MAX_ANSWER` bytes, and never throws.
   */
  readonly read: (answer: string, url: URL) => SitePage | undefined
}

/** Maximum size of a site's answer, in bytes. A longer one is cut; of cut JSON, `parseCutAnswer` reads the beginning. */
export const MAX_ANSWER = 1024 * 1024

/** A request for an answer in JSON. */
export const jsonRequest = (address: string | URL): SiteRequest => ({
  address: new URL(address),
  accept: "application/json"
})

/** Whether an address is on a host or one of its subdomains. */
export const isOn = (url: URL, host: string): boolean =>
  url.hostname === host || url.hostname.endsWith(`.${host}`)

/**
 * The segments of an address's path, decoded, without empty ones; undefined if one cannot be decoded or has a control
 * character, as no page of a site has.
 */
export const segmentsOf = (url: URL): ReadonlyArray<string> | undefined => {
  try {
    const segments = url.pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent)
    return segments.some((segment) => /\p{Cc}/u.test(segment)) ? undefined : segments
  } catch {
    return undefined
  }
}

/** The segments of an address's path on one of these hosts; undefined on any other host or port. */
export const segmentsOn = (url: URL, ...hosts: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  hosts.includes(url.host) ? segmentsOf(url) : undefined
