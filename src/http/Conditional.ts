import { createHash } from "node:crypto"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect } from "effect"

/** The name of a text's content, for `ETag` (RFC 9110, 8.8.3). */
const nameOf = (text: string) => `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`

/** Whether the reader has this already, as far as the tags it sends say (RFC 9110, 13.1.2: compared weakly). */
export const has = (sent: string, etag: string) =>
  sent.trim() === "*" ||
  sent
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .includes(etag.replace(/^W\//, ""))

/**
 * Answers with a text, or with 304 where the reader has it already (RFC 9110, 13). `changedAt` is when it last changed, in
 * milliseconds since 1970.
 *
 * In the second of a change there is no Last-Modified: a further change in that second would carry the same date (RFC 9110,
 * 8.8.2.2).
 */
export const conditional = Effect.fnUntraced(function* (
  text: string,
  contentType: string,
  changedAt?: number
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const etag = nameOf(text)
  const second = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const changed = changedAt === undefined ? undefined : Math.floor(changedAt / 1000)
  const isDated = changed !== undefined && changed < second
  const validators = {
    etag,
    ...(isDated ? { "last-modified": new Date(changed * 1000).toUTCString() } : {}),
    "cache-control": "no-cache"
  }
  const tags = headers["if-none-match"]
  const date = Date.parse(headers["if-modified-since"] ?? "")
  const fresh = tags === undefined ? isDated && date >= changed * 1000 : has(tags, etag)
  return fresh
    ? HttpServerResponse.empty({ status: 304, headers: validators })
    : HttpServerResponse.text(text, { contentType, headers: validators })
})
