import { createHash } from "node:crypto"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect } from "effect"

/** Whether the request takes an answer in this encoding (RFC 9110, 12.5.3; one that is refused by name is not taken). */
const takes = ({ headers }: HttpServerRequest.HttpServerRequest, encoding: string): boolean =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(;(?!\\s*q=0(\\.0*)?\\s*(,|$))|,|$)`, "i").test(
    headers["accept-encoding"] ?? ""
  )

/** Shorter answers fit into one packet as they are, in bytes. */
const WORTH_IT = 1_400

/** A page is packed for each request, so quickly: the levels from which on more time saves little. */
const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 4 })

/** A page in the smallest form the request takes. */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  // What is embedded comes packed.
  if ("content-encoding" in response.headers) return response
  const varying =
    "vary" in response.headers ? response : HttpServerResponse.setHeader(response, "vary", "accept-encoding")
  if (body._tag !== "Uint8Array" || body.body.byteLength < WORTH_IT) return varying
  const encoding = takes(request, "br") ? "br" : takes(request, "gzip") ? "gzip" : null
  if (encoding === null) return varying
  const packed = encoding === "br" ? brotli(body.body) : gzip(body.body)
  return HttpServerResponse.setHeader(varying, "content-encoding", encoding).pipe(
    HttpServerResponse.setBody(HttpBody.uint8Array(packed, body.contentType))
  )
}

/** A file of the program: as it is, and packed where that is worth it; each is a path that only the program can read. */
interface EmbeddedFile {
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}

/** The bytes of an embedded file. */
export const readEmbedded = (path: string) => Effect.promise(() => Bun.file(path).bytes())

/** One file's answers, of which a request gets the smallest it takes; the bytes are held from the start. */
export const load = Effect.fnUntraced(function* (file: EmbeddedFile, headers: Record<string, string>) {
  const forms = [
    ...(file.br === undefined ? [] : [{ encoding: "br", bytes: yield* readEmbedded(file.br) }]),
    ...(file.gzip === undefined ? [] : [{ encoding: "gzip", bytes: yield* readEmbedded(file.gzip) }])
  ]
  const identity = yield* readEmbedded(file.identity)
  const answerTo = (request: HttpServerRequest.HttpServerRequest, status = 200) => {
    const form = forms.find(({ encoding }) => takes(request, encoding))
    return HttpServerResponse.uint8Array(form?.bytes ?? identity, {
      status,
      contentType: file.type,
      headers: {
        ...headers,
        ...(form === undefined ? {} : { "content-encoding": form.encoding }),
        vary: "accept-encoding"
      }
    })
  }
  return { answerTo }
})

/** For what changes its name with its content. */
export const forEver = { "cache-control": "public, max-age=31536000, immutable" }

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
