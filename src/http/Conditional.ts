import { createHash } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

/** The name of a text's content, for `ETag` (RFC 9110, 8.8.3). */
const nameOf = (text: string) => `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`

/** Whether the reader has this already, as far as the tags it sends say (RFC 9110, 13.1.2: compared weakly). */
export const has = (sent: string, etag: string) =>
  sent.trim() === "*" ||
  sent
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .includes(etag.replace(/^W\//, ""))

interface Seen {
  readonly etag: string
  /** When it was first given out, in seconds since 1970. */
  readonly at: number
  /** Whether no other content was given out in the same second: then a date tells it from what was before. */
  readonly alone: boolean
}

/** How many addresses' contents are remembered; beyond that it begins anew. */
const MAX_SEEN = 1_000

/**
 * Answers with a text, or with 304 where the reader has it already (RFC 9110, 13).
 *
 * When a content last changed is written nowhere, for a link that is no longer shared leaves no trace. So the time is
 * taken at which a content was first given out: never earlier than its change.
 */
export const makeConditional = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const second = Effect.map(clock.currentTimeMillis, (now) => Math.floor(now / 1000))
  const seen = new Map<string, Seen>()
  let since = yield* second

  const look = (address: string, etag: string, now: number): Seen => {
    const before = seen.get(address)
    if (before?.etag === etag) return before
    if (seen.size >= MAX_SEEN) {
      seen.clear()
      since = now
    }
    const known = { etag, at: now, alone: (before?.at ?? since) < now }
    seen.set(address, known)
    return known
  }

  return Effect.fnUntraced(function* (address: string, text: string, contentType: string) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { alone, at, etag } = look(address, nameOf(text), yield* second)
    const validators = {
      etag,
      "last-modified": new Date(at * 1000).toUTCString(),
      "cache-control": "no-cache"
    }
    const tags = headers["if-none-match"]
    const date = Date.parse(headers["if-modified-since"] ?? "")
    const fresh = tags === undefined ? alone && date >= at * 1000 : has(tags, etag)
    return fresh
      ? HttpServerResponse.empty({ status: 304, headers: validators })
      : HttpServerResponse.text(text, { contentType, headers: validators })
  })
})
