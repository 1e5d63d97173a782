import type { Captured } from "./outbox.ts"
import { fieldsOf, readHeaders, type Settings } from "./settings.ts"

/** Why a capture could not be delivered yet. */
export type Trouble = "unreachable" | "busy" | "failing" | "redirected" | "gateway" | "foreign"

/** What became of one attempt to deliver a capture. */
export type Outcome =
  | { readonly kind: "delivered" }
  /** The service does not take this capture; `message` is the service's own word, for a person. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "token" }
  /** Another attempt may succeed, not before `after` milliseconds where the service said so. */
  | { readonly kind: "later"; readonly trouble: Trouble; readonly after: number | undefined }

/** The part of `fetch` that is used. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

export const CAPTURE_PATH = "/capture/api/link"

/** Chrome ends a worker whose request is not answered within 30 seconds; the service waits for 25 at most. */
const TIMEOUT = 28_000
/** The longest wait a service may ask for, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000
const MAX_MESSAGE = 300

/** The wait that a `Retry-After` header asks for (RFC 9110, 10.2.3), in milliseconds. */
export const retryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined
  const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_WAIT)
}

/** How every request of the extension goes out: with the token, without cookies, and to the service itself alone. */
export const requestOf = (
  { headers, token }: Settings,
  body: unknown,
  timeout: number = TIMEOUT,
  more: Readonly<Record<string, string>> = {}
): RequestInit => ({
  method: "POST",
  credentials: "omit",
  cache: "no-store",
  referrerPolicy: "no-referrer",
  // Neither the token nor a capture follows a redirect to a sign-in page or to another host.
  redirect: "manual",
  signal: AbortSignal.timeout(timeout),
  headers: {
    ...readHeaders(headers),
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...more
  },
  // What is empty is left out.
  body: JSON.stringify(body, (_, value) => (value === "" ? undefined : value))
})

/** Whether the answer is a redirect, whose target a page may not see. */
export const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || (status >= 300 && status < 400)

/** The answer's JSON, whatever it is; null for another text. */
export const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => null)

const later = (trouble: Trouble, after?: number): Outcome => ({ kind: "later", trouble, after })

/** A hotel's sign-in page answers anything with a page of its own, and with 200. */
const isPage = (response: Response) => /^text\/html/i.test(response.headers.get("content-type") ?? "")

const troubleOf = (status: number): Trouble => {
  if (status === 429) return "busy"
  if (status >= 500) return "failing"
  return status === 403 ? "gateway" : "foreign"
}

const outcomeOf = async (response: Response, now: number): Promise<Outcome> => {
  const { ok, status } = response
  if (isRedirect(response)) return later("redirected")
  if (ok) return isPage(response) ? later("foreign") : { kind: "delivered" }
  if (status === 401) return { kind: "token" }
  if (status === 400 || status === 409 || status === 413 || status === 422) {
    const { message } = fieldsOf(await bodyOf(response))
    return {
      kind: "refused",
      message: typeof message === "string" ? message.slice(0, MAX_MESSAGE) : `${status}`
    }
  }
  return later(troubleOf(status), retryAfter(response.headers.get("retry-after"), now))
}

/** Sends one capture, once; its identifier makes another delivery of it the same capture. Never fails. */
export const send = async (
  { id, url, note, title, description, selection }: Captured,
  settings: Settings,
  fetch: Fetch,
  now: () => number
): Promise<Outcome> => {
  const body = { url, note, title, description, selection }
  const request = requestOf(settings, body, TIMEOUT, { "idempotency-key": id })
  const response = await fetch(settings.address + CAPTURE_PATH, request).catch(() => null)
  return response === null ? later("unreachable") : outcomeOf(response, now())
}
