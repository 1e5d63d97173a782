import { readHeaders, type Settings } from "./settings.ts"

/** The part of `fetch` that is used. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

export const CAPTURE_PATH = "/capture/api/link"

/** In milliseconds: Chrome ends a worker after 30 seconds without a response, and the service waits at most 25. */
export const TIMEOUT = 28_000

/** The options of every request by the extension: with a token, without cookies, and without following redirects. */
export const asking = (
  token: string,
  headers: string,
  timeout: number,
  more: Readonly<Record<string, string>> = {}
): RequestInit => ({
  credentials: "omit",
  cache: "no-store",
  referrerPolicy: "no-referrer",
  // A redirect must not take the token or a capture to a sign-in page or another host.
  redirect: "manual",
  signal: AbortSignal.timeout(timeout),
  headers: { ...readHeaders(headers), authorization: `Bearer ${token}`, ...more }
})

/** The options of a request that brings JSON, with the token for saving. */
export const requestOf = (
  { headers, token }: Pick<Settings, "headers" | "token">,
  body: unknown,
  timeout: number = TIMEOUT,
  more: Readonly<Record<string, string>> = {}
): RequestInit => ({
  method: "POST",
  ...asking(token, headers, timeout, { "content-type": "application/json", ...more }),
  body: JSON.stringify(body)
})

/** Whether the response is a redirect, whose target `fetch` hides. */
export const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)

/** The response's JSON, unvalidated; null if the body is not JSON. */
export const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => null)
