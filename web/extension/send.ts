import { retryAfterMillis } from "../../src/shared/RetryAfter.ts"
import { cutText } from "../../src/shared/Text.ts"
import type { Article } from "./article.ts"
import type { Captured } from "./capture.ts"
import { bodyOf, CAPTURE_PATH, type Fetch, isRedirect, requestOf, TIMEOUT } from "./request.ts"
import { fieldsOf, type Settings } from "./settings.ts"
import type { Snapshot } from "./snapshot.ts"

/** Why a capture could not be delivered yet. */
export type Trouble = "unreachable" | "busy" | "failing" | "redirected" | "gateway" | "foreign"

/** The outcome of one attempt to deliver a capture. */
export type Outcome =
  /** `notice` is what the service says about it, for the user. */
  | { readonly kind: "delivered"; readonly notice?: string }
  /** The service rejects this capture; `message` is the service's own, for the user. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "token" }
  /** A retry may succeed, but not before `after` milliseconds if the service said so. */
  | { readonly kind: "later"; readonly trouble: Trouble; readonly after: number | undefined }

/** A capture to send, and how often that has failed. */
export type Sent = Captured & { readonly attempts?: number }

/** The copies of its page that a capture brings. */
export interface Copies {
  readonly article?: Article | undefined
  readonly snapshot?: Snapshot | undefined
}

/** Maximum wait that a service can ask for, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000
const MAX_MESSAGE = 300

/** The wait that a `Retry-After` header asks for, in milliseconds. */
export const retryAfter = (value: string | null, now: number): number | undefined => {
  const wait = retryAfterMillis(value, now)
  return wait === undefined ? undefined : Math.min(wait, MAX_WAIT)
}

const later = (trouble: Trouble, after?: number): Outcome => ({ kind: "later", trouble, after })

/** Whether the response is a web page, such as a captive portal's, which answers every request with 200. */
const isPage = (response: Response) => /^text\/html/i.test(response.headers.get("content-type") ?? "")

const troubleOf = (status: number): Trouble => {
  if (status === 429) return "busy"
  if (status >= 500) return "failing"
  return status === 403 ? "gateway" : "foreign"
}

const outcomeOf = async (response: Response, now: number): Promise<Outcome> => {
  const { ok, status } = response
  if (isRedirect(response)) return later("redirected")
  if (ok) {
    if (isPage(response)) return later("foreign")
    const { notice } = fieldsOf(await bodyOf(response))
    return typeof notice === "string"
      ? { kind: "delivered", notice: cutText(notice, MAX_MESSAGE) }
      : { kind: "delivered" }
  }
  if (status === 401) return { kind: "token" }
  if (status === 400 || status === 409 || status === 413 || status === 422) {
    const { error, message } = fieldsOf(await bodyOf(response))
    // Nobody else has the key, so an earlier attempt has arrived, with the page's text or without it.
    if (error === "idempotency_key_reused") return { kind: "delivered" }
    return {
      kind: "refused",
      message: typeof message === "string" ? cutText(message, MAX_MESSAGE) : `${status}`
    }
  }
  return later(troubleOf(status), retryAfter(response.headers.get("retry-after"), now))
}

/**
 * Sends one capture once, with its id as idempotency key, so that a retry is the same capture. Never fails.
 *
 * Sends it again without the copies at once if something on the way takes no body of that size: it answers 413, or, as it
 * may be from the second of `attempts` on, ends the connection.
 */
export const send = async (
  { attempts = 0, highlight, id, url, note, title, description, selection, tags, collection }: Sent,
  { article, snapshot }: Copies,
  settings: Settings,
  fetch: Fetch,
  now: () => number
): Promise<Outcome> => {
  const copies = {
    ...(article === undefined ? {} : { article }),
    ...(snapshot === undefined ? {} : { snapshot })
  }
  const deliver = (more: typeof copies) => {
    const fields = Object.entries({ url, note, title, description, selection, tags, collection })
    const filled = fields.filter(([, value]) => value !== undefined && value.length > 0)
    const marked = highlight === undefined ? {} : { highlight }
    const body = { ...Object.fromEntries(filled), ...marked, ...more }
    const request = requestOf(settings, body, TIMEOUT, { "idempotency-key": id })
    return fetch(settings.address + CAPTURE_PATH, request).catch(() => null)
  }
  const first = await deliver(copies)
  const isTooLarge = Object.keys(copies).length > 0 && (first === null ? attempts > 0 : first.status === 413)
  const response = isTooLarge ? await deliver({}) : first
  return response === null ? later("unreachable") : outcomeOf(response, now())
}
