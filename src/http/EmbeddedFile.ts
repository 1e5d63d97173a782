import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { HttpBody, HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect } from "effect"
import { lazily } from "../shared/Lazily.ts"

/** Whether the request accepts this encoding (RFC 9110, 12.5.3); `q=0` refuses it. */
const acceptsEncoding = ({ headers }: HttpServerRequest.HttpServerRequest, encoding: string): boolean =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(;(?!\\s*q=0(\\.0*)?\\s*(,|$))|,|$)`, "i").test(
    headers["accept-encoding"] ?? ""
  )

/** Minimum size of a response to compress, in bytes: a smaller one fits into one packet uncompressed. */
const MIN_COMPRESSED = 1_400

/** Uses fast levels, because pages are compressed on every request; higher levels cost more time and save little. */
const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 4 })

export const compressResponse = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  // Embedded files are already compressed.
  if ("content-encoding" in response.headers) return response
  const varying =
    "vary" in response.headers ? response : HttpServerResponse.setHeader(response, "vary", "accept-encoding")
  if (body._tag !== "Uint8Array" || body.body.byteLength < MIN_COMPRESSED) return varying
  const encoding = acceptsEncoding(request, "br") ? "br" : acceptsEncoding(request, "gzip") ? "gzip" : null
  if (encoding === null) return varying
  const packed = encoding === "br" ? brotli(body.body) : gzip(body.body)
  return HttpServerResponse.setHeader(varying, "content-encoding", encoding).pipe(
    HttpServerResponse.setBody(HttpBody.uint8Array(packed, body.contentType))
  )
}

/** An embedded file: uncompressed, and compressed if that pays off; each path is readable only by this program. */
interface EmbeddedFile {
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}

export const embeddedBytes = (path: string): (() => Uint8Array) => lazily(() => readFileSync(path))

/** Makes the responses of a file: a request gets the smallest variant that it accepts. */
export const embeddedAnswer = (file: EmbeddedFile, headers: Record<string, string>) => {
  const forms = [
    ...(file.br === undefined ? [] : [{ encoding: "br", bytes: embeddedBytes(file.br) }]),
    ...(file.gzip === undefined ? [] : [{ encoding: "gzip", bytes: embeddedBytes(file.gzip) }])
  ]
  const identity = embeddedBytes(file.identity)
  return (request: HttpServerRequest.HttpServerRequest, status = 200) => {
    const form = forms.find(({ encoding }) => acceptsEncoding(request, encoding))
    return HttpServerResponse.uint8Array(form?.bytes() ?? identity(), {
      status,
      contentType: file.type,
      headers: {
        ...headers,
        ...(form === undefined ? {} : { "content-encoding": form.encoding }),
        vary: "accept-encoding"
      }
    })
  }
}

export const embeddedRoute = (path: HttpLayerRouter.PathInput, answerTo: ReturnType<typeof embeddedAnswer>) =>
  HttpLayerRouter.route("GET", path, (request) => Effect.succeed(answerTo(request)))

export const immutableHeaders = { "cache-control": "public, max-age=31536000, immutable" }

/** Returns the `ETag` of a text, derived from its content (RFC 9110, 8.8.3). */
const etagOf = (text: string) => `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`

/** Whether the client already has this content, according to the tags it sends (RFC 9110, 13.1.2: weak comparison). */
export const matchesEtag = (sent: string, etag: string) =>
  sent.trim() === "*" ||
  sent
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .includes(etag.replace(/^W\//, ""))

/**
 * Answers with a text, or with 304 if the client already has it (RFC 9110, 13). `changedAt` is when the text last
 * changed, in milliseconds since 1970.
 *
 * Omits Last-Modified within the second of a change, because a further change in that second would carry the same date
 * (RFC 9110, 8.8.2.2).
 */
export const conditionalResponse = Effect.fnUntraced(function* (
  text: string,
  contentType: string,
  changedAt?: number
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const etag = etagOf(text)
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
  const fresh = tags === undefined ? isDated && date >= changed * 1000 : matchesEtag(tags, etag)
  return fresh
    ? HttpServerResponse.empty({ status: 304, headers: validators })
    : HttpServerResponse.text(text, { contentType, headers: validators })
})
